// The format of an API key: tpk_<12 base62 id>_<32 base62 secret><6 base62 CRC-32 of all before
// it>. The checksum refuses a mistyped or invented key without a database query, and lets secret
// scanners recognize a key.
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = /^tpk_([0-9A-Za-z]{12})_[0-9A-Za-z]{38}$/u;

export interface NewKey {
  /** The whole key. Shown once, never stored. */
  readonly key: string;
  /** The public part, by which the key is found. */
  readonly id: string;
  readonly hash: Buffer;
}

export function makeKey(): NewKey {
  const id = randomText(ID_LENGTH);
  const body = `tpk_${id}_${randomText(SECRET_LENGTH)}`;
  const key = body + checksum(body);
  return { key, id, hash: hashKey(key) };
}

/** The public id of a well-formed key with the right checksum, else null. */
export function keyId(key: string): string | null {
  const id = FORM.exec(key)?.[1];
  return id !== undefined &&
    checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH)
    ? id
    : null;
}

/** SHA-256 of the whole key: 190 random bits need no slow hash. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** CRC-32 (IEEE) in base62, most significant digit first, padded with zeros. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
