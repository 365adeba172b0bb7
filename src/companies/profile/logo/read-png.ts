// Reads PNG pictures (ISO/IEC 15948) of every kind, on white. Each size is checked before memory is
// used for it.
import { crc32, inflateSync } from 'node:zlib';
import { Slices } from '../../../platform/async/slices.js';

export const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** The samples per pixel of each colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
/** Adam7: the first column and row of each pass, and the steps to the next ones. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly color: number;
  readonly isInterlaced: boolean;
}

interface Chunks {
  readonly header: Header;
  readonly palette: Buffer | null;
  readonly transparency: Buffer | null;
  readonly pixels: Buffer;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Buffer;
}

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);
}

/**
 * The picture on white, in RGB, three bytes per pixel. Null if it is broken or has a side above
 * `maxSide`; that is known before its pixels are unpacked.
 */
export async function readPng(bytes: Buffer, maxSide: number): Promise<Picture | null> {
  const chunks = readChunks(bytes, maxSide);
  if (!chunks) return null;
  const { width, height } = chunks.header;
  const rgb = Buffer.alloc(width * height * 3);
  return (await paint(chunks, rgb)) ? { width, height, rgb } : null;
}

function readChunks(bytes: Buffer, maxSide: number): Chunks | null {
  let header: Header | null = null;
  let palette: Buffer | null = null;
  let transparency: Buffer | null = null;
  const pixels: Buffer[] = [];
  for (let at = SIGNATURE.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) return null;
    const type = bytes.toString('latin1', at + 4, at + 8);
    const content = bytes.subarray(at + 8, end);
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return null;
    if (type === 'IHDR') header = readHeader(content, maxSide);
    if (!header) return null;
    if (type === 'PLTE') palette = content;
    if (type === 'tRNS') transparency = content;
    if (type === 'IDAT') pixels.push(content);
    if (type === 'IEND') return unpack(header, palette, transparency, Buffer.concat(pixels));
    at = end + 4;
  }
  return null;
}

function readHeader(content: Buffer, maxSide: number): Header | null {
  if (content.length !== 13) return null;
  const [width, height] = [content.readUInt32BE(0), content.readUInt32BE(4)];
  const [depth, color, compression, filter, interlace] = content.subarray(8) as unknown as number[];
  const isKnown =
    width > 0 &&
    height > 0 &&
    width <= maxSide &&
    height <= maxSide &&
    DEPTHS[color as number]?.includes(depth as number) &&
    compression === 0 &&
    filter === 0 &&
    (interlace === 0 || interlace === 1);
  if (!isKnown) return null;
  return { width, height, depth: Number(depth), color: Number(color), isInterlaced: !!interlace };
}

/** Null if the pixels unpack to another size than the header says. */
function unpack(
  header: Header,
  palette: Buffer | null,
  transparency: Buffer | null,
  packed: Buffer,
): Chunks | null {
  const size = passesOf(header).reduce(
    (sum, { columns, rows }) => sum + (columns === 0 ? 0 : rows * (1 + rowBytes(header, columns))),
    0,
  );
  if (header.color === 3 && (palette === null || palette.length % 3 !== 0)) return null;
  try {
    const pixels = inflateSync(packed, { maxOutputLength: size });
    return pixels.length === size ? { header, palette, transparency, pixels } : null;
  } catch {
    return null;
  }
}

function passesOf({ width, height, isInterlaced }: Header) {
  const passes = isInterlaced ? PASSES : [[0, 0, 1, 1] as const];
  return passes.map(([x, y, dx, dy]) => ({
    ...{ x, y, dx, dy },
    columns: Math.max(0, Math.ceil((width - x) / dx)),
    rows: Math.max(0, Math.ceil((height - y) / dy)),
  }));
}

function rowBytes({ depth, color }: Header, columns: number): number {
  return Math.ceil((columns * depth * (SAMPLES[color] ?? 1)) / 8);
}

/** Writes the pixels on white into `rgb`. False if a row has an unknown filter. */
async function paint(chunks: Chunks, rgb: Buffer): Promise<boolean> {
  const { header, pixels } = chunks;
  const pixelBytes = Math.max(1, (header.depth * (SAMPLES[header.color] ?? 1)) / 8);
  const paintPixel = painter(chunks, rgb);
  const slices = new Slices();
  let at = 0;
  for (const { x, y, dx, dy, columns, rows } of passesOf(header)) {
    if (columns === 0) continue;
    const length = rowBytes(header, columns);
    let above: Buffer = Buffer.alloc(length);
    for (let row = 0; row < rows; row += 1) {
      await slices.pause();
      const line = pixels.subarray(at + 1, at + 1 + length);
      if (!unfilter(pixels[at] ?? 0, line, above, pixelBytes)) return false;
      for (let column = 0; column < columns; column += 1)
        paintPixel(line, column, ((y + row * dy) * header.width + x + column * dx) * 3);
      above = line;
      at += 1 + length;
    }
  }
  return true;
}

function unfilter(filter: number, line: Buffer, above: Buffer, step: number): boolean {
  if (filter > 4) return false;
  for (let at = 0; at < line.length && filter > 0; at += 1) {
    const left = at >= step ? (line[at - step] as number) : 0;
    const up = above[at] as number;
    const corner = at >= step ? (above[at - step] as number) : 0;
    line[at] = (line[at] as number) + predict(filter, left, up, corner);
  }
  return true;
}

/** The value that a filter expects, from those at the left, above, and above at the left. */
export function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter === 0) return 0;
  const [a, b, c] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

type PaintPixel = (line: Buffer, column: number, target: number) => void;

/** Reads a pixel of a row, and writes its colour on white. */
function painter({ header, palette, transparency }: Chunks, rgb: Buffer): PaintPixel {
  const { depth, color } = header;
  const samples = SAMPLES[color] ?? 1;
  const max = 2 ** depth - 1;
  const sampleAt = (line: Buffer, index: number): number => {
    if (depth === 8) return line[index] as number;
    if (depth === 16) return line.readUInt16BE(index * 2);
    const bit = index * depth;
    return ((line[bit >> 3] as number) >> (8 - depth - (bit & 7))) & max;
  };
  // One colour may be transparent.
  const key = transparency !== null && transparency.length >= 2 * samples ? transparency : null;
  const isKey = (value: number, index: number) => key?.readUInt16BE(index * 2) === value;
  const isGrey = samples < 3;
  return (line, column, target) => {
    const from = column * samples;
    const first = sampleAt(line, from);
    if (color === 3) {
      const alpha = (transparency?.[first] ?? 255) / 255;
      for (let index = 0; index < 3; index += 1)
        rgb[target + index] = onWhite(palette?.[first * 3 + index] ?? 0, alpha);
      return;
    }
    const second = isGrey ? first : sampleAt(line, from + 1);
    const third = isGrey ? first : sampleAt(line, from + 2);
    let alpha = 1;
    if (color > 3) alpha = sampleAt(line, from + samples - 1) / max;
    else if (key && isKey(first, 0) && (isGrey || (isKey(second, 1) && isKey(third, 2)))) alpha = 0;
    rgb[target] = onWhite((first * 255) / max, alpha);
    rgb[target + 1] = onWhite((second * 255) / max, alpha);
    rgb[target + 2] = onWhite((third * 255) / max, alpha);
  };
}

function onWhite(value: number, alpha: number): number {
  return Math.round(255 + (value - 255) * alpha);
}
