// The attacks of one company with one key, each for some seconds. Bodies are made before, so that
// the attacker costs this process little.

import { makeSession, makeUser } from '../support/dashboard.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { addInvoices } from '../support/many-rows.js';
import { type Outgoing, sendRequest } from './exchange.js';
import { pause } from './fault.js';
import type { Answer, Failure } from './journal.js';
import type { System } from './system.js';

/** Ten times the usual limit per hour, so that an attack lasts for all of its phase. */
const RATE_LIMIT = 10_000;
const LIMIT_MS = 120_000;
const FORM_FIELDS = 120_000;
const LINE_FIELDS = 25_000;
const INVALID_AT_ONCE = 8;
const BATCHES_AT_ONCE = 30;
const LISTS_AT_ONCE = 32;
const BATCH_INVOICES = 100;
const BATCH_LINES = 25;
/** With the rest of a line, 2,500 lines fill 512 KiB. */
const NAME_LENGTH = 160;
const INVOICES = 300_000;
const BACKLOGS = 5;
const QUEUED_OF_COMPANY = 10_000;
const FORM_PAUSE_SECONDS = 0.5;

/** How often each status, or each cause of a failure, ended a request of the attacker. */
export type Ends = Map<string, number>;

export interface Phase {
  readonly name: string;
  readonly what: string;
  /** Rows that the attack needs. Resolves to the attack, which ends when the signal aborts. */
  prepare(system: System): Promise<(signal: AbortSignal, ends: Ends) => Promise<void>>;
}

const none: Phase = {
  name: 'none',
  what: 'no attack',
  prepare: async () => async signal => untilAborted(signal),
};

const forms: Phase = {
  name: 'forms',
  what: `dashboard forms of ${FORM_FIELDS} fields, with and without a session`,
  async prepare(system) {
    const company = await makeAttacker(system);
    const stack = stackOf(system);
    const user = await makeUser(stack, company.companyId);
    const session = await makeSession(stack, company.companyId, user.userId);
    const port = portOf(system);
    const cookie = { cookie: `session=${session}` };
    const page = await sendRequest({
      ...{
        method: 'GET',
        port,
        path: '/invoices/new',
        headers: { accept: 'text/html', ...cookie },
      },
      ...{ limitMs: LIMIT_MS, body: null },
    });
    const token = /name="token" value="([^"]+)"/u.exec('text' in page ? page.text : '')?.[1];
    if (token === undefined) throw new Error('the form of a new invoice has no token');
    const signed = `token=${encodeURIComponent(token)}`;
    const many = '&b=1'.repeat(FORM_FIELDS);
    const lines = Array.from({ length: LINE_FIELDS }, (_, line) => `&items.${line}.name=1`).join(
      '',
    );
    const post = (headers: Record<string, string>, body: string): Outgoing => ({
      ...{ method: 'POST', port, path: '/invoices/new', body, limitMs: LIMIT_MS, discards: true },
      headers: {
        ...{ accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded', ...headers },
        origin: `http://127.0.0.1:${port}`,
      },
    });
    const each = [post({}, `a=${many}`), post(cookie, signed + many), post(cookie, signed + lines)];
    return (signal, ends) => together(each, FORM_PAUSE_SECONDS, signal, ends);
  },
};

const invalidBatches: Phase = {
  name: 'invalid-batches',
  what: `${INVALID_AT_ONCE} invalid batches at a time, of 100 invoices with 250 lines "{}"`,
  async prepare(system) {
    const invoice = { items: Array.from({ length: 250 }, () => ({})) };
    const invoices = Array.from({ length: BATCH_INVOICES }, () => invoice);
    const batch = postBatch(system, await makeAttacker(system), JSON.stringify({ invoices }));
    const each = Array.from({ length: INVALID_AT_ONCE }, () => batch);
    return (signal, ends) => together(each, 0, signal, ends);
  },
};

