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

export function boardPolicy(nonce: string): string {
  return contentSecurityPolicy({
    'script-src': "'self'",
    'worker-src': "'self'",
    'style-src': "'self'",
    'style-src-elem': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
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
