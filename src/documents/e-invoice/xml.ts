// Writes XML 1.0. Elements are nested arrays, so that the document has the order of the code.

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string | readonly (Element | null)[];
}

/** Characters that XML 1.0 does not allow, even escaped. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\r': '&#13;',
};

/** An element with text, attributes and a text, or with elements; null without any content. */
export function element(
  name: string,
  content: string | null | readonly (Element | null)[],
  attributes: Readonly<Record<string, string>> = {},
): Element | null {
  if (content === null) return null;
  if (typeof content !== 'string' && content.every(each => each === null)) return null;
  return { name, attributes, content };
}

export function escapeXml(text: string): string {
  return text
    .replaceAll(FORBIDDEN, '\ufffd')
    .replaceAll(/[&<>"\t\r]/gu, character => ESCAPES[character] as string);
}

export function xmlOf(root: Element | null): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root ? textOf(root, '') : ''}`;
}

function textOf({ name, attributes, content }: Element, indent: string): string {
  const start = Object.entries(attributes).reduce(
    (text, [attribute, value]) => `${text} ${attribute}="${escapeXml(value)}"`,
    `${indent}<${name}`,
  );
  if (typeof content === 'string') return `${start}>${escapeXml(content)}</${name}>\n`;
  const inner = content.map(each => (each ? textOf(each, `${indent}  `) : '')).join('');
  return `${start}>\n${inner}${indent}</${name}>\n`;
}
