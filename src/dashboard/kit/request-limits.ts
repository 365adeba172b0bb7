// Limits on the dashboard's requests, so that one company or one address cannot slow it down for
// the others. They are far above what people and the pages' own scripts need.
import { Problem } from '../../platform/errors.js';
import type { Count } from '../../platform/http/count-stores.js';
import { createCounter, type SharedRedis } from '../../platform/http/rate-limit.js';
import type { Session } from '../../users/sessions.js';

const WINDOW_SECONDS = 60;
/** Dozens of people at work: the open page of a running import asks once per second. */
const MAX_BY_COMPANY = 600;
/** A large office, or several companies behind one address. */
const MAX_BY_NETWORK = 1_800;
/** Forms that anyone may send: signing in, signing up, accepting an invitation. */
const MAX_OPEN_FORMS_BY_NETWORK = 120;

export interface RequestLimits {
  /** Counts a request. Throws Problem `rate_limit_exceeded`. */
  count(network: string, session: Session | null, method: string): Promise<void>;
}

export function createRequestLimits(shared: SharedRedis | null): RequestLimits {
  const open = (name: string, max: number) => {
    const counter = createCounter(shared, `dashboard-${name}`, WINDOW_SECONDS, max);
    return async (key: string) => refuseAbove(max, await counter.add(key));
  };
  const byCompany = open('company', MAX_BY_COMPANY);
  const byNetwork = open('address', MAX_BY_NETWORK);
  const openForms = open('forms', MAX_OPEN_FORMS_BY_NETWORK);
  return {
    async count(network, session, method) {
      await Promise.all([
        byNetwork(network),
        ...(session ? [byCompany(session.companyId)] : []),
        ...(session === null && method === 'POST' ? [openForms(network)] : []),
      ]);
    },
  };
}

function refuseAbove(max: number, { used, resetMs }: Count): void {
  if (used <= max) return;
  const seconds = Math.ceil(resetMs / 1000);
  throw new Problem(
    'rate_limit_exceeded',
    `Too many requests in a short time. Try again in ${seconds} s.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}
