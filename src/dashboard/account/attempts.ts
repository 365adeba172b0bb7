// Limits on wrong passwords, sign-ups and wrong invitation links. Each attempt is counted before
// its work, so that parallel attempts cannot exceed the limit. A correct password is refunded.
import { createHash } from 'node:crypto';
import { Problem } from '../../platform/errors.js';
import { type Counter, createCounter, type SharedRedis } from '../../platform/http/rate-limit.js';

const WINDOW_SECONDS = 15 * 60;
/** Higher than the limit per account, because an office shares one address. */
const MAX_WRONG_BY_ADDRESS = 60;
/** Far too few for guessing, and more than a forgetful user needs. */
const MAX_WRONG_BY_ACCOUNT = 20;
const SIGN_UP_WINDOW_SECONDS = 3_600;
/** Each sign-up creates a company and reveals whether an e-mail address has an account. */
const MAX_SIGN_UPS = 20;
/** A link has 256 random bits and cannot be guessed; the limit stops those who try anyway. */
const MAX_WRONG_LINKS = 30;

export interface Attempts {
  /**
   * Counts an attempt by network address and by account. Returns a function that refunds it once
   * the password proved correct. Throws Problem `too_many_attempts`.
   */
  password(network: string, email: string): Promise<() => Promise<void>>;
  /** Throws Problem `too_many_attempts`. */
  signUp(network: string): Promise<void>;
  /** Counts a link that matches no invitation. Throws Problem `too_many_attempts`. */
  invitation(network: string): Promise<void>;
}

export function createAttempts(shared: SharedRedis | null): Attempts {
  const byAddress = createCounter(shared, 'sign-in-address', WINDOW_SECONDS);
  const byAccount = createCounter(shared, 'sign-in-account', WINDOW_SECONDS);
  const signUps = createCounter(shared, 'sign-up', SIGN_UP_WINDOW_SECONDS);
  const invitations = createCounter(shared, 'invitation', WINDOW_SECONDS);
  return {
    async password(network, email) {
      const account = createHash('sha256')
        .update(email.normalize('NFC').trim().toLowerCase())
        .digest('base64url');
      await count(byAddress, network, MAX_WRONG_BY_ADDRESS);
      await count(byAccount, account, MAX_WRONG_BY_ACCOUNT);
      return async () => {
        await Promise.all([byAddress.refund(network), byAccount.refund(account)]);
      };
    },
    invitation: network => count(invitations, network, MAX_WRONG_LINKS),
    signUp: network => count(signUps, network, MAX_SIGN_UPS),
  };
}

async function count(counter: Counter, key: string, max: number): Promise<void> {
  const { used, resetMs } = await counter.add(key);
  if (used <= max) return;
  const minutes = Math.ceil(resetMs / 60_000);
  throw new Problem('too_many_attempts', `Too many attempts. Try again in ${minutes} min.`, {
    headers: { 'Retry-After': String(Math.ceil(resetMs / 1000)) },
  });
}
