// Pictures in one colour, for logos.
import { crc32, deflateSync } from 'node:zlib';
import { SIGNATURE } from '../../src/companies/profile/logo/read-png.js';

type Rgb = readonly [red: number, green: number, blue: number];

/** A PNG with transparency. `packed` replaces its pixels. */
export async function pngOf(
  width: number,
  height: number,
  color: Rgb,
  alpha = 1,
  packed?: Buffer,
): Promise<Buffer> {
  const pixel = [...color, Math.floor(255 * alpha)];
  const row = [0, ...Array.from({ length: width }, () => pixel).flat()];
  const pixels = Buffer.from(Array.from({ length: height }, () => row).flat());
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', packed ?? deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
