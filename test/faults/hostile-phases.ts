// The attacks of one company with one key, and the rows that they need.

import { makeSession, makeUser } from '../support/dashboard.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { fieldsOf } from '../support/html.js';
import { addInvoices } from '../support/many-rows.js';
import { type Outgoing, sendRequest } from './exchange.js';
import { READ_ATTACKS } from './hostile-reads.js';
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

/** Requests that are repeated: each as soon as it is answered, or all of them at once. */
export interface Attack {
  readonly requests: readonly Outgoing[];
  readonly atOnce: boolean;
  readonly pauseSeconds: number;
}

/** The longest times in milliseconds: the 99th percentiles of others, and any /healthz. */
export interface PhaseLimits {
  readonly writesP99Ms: number;
  readonly readsP99Ms: number;
  readonly healthMs: number;
}

export interface Phase {
  readonly name: string;
  readonly what: string;
  /** Stricter than the usual limits of hostile-run.ts. */
  readonly limits?: PhaseLimits;
  /** Writes the rows that the attack needs. Null: there is nothing to send. */
  prepare(system: System): Promise<Attack | null>;
  /** Ends what `prepare` started. */
  end?(): Promise<void>;
}

const none: Phase = {
  name: 'none',
  what: 'no attack',
  prepare: async () => null,
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
    const { token } = fieldsOf({ text: 'text' in page ? page.text : '' });
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
    const requests = [`a=${many}`, signed + many, signed + lines].map((body, index) =>
      post(index === 0 ? {} : cookie, body),
    );
    return { requests, atOnce: false, pauseSeconds: FORM_PAUSE_SECONDS };
  },
};

const invalidBatches: Phase = {
  name: 'invalid-batches',
  what: `${INVALID_AT_ONCE} invalid batches at a time, of 100 invoices with 250 lines "{}"`,
  async prepare(system) {
    const invoice = { items: Array.from({ length: 250 }, () => ({})) };
    const invoices = Array.from({ length: BATCH_INVOICES }, () => invoice);
    const batch = postBatch(system, await makeAttacker(system), JSON.stringify({ invoices }));
    const requests = Array.from({ length: INVALID_AT_ONCE }, () => batch);
    return { requests, atOnce: false, pauseSeconds: 0 };
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
    const requests = Array.from({ length: BATCHES_AT_ONCE }, () => batch);
    return { requests, atOnce: true, pauseSeconds: 0 };
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
    const requests = Array.from({ length: LISTS_AT_ONCE }, (_, index) => ({
      ...{ method: 'GET', port: portOf(system), limitMs: LIMIT_MS, body: null, discards: true },
      path: `/api/external/invoices?${filters[index % filters.length]}`,
      headers: { 'x-api-key': company.key },
    }));
    return { requests, atOnce: false, pauseSeconds: 0 };
  },
};

const READERS = 20;
const INVOICES_READ = 50_000;
const READ_LIMITS = { writesP99Ms: 500, readsP99Ms: 300, healthMs: 200 };

const longReads = READ_ATTACKS.map(
  (attack): Phase => ({
    name: attack.name,
    what: `${attack.what}, ${READERS} at a time over ${INVOICES_READ} invoices`,
    limits: READ_LIMITS,
    prepare: system => attack.prepare(stackOf(system), INVOICES_READ, READERS),
  }),
);

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
           gen_random_uuid(), 'backlog', $2, 'infinity'
         FROM generate_series(1, $3::int)`,
        [companyId, JSON.stringify(body), QUEUED_OF_COMPANY],
      );
    }
    return null;
  },
};

export const PHASES: readonly Phase[] = [
  none,
  forms,
  invalidBatches,
  maximalBatches,
  lists,
  ...longReads,
  backlogs,
];

export function makeAttacker(system: System): Promise<TestCompany> {
  return makeCompany(stackOf(system), { rateLimit: RATE_LIMIT });
}

export const portOf = ({ webPorts }: System) => webPorts[0] ?? 0;

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
