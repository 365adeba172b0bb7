// Reads the dashboard's pages as a visitor sees them.
import type { Response } from './client.js';

/** A page's text, without tags and with single spaces. Entities stay encoded. */
export function textOf({ text }: Pick<Response, 'text'>): string {
  return text.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');
}

/** Text as a browser shows it, from HTML with entities. */
export function unescapeHtml(html: string): string {
  return html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
