// A company that does everything a client can do to keep others from writing.
import { fingerprintOf, jobId } from '../../src/jobs/submit/submission.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { sendRead, sendRequest } from './exchange.js';
import { repeat } from './fault.js';
import { POISON } from './judgements.js';
import type { System } from './system.js';

const FAILED_JOBS = 5;
const BACKLOG = 1_000;
const FLOODING_CLIENTS = 16;
/** Per hour: the usual limit. Beyond it the flood goes on and gets 429. */
const RATE_LIMIT = 1_000;
const REPEAT_EVERY_MS = 500;
const FLOOD_EVERY_MS = 20;
const LIMIT_MS = 30_000;
const PATH = '/api/external/invoices';
/** Each of its attempts fails, so it is retried until it fails for good. */
const POISON_PAYLOAD = '{"items": null}';
const POISON_TIMEOUT_MS = 20_000;

const body = {
  customerName: 'Many & Sons',
  date: '2026-11-20',
  items: ['Delivery', 'Hot 0', 'Cold 1'].map(name => ({ name, qty: 1, price: 10 })),
};
const failedKey = (index: number) => `failed-${index}`;

/** A new company with a backlog of persisted writes, and with jobs that failed long ago. */
export async function makeHostile(system: System): Promise<TestCompany> {
  const company = await makeCompany(
    { baseUrl: '', sql: system.query.bind(system) },
    { rateLimit: RATE_LIMIT },
  );
  const { companyId } = company;
  await system.query(
    `INSERT INTO jobs
       (company_id, id, type, status, fingerprint, submission_id, request_id, payload, run_at)
     SELECT $1, gen_random_uuid(), 'invoice.create', 'queued', sha256(''),
       gen_random_uuid(), 'backlog', $2, now()
     FROM generate_series(1, $3::int)`,
    [companyId, JSON.stringify(body), BACKLOG],
  );
  for (let index = 0; index < FAILED_JOBS; index += 1) {
    await system.query(
      `INSERT INTO jobs (
         company_id, id, type, status, fingerprint,
         submission_id, request_id, payload, attempts, error,
         created_at, finished_at
       )
       VALUES (
         $1, $2, 'invoice.create', 'failed', decode($3, 'hex'),
         gen_random_uuid(), $4, $5, 5, '{"status": 500, "code": "internal_error"}',
         now() - interval '1 hour', now() - interval '1 hour'
       )`,
      [
        companyId,
        jobId(companyId, failedKey(index)),
        fingerprintOf(PATH, body),
        POISON,
        POISON_PAYLOAD,
      ],
    );
  }
  return company;
}

/** Floods every web process, and repeats the failed requests, which queues their jobs again. */
export async function floodAsHostile(
  system: System,
  company: TestCompany,
  seconds: number,
): Promise<void> {
  const { key, companyId } = company;
  const send = (port: number, headers: Record<string, string>) =>
    sendRequest({
      method: 'POST',
      port,
      path: PATH,
      limitMs: LIMIT_MS,
      body: JSON.stringify(body),
      headers: {
        'x-api-key': key,
        'content-type': 'application/json',
        prefer: 'respond-async',
        ...headers,
      },
    });
  const read = (port: number) =>
    sendRead({ companyId, path: PATH, port, startedAt: Date.now(), limitMs: LIMIT_MS }, key);
  const portOf = (index: number) => system.webPorts[index % system.webPorts.length] ?? 0;
  await Promise.all([
    ...Array.from({ length: FAILED_JOBS }, (_, index) =>
      repeat(seconds, REPEAT_EVERY_MS, () =>
        send(portOf(index), { 'idempotency-key': failedKey(index), 'x-request-id': POISON }),
      ),
    ),
    ...Array.from({ length: FLOODING_CLIENTS }, (_, index) =>
      repeat(seconds, FLOOD_EVERY_MS, () =>
        index % 4 === 0 ? read(portOf(index)) : send(portOf(index), {}),
      ),
    ),
  ]);
}

/** Waits until the jobs that can only fail have failed for good, and shortens their pauses. */
export async function untilPoisonFailed(system: System): Promise<void> {
  const haveFailed = async () => {
    await system.query(
      `UPDATE jobs SET run_at = now() WHERE request_id = $1 AND status = 'queued'`,
      [POISON],
    );
    const others = await system.query(
      `SELECT 1 FROM jobs WHERE request_id = $1 AND status <> 'failed'`,
      [POISON],
    );
    return others.length === 0;
  };
  await until('the poison jobs have failed', haveFailed, POISON_TIMEOUT_MS);
}
