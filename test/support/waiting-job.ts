// A job that a web process persisted and that no worker claims until the test releases it.
import { v7 as uuidv7 } from 'uuid';
import type { LedgerPayload } from '../../src/ledger/payload.js';
import type { Json } from './client.js';
import type { TestCompany } from './factories.js';
import { until } from './processes.js';
import type { Stack } from './suite.js';

export interface WaitingJob {
  readonly id: string;
  /** Lets a worker run the job and waits until it is settled. */
  readonly release: () => Promise<void>;
  /** Marks the job as failed by an internal error, which no worker retries. */
  readonly fail: () => Promise<void>;
}

/** Its request id is `waiting-1`. */
export async function addWaitingJob(
  { sql }: Pick<Stack, 'sql'>,
  company: TestCompany,
  type: 'invoice.create' | 'inventory.adjust' | LedgerPayload['type'],
  payload: Record<string, unknown>,
): Promise<WaitingJob> {
  const id = uuidv7();
  const key = [company.companyId, id];
  await sql(
    `INSERT INTO jobs (company_id, id, type, status, fingerprint, submission_id, request_id,
       payload, run_at)
     VALUES ($1, $2, $3, 'queued', sha256('x'), $2, 'waiting-1', $4, 'infinity')`,
    [...key, type, JSON.stringify(payload)],
  );
  return {
    id,
    async release() {
      await sql('UPDATE jobs SET run_at = now() WHERE company_id = $1 AND id = $2', key);
      await untilSettled(company, id);
    },
    async fail() {
      await sql(
        `UPDATE jobs
         SET status = 'failed', run_at = NULL, finished_at = now(),
           error = '{"status":500,"code":"internal_error","detail":"x"}'
         WHERE company_id = $1 AND id = $2`,
        key,
      );
    },
  };
}

/** Waits until the job is settled, and returns it. */
export async function untilSettled(company: TestCompany, id: string): Promise<Json> {
  let job: Json;
  await until('the job is settled', async () => {
    job = (await company.get(`/jobs/${id}`)).body;
    return job.status !== 'queued';
  });
  return job;
}
