// Checks JPEG pictures (ITU-T T.81). Documents copy them as they are.

/** The segments that a picture needs before its first scan. */
const QUANTIZATION = 0xdb;
const HUFFMAN = 0xc4;
const SCAN = 0xda;
const END = 0xd9;
/** Baseline, extended and progressive frames with Huffman coding, as PDF readers know them. */
const FRAMES = [0xc0, 0xc1, 0xc2];

export function isJpeg(bytes: Buffer): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8;
}

/**
 * The size of a picture in RGB or grey; null if it is broken, in CMYK, or has a side above
 * `maxSide`.
 */
export function sizeOfJpeg(
  bytes: Buffer,
  maxSide: number,
): { readonly width: number; readonly height: number } | null {
  const found = new Set<number>();
  let size: { width: number; height: number } | null = null;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] as number;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length || end < at + 4) return null;
    if (FRAMES.includes(marker)) size = sizeOfFrame(bytes.subarray(at + 4, end));
    found.add(marker);
    if (marker === SCAN) {
      const isWhole = found.has(QUANTIZATION) && found.has(HUFFMAN) && endsAfter(bytes, end);
      const isSmall = size !== null && Math.max(size.width, size.height) <= maxSide;
      return isWhole && isSmall ? size : null;
    }
    at = end;
  }
  return null;
}

/** 8 bits per sample, and one or three components. */
function sizeOfFrame(frame: Buffer): { width: number; height: number } | null {
  const components = frame[5];
  if (frame.length < 6 || frame[0] !== 8 || (components !== 1 && components !== 3)) return null;
  const [height, width] = [frame.readUInt16BE(1), frame.readUInt16BE(3)];
  return width > 0 && height > 0 ? { width, height } : null;
}

/** A file that was cut has no end marker. Some programs write zeros after it. */
function endsAfter(bytes: Buffer, from: number): boolean {
  return bytes.lastIndexOf(Buffer.from([0xff, END])) >= from;
}
