// The one builder of Content-Security-Policy headers, so that no page forgets the strict defaults.

/** Denies every source that is not listed, and framing by any site. Directives appear as given. */
export function contentSecurityPolicy(directives: Readonly<Record<string, string>> = {}): string {
  return Object.entries({ 'default-src': "'none'", ...directives, 'frame-ancestors': "'none'" })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}
