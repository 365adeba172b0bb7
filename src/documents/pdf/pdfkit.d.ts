// The parts of pdfkit and fontkit that documents use. Neither package has types.

declare module 'fontkit' {
  export interface Font {
    readonly postscriptName: string;
    readonly characterSet: readonly number[];
    /** The glyphs that were read. Internal. */
    _glyphs: Record<number, unknown>;
  }
  export function create(bytes: Uint8Array): Font;
}

declare module 'pdfkit' {
  import type { EventEmitter } from 'node:events';
  import type { Font } from 'fontkit';

  interface TextOptions {
    readonly lineBreak?: boolean;
    readonly characterSpacing?: number;
  }

  interface FileOptions {
    readonly name: string;
    readonly type: string;
    readonly description: string;
    readonly relationship: string;
    readonly creationDate: Date;
    readonly modifiedDate: Date;
  }

  // biome-ignore lint/style/noDefaultExport: the package has one.
  export default class PDFDocument extends EventEmitter {
    constructor(options: Readonly<Record<string, unknown>>);
    addPage(): this;
    switchToPage(page: number): this;
    bufferedPageRange(): { readonly start: number; readonly count: number };
    registerFont(name: string, font: Font): this;
    font(name: string, size?: number): this;
    widthOfString(text: string): number;
    text(text: string, x: number, y: number, options?: TextOptions): this;
    image(bytes: Buffer, x: number, y: number, options: { width: number; height: number }): this;
    rect(x: number, y: number, width: number, height: number): this;
    fill(color?: string): this;
    fillColor(color: string): this;
    moveTo(x: number, y: number): this;
    lineTo(x: number, y: number): this;
    lineWidth(width: number): this;
    stroke(color: string): this;
    save(): this;
    restore(): this;
    rotate(degrees: number, options: { readonly origin: readonly [number, number] }): this;
    file(bytes: Uint8Array, options: FileOptions): unknown;
    appendXML(xml: string): void;
    end(): void;
  }
}
