// The characters of an imported file. Pure.
import { invalidField } from '../../platform/field-errors.js';

export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252 (Western European)',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
};

/** The byte order marks. */
const MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** Bytes of a file without a mark that tell whether it is UTF-16. */
const SAMPLE_BYTES = 4_096;
/** No text has these characters, and files of other kinds do. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const BINARY = /[\0-\x08\x0e-\x19\x1b-\x1f]/u;

export interface DecodedText {
  readonly text: string;
  readonly encoding: Encoding;
}

/**
 * The text of a file without its byte order mark, in the given encoding, or in the one that its
 * mark or its bytes show: UTF-8 if they are valid, else Windows-1252. Throws Problem
 * `validation_failed` at /file if it has bytes that the encoding lacks, or is not a text.
 */
export function decodeText(bytes: Uint8Array, chosen: Encoding | null): DecodedText {
  const encoding = chosen ?? markedEncoding(bytes) ?? unmarkedEncoding(bytes);
  const text = decoded(bytes, encoding);
  if (text === null) {
    const name = ENCODING_NAMES[encoding];
    throw invalidField('file', `The file is not encoded as ${name}. Choose another encoding.`);
  }
  // Any bytes are valid in Windows-1252.
  if (text.includes('\0') || (encoding === 'windows-1252' && BINARY.test(text))) {
    const advice = 'Save the spreadsheet as XLSX or CSV and upload that.';
    throw invalidField('file', `This isn’t a text file. ${advice}`);
  }
  return { text, encoding };
}

function markedEncoding(bytes: Uint8Array): Encoding | null {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  return marked?.[0] ?? null;
}

/** In UTF-16, every second byte of Western text is 0. */
function unmarkedEncoding(bytes: Uint8Array): Encoding {
  const length = Math.min(bytes.length, SAMPLE_BYTES);
  let [even, odd] = [0, 0];
  for (let at = 0; at < length; at += 1) {
    if (bytes[at] !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const isHalf = (count: number, other: number) => other === 0 && count > length / 4;
  if (isHalf(odd, even) && decoded(bytes, 'utf-16le') !== null) return 'utf-16le';
  if (isHalf(even, odd) && decoded(bytes, 'utf-16be') !== null) return 'utf-16be';
  return decoded(bytes, 'utf-8') === null ? 'windows-1252' : 'utf-8';
}

/** Null if a byte has no meaning. Without the byte order mark. */
function decoded(bytes: Uint8Array, encoding: Encoding): string | null {
  if (encoding === 'windows-1252') return decodeWindows1252(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The characters from 0x80 to 0x9f, where Windows-1252 differs from Latin-1. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Some releases of Node decode Windows-1252 as Latin-1. */
function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[\x80-\x9f]/gu, control => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control);
}
