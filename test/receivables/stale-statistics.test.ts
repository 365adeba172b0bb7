// The statements of what customers owe, in a company that was filled since the tables were
// analyzed. Postgres then expects one customer, and a plan that is fast for one may add up the
// money of all once for each.
import { expect } from 'chai';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { type OwingFilter, owingStatement } from '../../src/receivables/customer-list.js';
import { pageStatement, partsStatement, type Selection } from '../../src/receivables/list-sql.js';
import { makeStores, type Stores } from '../support/suite.js';

const CUSTOMERS = 400;
/**
 * Rows that a plan's nodes return or drop, for each customer: each row of a page may look for its
 * names among all. Adding up the money for each customer takes more than a thousand.
 */
const ROWS_EACH = 100;

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Statement {
  readonly sql: string;
  readonly bind: readonly unknown[];
}

describe('what customers owe, with statistics of an almost empty company', () => {
  const companyId = uuidv7();
  let stores: Stores;
  let client: pg.Client;
  before(async () => {
    stores = await makeStores('postgres');
    client = new pg.Client({ connectionString: stores.databaseUrl });
    await client.connect();
    await fillUnseen();
  });
  after(() => client.end());

  const fill = async (from: number, to: number) => {
    const numbers = `generate_series(${from}, ${to}) n`;
    const customer = `'Castle ' || n, 'castle ' || n`;
    await stores.sql(
      `WITH created AS (
         INSERT INTO customers (company_id, id, number, number_key, name, name_key, version,
           created_at, updated_at, search_key, credit_limit)
         SELECT $1, gen_random_uuid(), 'C-' || n, 'c-' || n, ${customer}, 1, now(), now(),
           'castle', 0.5
         FROM ${numbers}
         RETURNING company_id, name_key, id
       )
       INSERT INTO customer_names (company_id, name_key, customer_id)
       SELECT * FROM created`,
      [companyId],
    );
    await stores.sql(
      `INSERT INTO invoices (company_id, id, submission_id, number, number_prefix, customer_name,
         customer_key, date, due_date, currency, total, body, created_at)
       SELECT $1, gen_random_uuid(), gen_random_uuid(), n, 'INV-', ${customer},
         '2026-01-01', '2026-01-01', 'USD', 1, '{"id":"x"}', now()
       FROM ${numbers}`,
      [companyId],
    );
  };
  /** The first half of the invoices is rolled up into invoice_dues. */
  const rollUpHalf = async () => {
    await stores.sql(
      `INSERT INTO invoice_dues (company_id, customer_key, due_date, date, number, due)
       SELECT company_id, customer_key, due_date, date, number, total
       FROM invoices
       WHERE company_id = $1 AND number <= ${CUSTOMERS / 2}`,
      [companyId],
    );
  };

  /** Fills the company after ANALYZE has seen one customer of it. */
  const fillUnseen = async () => {
    for (const table of ['customers', 'customer_names', 'invoices', 'invoice_dues', 'entries'])
      await stores.sql(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    await stores.sql(
      `INSERT INTO companies (id, name, currency, time_zone, next_invoice_number)
       VALUES ($1, 'New', 'USD', 'UTC', ${CUSTOMERS + 1})`,
      [companyId],
    );
    await stores.sql(
      `INSERT INTO receivable_progress (company_id, watermark, entry_sequence)
       VALUES ($1, ${CUSTOMERS / 2}, 0)`,
      [companyId],
    );
    await fill(1, 1);
    await stores.sql('ANALYZE');
    await fill(2, CUSTOMERS);
    await rollUpHalf();
  };

  /** Asserts that the money is added up once, not for each customer. */
  const expectFewRows = async (statements: Readonly<Record<string, Statement>>) => {
    const found: string[] = [];
    for (const [name, statement] of Object.entries(statements))
      for (const mode of ['force_generic_plan', 'force_custom_plan']) {
        const rows = await rowsOf(client, statement, mode);
        if (rows > ROWS_EACH * CUSTOMERS) found.push(`${name} ${mode}: ${rows}`);
      }
    expect(found).to.deep.equal([]);
  };

  it('is read once for a list of customers', async () => {
    const filters: Partial<OwingFilter>[] = [
      ...[{}, { overdue: true }, { overLimit: true }, { q: 'castle' }],
      ...[{ sort: 'outstanding' } as const, { sort: 'overdue' } as const],
    ];
    const statements = filters.map(filter => {
      const all = { hold: false, archived: false, sort: 'name', ...filter } as const;
      return [JSON.stringify(filter), owingStatement(companyId, all, 50)];
    });
    await expectFewRows(Object.fromEntries(statements));
  });

  it('is read once for receivables and their file', async () => {
    const selections: Partial<Selection>[] = [
      ...[{}, { overdue: true }, { overLimit: true }, { sort: 'name' } as const],
      ...[{ asOf: '2026-06-01' }, { keys: ['castle 1'] }],
    ];
    const statements = selections.flatMap(selection => {
      const day = '2026-06-01';
      const all = { basis: 'dueDate', sort: 'outstanding', day, keys: null, ...selection } as const;
      return [
        [`page ${JSON.stringify(selection)}`, pageStatement(companyId, all, 50)],
        [`file ${JSON.stringify(selection)}`, partsStatement(companyId, all, 'comma')],
      ];
    });
    await expectFewRows(Object.fromEntries(statements));
  });
});

/** The rows that the nodes of a statement's plan return and drop. */
async function rowsOf(client: pg.Client, { sql, bind }: Statement, mode: string): Promise<number> {
  await client.query(`SET plan_cache_mode = ${mode}`);
  await client.query(`PREPARE list AS ${sql}`);
  const values = bind.map(value => pg.escapeLiteral(String(value)));
  const { rows } = await client.query(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE list(${values.join(', ')})`,
  );
  await client.query('DEALLOCATE list');
  return sumOfRows(rows[0]['QUERY PLAN'][0].Plan);
}

function sumOfRows(node: PlanNode): number {
  const dropped =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  const own = (node['Actual Rows'] + dropped) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, inner) => sum + sumOfRows(inner), own);
}
