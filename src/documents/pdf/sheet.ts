// The pages of a document while they are set, from top to bottom. What does not fit any more begins
// a new page, which may start with a repeated part such as the header of a table.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import PDFDocument from 'pdfkit';
import type { PaperSize } from '../../companies/profile/profile.js';
import { drawable } from './glyphs.js';

/** Points. */
const SIZES: Readonly<Record<PaperSize, readonly [width: number, height: number]>> = {
  a4: [595.28, 841.89],
  letter: [612, 792],
};
export const MARGIN = 54;
const TOP = 54;
/** Below the parts of a page: the least room, the gap above the foot, and the margin below it. */
const BOTTOM = { room: 86, gap: 22, margin: 24 };

const WEIGHTS = { regular: '400Regular', bold: '600SemiBold' } as const;
export type Weight = keyof typeof WEIGHTS;

const require = createRequire(import.meta.url);
let fonts: Readonly<Record<Weight, Font>> | undefined;

/**
 * Parsed once per thread: that takes ten times as long as a page. Each document reads their glyphs
 * for itself, because fontkit keeps with a glyph the characters that it was first read for: after a
 * document with an ö, the o of the next ones could not be copied.
 */
function loadFonts(): Readonly<Record<Weight, Font>> {
  const load = (weight: Weight) => {
    const name = WEIGHTS[weight];
    const path = `@expo-google-fonts/noto-sans/${name}/NotoSans_${name}.ttf`;
    return create(readFileSync(require.resolve(path)));
  };
  fonts ??= { regular: load('regular'), bold: load('bold') };
  for (const font of Object.values(fonts)) font._glyphs = {};
  return fonts;
}

export const INK = '#16202c';
export const GREY = '#5b6672';
export const RULE = '#d5dbe1';

export interface Style {
  readonly weight?: Weight;
  readonly size: number;
  readonly color?: string;
}

export const BODY: Style = { size: 9 };
export const BOLD: Style = { size: 9, weight: 'bold' };
export const SMALL: Style = { size: 7.5, color: GREY };
const LINE_HEIGHT = 1.4;

export interface PrintSheetOptions {
  readonly paper: PaperSize;
  readonly language: string;
  readonly title: string;
  readonly createdAt: Date;
  /** Drawn on each page, below its parts. */
  readonly background?: (sheet: PrintSheet) => void;
}

/** The lower edge of each page. */
export interface Foot {
  readonly height: number;
  readonly draw: (top: number, page: number, count: number) => void;
}

export class PrintSheet {
  readonly pdf: PDFDocument;
  readonly left = MARGIN;
  readonly right: number;
  readonly height: number;
  y = TOP;
  /** Set at the top of each page that follows. */
  repeated: (() => void) | null = null;
  readonly #background: (sheet: PrintSheet) => void;
  #foot: Foot = { height: 0, draw: () => undefined };
  #page = -1;
  readonly #widths = new Map<string, number>();

  constructor({ paper, language, title, createdAt, background }: PrintSheetOptions) {
    const [width, height] = SIZES[paper];
    this.pdf = new PDFDocument({
      ...{ size: [width, height], margin: 0, autoFirstPage: false, bufferPages: true },
      ...{ pdfVersion: '1.7', subset: 'PDF/A-3b', lang: language, displayTitle: true, font: null },
      info: { Title: title, Producer: 'Tradepost', Creator: 'Tradepost', CreationDate: createdAt },
    });
    this.right = width - MARGIN;
    this.height = height;
    for (const [weight, font] of Object.entries(loadFonts())) this.pdf.registerFont(weight, font);
    this.#background = background ?? (() => undefined);
    this.#addPage();
  }

