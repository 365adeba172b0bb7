// The baseline's writes: four statements in one transaction. It locks stock first and the company's
// row last, in one statement with all inserts, to hold that lock as briefly as possible.
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import {
  fromMinor,
  fromUnits,
  lineAmount,
  minorUnits,
  toUnits,
} from '../../../src/platform/values/money.js';
import { matchKey } from '../../../src/platform/values/text.js';
import { invoiceJson } from '../sql-json.js';

export interface WriteInput {
  readonly companyId: string;
  readonly currency: string;
  readonly key: string | undefined;
  /** The type of JSON.parse, since the baseline trusts its requests. */
  readonly body: ReturnType<typeof JSON.parse>;
}

interface WriteAnswer {
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

const LOCK = `SELECT id, sku, name_key, on_hand
  FROM items
  WHERE company_id = $1 AND name_key = ANY($2::text[])
  ORDER BY id
  FOR NO KEY UPDATE`;

/** Inserts the job of a request with an Idempotency-Key; \`index\` is the first parameter's. */
const job = (type: string, index: number) => `job AS (
    INSERT INTO jobs
      (company_id, id, type, status, fingerprint, submission_id, request_id, result_id, finished_at)
    SELECT $1, $${index}, '${type}', 'succeeded', $${index + 1}, $3, '', $2, now()
    WHERE $${index}::uuid IS NOT NULL
  )`;

const movements = (kind: string, source: string, index: number) => `moved AS (
    SELECT *
    FROM unnest($${index}::uuid[], $${index + 1}::numeric[], $${index + 2}::numeric[])
      AS moved (item_id, delta, after)
  ), movement AS (
    INSERT INTO movements (company_id, item_id, delta, on_hand_after, kind, ${source}, created_at)
    SELECT $1, item_id, delta, after, ${kind}, $2, now()
    FROM moved
  ), stock AS (
    UPDATE items
    SET on_hand = moved.after, updated_at = now()
    FROM moved
    WHERE items.company_id = $1 AND items.id = moved.item_id
  )`;

const POST = `WITH numbered AS (
    UPDATE companies SET next_invoice_number = next_invoice_number + 1 WHERE id = $1
    RETURNING
      $2::uuid AS id, next_invoice_number - 1 AS number, invoice_prefix AS number_prefix,
      'open' AS status, $4 AS customer_name, $6::date AS date, $7 AS currency,
      $8::numeric AS total, $9 AS reference, now() AS created_at
  ), invoice AS (
    INSERT INTO invoices
      (company_id, id, submission_id, number, number_prefix, customer_name, customer_key,
       date, currency, total, reference, body, created_at)
    SELECT $1, id, $3, number, number_prefix, customer_name, $5,
      date, currency, total, reference, ${invoiceJson('$10::json')}, created_at
    FROM numbered AS i
    RETURNING body
  ), line AS (
    INSERT INTO invoice_lines
      (company_id, invoice_id, position, item_id, item_key, name, sku, qty, price, amount)
    SELECT $1, $2, position, "itemId", COALESCE("itemId"::text, 'name:' || lower(name)),
      name, sku, qty, price, amount
    FROM ROWS FROM (
      json_to_recordset($10) AS (
        name text, sku text, qty numeric, price numeric, amount numeric, "itemId" uuid
      )
    ) WITH ORDINALITY AS line (name, sku, qty, price, amount, "itemId", position)
  ), ${movements("'sale'", 'invoice_id', 11)}, ${job('invoice.create', 14)}
  SELECT * FROM invoice`;

const ADJUST = `WITH adjustment AS (
    INSERT INTO adjustments (company_id, id, submission_id, reason, movements, created_at)
    SELECT $1, $2, $3, $4, $5, now() RETURNING created_at AS "createdAt"
  ), counted AS (
    UPDATE companies SET stock_version = stock_version + 1 WHERE id = $1
  ), ${movements('$4', 'adjustment_id', 6)}, ${job('inventory.adjust', 9)}
  SELECT * FROM adjustment`;

export async function createInvoice(pool: pg.Pool, write: WriteInput): Promise<WriteAnswer> {
  const { companyId, currency, body } = write;
  const places = minorUnits(currency);
  return inTransaction(pool, write, async (client, items) => {
    const id = uuidv7();
    let total = 0n;
    const deductions = new Map<string, bigint>();
    const lines = body.items.map(
      ({ name, qty, price }: { name: string; qty: number; price: number }) => {
        const item = items.get(matchKey(name));
        const amount = lineAmount(toUnits(qty), toUnits(price), places);
        total += amount;
        if (item) deductions.set(item.id, (deductions.get(item.id) ?? 0n) + toUnits(qty));
        return {
          name,
          sku: item?.sku ?? null,
          qty,
          price,
          amount: Number(fromMinor(amount, places)),
          itemId: item?.id ?? null,
        };
      },
    );
    const movements = [...items.values()].map(item => {
      const qty = deductions.get(item.id) ?? 0n;
      return { itemId: item.id, delta: -qty, after: toUnits(item.on_hand) - qty };
    });
    if (movements.some(({ after }) => after < 0n))
      return { status: 409, body: '{"code":"insufficient_stock"}' };
    const totalText = fromMinor(total, places);
    const { rows } = await client.query({
      name: 'post',
      text: POST,
      values: [
        ...[
          companyId,
          id,
          uuidv7(),
          body.customerName,
          matchKey(body.customerName),
          body.date,
          currency,
          totalText,
        ],
        ...[body.reference ?? null, JSON.stringify(lines), ...columns(movements), ...jobOf(write)],
      ],
    });
    return { status: 201, body: rows[0].body, location: `/api/external/invoices/${id}` };
  });
}

export async function adjustStock(pool: pg.Pool, write: WriteInput): Promise<WriteAnswer> {
  const { companyId, body } = write;
  return inTransaction(pool, write, async (client, items) => {
    const id = uuidv7();
    const movements = body.items.flatMap(({ name, delta }: { name: string; delta: number }) => {
      const item = items.get(matchKey(name));
      if (!item) return [];
      const before = toUnits(item.on_hand);
      return [
        { itemId: item.id, name, delta: toUnits(delta), before, after: before + toUnits(delta) },
      ];
    });
    const shown = movements.map(
      (movement: {
        itemId: string;
        name: string;
        delta: bigint;
        before: bigint;
        after: bigint;
      }) => ({
        itemId: movement.itemId,
        name: movement.name,
        delta: Number(fromUnits(movement.delta)),
        onHandBefore: Number(fromUnits(movement.before)),
        onHandAfter: Number(fromUnits(movement.after)),
      }),
    );
    const { rows } = await client.query({
      name: 'adjust',
      text: ADJUST,
      values: [
        companyId,
        id,
        uuidv7(),
        body.reason,
        JSON.stringify(shown),
        ...columns(movements),
        ...jobOf(write),
      ],
    });
    const adjustment = {
      id,
      reason: body.reason,
      reference: null,
      note: null,
      createdAt: rows[0].createdAt,
    };
    return { status: 201, body: JSON.stringify({ ...adjustment, movements: shown }) };
  });
}

/** Locks the items in the body, runs `work` and commits; rolls back unless its status is 201. */
async function inTransaction(
  pool: pg.Pool,
  { companyId, body }: WriteInput,
  work: (client: pg.PoolClient, items: Map<string, Item>) => Promise<WriteAnswer>,
): Promise<WriteAnswer> {
  const names = body.items.map(({ name }: { name: string }) => matchKey(name));
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<Item>({
      name: 'lock',
      text: LOCK,
      values: [companyId, names],
    });
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

function columns(
  movements: readonly { itemId: string; delta: bigint; after: bigint }[],
): unknown[] {
  return [
    movements.map(({ itemId }) => itemId),
    movements.map(({ delta }) => fromUnits(delta)),
    movements.map(({ after }) => fromUnits(after)),
  ];
}

function jobOf({ companyId, key, body }: WriteInput): unknown[] {
  if (key === undefined) return [null, null];
  return [uuidv5(key, companyId), createHash('sha256').update(JSON.stringify(body)).digest()];
}
