// How often somebody may try: wrong passwords by address and by account, sign-ups and
// wrong invitations by address. Counted before the work, so
// that many at once do not get past it; what succeeded is taken back.
import { createHash } from 'node:crypto';
import { Problem } from '../../platform/errors.js';
import { type Counter, createCounter, type SharedRedis } from '../../platform/http/rate-limit.js';

const WINDOW_SECONDS = 15 * 60;
/** An office behind one address mistypes more than one person does. */
const MAX_WRONG_BY_ADDRESS = 60;
/** Far below what guessing needs, far above what a forgetful owner does. */
const MAX_WRONG_BY_ACCOUNT = 20;
const SIGN_UP_WINDOW_SECONDS = 3_600;
/** Each makes a company, and tells whether an address has an account. */
const MAX_SIGN_UPS = 20;
/** Links of 256 random bits are not found by trying; whoever tries is stopped all the same. */
const MAX_WRONG_LINKS = 30;

export interface Attempts {
  /** Counts a try of a password, and returns how to take it back once it was right. Throws Problem `too_many_attempts`. */
  password(network: string, email: string): Promise<() => Promise<void>>;
  /** Throws Problem `too_many_attempts`. */
  signUp(network: string): Promise<void>;
  /** Counts a link that leads to no invitation. Throws Problem `too_many_attempts`. */
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