  /** The lowest point for the parts of a page. */
  get bottom(): number {
    return this.height - Math.max(BOTTOM.room, BOTTOM.gap + this.#foot.height + BOTTOM.margin);
  }

  get width(): number {
    return this.right - this.left;
  }

  static lineHeight({ size }: Style): number {
    return size * LINE_HEIGHT;
  }

  widthOf(text: string, { weight = 'regular', size }: Style): number {
    const key = `${weight} ${text}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      width = this.pdf.font(weight, 1_000).widthOfString(drawable(text));
      this.#widths.set(key, width);
    }
    return (width * size) / 1_000;
  }

  /** Sets one line with its top at `y`. */
  text(text: string, x: number, y: number, style: Style, align: 'left' | 'right' = 'left'): void {
    if (text === '') return;
    const { weight = 'regular', size, color = INK } = style;
    const at = align === 'right' ? x - this.widthOf(text, style) : x;
    this.pdf.font(weight, size).fillColor(color).text(drawable(text), at, y, { lineBreak: false });
  }

  /** The lines of a text in a column. Words that are too long are broken. */
  wrap(text: string, width: number, style: Style): string[] {
    return text.split(/\r?\n/u).flatMap(paragraph => this.#wrapParagraph(paragraph, width, style));
  }

  #wrapParagraph(paragraph: string, width: number, style: Style): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(/[ \t]+/u)) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (this.#isWithin(longer, width, style)) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      line = word;
      while (line !== '' && !this.#isWithin(line, width, style)) {
        const part = this.#beginning(line, width, style);
        lines.push(part);
        line = line.slice(part.length);
      }
    }
    return [...lines, line];
  }

  #isWithin(text: string, width: number, style: Style): boolean {
    // Most texts are far from the edge; no character is wider than 1.2 times the size.
    return text.length * style.size * 1.2 <= width || this.widthOf(text, style) <= width;
  }

  #beginning(word: string, width: number, style: Style): string {
    let part = '';
    for (const character of word) {
      if (part !== '' && this.widthOf(part + character, style) > width) break;
      part += character;
    }
    return part;
  }

  /** Sets lines below each other from `y` on, and returns where they end. */
  lines(
    lines: readonly string[],
    x: number,
    y: number,
    style: Style,
    align: 'left' | 'right' = 'left',
  ): number {
    let at = y;
    for (const line of lines) {
      this.text(line, x, at, style, align);
      at += PrintSheet.lineHeight(style);
    }
    return at;
  }

  /** Sets a text in a column, over as many pages as it needs. */
  paragraph(text: string, style: Style, { left = this.left, width = this.width } = {}): void {
    for (const line of this.wrap(text, width, style)) {
      this.need(PrintSheet.lineHeight(style));
      this.text(line, left, this.y, style);
      this.y += PrintSheet.lineHeight(style);
    }
  }

  /** Sets parts beside each other, each from here on. What follows is below the longest one. */
  beside(...parts: readonly (() => void)[]): void {
    const [page, y] = [this.#page, this.y];
    const ends = parts.map(part => {
      this.#goTo(page, y);
      part();
      return [this.#page, this.y] as const;
    });
    const last = Math.max(...ends.map(([endPage]) => endPage));
    this.#goTo(last, Math.max(...ends.map(([endPage, end]) => (endPage === last ? end : TOP))));
  }

  rule(y: number, from = this.left, to = this.right, color = RULE, thickness = 0.6): void {
    this.pdf.moveTo(from, y).lineTo(to, y).lineWidth(thickness).stroke(color);
  }

  /** Begins a new page if there is less room than this. */
  need(height: number): void {
    if (this.y + height <= this.bottom) return;
    if (this.#page + 1 < this.#pages) this.#goTo(this.#page + 1, TOP);
    else this.#addPage();
    this.repeated?.();
  }

  get #pages(): number {
    return this.pdf.bufferedPageRange().count;
  }

  #goTo(page: number, y: number): void {
    if (page !== this.#page) this.pdf.switchToPage(page);
    this.#page = page;
    this.y = y;
  }

  #addPage(): void {
    this.pdf.addPage();
    this.#page = this.#pages - 1;
    this.y = TOP;
    this.#background(this);
  }

  /** Keeps room for the foot, which is drawn when all pages have been set. */
  setFoot(foot: Foot): void {
    this.#foot = foot;
  }

  finish(): Promise<Buffer> {
    const top = this.bottom + BOTTOM.gap;
    for (let page = 0; page < this.#pages; page += 1) {
      this.#goTo(page, TOP);
      this.#foot.draw(top, page + 1, this.#pages);
    }
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      this.pdf.on('data', (chunk: Uint8Array) => chunks.push(Buffer.from(chunk)));
      this.pdf.on('end', () => resolve(Buffer.concat(chunks)));
      this.pdf.on('error', reject);
      this.pdf.end();
    });
  }
}
