// Passwords: which are taken, how they are kept, and how many are worked on at once. Each hash costs 128 MiB and a third
// of a second on purpose, so a flood of sign-ins must find a bound here and not in the machine's memory.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { unavailable } from '../platform/errors.js';
import { invalidField } from '../platform/field-errors.js';
import { codePointLength } from '../platform/values/text.js';

/** OWASP's password storage cheat sheet for scrypt: N = 2^17, r = 8, p = 1. Needs 128 MiB. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1 } as const;
const MAX_MEMORY = 256 * 1024 * 1024;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 1_000;

/** Hashes at once: half of the threads that files, names and compression need too. */
const AT_ONCE = 2;
/** Whoever would wait behind so many (some five seconds) is asked to come again. */
const MAX_WAITING = 30;

/** What an unknown user's password is held against, so that it takes as long as a known one's. */
const NOBODY = ['scrypt', SCRYPT.N, SCRYPT.r, SCRYPT.p, 'A'.repeat(22), 'A'.repeat(43)].join('$');

/** Throws Problem `validation_failed` for `field` where this is no password to take. */
export async function refusePassword(
  field: string,
  password: string,
  email: string,
): Promise<void> {
  const length = codePointLength(password);
  if (length < MIN_PASSWORD)
    throw invalidField(field, `A password has at least ${MIN_PASSWORD} characters.`, 'too_short');
  if (length > MAX_PASSWORD)
    throw invalidField(field, `A password has at most ${MAX_PASSWORD} characters.`, 'too_long');
  const folded = password.normalize('NFKC').toLowerCase();
  if (folded === email.toLowerCase())
    throw invalidField(field, 'The e-mail address is too easy to guess.');
  if (new Set(folded).size === 1 || (await commonPasswords()).has(folded)) {
    throw invalidField(
      field,
      'This is among the passwords that are guessed first; choose another.',
    );
  }
}

/** scrypt$N$r$p$salt$hash, salt and hash in base64url. Throws Problem `service_unavailable` where too many wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, SCRYPT);
  return [
    'scrypt',
    SCRYPT.N,
    SCRYPT.r,
    SCRYPT.p,
    salt.toString('base64url'),
    hash.toString('base64url'),
  ].join('$');
}

/** True where the password made the hash. Without a hash it is false, after the same time. Throws as `hashPassword`. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (passwordHash ?? NOBODY).split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const expected = Buffer.from(hash, 'base64url');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return timingSafeEqual(derived, expected) && passwordHash !== null;
}

let running = 0;
const waiting: (() => void)[] = [];

async function derive(
  password: string,
  salt: Buffer,
  cost: { N: number; r: number; p: number },
): Promise<Buffer> {
  if (running < AT_ONCE) running += 1;
  else if (waiting.length >= MAX_WAITING)
    throw unavailable('Too many people sign in at this moment. Try again.');
  // Whoever ends hands the place over, so nobody slips in between.
  else await new Promise<void>(resolve => waiting.push(resolve));
  try {
    const options = { ...cost, maxmem: MAX_MEMORY };
    return await scryptAsync(password.normalize('NFKC'), salt, HASH_BYTES, options);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

const scryptAsync = promisify<string, Buffer, number, object, Buffer>(scrypt);

let common: Promise<ReadonlySet<string>> | undefined;

/** The most used passwords of leaks, those long enough to be asked about. Loaded with the first question. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const words = dictionary['passwords-common'] as readonly (string | number)[];
    return new Set(words.map(String).filter(word => word.length >= MIN_PASSWORD));
  });
  return common;
}
