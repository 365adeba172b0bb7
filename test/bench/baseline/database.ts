// The baseline's database: what one process that writes invoices directly needs, and no more. No
// trigger, no foreign key, no queue; a create maintains five indexes. Filled from the product's
// tables, so that both sides answer the same requests.
import pg from 'pg';

const SCHEMA = `
  CREATE SCHEMA baseline;
  SET search_path = baseline;
  CREATE TABLE companies (
    id uuid PRIMARY KEY,
    currency text NOT NULL,
    rate_limit integer NOT NULL,
    next_number bigint NOT NULL
  ) WITH (fillfactor = 50);
  CREATE TABLE api_keys (
    id text PRIMARY KEY,
    hash bytea NOT NULL,
    company_id uuid NOT NULL
  );
  CREATE TABLE items (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL,
    sku text,
    name text NOT NULL,
    name_key text NOT NULL,
    unit text,
    on_hand numeric NOT NULL CHECK (on_hand >= 0),
    reorder_point numeric NOT NULL,
    low boolean GENERATED ALWAYS AS (on_hand <= reorder_point) STORED NOT NULL,
    unit_cost numeric,
    unit_price numeric,
    updated_at timestamptz NOT NULL
  ) WITH (fillfactor = 80);
  CREATE TABLE invoices (
    id uuid NOT NULL,
    company_id uuid NOT NULL,
    number bigint NOT NULL,
    customer_name text NOT NULL,
    date date NOT NULL,
    total numeric NOT NULL,
    reference text,
    created_at timestamptz NOT NULL
  );
  CREATE TABLE lines (
    invoice_id uuid NOT NULL,
    position integer NOT NULL,
    item_id uuid,
    name text NOT NULL,
    sku text,
    qty numeric NOT NULL,
    price numeric NOT NULL,
    amount numeric NOT NULL
  );
  CREATE TABLE movements (
    id bigint GENERATED ALWAYS AS IDENTITY,
    item_id uuid NOT NULL,
    delta numeric NOT NULL,
    on_hand_after numeric NOT NULL,
    kind text NOT NULL,
    source_id uuid NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE TABLE adjustments (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL,
    reason text NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE TABLE idempotency_keys (
    company_id uuid NOT NULL,
    key text NOT NULL,
    result_id uuid NOT NULL,
    PRIMARY KEY (company_id, key)
  );
  CREATE TABLE summaries (
    company_id uuid PRIMARY KEY,
    body text NOT NULL
  );
  CREATE UNLOGGED TABLE rate_limits (
    company_id uuid PRIMARY KEY,
    used integer NOT NULL,
    expires_at bigint NOT NULL
  ) WITH (fillfactor = 50);`;

const ROWS = `
  INSERT INTO companies
    SELECT id, currency, rate_limit_per_hour, next_invoice_number FROM public.companies;
  INSERT INTO api_keys
    SELECT id, hash, company_id FROM public.api_key_secrets;
  INSERT INTO items
    (id, company_id, sku, name, name_key, unit, on_hand, reorder_point, unit_cost, unit_price,
     updated_at)
    SELECT id, company_id, sku, name, name_key, unit, on_hand, reorder_point, unit_cost,
      unit_price, updated_at
    FROM public.items
    ORDER BY company_id, name;
  INSERT INTO invoices
    SELECT id, company_id, number, customer_name, date, total, reference, created_at
    FROM public.invoices
    ORDER BY company_id, number;
  INSERT INTO lines
    SELECT invoice_id, position, item_id, name, sku, qty, price, amount
    FROM public.invoice_lines
    ORDER BY invoice_id, position;
  INSERT INTO movements (item_id, delta, on_hand_after, kind, source_id, created_at)
    SELECT item_id, delta, on_hand_after, kind, COALESCE(invoice_id, adjustment_id), created_at
    FROM public.movements
    ORDER BY id;
  INSERT INTO adjustments
    SELECT id, company_id, reason, created_at FROM public.adjustments;
  INSERT INTO summaries
    SELECT company_id, body FROM public.summaries;`;

const INDEXES = `
  CREATE UNIQUE INDEX items_name ON items (company_id, name_key);
  CREATE INDEX items_low ON items (company_id, name) WHERE low;
  ALTER TABLE invoices ADD PRIMARY KEY (id);
  CREATE UNIQUE INDEX invoices_number ON invoices (company_id, number);
  CREATE INDEX invoices_list ON invoices (company_id, date DESC, number DESC);
  ALTER TABLE lines ADD PRIMARY KEY (invoice_id, position);
  CREATE INDEX movements_item ON movements (item_id, id);`;

/** From here on there is only the baseline's schema, found by the default search_path. */
const REPLACE_SCHEMA = `
  RESET search_path;
  DROP SCHEMA public CASCADE;
  ALTER SCHEMA baseline RENAME TO public;`;

/** Makes the baseline's database beside a filled one that has no connections. Returns its URL. */
export async function createBaselineDatabase(databaseUrl: string): Promise<string> {
  const onServer = (name: string) =>
    Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).toString();
  await withClient(onServer('template1'), async client => {
    await client.query('DROP DATABASE IF EXISTS baseline');
    await client.query('CREATE DATABASE baseline TEMPLATE postgres STRATEGY file_copy');
  });
  await withClient(onServer('baseline'), async client => {
    for (const statements of [SCHEMA, ROWS, INDEXES, REPLACE_SCHEMA])
      await client.query(statements);
    await client.query('VACUUM ANALYZE');
  });
  return onServer('baseline');
}

const NUMBERS_WITH_GAP = `SELECT count(*)
  FROM (
    SELECT company.id
    FROM companies company LEFT JOIN invoices invoice ON invoice.company_id = company.id
    GROUP BY company.id
    HAVING count(invoice.id) <> company.next_number - 1
      OR COALESCE(max(invoice.number), 0) <> company.next_number - 1
  ) company`;

const WRONG_STOCK = `SELECT count(*)
  FROM items item
  WHERE item.on_hand <> (
    SELECT COALESCE(sum(delta), 0) FROM movements movement WHERE movement.item_id = item.id
  )`;

/** Companies whose numbers have a gap, and items whose stock is not the sum of its movements. */
export function countWrongRows(baselineUrl: string): Promise<number> {
  return withClient(baselineUrl, async client => {
    let wrong = 0;
    for (const text of [NUMBERS_WITH_GAP, WRONG_STOCK])
      wrong += Number((await client.query<{ count: string }>(text)).rows[0]?.count);
    return wrong;
  });
}

async function withClient<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
