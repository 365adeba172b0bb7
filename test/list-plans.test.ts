// Every filter of the lists, alone and in pairs, reads a bounded number of rows, even if none
// match. The statements are the product's own, planned with and without their values.
import { expect } from 'chai';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { ListStatement } from '../src/companies/consistent-reads.js';
import { customerConditions, customersOf } from '../src/customers/queries.js';
import { searchEverywhere } from '../src/dashboard/search/search.js';
import * as deliveries from '../src/inventory/deliveries/queries.js';
import * as inventory from '../src/inventory/queries.js';
import * as invoices from '../src/invoices/list.js';
import { searchInvoices } from '../src/invoices/search/search.js';
import { invoiceSource } from '../src/invoices/search/sorted.js';
import * as movements from '../src/ledger/item-movements.js';
import { CHANGED_INVOICES, CHANGED_ITEMS, changedEntriesOf } from '../src/ledger/lists/changes.js';
import { listEntries } from '../src/ledger/lists/entries.js';
import { listInvoices } from '../src/ledger/lists/invoices.js';
import * as ledger from '../src/ledger/queries.js';
import { entryPageStatement, searchEntries } from '../src/ledger/search/search.js';
import { entrySource } from '../src/ledger/search/sorted.js';
import { closeDatabase, inTransaction, openDatabase } from '../src/platform/db/connection.js';
import { SESSION_SETTINGS, startOptions } from '../src/platform/db/limits.js';
import { sortedStatement } from '../src/platform/db/lists/sorted-reads.js';
import { joinedBodies, WALK_MAX } from '../src/platform/db/sql.js';
import type { Page } from '../src/platform/http/pagination.js';
import { storeSearchTexts } from '../src/search/store-texts.js';
import type { SearchableRow } from '../src/search/texts.js';
import { forAllTests, makeStores, openForTests, type Stores } from './support/suite.js';

const ROWS = 30_000;
/** If it does not look at the values, the planner expects the average of them all: 50 rows. */
const COMPANIES = 1_000;
/** Rows of each other company. */
const SMALL = 20;
/** A walk, the look for its end, and the few invoices that are counted and sorted by due date. */
const READ_MAX = 25_000;
/** For what an index finds by itself. */
const FOUND_MAX = 5_000;

/** Whatever its text, a search takes less than this many times as long as COUNT_MANY. */
const SEARCH_TIMES = 50;
const RUNS_MAX = 10;
const COUNT_MANY = 'SELECT count(*) FROM generate_series(1, 50000) n WHERE n % 7 = 0';

/** A customer's record with as many aliases as there may be. */
const MANY_NAMES = ['castle', ...Array.from({ length: 100 }, (_, index) => `alias ${index}`)];

/** The most rows that a list is given, and a condition that none has. */
const SOME = Array.from({ length: 2_000 }, (_, index) => String(10_000 + index));
const NEVER = (value: (bound: unknown) => string) => `${value(1)}::int = 2`;

type Filters = Readonly<Record<string, unknown>>;
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Filled once for all tests, which change nothing. */
let filled: Promise<Stores> | undefined;
const companyId = uuidv7();
const itemId = uuidv7();

function fillOnce(): Promise<Stores> {
  filled ??= forAllTests(async () => {
    const stores = await makeStores('postgres');
    await fill(stores);
    return stores;
  });
  return filled;
}

