// Fills the database: companies with stock, a year of invoices and their payments, by a few
// set-based statements that write the same rows as the product would.
import { cpus } from 'node:os';
import pg from 'pg';
import { closeDatabase, openDatabase } from '../../src/platform/db/connection.js';
import { refreshSummary } from '../../src/summary/refresh.js';
import { makeCompany } from '../support/factories.js';
import { RECORDS, type RecordsName } from './records.js';
import { invoiceJson, lineJson, paymentJson } from './sql-json.js';

export interface WorldOptions {
  readonly companies: number;
  readonly items: number;
  readonly invoices: number;
  /** Each of one invoice, at most as many as invoices. */
  readonly payments: number;
  readonly records: RecordsName;
}

export interface World {
  readonly companies: readonly BenchCompany[];
  /** Of each company. */
  readonly items: number;
  /** Of each company: new invoices name one of them. */
  readonly customers: number;
}

export interface BenchCompany {
  readonly companyId: string;
  readonly key: string;
  /** Some invoices to read. */
  readonly invoiceIds: readonly string[];
}

/** More than any run deducts. */
const STOCK = 100_000_000;
const RATE_LIMIT = 100_000_000;
const READ_INVOICES = 200;

/**
 * Fills a migrated database, then vacuums, analyzes and summarizes it. Leaves no connection open.
 */
export async function fillWorld(databaseUrl: string, options: WorldOptions): Promise<World> {
  const client = await connect(databaseUrl);
  try {
    const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
      (await client.query<Row>(text, values)).rows;
    const made = [];
    for (let count = 0; count < options.companies; count += 1)
      made.push(await makeCompany({ sql, baseUrl: '' }, { rateLimit: RATE_LIMIT }));
    await sql(NO_TRIGGERS);
    await sql(UUIDV7);
    await sql(ITEMS, [options.items, STOCK]);
    await sql(ITEM_KEYS);
    await sql(RECEIPTS, [STOCK]);
    await sql('UPDATE companies SET stock_version = 1');
    const indexes = await sql<{ name: string; definition: string }>(INDEXES);
    for (const { name } of indexes) await sql(`DROP INDEX ${name}`);
    const left = made.map(({ companyId }) => companyId);
    await Promise.all(cpus().map(() => fillCompanies(databaseUrl, left, options)));
    await sql(STOCK_FIGURES);
    await sql(AUDITED);
    await sql("SET maintenance_work_mem = '1GB'");
    for (const { definition } of indexes) await sql(definition);
    await sql('VACUUM ANALYZE');
    const companies: BenchCompany[] = [];
    for (const { companyId, key } of made)
      companies.push({ companyId, key, invoiceIds: await someInvoices(sql, companyId) });
    await summarize(databaseUrl, companies);
    await sql('CHECKPOINT');
    const { customers } = RECORDS[options.records];
    return { companies, items: options.items, customers };
  } finally {
    await client.end();
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A statement that runs rejects as well. Without a listener the process would end at once.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Fills one remaining company after another, on a connection of its own. */
async function fillCompanies(
  databaseUrl: string,
  left: string[],
  { companies, items, invoices, payments }: WorldOptions,
) {
  const client = await connect(databaseUrl);
  try {
    await client.query(`${NO_TRIGGERS}; SET work_mem = '256MB'; SET synchronous_commit = off`);
    for (let companyId = left.shift(); companyId !== undefined; companyId = left.shift()) {
      await client.query(LINES, [Math.floor(invoices / companies), items, companyId]);
      await client.query('ANALYZE line');
      await client.query(PAYMENTS, [Math.floor(payments / companies)]);
      await client.query('ANALYZE payment');
      for (const statement of [...INVOICES, ...ENTRIES]) await client.query(statement);
      await client.query('DROP TABLE line, payment');
    }
  } finally {
    await client.end();
  }
}

type Sql = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

async function someInvoices(sql: Sql, companyId: string): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    'SELECT id FROM invoices WHERE company_id = $1 ORDER BY hashint8(number) LIMIT $2',
    [companyId, READ_INVOICES],
  );
  return rows.map(({ id }) => id);
}

async function summarize(databaseUrl: string, companies: readonly BenchCompany[]): Promise<void> {
  openDatabase({ url: databaseUrl, poolMax: 2, name: 'tradepost-bench' });
  for (const { companyId } of companies) await refreshSummary(companyId);
  await closeDatabase();
}

/** The rows are right by construction, and the run verifies them later. */
const NO_TRIGGERS = 'SET session_replication_role = replica';

