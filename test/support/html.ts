// Reads the dashboard's pages as a visitor sees them.
import type { Response } from './client.js';

/** A page's text, without tags and with single spaces. Entities stay encoded. */
export function textOf({ text }: Pick<Response, 'text'>): string {
  return text.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');
}

/** The address of the page's link with this relation, such as "next"; '' if there is none. */
export function linkOf({ text }: Pick<Response, 'text'>, rel: string): string {
  return unescapeHtml(new RegExp(`href="([^"]*)" rel="${rel}"`, 'u').exec(text)?.[1] ?? '');
}

/** The message about what the user just did; '' if there is none. */
export function flashOf({ text }: Pick<Response, 'text'>): string {
  const [, flash = ''] = /<p class="toast"[^>]*>(.*?)<\/p>/su.exec(text) ?? [];
  return textOf({ text: flash }).trim();
}

/** The texts of the rows of a page's tables, or of the table with this caption, without heads. */
export function rowsOf(page: Pick<Response, 'text'>, caption?: string): string[] {
  return cellsOf(page, caption).map(cells => cells.filter(cell => cell !== '').join(' '));
}

/** Like `rowsOf`, with the text of each cell. */
export function cellsOf({ text }: Pick<Response, 'text'>, caption?: string): string[][] {
  const [, table = ''] = caption === undefined ? ['', text] : text.split(`>${caption}</caption>`);
  const [body = ''] = caption === undefined ? [table] : table.split('</table>');
  return [...body.matchAll(/<tr role="row"><td.*?<\/tr>/gsu)].map(([row]) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gsu)].map(([, cell = '']) =>
      textOf({ text: cell }).trim(),
    ),
  );
}

/**
 * The values that a page's forms would send, by field name. If several forms have a field of the
 * same name, such as the token, the first one counts.
 */
export function fieldsOf({ text }: Pick<Response, 'text'>): Partial<Record<string, string>> {
  const controls = text.matchAll(CONTROL);
  const named = [...controls].flatMap(([, tag = '', attributes = '', content = '']) => {
    const name = attribute(attributes, 'name');
    const value = valueSent(tag, attributes, content);
    return name === null || value === null ? [] : [[name, unescapeHtml(value)] as const];
  });
  return Object.fromEntries(named.toReversed());
}
const CONTROL =
  /<(input|select|textarea)\b((?:[^">]|"[^"]*")*)>(?:([^<]*(?:<\/?opt[^<]*)*)<\/\1>)?/gu;

/** Null if a browser would send nothing: the control is disabled, or its box is not checked. */
function valueSent(tag: string, attributes: string, content: string): string | null {
  if (attribute(attributes, 'disabled') !== null) return null;
  if (tag === 'textarea') return content;
  if (tag === 'select') {
    const options = [...content.matchAll(/<option\b([^>]*)>/gu)].map(([, option = '']) => option);
    const chosen = options.find(option => attribute(option, 'selected') !== null) ?? options[0];
    return chosen === undefined ? null : attribute(chosen, 'value');
  }
  const isBox = /^(?:checkbox|radio)$/u.test(attribute(attributes, 'type') ?? '');
  if (isBox && attribute(attributes, 'checked') === null) return null;
  return attribute(attributes, 'value') ?? (isBox ? 'on' : '');
}

/** Null if the tag does not have the attribute; '' if it has no value. */
function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`(?:^|\\s)${name}(?:="([^"]*)")?(?=[\\s/]|$)`, 'u').exec(tag);
  return found === null ? null : (found[1] ?? '');
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