describe('the statement of a list', () => {
  let stores: Stores;
  let client: pg.Client;
  before(async () => {
    stores = await fillOnce();
    client = new pg.Client({
      connectionString: stores.databaseUrl,
      options: startOptions(SESSION_SETTINGS),
    });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await closeDatabase();
  });

  /** The rows that the statement's scans read. */
  const rowsRead = ({ sql, bind, ...parts }: ListStatement, mode: string) =>
    rowsReadBy(client, { sql: joinedBodies(sql, parts), bind }, mode);
  /** The combinations that read more rows than `max`. */
  const overReads = async (
    build: (filters: Filters) => ListStatement,
    combinations: readonly Filters[],
    max: number,
  ) => {
    const found: string[] = [];
    for (const filters of combinations)
      for (const mode of ['force_generic_plan', 'force_custom_plan']) {
        const read = await rowsRead(build({ limit: 50, ...filters }), mode);
        if (read > max) found.push(`${JSON.stringify(filters)} reads ${read} rows (${mode})`);
      }
    return found;
  };
  const position = async (table: string, columns: string) => {
    const [row] = await stores.sql<{ position: string[] }>(
      `SELECT json_build_array(${columns}) AS position
       FROM ${table}
       WHERE company_id = $1
       OFFSET 5
       LIMIT 1`,
      [companyId],
    );
    return row?.position;
  };

  it('reads a bounded number of invoices', async () => {
    const start = await position('invoices', 'id');
    const build = ({ names = null, ...filters }: Filters) =>
      invoices.invoiceListStatement(companyId, filters as never, names as never, undefined);
    const filters = [
      ...[{ status: 'open' }, { status: 'paid' }, { status: 'void' }, { overdue: true }],
      ...[{ dueFrom: '2026-01-01' }, { dueTo: '2026-01-01' }],
      { dueFrom: '2026-01-01', dueTo: '2026-01-31' },
      ...[{ names: ['castle'] }, { names: ['nobody'] }, { names: MANY_NAMES }],
      ...[{ number: 'INV-000012' }, { number: 'X1' }, { numbers: SOME }, { condition: NEVER }],
      ...[{ from: '2026-01-01' }, { to: '2027-01-01' }, { from: '2026-01-01', to: '2026-01-31' }],
    ];
    expect(await overReads(build, pairsOf(filters), READ_MAX)).to.deep.equal([]);
    const next = ({ names = null, ...each }: Filters) =>
      invoices.invoiceListStatement(companyId, each as never, names as never, start);
    expect(await overReads(next, filters, READ_MAX)).to.deep.equal([]);
    const walked = ['from', 'to', 'condition'];
    const found = filters.filter(each => !walked.some(name => name in each));
    expect(await overReads(build, [{}, ...found], FOUND_MAX)).to.deep.equal([]);
  });

  it('finds a row at the end of a long list, through pages that are empty', async () => {
    openDatabase({ url: stores.databaseUrl, poolMax: 1, name: 'pages' });
    type Read = (position: string[] | undefined) => Promise<Page>;
    const limit = 50;
    const item = { ...{ limit, low: false, archived: false }, q: 'äpple' };
    const lists: Record<string, Read> = {
      invoices: at =>
        listInvoices(companyId, { limit, customerName: 'Castle', dueFrom: '2091-01-01' }, at),
      items: at => inventory.listItems(companyId, item, at),
      movements: at =>
        movements.listItemMovements(companyId, itemId, 'UTC', { limit, kind: 'lost' }, at),
      payments: at =>
        listEntries(companyId, 'payment', { limit, customerName: 'Castle', unallocated: true }, at),
    };
    for (const [name, read] of Object.entries(lists)) {
      const found: unknown[] = [];
      let pages = 0;
      for (let at: string[] | null | undefined; at !== null; pages += 1) {
        const page: Page = await read(at);
        found.push(...JSON.parse(String(page.body)));
        at = page.next;
      }
      // A walk that ends at the last row of all does not know yet that it is the last one.
      expect([found.length, pages], name).to.deep.equal([1, ROWS / WALK_MAX + 1]);
    }
  });

  it('reads a bounded number of items', async () => {
    const start = await position('items', 'name, id');
    const filters = [
      ...[{ low: true }, { archived: true }, { out: true }, { sku: 'none' }, { sku: 'SKU-12' }],
      ...[{ name: 'none' }, { name: 'Item 12' }, { q: 'zz' }, { condition: NEVER }],
    ];
    for (const at of [undefined, start])
      for (const lastFirst of [false, true]) {
        const build = (each: Filters) =>
          inventory.itemListStatement(companyId, { ...each, lastFirst } as never, at);
        expect(await overReads(build, pairsOf(filters), READ_MAX)).to.deep.equal([]);
        expect(await overReads(build, [{}], FOUND_MAX)).to.deep.equal([]);
      }
    const build = (each: Filters) =>
      inventory.itemListStatement(companyId, each as never, undefined);
    expect(await overReads(build, [{}, ...filters.slice(0, 7)], FOUND_MAX)).to.deep.equal([]);
  });

  it('reads a bounded number of movements', async () => {
    const start = await position('movements', 'id::text');
    const filters = [
      ...[{ kind: 'theft' }, { from: '2030-01-01' }, { to: '2020-01-01' }],
      { from: '2026-01-01', to: '2026-01-31' },
    ];
    for (const at of [undefined, start]) {
      const build = (each: Filters) =>
        movements.movementListStatement(companyId, itemId, 'UTC', each as never, at);
      expect(await overReads(build, [{}, ...pairsOf(filters)], READ_MAX)).to.deep.equal([]);
    }
  });

  it('reads a bounded number of deliveries', async () => {
    const start = await position('adjustments', 'created_at::text, id');
    const filters = [{ corrected: true }, { search: 'zz' }, { search: 'delivery 3 pump' }];
    for (const at of [undefined, start]) {
      const build = (each: Filters) =>
        deliveries.deliveryListStatement(companyId, each as never, at);
      expect(await overReads(build, pairsOf(filters), READ_MAX)).to.deep.equal([]);
      expect(await overReads(build, [{}], FOUND_MAX)).to.deep.equal([]);
    }
  });

  it('reads a bounded number of payments, refunds and credit notes', async () => {
    const start = await position('entries', 'id');
    const filters = [
      ...[{ from: '2030-01-01' }, { to: '2020-01-01' }, { from: '2026-11-20', to: '2026-11-20' }],
      ...[{ names: ['castle'] }, { names: ['nobody'] }, { names: MANY_NAMES }],
      ...[{ invoiceId: uuidv7() }, { sequences: SOME }, { condition: NEVER }],
      ...[{ unallocated: true }, { externalId: 'none' }],
    ];
    for (const type of ['payment', 'refund', 'creditNote'] as const)
      for (const at of [undefined, start]) {
        const build = ({ names = null, ...each }: Filters) =>
          ledger.entryListStatement(companyId, type, each as never, names as never, at);
        expect(await overReads(build, pairsOf(filters), READ_MAX), type).to.deep.equal([]);
      }
    const build = ({ names = null, ...each }: Filters) =>
      ledger.entryListStatement(companyId, 'payment', each as never, names as never, undefined);
    expect(await overReads(build, [{}, ...filters.slice(0, 8)], FOUND_MAX)).to.deep.equal([]);
  });

  it('looks up a customer by number and external id', async () => {
    const found: string[] = [];
    for (const filter of [{ number: 'C-12' }, { number: 'none' }, { externalId: 'x12' }])
      for (const archived of [false, true])
        for (const mode of ['force_generic_plan', 'force_custom_plan']) {
          const bind: unknown[] = [companyId];
          const value = (bound: unknown) => `$${bind.push(bound)}`;
          const from = customersOf({ limit: 50, ...filter }, value);
          const conditions = customerConditions({ archived }, value);
          const sql = `
            SELECT c.id, c.name_key, c.version
            FROM ${from}
            WHERE c.company_id = $1 AND ${conditions.join(' AND ')}
            ORDER BY c.name_key, c.id
            LIMIT 51`;
          const read = await rowsReadBy(client, { sql, bind }, mode);
          if (read > 10) found.push(`${JSON.stringify(filter)} reads ${read} rows (${mode})`);
        }
    expect(found).to.deep.equal([]);
  });
});