/** Servers before PostgreSQL 18 have no such function. */
const UUIDV7 = `DO $do$ BEGIN
    IF current_setting('server_version_num')::int < 180000 THEN
      CREATE FUNCTION uuidv7() RETURNS uuid LANGUAGE sql AS $$
        SELECT (
            lpad(to_hex((EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint), 12, '0')
              || '7' || right(replace(gen_random_uuid()::text, '-', ''), 19)
          )::uuid
      $$;
    END IF;
  END $do$`;

/** Building these indexes after the inserts is faster. */
const INDEXES = `SELECT
    indexrelid::regclass::text AS name,
    pg_get_indexdef(indexrelid) AS definition
  FROM pg_index
  WHERE indrelid IN (
      'invoices'::regclass, 'movements'::regclass,
      'entries'::regclass, 'allocations'::regclass
    )
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`;

/** The rows are older than the jobs that would have written them, which are deleted. */
const CREATED_AT = "now() - interval '40 days'";

/** $1 items per company with $2 on hand each. One in twenty is low. */
const ITEMS = `INSERT INTO items
    (company_id, id, sku, sku_key, name, name_key, unit, on_hand, reorder_point, unit_cost,
     unit_price)
  SELECT companies.id, uuidv7(),
    'SKU-' || digits, 'sku-' || digits, 'Item ' || digits, 'item ' || digits, 'piece',
    $2::int, CASE WHEN n % 20 = 0 THEN $2::int ELSE 10 END,
    n % 90 + 0.5, n % 90 + 1.25
  FROM companies,
    generate_series(1, $1) AS n,
    LATERAL (SELECT lpad(n::text, 6, '0') AS digits) AS padded
  ORDER BY companies.id, n`;

const ITEM_KEYS = `INSERT INTO item_keys (company_id, item_id, name_key)
  SELECT company_id, id, name_key FROM items`;

/** One adjustment per company that received all of its stock. */
const RECEIPTS = `WITH receipt AS (
    INSERT INTO adjustments (
      company_id, id, submission_id, reason, movements, stock_version, created_at
    )
    SELECT company_id, uuidv7(), uuidv7(), 'received',
      json_agg(
        json_build_object(
          'itemId', id, 'name', name,
          'delta', $1::int, 'onHandBefore', 0, 'onHandAfter', $1::int
        )
        ORDER BY name
      ),
      1, ${CREATED_AT}
    FROM items
    GROUP BY company_id
    RETURNING company_id, id
  )
  INSERT INTO movements
    (company_id, item_id, delta, on_hand_after, kind, adjustment_id, created_at)
  SELECT company_id, items.id, $1::int, $1::int, 'received', receipt.id, now()
  FROM items JOIN receipt USING (company_id)
  ORDER BY company_id, items.name`;

/** Three lines per invoice, of different items, over a year: $1 invoices, $2 items, company $3. */
const LINES = `CREATE TEMP TABLE line AS
  SELECT
    companies.id AS company_id,
    invoice.id AS invoice_id, invoice.number, invoice.date, invoice.customer,
    position, items.id AS "itemId", items.name, items.sku,
    (invoice.number % 5 + position)::numeric AS qty,
    items.unit_price AS price,
    round((invoice.number % 5 + position) * items.unit_price, 2) AS amount
  FROM companies
    CROSS JOIN LATERAL (
      SELECT uuidv7() AS id, n AS number,
        current_date - (n::bigint * 7919 % 365)::int AS date,
        'Customer ' || n % 500 AS customer
      FROM generate_series(1, $1) AS n
      WHERE companies.id IS NOT NULL
    ) AS invoice
    CROSS JOIN generate_series(1, 3) AS position
    JOIN items
      ON items.company_id = companies.id
      AND items.name_key =
        'item ' || lpad(((invoice.number * 31 + position * 7919) % $2 + 1)::text, 6, '0')
  WHERE companies.id = $3`;

const STOCK_FIGURES = `UPDATE companies
  SET item_count = figures.items, low_items = figures.low,
    items_out_of_stock = figures.out_of_stock, stock_value = figures.value
  FROM (
    SELECT company_id, count(*) AS items,
      count(*) FILTER (WHERE low) AS low,
      count(*) FILTER (WHERE on_hand <= 0) AS out_of_stock,
      COALESCE(sum(on_hand * unit_cost), 0) AS value
    FROM items
    GROUP BY company_id
  ) figures
  WHERE companies.id = figures.company_id`;

/** The audit starts with what a run writes; the run verifies the rest. */
const AUDITED = `INSERT INTO audits
    (company_id, number, stock_version, sale_id, adjustment_id, entry_sequence)
  SELECT companies.id, next_invoice_number - 1, stock_version, last.sale, last.adjustment,
    next_entry_sequence - 1
  FROM companies,
    LATERAL (
      SELECT max(id) AS sale, max(id) FILTER (WHERE adjustment_id IS NOT NULL) AS adjustment
      FROM movements
      WHERE movements.company_id = companies.id
    ) last`;