const maximalBatches: Phase = {
  name: 'maximal-batches',
  what: `${BATCHES_AT_ONCE} async batches at once, of ${BATCH_INVOICES * BATCH_LINES} lines each`,
  async prepare(system) {
    const items = Array.from({ length: BATCH_LINES }, (_, line) => ({
      ...{ name: `Delivery ${line} `.padEnd(NAME_LENGTH, 'x'), qty: 1, price: 10 },
    }));
    const invoice = { customerName: 'Many & Sons', date: '2026-11-20', items };
    const invoices = Array.from({ length: BATCH_INVOICES }, () => invoice);
    const batch = postBatch(system, await makeAttacker(system), JSON.stringify({ invoices }));
    return async (signal, ends) => {
      // At once: all of them are sent before the first is answered.
      while (!signal.aborted)
        await Promise.all(
          Array.from({ length: BATCHES_AT_ONCE }, () => send({ ...batch, signal }, ends)),
        );
    };
  },
};

const lists: Phase = {
  name: 'lists',
  what: `${LISTS_AT_ONCE} lists at a time whose filters match none of ${INVOICES} invoices`,
  async prepare(system) {
    const company = await makeAttacker(system);
    await addInvoices(stackOf(system), company, INVOICES);
    await system.query('ANALYZE invoices');
    const filters = [
      'status=void',
      'status=paid',
      'dueFrom=2026-11-01&dueTo=2026-11-01',
      'status=open&dueFrom=2026-11-01&dueTo=2026-11-01',
    ];
    const each = Array.from({ length: LISTS_AT_ONCE }, (_, index) => ({
      ...{ method: 'GET', port: portOf(system), limitMs: LIMIT_MS, body: null, discards: true },
      path: `/api/external/invoices?${filters[index % filters.length]}`,
      headers: { 'x-api-key': company.key },
    }));
    return (signal, ends) => together(each, 0, signal, ends);
  },
};

/** The last phase, since queued rows cannot be removed. */
const backlogs: Phase = {
  name: 'backlogs',
  what: `${BACKLOGS} companies with ${QUEUED_OF_COMPANY} queued jobs each`,
  async prepare(system) {
    const body = {
      customerName: 'Many & Sons',
      date: '2026-11-20',
      items: [{ name: 'Delivery', qty: 1, price: 10 }],
    };
    for (let count = 0; count < BACKLOGS; count += 1) {
      const { companyId } = await makeAttacker(system);
      await system.query(
        `INSERT INTO jobs
           (company_id, id, type, status, fingerprint, submission_id, request_id, payload, run_at)
         SELECT $1, gen_random_uuid(), 'invoice.create', 'queued', sha256(''),
           gen_random_uuid(), 'backlog', $2, now() + interval '1 day'
         FROM generate_series(1, $3::int)`,
        [companyId, JSON.stringify(body), QUEUED_OF_COMPANY],
      );
    }
    return async signal => untilAborted(signal);
  },
};

export const PHASES: readonly Phase[] = [
  none,
  forms,
  invalidBatches,
  maximalBatches,
  lists,
  backlogs,
];

function makeAttacker(system: System): Promise<TestCompany> {
  return makeCompany(stackOf(system), { rateLimit: RATE_LIMIT });
}

const portOf = ({ webPorts }: System) => webPorts[0] ?? 0;

export const stackOf = (system: System) => ({
  baseUrl: `http://127.0.0.1:${portOf(system)}`,
  sql: system.query.bind(system),
});

function postBatch(system: System, { key }: TestCompany, body: string): Outgoing {
  return {
    ...{ method: 'POST', port: portOf(system), path: '/api/external/invoices/batch' },
    ...{ body, limitMs: LIMIT_MS, discards: true },
    headers: {
      ...{ 'x-api-key': key, 'content-type': 'application/json', prefer: 'respond-async' },
    },
  };
}

/** Repeats each request until the signal aborts, all of them at the same time. */
async function together(
  requests: readonly Outgoing[],
  pauseSeconds: number,
  signal: AbortSignal,
  ends: Ends,
): Promise<void> {
  await Promise.all(
    requests.map(async request => {
      while (!signal.aborted) {
        const status = await send({ ...request, signal }, ends);
        // A refusal at once must not make this process the bottleneck.
        await pause(status === 429 || status === 503 ? 0.2 : pauseSeconds);
      }
    }),
  );
}

async function send(request: Outgoing, ends: Ends): Promise<number | undefined> {
  const end: Answer | Failure = await sendRequest(request);
  const what = 'status' in end ? String(end.status) : end.cause;
  if (!request.signal?.aborted) ends.set(what, (ends.get(what) ?? 0) + 1);
  return 'status' in end ? end.status : undefined;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}