describe('the statement of a sorted page of payments and credit notes', () => {
  it('reads no more rows than the page has, in both orders and on every tab', async () => {
    const stores = await fillOnce();
    const client = new pg.Client({ connectionString: stores.databaseUrl });
    await client.connect();
    const [{ id = '' } = {}] = await stores.sql<{ id: string }>(
      `SELECT id
       FROM entries
       WHERE company_id = $1 AND type = 'payment'
       ORDER BY sequence
       OFFSET 20000
       LIMIT 1`,
      [companyId],
    );
    try {
      for (const type of ['payment', 'creditNote'] as const)
        for (const unallocated of [false, true])
          for (const after of [null, id])
            for (const oldestFirst of [false, true])
              for (const mode of ['force_generic_plan', 'force_custom_plan']) {
                const search = {
                  ...{ types: [type], text: null, from: null, to: null, limit: 50 },
                  ...{ unallocated, after, oldestFirst },
                };
                const statement = entryPageStatement(companyId, search, null);
                const read = await rowsReadBy(client, statement, mode);
                expect(read, JSON.stringify({ ...search, mode })).to.be.below(PAGE_MAX);
              }
    } finally {
      await client.end();
    }
  });
});
/** The rows of a page twice, as its types are merged, and the row that it follows. */
const PAGE_MAX = 120;

