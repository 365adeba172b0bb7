// Password rules and scrypt hashes. Each hash costs 128 MiB and a third of a second on purpose, so
// the number of concurrent hashes is limited: a flood of sign-ins must not exhaust the memory.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { unavailable } from '../platform/errors.js';
import { invalidField } from '../platform/field-errors.js';
import { codePointLength, normalized } from '../platform/values/text.js';

/** OWASP's password storage cheat sheet for scrypt: N = 2^17, r = 8, p = 1. Needs 128 MiB. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1 } as const;
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 1_000;

/** Hashes at a time. Each uses one of libuv's four threads, which files and DNS need too. */
const MAX_CONCURRENT = 2;
/** Callers that may wait, about five seconds. Further ones are asked to try again. */
const MAX_WAITING = 30;

/** Compared against for unknown users, so that the answer takes as long as for known ones. */
const DUMMY_HASH = formatHash('A'.repeat(22), 'A'.repeat(43));

/** Throws Problem `validation_failed` for `field` if the password breaks a rule. */
export async function refusePassword(
  field: string,
  password: string,
  email: string,
): Promise<void> {
  const length = codePointLength(password);
  if (length < MIN_PASSWORD)
    throw invalidField(field, `Use at least ${MIN_PASSWORD} characters.`, 'too_short');
  if (length > MAX_PASSWORD)
    throw invalidField(field, `Use at most ${MAX_PASSWORD} characters.`, 'too_long');
  const folded = normalized(password, 'NFKC').toLowerCase();
  if (folded === email.toLowerCase())
    throw invalidField(field, 'The password must not be your e-mail address.');
  if (new Set(folded).size === 1 || (await commonPasswords()).has(folded))
    throw invalidField(field, 'This password is too common.');
}

/**
 * Returns `scrypt$N$r$p$salt$hash`, with salt and hash in base64url. Throws Problem
 * `service_unavailable` if too many callers are waiting.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, SCRYPT);
  return formatHash(salt.toString('base64url'), hash.toString('base64url'));
}

function formatHash(salt: string, hash: string): string {
  return ['scrypt', SCRYPT.N, SCRYPT.r, SCRYPT.p, salt, hash].join('$');
}

/** Takes the same time for a null hash, then returns false. Throws as `hashPassword` does. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (passwordHash ?? DUMMY_HASH).split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const expected = Buffer.from(hash, 'base64url');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return timingSafeEqual(derived, expected) && passwordHash !== null;
}

const hashing = pLimit(MAX_CONCURRENT);

async function derive(
  password: string,
  salt: Buffer,
  cost: { N: number; r: number; p: number },
): Promise<Buffer> {
  if (hashing.activeCount + hashing.pendingCount >= MAX_CONCURRENT + MAX_WAITING)
    throw unavailable('Sign-in is busy. Try again.');
  const options = { ...cost, maxmem: MAX_MEMORY_BYTES };
  return hashing(() => scryptAsync(normalized(password, 'NFKC'), salt, HASH_BYTES, options));
}

const scryptAsync = promisify<string, Buffer, number, object, Buffer>(scrypt);

let common: Promise<ReadonlySet<string>> | undefined;

/** The most common leaked passwords of sufficient length, loaded on first use. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const words = dictionary['passwords-common'] as readonly (string | number)[];
    return new Set(words.map(String).filter(word => word.length >= MIN_PASSWORD));
  });
  return common;
}