/**
 * One payment of each of the first $1 invoices: of ten, eight pay all of it, one pays half, and one
 * pays more, which stays unallocated.
 */
const PAYMENTS = `CREATE TEMP TABLE payment AS
  SELECT uuidv7() AS id, company_id, invoice_id, number,
    'INV-' AS number_prefix,
    customer AS customer_name,
    least(date + 14, current_date) AS date,
    date AS invoice_date,
    'USD' AS currency,
    'bank_transfer' AS method,
    paid,
    paid + unallocated AS amount,
    unallocated,
    CASE WHEN paid = total THEN least(date + 14, current_date) END AS settled_on,
    ${CREATED_AT} AS created_at
  FROM (
    SELECT company_id, invoice_id, number, customer, date,
      sum(amount) AS total,
      CASE WHEN number % 10 = 0 THEN round(sum(amount) / 2, 2) ELSE sum(amount) END AS paid,
      CASE WHEN number % 10 = 1 THEN 5 ELSE 0 END AS unallocated
    FROM line
    WHERE number <= $1
    GROUP BY company_id, invoice_id, number, customer, date
  ) invoice`;

const INVOICES = [
  `WITH i AS (
     SELECT issued.*,
       CASE WHEN p.settled_on IS NULL THEN 'open' ELSE 'paid' END AS status,
       COALESCE(p.paid, 0) AS paid,
       0::numeric AS credited,
       p.settled_on
     FROM (
       SELECT l.company_id, invoice_id AS id, number, 'INV-' AS number_prefix,
         customer AS customer_name, date, 'USD' AS currency, sum(amount) AS total,
         NULL AS reference, ${CREATED_AT} AS created_at,
         ('[' || string_agg(${lineJson}, ',' ORDER BY position) || ']')::json AS lines
       FROM line l GROUP BY company_id, invoice_id, number, date, customer
     ) issued
     LEFT JOIN payment p ON p.invoice_id = issued.id
   )
   INSERT INTO invoices
     (company_id, id, submission_id, number, number_prefix, customer_name, customer_key,
      date, currency, total, status, paid, settled_on, body, created_at)
   SELECT company_id, id, uuidv7(), number, number_prefix, customer_name, lower(customer_name),
     date, currency, total, status, paid, settled_on, ${invoiceJson('i.lines')}, created_at
   FROM i ORDER BY company_id, number`,
  `INSERT INTO movements (company_id, item_id, delta, on_hand_after, kind, invoice_id, created_at)
   SELECT company_id, "itemId", -qty,
     items.on_hand - sum(qty) OVER (PARTITION BY company_id, "itemId" ORDER BY number),
     'sale', invoice_id, now()
   FROM line JOIN items USING (company_id)
   WHERE items.id = "itemId"
   ORDER BY company_id, number`,
  `UPDATE items
   SET on_hand = items.on_hand - sold.qty
   FROM (SELECT company_id, "itemId", sum(qty) AS qty FROM line GROUP BY 1, 2) AS sold
   WHERE items.company_id = sold.company_id AND items.id = sold."itemId"`,
  `UPDATE companies
   SET next_invoice_number = last_number + 1
   FROM (SELECT company_id, max(number) AS last_number FROM line GROUP BY 1) AS numbered
   WHERE companies.id = numbered.company_id`,
];

/** Payments are recorded in the order of their invoices. */
const ENTRIES = [
  `INSERT INTO entries
     (company_id, id, submission_id, sequence, type, date, effective_date, currency,
      customer_name, customer_key, amount, unallocated, method, body, created_at)
   SELECT company_id, id, uuidv7(), number, 'payment', date, greatest(date, invoice_date), currency,
     customer_name, lower(customer_name), amount, unallocated, method, ${paymentJson}, created_at
   FROM payment i ORDER BY number`,
  `INSERT INTO allocations
     (company_id, invoice_id, sequence, source_id, amount,
      effective_date, source_date, invoice_number, invoice_date, customer_key)
   SELECT company_id, invoice_id, number, id, paid,
     greatest(date, invoice_date), date, number, invoice_date, lower(customer_name)
   FROM payment ORDER BY number`,
  `UPDATE companies
   SET next_entry_sequence = last_number + 1
   FROM (SELECT company_id, max(number) AS last_number FROM payment GROUP BY 1) AS recorded
   WHERE companies.id = recorded.company_id`,
];