describe('the statement of a page sorted by a figure', () => {
  it('reads no more rows than are sorted, with every filter', async () => {
    const stores = await fillOnce();
    const client = new pg.Client({ connectionString: stores.databaseUrl });
    await client.connect();
    const range = { text: null, from: null, to: null };
    const some = [range, { ...range, from: '2026-01-01' }, { ...range, to: '2025-01-01' }];
    const states = [null, 'open', 'overdue', 'partly-paid', 'paid', 'void'] as const;
    const names = [{}, { names: ['castle'] }, { names: MANY_NAMES }];
    // The overdue invoices of a customer are looked for among all of the customer's.
    const namesOf = (state: string | null) => (state === 'overdue' ? [{}] : names);
    const stock = [{}, { low: true }, { low: true, out: true }, { archived: true }];
    const sources = {
      total: states.flatMap(state =>
        namesOf(state).flatMap(named =>
          some.map(days => invoiceSource({ ...days, ...named, state })),
        ),
      ),
      amount: some.flatMap(days =>
        (['payment', 'creditNote'] as const).flatMap(type =>
          [false, true].map(unallocated =>
            entrySource({ ...days, types: [type], unallocated }, null),
          ),
        ),
      ),
      onHand: stock.map(filter =>
        inventory.itemSource({ limit: 50, low: false, archived: false, ...filter }),
      ),
    };
    try {
      for (const [by, all] of Object.entries(sources))
        for (const [at, source] of all.entries())
          for (const mode of ['force_generic_plan', 'force_custom_plan']) {
            const order = { by, smallestFirst: false };
            const statement = sortedStatement(companyId, source, { order, start: null, limit: 50 });
            const read = await rowsReadBy(client, statement, mode);
            expect(read, `${by} ${at} ${mode}`).to.be.below(READ_MAX);
          }
    } finally {
      await client.end();
    }
  });
});

/** The rows of ROWS that are looked at for changes: the search of the first one, and SLACK. */
const CHANGES_MAX = 8_000;

describe('the statement of what has changed', () => {
  let stores: Stores;
  before(async () => {
    stores = await fillOnce();
  });

  const statements = {
    invoices: CHANGED_INVOICES,
    items: CHANGED_ITEMS,
    payments: changedEntriesOf('payment'),
    refunds: changedEntriesOf('refund'),
    'credit notes': changedEntriesOf('creditNote'),
  };
  for (const [name, sql] of Object.entries(statements))
    it(`reads a bounded number of rows for ${name}, however many there are`, async () => {
      const client = new pg.Client({ connectionString: stores.databaseUrl });
      await client.connect();
      try {
        for (const since of ['2026-11-26T00:00:00Z', '2090-01-01T00:00:00Z'])
          for (const mode of ['force_generic_plan', 'force_custom_plan']) {
            await client.query(`SET plan_cache_mode = ${mode}`);
            await client.query(`PREPARE changes (uuid, float8) AS ${sql}`);
            const { rows } = await client.query(
              `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)
               EXECUTE changes('${companyId}', ${Date.parse(since)})`,
            );
            await client.query('DEALLOCATE changes');
            const max = since < '2027' ? READ_MAX : CHANGES_MAX;
            expect(scanned(rows[0]['QUERY PLAN'][0].Plan), `${since} ${mode}`).to.be.below(max);
          }
      } finally {
        await client.end();
      }
    });
});

