// All faults.
import { COMPANY_FAULTS } from './company-faults.js';
import { BOTH, type Fault, pause } from './fault.js';
import { untilPoisonFailed } from './hostile-company.js';
import { POISON } from './judgements.js';
import { LEDGER_FAULTS } from './ledger-faults.js';
import { POSTGRES_FAULTS } from './postgres-faults.js';
import { PROCESS_FAULTS } from './process-faults.js';
import type { Random } from './random.js';
import { REDIS_FAULTS } from './redis-faults.js';
import { USUAL_HANG_UP_SHARE } from './system.js';
import { twoStarts } from './two-starts.js';

/** Submissions that make their handlers throw: their jobs must fail alone. */
const poison: Fault = {
  name: 'poison',
  modes: BOTH,
  parts: ['rows'],
  seconds: 2,
  async run(system, _random, seconds) {
    await system.query(
      `INSERT INTO jobs
         (company_id, id, type, status, fingerprint, submission_id, request_id, payload, run_at)
       SELECT id, gen_random_uuid(), type, 'queued', sha256(id::text::bytea),
         gen_random_uuid(), '${POISON}', '{"items": null}', now()
       FROM companies, unnest(ARRAY['invoice.create', 'payment.record']) AS type`,
    );
    await pause(seconds);
    await untilPoisonFailed(system);
  },
};

/** Most clients hang up while they send a request or wait for its answer. */
const hangUps: Fault = {
  name: 'client-hang-ups',
  modes: BOTH,
  parts: ['clients'],
  seconds: 6,
  async run(system, _random, seconds) {
    system.hangUpShare = 0.7;
    await pause(seconds);
    system.hangUpShare = USUAL_HANG_UP_SHARE;
  },
};

/** By family. A quick run picks one fault of each. */
const FAMILIES: readonly (readonly Fault[])[] = [
  [...PROCESS_FAULTS, ...LEDGER_FAULTS],
  REDIS_FAULTS,
  POSTGRES_FAULTS,
  COMPANY_FAULTS,
  [hangUps, poison, twoStarts],
];

export const FAULTS = FAMILIES.flat();

/** One fault of each family that has a quick one among the given. */
export function onePerFamily(faults: readonly Fault[], random: Random): Fault[] {
  const quick = faults.filter(({ needsItsTime }) => !needsItsTime);
  return FAMILIES.map(family => family.filter(fault => quick.includes(fault)))
    .filter(family => family.length > 0)
    .map(family => random.pick(family));
}
