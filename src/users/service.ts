// Making users, and their passwords.
import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { getCompany } from '../companies/service.js';
import { violatedConstraint } from '../platform/db.js';
import { Problem } from '../platform/errors.js';
import { cleanText, codePointLength } from '../platform/text.js';
import { type Role, User } from './model.js';

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly role: Role;
  readonly operator: boolean;
}

/** OWASP's password storage cheat sheet for scrypt: N = 2^17, r = 8, p = 1. Needs 128 MiB. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } as const;
const HASH_BYTES = 32;
const MIN_PASSWORD = 10;
const MAX_PASSWORD = 200;
const EMAIL = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,190}\.[^\s@\p{Cc}]{2,63}$/u;

/** Adds a user to the company. Throws Problem `not_found` or `validation_failed`. */
export async function createUser(companyId: string, user: NewUser): Promise<User> {
  await getCompany(companyId);
  const email = cleanText(user.email);
  if (!EMAIL.test(email)) throw new Problem('validation_failed', `${JSON.stringify(email)} is not an e-mail address.`);
  const length = codePointLength(user.password);
  if (length < MIN_PASSWORD || length > MAX_PASSWORD) {
    throw new Problem('validation_failed', `A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`);
  }
  try {
    const passwordHash = await hashPassword(user.password);
    return await User.create({
      companyId,
      id: uuidv7(),
      email,
      passwordHash,
      role: user.role,
      operator: user.operator,
    });
  } catch (error) {
    if (violatedConstraint(error) === 'users_email')
      throw new Problem('validation_failed', `There is a user ${email} already.`);
    throw error;
  }
}

/** scrypt$N$r$p$salt$hash, salt and hash in base64url. */
async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const derive = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);
  const hash = await derive(password.normalize('NFKC'), salt, HASH_BYTES, SCRYPT);
  return ['scrypt', SCRYPT.N, SCRYPT.r, SCRYPT.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}