describe('a search', () => {
  let stores: Stores;
  before(async () => {
    stores = await fillOnce();
    openForTests(stores.databaseUrl, 8);
    await storeTexts(stores);
  });
  after(closeDatabase);

  /** The time of a run; if it is too long, the shortest of some: others use the processor too. */
  const shortestMs = async (run: () => Promise<unknown>, enoughMs: number) => {
    let shortest = Number.POSITIVE_INFINITY;
    for (let count = 0; count < RUNS_MAX && shortest > enoughMs; count += 1) {
      const start = performance.now();
      await run();
      shortest = Math.min(shortest, performance.now() - start);
    }
    return shortest;
  };

  // Found rarely, never, often, by one letter, by number and amount, and with an accent.
  for (const text of ['order 39999', 'zz yy', 'castle', 'a', '12', 'é', '1.00'])
    it(`finds “${text}” in every list in a time that does not depend on the text`, async () => {
      const range = { text, from: null, to: null };
      const runs: Record<string, () => Promise<unknown>> = {
        everywhere: () => searchEverywhere(companyId, text),
        items: () =>
          inventory.listItems(
            companyId,
            { limit: 50, low: false, archived: false, search: text },
            undefined,
          ),
        payments: () =>
          searchEntries(companyId, {
            ...{ ...range, types: ['payment'], unallocated: false, limit: 50, after: null },
          }),
      };
      for (const state of [null, 'open', 'overdue', 'partly-paid', 'paid', 'void'] as const)
        runs[`invoices ${state}`] = () =>
          searchInvoices(companyId, {
            ...{ ...range, state, oldestFirst: false, withSums: true, limit: 50, start: null },
          });
      const countMs = await shortestMs(() => stores.sql(COUNT_MANY), 0);
      const slow: string[] = [];
      for (const [name, run] of Object.entries(runs)) {
        const ms = await shortestMs(run, SEARCH_TIMES * countMs);
        if (ms > SEARCH_TIMES * countMs) slow.push(`${name}: ${ms.toFixed(0)} ms`);
      }
      expect(slow).to.deep.equal([]);
    });
});

/** The texts that the sweep would store, with an order number and a line for each invoice. */
async function storeTexts(stores: Stores): Promise<void> {
  const invoiceRows = await stores.sql<SearchableRow>(
    `SELECT company_id AS "companyId", number AS position, date::text AS date,
       total AS amount, customer_key AS "customerKey",
       ARRAY['Order ' || number, 'Ball valve', 'HS-' || number % 100] AS texts
     FROM invoices
     WHERE company_id = $1
     ORDER BY number`,
    [companyId],
  );
  const entryRows = await stores.sql<SearchableRow & { type: string }>(
    `SELECT company_id AS "companyId", sequence AS position, date::text AS date, type,
       amount, customer_key AS "customerKey", ARRAY[external_id] AS texts
     FROM entries
     WHERE company_id = $1
     ORDER BY sequence`,
    [companyId],
  );
  await inTransaction(async tx => {
    await storeSearchTexts('invoices', invoiceRows, tx);
    const payments = entryRows.filter(({ type }) => type === 'payment');
    await storeSearchTexts('payments', payments, tx);
  });
  await stores.sql(
    `INSERT INTO summaries (company_id, texts_number, texts_sequence)
     VALUES ($1, ${ROWS}, ${2 * ROWS})`,
    [companyId],
  );
  await stores.sql('ANALYZE search_texts');
}

/** Each filter alone and with each other one. */
function pairsOf(filters: readonly Filters[]): Filters[] {
  return filters.flatMap((one, at) => [
    one,
    ...filters.slice(at + 1).map(other => ({ ...one, ...other })),
  ]);
}

