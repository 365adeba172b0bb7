// The end of a navigation that did not leave the page: the person stopped the browser, or the
// network failed before an answer.
/// <reference lib="dom" />

/** Older browsers do not tell; there a reload helps. */
export function onStopped(listener: () => void): void {
  if ('navigation' in window) navigation.addEventListener('navigateerror', listener);
}
