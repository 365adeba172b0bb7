// Secret tokens of sessions, invitations and password resets: 256 random bits for the browser or
// the link. The database stores their SHA-256, from which the token can't be derived.
import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
