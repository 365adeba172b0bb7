// Limits on wrong passwords, sign-ups and wrong links. Each attempt is counted before
// its work, so that parallel attempts cannot exceed the limit. A correct password is refunded.
import { createHash } from 'node:crypto';
import { Problem } from '../../platform/errors.js';
import { type Counter, createCounter, type SharedRedis } from '../../platform/http/rate-limit.js';

const WINDOW_SECONDS = 15 * 60;
/** Wrong passwords for all accounts from one network. An office shares its address. */
const MAX_WRONG_BY_NETWORK = 60;
/** Wrong passwords for one account from one network: enough to forget, far too few to guess. */
const MAX_WRONG_BY_PAIR = 20;
/** Wrong passwords for one account from all networks not known to it. Ten networks reach it. */
const MAX_WRONG_BY_ACCOUNT = 200;
/** A network stays known to an account for this time after a sign-in from it. */
const KNOWN_SECONDS = 30 * 86_400;
const SIGN_UP_WINDOW_SECONDS = 3_600;
/** Each sign-up creates a company and reveals whether an e-mail address has an account. */
const MAX_SIGN_UPS = 20;
/** A link has 256 random bits and cannot be guessed; the limit stops those who try anyway. */
const MAX_WRONG_LINKS = 30;

export interface Attempts {
  /**
   * Counts an attempt by network, by network and account, and by account unless the network is
   * known to it, so that the attempts of strangers never lock the owner out of a known network.
   * Returns `confirmCorrect`, which refunds the attempt and makes the network known. Throws Problem
   * `too_many_attempts`.
   */
  password(network: string, account: string): Promise<() => Promise<void>>;
  /** Throws Problem `too_many_attempts`. */
  signUp(network: string): Promise<void>;
  /** Counts a link of an invitation or reset that is not open. Throws `too_many_attempts`. */
  link(network: string): Promise<void>;
}

export function createAttempts(shared: SharedRedis | null): Attempts {
  const byNetwork = createCounter(shared, 'sign-in-address', WINDOW_SECONDS);
  const byPair = createCounter(shared, 'sign-in-pair', WINDOW_SECONDS);
  const byAccount = createCounter(shared, 'sign-in-account', WINDOW_SECONDS);
  const known = createCounter(shared, 'sign-in-known', KNOWN_SECONDS);
  const signUps = createCounter(shared, 'sign-up', SIGN_UP_WINDOW_SECONDS);
  const links = createCounter(shared, 'link', WINDOW_SECONDS);
  return {
    async password(network, account) {
      // The account may be any text that was typed, but the store limits the length of a key.
      const accountKey = hashOf(account);
      const pair = hashOf(`${network} ${account}`);
      await count(byNetwork, network, MAX_WRONG_BY_NETWORK);
      await count(byPair, pair, MAX_WRONG_BY_PAIR);
      const isKnown = (await known.peek(pair)) !== null;
      if (!isKnown) await count(byAccount, accountKey, MAX_WRONG_BY_ACCOUNT);
      return async () => {
        await Promise.all([
          byNetwork.refund(network),
          byPair.refund(pair),
          ...(isKnown ? [] : [byAccount.refund(accountKey), known.add(pair)]),
        ]);
      };
    },
    link: network => count(links, network, MAX_WRONG_LINKS),
    signUp: network => count(signUps, network, MAX_SIGN_UPS),
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

async function count(counter: Counter, key: string, max: number): Promise<void> {
  const { used, resetMs } = await counter.add(key);
  if (used <= max) return;
  const minutes = Math.ceil(resetMs / 60_000);
  throw new Problem('too_many_attempts', `Too many attempts. Try again in ${minutes} min.`, {
    headers: { 'Retry-After': String(Math.ceil(resetMs / 1000)) },
  });
}
