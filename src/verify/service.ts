// Runs the checks read-only on one snapshot, which several connections share.
import type pg from 'pg';
import { NIL } from 'uuid';
import { STORED_INVOICE, type StoredInvoice } from '../invoices/issued/stored-invoice.js';
import { CHECKS, type Check } from './checks.js';
import { CONTENTS, checkContents } from './invoice-contents.js';
import {
  CREDIT_SHARES,
  type CreditedInvoice,
  checkCreditNotes,
  creditedInvoices,
} from './ledger/credit-contents.js';
import type { Violation } from './violation.js';

/** Enough to keep the cores of a small database busy, and few enough not to slow down its users. */
const CONNECTIONS = 2;
/** Enough for the sorts and hashes of a million invoices; a few are in use for a minute at most. */
const WORK_MEM = '64MB';
/** Invoices read at a time. */
const PAGE = 1_000;

export interface Verdict {
  readonly checked: number;
  readonly violations: number;
}

interface Run {
  readonly names: readonly string[];
  readonly run: (client: pg.Client) => AsyncIterable<Violation>;
}

/** All invariants. */
export const RUNS: readonly Run[] = [
  { names: Object.values(CONTENTS), run: checkInvoices },
  { names: [CREDIT_SHARES], run: checkCredits },
  ...CHECKS.map(check => ({
    names: [check.name],
    run: (client: pg.Client) => runCheck(client, check),
  })),
];

/**
 * Checks every invariant on one snapshot and reports each offender, in any order. Closes the
 * connections that `connect` opens.
 */
export async function verifyAll(
  connect: () => Promise<pg.Client>,
  report: (violation: Violation) => void,
): Promise<Verdict> {
  const clients: pg.Client[] = [];
  const begin = async (snapshot: string | null): Promise<pg.Client> => {
    const client = await connect();
    clients.push(client);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    if (snapshot) await client.query(`SET TRANSACTION SNAPSHOT '${snapshot}'`);
    await client.query(`SET LOCAL work_mem = '${WORK_MEM}'; SET LOCAL jit = off`);
    return client;
  };
  const queue = RUNS.values();
  let violations = 0;
  // The connections share one iterator, so a free connection takes the next check.
  const work = async (client: pg.Client): Promise<void> => {
    for (const { run } of queue) {
      for await (const violation of run(client)) {
        violations += 1;
        report(violation);
      }
    }
  };
  try {
    // Other connections can use the snapshot while the transaction that exported it is open.
    const first = await begin(null);
    const { rows } = await first.query<{ snapshot: string }>(
      'SELECT pg_export_snapshot() AS snapshot',
    );
    const others = await Promise.all(
      Array.from({ length: CONNECTIONS - 1 }, () => begin(rows[0]?.snapshot ?? null)),
    );
    await Promise.all([first, ...others].map(work));
    return { checked: RUNS.flatMap(({ names }) => names).length, violations };
  } finally {
    await Promise.all(clients.map(client => client.end()));
  }
}

async function* runCheck(client: pg.Client, { name, sql }: Check): AsyncIterable<Violation> {
  const { rows } = await client.query(sql);
  for (const offender of rows) yield { violation: name, ...offender };
}

async function* checkInvoices(client: pg.Client): AsyncIterable<Violation> {
  let last: StoredInvoice | undefined;
  do {
    const { rows } = await client.query<StoredInvoice>(
      `SELECT ${STORED_INVOICE}
       FROM (
         SELECT i.*, c.currency AS company_currency
         FROM invoices i
         JOIN companies c ON c.id = i.company_id
       ) i
       WHERE (i.company_id, i.number) > ($1, $2)
       ORDER BY i.company_id, i.number
       LIMIT ${PAGE}`,
      [last?.companyId ?? NIL, last?.number ?? 0],
    );
    for (const invoice of rows) yield* checkContents(invoice).violations;
    last = rows.at(-1);
  } while (last);
}

/** A page of invoices with credit notes, after the company $1 and invoice $2. Few have any. */
const CREDITED_PAGE = `
  (
    SELECT DISTINCT company_id, invoice_id
    FROM entries
    WHERE invoice_id IS NOT NULL AND (company_id, invoice_id) > ($1, $2)
    ORDER BY company_id, invoice_id
    LIMIT ${PAGE}
  ) credited
  JOIN invoices i ON i.company_id = credited.company_id AND i.id = credited.invoice_id`;

async function* checkCredits(client: pg.Client): AsyncIterable<Violation> {
  let last: CreditedInvoice | undefined;
  do {
    const { rows } = await client.query<CreditedInvoice>(
      `${creditedInvoices(CREDITED_PAGE)}
       ORDER BY i.company_id, i.id`,
      [last?.companyId ?? NIL, last?.invoiceId ?? NIL],
    );
    for (const invoice of rows) yield* checkCreditNotes(invoice);
    last = rows.at(-1);
  } while (last);
}