/** The rows that a statement's scans read. */
async function rowsReadBy(
  client: pg.Client,
  { sql, bind }: Pick<ListStatement, 'sql' | 'bind'>,
  mode: string,
): Promise<number> {
  await client.query(`SET plan_cache_mode = ${mode}`);
  await client.query(`PREPARE list AS ${sql}`);
  const values = bind.map(value =>
    pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value)),
  );
  const { rows } = await client.query(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE list(${values.join(', ')})`,
  );
  await client.query('DEALLOCATE list');
  return scanned(rows[0]['QUERY PLAN'][0].Plan);
}

function scanned(node: PlanNode): number {
  const own = node['Node Type'].includes('Scan') && !/CTE|Subquery/u.test(node['Node Type']);
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const read = own ? (node['Actual Rows'] + removed) * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, inner) => sum + scanned(inner), read);
}

/**
 * One customer, one reference, one item with movements; nothing paid, void, due before 2090, low or
 * archived. The last row in each list's order differs from the others.
 */
async function fill(stores: Stores): Promise<void> {
  await stores.sql(
    `INSERT INTO companies (id, name, currency, time_zone)
     SELECT CASE n WHEN 1 THEN $1::uuid ELSE gen_random_uuid() END, 'Lists', 'USD', 'UTC'
     FROM generate_series(1, ${COMPANIES}) n`,
    [companyId],
  );
  await stores.sql(
    `INSERT INTO invoices (company_id, id, submission_id, number, number_prefix, customer_name,
       customer_key, date, due_date, reference, currency, total, body, created_at)
     SELECT company_id, gen_random_uuid(), gen_random_uuid(), n, 'INV-', 'Castle', 'castle',
       date '2026-11-20' - n % 1000,
       CASE n WHEN 999 THEN date '2095-01-01' ELSE '2090-01-01' END,
       'PO', 'USD', 1, '{"id":"x"}', now()
     FROM ${rowsOf(ROWS)}`,
    [companyId],
  );
  await stores.sql(
    `WITH created AS (
       INSERT INTO items (company_id, id, name, name_key, sku, sku_key, reorder_point)
       SELECT company_id, CASE n WHEN 1 THEN $2::uuid ELSE gen_random_uuid() END,
         'Item ' || n, CASE n WHEN 9999 THEN 'äpple' ELSE 'item ' || n END,
         'SKU-' || n, 'sku-' || n, 0
       FROM ${rowsOf(ROWS)}
       RETURNING company_id, id, name_key
     )
     INSERT INTO item_keys (company_id, item_id, name_key)
     SELECT * FROM created`,
    [companyId, itemId],
  );
  await stores.sql(
    `INSERT INTO movements
       (company_id, item_id, delta, on_hand_after, kind, adjustment_id, created_at)
     SELECT company_id, CASE company_id WHEN $1 THEN $2 ELSE gen_random_uuid() END, 1, n,
       CASE n WHEN 1 THEN 'lost' ELSE 'received' END,
       gen_random_uuid(), now()
     FROM ${rowsOf(ROWS, 3 * SMALL)}`,
    [companyId, itemId],
  );
  await stores.sql(
    `INSERT INTO adjustments (company_id, id, submission_id, reason, reference, movements,
       stock_version, created_at, delivery_key)
     SELECT company_id, gen_random_uuid(), gen_random_uuid(), 'received', 'Delivery ' || n,
       json_build_array(json_build_object('itemId', $2::uuid, 'name', 'Item 1', 'delta', 1,
         'onHandBefore', n - 1, 'onHandAfter', n)),
       n, now() - n * interval '1 minute', 'delivery ' || n
     FROM ${rowsOf(ROWS)}`,
    [companyId, itemId],
  );
  await stores.sql(`UPDATE items SET on_hand = 1`);
  await stores.sql(
    `INSERT INTO entries (company_id, id, submission_id, sequence, type, date, effective_date,
       currency, customer_name, customer_key, amount, unallocated, source_id, body, created_at,
       external_id)
     SELECT company_id, gen_random_uuid(), gen_random_uuid(), n,
       CASE n % 2 WHEN 0 THEN 'payment' ELSE 'refund' END,
       '2026-11-20', '2026-11-20', 'USD', 'Castle', 'castle', 1, CASE n WHEN 2 THEN 1 ELSE 0 END,
       CASE n % 2 WHEN 0 THEN NULL ELSE gen_random_uuid() END,
       '{"id":"x"}', now(), CASE n % 2 WHEN 0 THEN n::text END
     FROM ${rowsOf(2 * ROWS)}`,
    [companyId],
  );
  await stores.sql(
    `INSERT INTO customers (company_id, id, number, number_key, name, name_key, version,
       created_at, updated_at, search_key, external_id)
     SELECT company_id, gen_random_uuid(), 'C-' || n, 'c-' || n, 'Castle ' || n, 'castle ' || n, 1,
       now(), now(), 'castle', 'x' || n
     FROM ${rowsOf(ROWS)}`,
    [companyId],
  );
  await stores.sql('VACUUM ANALYZE');
}

/** SQL for the numbers of a company's rows: `count` of them, or `others` in the other companies. */
function rowsOf(count: number, others = SMALL): string {
  return `(
    SELECT id AS company_id, n
    FROM companies, generate_series(1, CASE id WHEN $1 THEN ${count} ELSE ${others} END) n
  ) row`;
}
