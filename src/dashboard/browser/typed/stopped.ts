// The end of a navigation that did not leave the page: the person stopped the browser, or the
// network failed before an answer.
/// <reference lib="dom" />

/** Without effect in browsers that have no such event: there, the page must be reloaded. */
export function onStopped(listener: () => void): void {
  if ('navigation' in window) navigation.addEventListener('navigateerror', listener);
}
