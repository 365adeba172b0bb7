// Reads the objects of a PDF, and extracts the text of each page of one made by Chromium; other
// PDFs need more of the format. Text is drawn as glyph numbers, which each font's ToUnicode map
// translates to characters. They have four hexadecimal digits, or two in the Type 3 fonts that
// Chromium makes of variable fonts.
import { inflateSync } from 'node:zlib';

/** The text of each page: its glyph runs, concatenated. */
export function pdfPages(pdf: Buffer): string[] {
  const objects = readObjects(pdf);
  const fonts = new Map<string, Map<string, string>>();
  const fontOf = (reference: string): Map<string, string> => {
    const map =
      fonts.get(reference) ??
      readMap(objects.get(numberIn(objects.get(reference), 'ToUnicode'))?.stream ?? '');
    fonts.set(reference, map);
    return map;
  };
  return [...objects.values()]
    .filter(({ head }) => /\/Type \/Page\b/u.test(head))
    .map(page => textOf(objects.get(numberIn(page, 'Contents'))?.stream ?? '', fontOf));
}

interface PdfObject {
  readonly head: string;
  /** Unpacked, a character per byte. */
  readonly stream: string;
}

/** The objects by their numbers, in the order of the file. */
export function readObjects(pdf: Buffer): Map<string, PdfObject> {
  const text = pdf.toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const match of text.matchAll(/^(\d+) 0 obj\n/gmu)) {
    const start = match.index + match[0].length;
    const end = text.indexOf('endobj', start);
    const [head = ''] = text.slice(start, end).split('stream\n', 1);
    const at = start + head.length + 'stream\n'.length;
    const length = Number(/\/Length (\d+)/u.exec(head)?.[1] ?? 0);
    const hasStream = text.startsWith('stream\n', start + head.length);
    const bytes = pdf.subarray(at, hasStream ? at + length : at);
    const isPacked = hasStream && head.includes('/FlateDecode');
    const stream = (isPacked ? inflateSync(bytes) : bytes).toString('latin1');
    objects.set(match[1] ?? '', { head, stream });
  }
  return objects;
}

function numberIn(object: PdfObject | undefined, name: string): string {
  return new RegExp(`/${name} (\\d+) 0 R`, 'u').exec(object?.head ?? '')?.[1] ?? '';
}

/** Chromium names fonts after their objects: F7 is object 7. */
function textOf(stream: string, fontOf: (reference: string) => Map<string, string>): string {
  let font = new Map<string, string>();
  let digits = 4;
  let text = '';
  for (const [, name, glyphs] of stream.matchAll(/\/F(\d+) \S+ Tf|<([0-9A-Fa-f]+)>/gu)) {
    if (name !== undefined) {
      font = fontOf(name);
      digits = [...font.keys()][0]?.length ?? 4;
      continue;
    }
    for (let at = 0; at < (glyphs?.length ?? 0); at += digits)
      text += font.get(glyphs?.slice(at, at + digits).toUpperCase() ?? '') ?? '';
  }
  return text;
}

function readMap(cmap: string): Map<string, string> {
  const map = new Map<string, string>();
  const hex = (code: number, digits: number) =>
    code.toString(16).toUpperCase().padStart(digits, '0');
  for (const [, block = ''] of cmap.matchAll(/beginbfchar\n(.*?)endbfchar/gsu)) {
    for (const [, glyph = '', text = ''] of block.matchAll(/<(\w+)> <(\w+)>/gu)) {
      map.set(glyph.toUpperCase(), Buffer.from(text, 'hex').swap16().toString('utf16le'));
    }
  }
  for (const [, block = ''] of cmap.matchAll(/beginbfrange\n(.*?)endbfrange/gsu)) {
    for (const [, first = '', last = '', text = ''] of block.matchAll(
      /<(\w+)> <(\w+)> <(\w+)>/gu,
    )) {
      const from = Number.parseInt(first, 16);
      for (let glyph = from; glyph <= Number.parseInt(last, 16); glyph += 1) {
        map.set(
          hex(glyph, first.length),
          String.fromCharCode(Number.parseInt(text, 16) + glyph - from),
        );
      }
    }
  }
  return map;
}
