// The ledger's batches read every row that they ask for, as the batch before left it, while other
// transactions change these rows, and never deadlock.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { lockCompanies } from '../../src/companies/lock.js';
import {
  type InvoiceRef,
  readFundsRows,
  readInvoiceRows,
} from '../../src/ledger/batch/read-rows.js';
import { query, type Transaction } from '../../src/platform/db/connection.js';
import { sample, stressLocks } from '../support/locking.js';
import { makeStores, type Stores } from '../support/suite.js';

/** Few enough that transactions nearly always wait for each other. */
const ROWS = 12;
const SOUND = { committed: 400, wrong: 0, failures: [] };

interface Row {
  readonly companyId: string;
  readonly id: string;
}

describe('under load, a batch of the ledger reads every row that it asked for', () => {
  let stores: Stores;
  const companyIds = Array.from({ length: ROWS }, () => uuidv7());
  let invoices: (Row & { readonly number: string; readonly paymentId: string })[];
  let payments: Row[];

  before(async () => {
    stores = await makeStores('postgres');
    await stores.sql(
      `INSERT INTO companies (id, name, currency, time_zone)
       SELECT id, 'Hot rows', 'USD', 'UTC' FROM unnest($1::uuid[]) AS id`,
      [companyIds],
    );
    payments = await stores.sql<Row>(
      `INSERT INTO entries (company_id, id, submission_id, sequence, type, date,
         effective_date, currency, customer_name, customer_key, amount, body, created_at)
       SELECT id, gen_random_uuid(), gen_random_uuid(), n, 'payment', '2026-11-20',
         '2026-11-20', 'USD', 'Hot', 'hot', 100, '{}', now()
       FROM unnest($1::uuid[]) AS id, generate_series(1, ${ROWS / 2}) n
       RETURNING company_id AS "companyId", id`,
      [companyIds.slice(0, 2)],
    );
    // Each invoice is paid by one payment.
    invoices = await stores.sql(
      `WITH invoice AS (
         INSERT INTO invoices (company_id, id, submission_id, number, number_prefix,
           customer_name, customer_key, date, currency, total, body, created_at)
         SELECT company_id, gen_random_uuid(), gen_random_uuid(), sequence, 'INV-',
           'Hot', 'hot', '2026-11-20', 'USD', 100,
           '{"status":"open","amountPaid":0,"amountCredited":0,"amountDue":1,"settledOn":null}',
           now()
         FROM entries
         RETURNING *
       ), allocation AS (
         INSERT INTO allocations (company_id, invoice_id, sequence, source_id, amount,
           effective_date, source_date, invoice_number, invoice_date, customer_key)
         SELECT i.company_id, i.id, e.sequence, e.id, 1,
           e.date, e.date, i.number, i.date, i.customer_key
         FROM invoice i JOIN entries e ON e.company_id = i.company_id AND e.sequence = i.number
         RETURNING *
       )
       SELECT i.company_id AS "companyId", i.id, 'INV-' || lpad(i.number::text, 6, '0') AS number,
         a.source_id AS "paymentId"
       FROM invoice i JOIN allocation a ON a.invoice_id = i.id`,
    );
  });

  const ids = (rows: readonly Row[]) => rows.map(({ id }) => id);

  /** Adds a cent to the amounts that were read. */
  const addCent = (
    [table, column]: readonly [string, string],
    amounts: ReadonlyMap<string, string>,
    tx: Transaction,
  ) =>
    query(
      `UPDATE ${table} t
       SET ${column} = w.amount + 0.01
       FROM unnest($1::uuid[], $2::numeric[]) AS w (id, amount)
       WHERE t.id = w.id`,
      [[...amounts.keys()], [...amounts.values()]],
      tx,
    );

  const lock = (rows: readonly Row[], tx: Transaction) =>
    lockCompanies(
      rows.map(({ companyId }) => companyId),
      {},
      tx,
    );

  it('notices the rows that a join with UNION ALL loses', async () => {
    const { wrong } = await stressLocks({
      databaseUrl: stores.databaseUrl,
      pick: () => sample(invoices, 6),
      wanted: ids,
      lock: async (rows, tx) => {
        const [named, numbered] = [rows.slice(0, 3), rows.slice(3)];
        const locked = await query<Row>(
          `SELECT i.id
           FROM (
             SELECT company_id, id FROM unnest($1::uuid[], $2::uuid[]) AS w (company_id, id)
             UNION ALL
             SELECT company_id, i.id
             FROM unnest($3::uuid[], $4::bigint[]) AS w (company_id, number)
             JOIN invoices i USING (company_id, number)
           ) named
           JOIN invoices i USING (company_id, id)
           ORDER BY company_id, id
           FOR NO KEY UPDATE OF i`,
          [
            named.map(({ companyId }) => companyId),
            ids(named),
            numbered.map(({ companyId }) => companyId),
            numbered.map(({ number }) => Number(number.slice(4))),
          ],
          tx,
        );
        return ids(locked);
      },
      change: (rows, tx) =>
        query('UPDATE invoices SET paid = (paid + 0.01) % 1 WHERE id = ANY($1)', [ids(rows)], tx),
    });
    await stores.sql('UPDATE invoices SET paid = 0');
    expect(wrong).to.be.above(0);
  });

  it('invoices by id, by number and by their payment', async () => {
    const paid = new WeakMap<Transaction, Map<string, string>>();
    const result = await stressLocks({
      databaseUrl: stores.databaseUrl,
      pick: () => sample(invoices, 6),
      wanted: ids,
      lock: async (rows, tx) => {
        const refs = rows.map(({ companyId, id, number, paymentId }, index): InvoiceRef => {
          if (index % 3 === 0) return { companyId, id };
          return index % 3 === 1 ? { companyId, number } : { companyId, paymentId };
        });
        const [, read] = await Promise.all([lock(rows, tx), readInvoiceRows(refs, tx)]);
        paid.set(tx, new Map(read.map(row => [row.id, row.paid])));
        return ids(read);
      },
      change: (_rows, tx) => addCent(['invoices', 'paid'], paid.get(tx) ?? new Map(), tx),
    });
    expect(result).to.deep.include(SOUND);
    const [row] = await stores.sql('SELECT sum(paid)::float AS sum FROM invoices');
    expect(row).to.deep.equal({ sum: 6 * 4 });
  });

  it('payments', async () => {
    const refunded = new WeakMap<Transaction, Map<string, string>>();
    const result = await stressLocks({
      databaseUrl: stores.databaseUrl,
      pick: () => sample(payments, 6),
      wanted: ids,
      lock: async (rows, tx) => {
        const [, read] = await Promise.all([lock(rows, tx), readFundsRows(rows, tx)]);
        refunded.set(tx, new Map(read.map(row => [row.id, row.refunded])));
        return ids(read);
      },
      change: (_rows, tx) => addCent(['entries', 'refunded'], refunded.get(tx) ?? new Map(), tx),
    });
    expect(result).to.deep.include(SOUND);
    const [row] = await stores.sql('SELECT sum(refunded)::float AS sum FROM entries');
    expect(row).to.deep.equal({ sum: 6 * 4 });
  });
});
