// The baseline's writes: one transaction per request, in four round trips. It locks stock in order
// and the company's counter last, in one statement with all inserts, to hold that lock as briefly
// as possible.
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { invoiceJson } from './invoice-json.js';
import { amountInCents, fromCents, fromUnits, toUnits } from './money.js';

export interface WriteInput {
  readonly companyId: string;
  readonly currency: string;
  readonly key: string | undefined;
  /** The type of JSON.parse, since the baseline trusts its requests. */
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly location?: string;
}

interface Item {
  readonly id: string;
  readonly sku: string | null;
  readonly name_key: string;
  readonly on_hand: string;
}

interface RequestedLine {
  readonly name: string;
  readonly qty: number;
  readonly price: number;
}

const LOCK = `SELECT id, sku, name_key, on_hand
  FROM items
  WHERE company_id = $1 AND name_key = ANY($2::text[])
  ORDER BY id
  FOR NO KEY UPDATE`;

/** Changes the stock of the items in two arrays from parameter `index` on, and records it. */
const movements = (kind: string, index: number) => `stock AS (
    UPDATE items
    SET on_hand = on_hand + change.delta, updated_at = now()
    FROM unnest($${index}::uuid[], $${index + 1}::numeric[]) AS change (id, delta)
    WHERE items.id = change.id
    RETURNING items.id, change.delta, items.on_hand
  ), movement AS (
    INSERT INTO movements (item_id, delta, on_hand_after, kind, source_id, created_at)
    SELECT id, delta, on_hand, ${kind}, $2, now() FROM stock
  )`;

/** A repeated key violates the primary key; replaying the response is omitted. */
const IDEMPOTENCY = `key AS (
    INSERT INTO idempotency_keys (company_id, key, result_id)
    SELECT $1, $3, $2 WHERE $3::text IS NOT NULL
  )`;

const POST = `WITH numbered AS (
    UPDATE companies SET next_number = next_number + 1 WHERE id = $1
    RETURNING next_number - 1 AS number
  ), line AS (
    INSERT INTO lines (position, invoice_id, item_id, name, sku, qty, price, amount)
    SELECT position, $2, item_id, name, sku, qty, price, amount
    FROM unnest($8::uuid[], $9::text[], $10::text[], $11::numeric[], $12::numeric[],
        $13::numeric[])
      WITH ORDINALITY AS line (item_id, name, sku, qty, price, amount, position)
  ), ${movements("'sale'", 14)}, ${IDEMPOTENCY}
  INSERT INTO invoices
    (id, company_id, number, customer_name, date, total, reference, created_at)
  SELECT $2, $1, number, $4, $5::date, $6::numeric, $7, now() FROM numbered
  RETURNING number, created_at AS "createdAt"`;

const ADJUST = `WITH ${movements('$4', 5)}, ${IDEMPOTENCY}
  INSERT INTO adjustments (id, company_id, reason, created_at) VALUES ($2, $1, $4, now())
  RETURNING created_at AS "createdAt"`;

export async function createInvoice(pool: pg.Pool, write: WriteInput): Promise<Answer> {
  const { companyId, key, body } = write;
  return inTransaction(pool, write, async (client, items) => {
    const id = uuidv7();
    const deductions = new Map<Item, bigint>();
    let cents = 0n;
    const lines = (body.items as RequestedLine[]).map(({ name, qty, price }) => {
      const item = items.get(foldName(name));
      const amount = amountInCents(qty, price);
      cents += amount;
      if (item) deductions.set(item, (deductions.get(item) ?? 0n) + toUnits(qty));
      const [sku, itemId] = [item?.sku ?? null, item?.id ?? null];
      return { name, sku, qty, price, amount: fromCents(amount), itemId };
    });
    const sold = [...deductions];
    if (sold.some(([item, qty]) => qty > toUnits(Number(item.on_hand))))
      return { status: 409, body: '{"code":"insufficient_stock"}' };
    const { customerName, date, reference = null } = body;
    const total = fromCents(cents);
    const values = [
      ...[companyId, id, key, customerName, date, total, reference],
      ...[lines.map(line => line.itemId), lines.map(line => line.name)],
      ...[lines.map(line => line.sku), lines.map(line => line.qty)],
      ...[lines.map(line => line.price), lines.map(line => line.amount)],
      ...[sold.map(([item]) => item.id), sold.map(([, qty]) => -fromUnits(qty))],
    ];
    const { rows } = await client.query({ name: 'post', text: POST, values });
    const invoice = { id, customerName, date, total, reference, ...rows[0] };
    return {
      status: 201,
      body: JSON.stringify(invoiceJson(invoice, write.currency, lines)),
      location: `/api/external/invoices/${id}`,
    };
  });
}

export async function adjustStock(pool: pg.Pool, write: WriteInput): Promise<Answer> {
  const { companyId, key, body } = write;
  const { reason } = body;
  return inTransaction(pool, write, async (client, items) => {
    const id = uuidv7();
    const changes = (body.items as { name: string; delta: number }[]).flatMap(({ name, delta }) => {
      const item = items.get(foldName(name));
      if (!item) return [];
      const before = Number(item.on_hand);
      const after = fromUnits(toUnits(before) + toUnits(delta));
      return [{ itemId: item.id, name, delta, onHandBefore: before, onHandAfter: after }];
    });
    const values = [
      ...[companyId, id, key, reason],
      ...[changes.map(({ itemId }) => itemId), changes.map(({ delta }) => delta)],
    ];
    const { rows } = await client.query({ name: 'adjust', text: ADJUST, values });
    const { createdAt } = rows[0];
    const adjustment = { id, reason, reference: null, note: null, createdAt, movements: changes };
    return { status: 201, body: JSON.stringify(adjustment) };
  });
}

/** Locks the items in the body, runs `work` and commits; rolls back unless its status is 201. */
async function inTransaction(
  pool: pg.Pool,
  { companyId, body }: WriteInput,
  work: (client: pg.PoolClient, items: Map<string, Item>) => Promise<Answer>,
): Promise<Answer> {
  const names = body.items.map(({ name }: { name: string }) => foldName(name));
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    const values = [companyId, names];
    const { rows } = await client.query<Item>({ name: 'lock', text: LOCK, values });
    const answer = await work(client, new Map(rows.map(row => [row.name_key, row])));
    await client.query(answer.status === 201 ? 'COMMIT' : 'ROLLBACK');
    return answer;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // A failed connection is not reused, and its transaction ends with it.
    client.release(failure);
  }
}

/** Names are compared without regard to case and outer spaces. */
function foldName(name: string): string {
  return name.trim().toLowerCase();
}
