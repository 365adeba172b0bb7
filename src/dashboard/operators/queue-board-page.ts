// The HTML page of Bull Board, adapted to our Content-Security-Policy: no foreign hosts, no inline
// styles or scripts. If a new release of the library has a different page, rendering fails.
import { contentSecurityPolicy } from '../../platform/http/security-headers.js';

/**
 * Bull Board's script adds style elements, for menus and scroll bars, whose content depends on the
 * window, and it has no option for a nonce. This script runs before it and gives them the page's.
 */
export const NONCE_SCRIPT = `const { nonce } = document.currentScript.dataset;
for (const method of ['createElement', 'createElementNS']) {
  const create = Document.prototype[method];
  Document.prototype[method] = function (...args) {
    const element = create.apply(this, args);
    if (element.localName === 'style') element.nonce = nonce;
    return element;
  };
}
`;

/** A link out of the board, above its title in the corner that every page of the board shows. */
export const BACK_LINK = '<a class="back-to-dashboard" href="/">← Tradepost</a>';
/**
 * Styles the link, and gives the board the font of the other pages. The 8 tabs of a queue are small
 * enough for one row in a window of 1280 px, and wrap in narrower ones. The version of the board
 * says nothing about this installation.
 */
export const boardStyle = (fontPath: string) => `@font-face {
  font-family: "Inter Variable";
  font-weight: 100 900;
  src: url("${fontPath}") format("woff2");
}
:root {
  --font-sans: "Inter Variable", system-ui, sans-serif !important;
}
.back-to-dashboard {
  position: fixed;
  z-index: 100;
  top: 0.5rem;
  left: 1.25rem;
  color: var(--muted-foreground);
  font: 500 0.8rem/1.25 var(--font-sans);
  text-decoration: none;
}
.back-to-dashboard:is(:hover, :focus-visible) {
  color: var(--foreground);
  text-decoration: underline;
}
[class^="logo-"] {
  padding-top: 1.1rem !important;
}
[class^="statusTabs-"] {
  flex-wrap: wrap !important;
}
[class^="statusTabs-"] * {
  font-size: 0.8125rem !important;
}
[class^="statusTabs-"] [data-text] {
  display: inline-block;
  text-transform: lowercase;
}
[class^="statusTabs-"] [data-text]::first-letter {
  text-transform: uppercase;
}
a[href$="bull-board/releases"] {
  display: none !important;
}
@media (max-width: 768px) {
  .back-to-dashboard {
    left: 0.5rem;
  }
}
`;

export function boardPolicy(nonce: string): string {
  return contentSecurityPolicy({
    'script-src': "'self'",
    'worker-src': "'self'",
    'style-src': "'self'",
    'style-src-elem': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'self'",
    'form-action': "'none'",
  });
}

/**
 * Renders the library's EJS template without the fonts that it would load from another host and
 * without its inline styles, which only the loading placeholder uses. Throws if the template has
 * an unknown tag or still loads from another host.
 */
export function renderBoardPage(
  template: string,
  values: Readonly<Record<string, string>>,
): string {
  const page = template
    .replaceAll(/<link [^>]*fonts\.googleapis\.com[^>]*>/gu, '')
    .replaceAll(/<style>.*?<\/style>|(?<=<[^>]*) style="[^"]*"/gsu, '')
    .replaceAll(/<%([=-])\s*(\w+)\s*%>/gu, (_tag, kind: string, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`unknown value in the queue board's page: ${name}`);
      return kind === '-' ? value : escapeHtml(value);
    });
  if (/<%|(?:src|href)="(?:https?:)?\/\//u.test(page))
    throw new Error("the queue board's page has an unknown form");
  return page;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
