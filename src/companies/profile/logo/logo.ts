// Checks a company's logo when it is uploaded, so that every document can use it as it is.
import { createHash } from 'node:crypto';
import type { LogoRef } from '../profile.js';
import { isJpeg, sizeOfJpeg } from './jpeg.js';
import { isPng, readPng } from './read-png.js';
import { writePng } from './write-png.js';

export const MAX_LOGO_BYTES = 200_000;
const MAX_LOGO_SIDE = 1_000;

export interface Logo extends LogoRef {
  readonly bytes: Buffer;
}

const WRONG =
  `Must be a PNG, or a JPEG in RGB or grey, that is not damaged, of at most ` +
  `${MAX_LOGO_SIDE.toLocaleString('en')} pixels a side.`;
const TOO_LARGE = `Must be at most ${MAX_LOGO_BYTES / 1_000} kB.`;

/** The logo, a PNG flattened onto white; or the sentence that refuses it. */
export async function readLogo(sent: Buffer): Promise<Logo | string> {
  if (sent.length > MAX_LOGO_BYTES) return TOO_LARGE;
  if (isPng(sent)) {
    const picture = await readPng(sent, MAX_LOGO_SIDE);
    if (!picture) return WRONG;
    const { width, height } = picture;
    return logoOf('png', await writePng(picture), width, height);
  }
  const size = isJpeg(sent) ? sizeOfJpeg(sent, MAX_LOGO_SIDE) : null;
  return size ? logoOf('jpeg', sent, size.width, size.height) : WRONG;
}

function logoOf(type: LogoRef['type'], bytes: Buffer, width: number, height: number): Logo {
  return { hash: createHash('sha256').update(bytes).digest('hex'), type, width, height, bytes };
}
