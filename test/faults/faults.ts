// The faults by name.
import { spawnSync } from 'node:child_process';
import { until } from '../support/processes.js';
import type { Mode } from '../support/suite.js';
import { BOTH, type Fault, pause } from './fault.js';
import { POSTGRES_FAULTS } from './postgres-faults.js';
import { PROCESS_FAULTS } from './process-faults.js';
import { REDIS_FAULTS } from './redis-faults.js';
import { twoStarts } from './two-starts.js';

/** A submission that no handler can post: it must end as failed, alone. */
const poison: Fault = {
  name: 'poison',
  modes: BOTH,
  parts: ['rows'],
  seconds: 2,
  async run(stage, _random, seconds) {
    await stage.query(
      `INSERT INTO jobs (company_id, id, type, status, fingerprint, submission_id, request_id, payload, run_at)
       SELECT id, gen_random_uuid(), 'invoice.create', 'queued', sha256(id::text::bytea), gen_random_uuid(), 'poison', '{"items": null}', now()
       FROM companies`,
    );
    await pause(seconds);
    await until(
      'the poison jobs have failed',
      async () => {
        await stage.query(
          `UPDATE jobs SET run_at = now() WHERE request_id = 'poison' AND status = 'queued'`,
        );
        return (
          (
            await stage.query(
              `SELECT 1 FROM jobs WHERE request_id = 'poison' AND status <> 'failed'`,
            )
          ).length === 0
        );
      },
      20_000,
    );
  },
};

/** Most clients hang up in the middle of their request or of the wait for its answer. */
const hangUps: Fault = {
  name: 'client-hang-ups',
  modes: BOTH,
  parts: ['clients'],
  seconds: 6,
  async run(stage, _random, seconds) {
    stage.hangUpShare = 0.7;
    await pause(seconds);
    stage.hangUpShare = 0.02;
  },
};

export const FAULTS: readonly Fault[] = [
  ...PROCESS_FAULTS,
  ...REDIS_FAULTS,
  ...POSTGRES_FAULTS,
  hangUps,
  poison,
  twoStarts,
];

/** True where redis-server is there to be faulted. */
export function canRun(mode: Mode): boolean {
  return mode === 'postgres' || spawnSync('redis-server', ['--version']).status === 0;
}
