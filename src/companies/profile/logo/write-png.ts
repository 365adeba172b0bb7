// Writes a picture as a PNG of 8 bits per sample, without transparency or interlacing, as documents
// need them: they copy its pixels as they are.
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { Slices } from '../../../platform/async/slices.js';
import { type Picture, predict, SIGNATURE } from './read-png.js';

const compress = promisify(deflate) as (
  bytes: Buffer,
  options: { level: number },
) => Promise<Buffer>;

/** None, Sub, Up and Paeth. A row has the one that leaves the smallest values. */
const FILTERS = [0, 1, 2, 4];

/** A picture without colour is written in grey. */
export async function writePng({ width, height, rgb }: Picture): Promise<Buffer> {
  const isGrey = await hasNoColor(rgb);
  const samples = isGrey ? 1 : 3;
  const length = width * samples;
  const lines = isGrey ? rgb.filter((_, at) => at % 3 === 0) : rgb;
  const rows = Buffer.alloc(height * (1 + length));
  const slices = new Slices();
  for (let row = 0; row < height; row += 1) {
    await slices.pause();
    const line = lines.subarray(row * length, (row + 1) * length);
    const above = row === 0 ? null : lines.subarray((row - 1) * length, row * length);
    writeRow(line, above, samples, rows.subarray(row * (1 + length), (row + 1) * (1 + length)));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, isGrey ? 0 : 2], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', await compress(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

async function hasNoColor(rgb: Buffer): Promise<boolean> {
  const slices = new Slices();
  for (let at = 0; at < rgb.length; at += 3) {
    if (rgb[at] !== rgb[at + 1] || rgb[at] !== rgb[at + 2]) return false;
    if (at % 3_000 === 0) await slices.pause();
  }
  return true;
}

function writeRow(line: Uint8Array, above: Uint8Array | null, step: number, row: Buffer): void {
  let smallest = Number.POSITIVE_INFINITY;
  for (const filter of FILTERS) {
    const filtered = new Uint8Array(line.length);
    let sum = 0;
    for (let at = 0; at < line.length; at += 1) {
      const left = at >= step ? (line[at - step] as number) : 0;
      const up = above === null ? 0 : (above[at] as number);
      const corner = above === null || at < step ? 0 : (above[at - step] as number);
      const value = ((line[at] as number) - predict(filter, left, up, corner)) & 255;
      filtered[at] = value;
      sum += value < 128 ? value : 256 - value;
    }
    if (sum >= smallest) continue;
    smallest = sum;
    row[0] = filter;
    row.set(filtered, 1);
  }
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
