// Stock in hand of a batch: the locked items, found the way lines name them, and the drafts that plans are made on.
import { query, type Transaction } from '../platform/db/connection.js';
import { failPoint } from '../platform/process/fail-point.js';
import { fromUnits, toUnits } from '../platform/values/money.js';

/** 99,999,999,999.9999 in ten-thousandths: what numeric(15,4) holds and a double still tells apart. */
export const MAX_ON_HAND = 999_999_999_999_999n;

export interface StockItem {
  readonly companyId: string;
  readonly id: string;
  readonly sku: string | null;
  readonly name: string;
  readonly nameKey: string;
  /** Ten-thousandths. */
  onHand: bigint;
  /** Fields that a plan sets: reorderPoint, unitCost, unitPrice, unit. */
  details?: Record<string, number | string>;
  readonly isNew?: boolean;
}

/** Which items a request may touch. */
export interface StockRef {
  readonly companyId: string;
  readonly nameKey?: string;
  readonly sku?: string;
  readonly id?: string;
}

/** Items found by id, sku or folded name. A draft sees its own changes and hands them on when committed. */
export class Stock {
  readonly #items = new Map<string, StockItem>();
  readonly #parent: Stock | undefined;

  constructor(items: readonly StockItem[] = [], parent?: Stock) {
    this.#parent = parent;
    for (const item of items) this.add(item);
  }

  byId(companyId: string, id: string): StockItem | undefined {
    return this.#find(`${companyId} id ${id}`);
  }

  bySku(companyId: string, sku: string): StockItem | undefined {
    return this.#find(`${companyId} sku ${sku}`);
  }

  byName(companyId: string, nameKey: string): StockItem | undefined {
    return this.#find(`${companyId} name ${nameKey}`);
  }

  add(item: StockItem): StockItem {
    this.#items.set(`${item.companyId} id ${item.id}`, item);
    this.#items.set(`${item.companyId} name ${item.nameKey}`, item);
    if (item.sku !== null) this.#items.set(`${item.companyId} sku ${item.sku}`, item);
    return item;
  }

  draft(): Stock {
    return new Stock([], this);
  }

  /** Makes the draft's changes its parent's. */
  commit(): void {
    for (const item of this.#items.values()) this.#parent?.add(item);
  }

  #find(key: string): StockItem | undefined {
    const own = this.#items.get(key);
    if (own || !this.#parent) return own;
    const inherited = this.#parent.#find(key);
    return inherited && this.add({ ...inherited });
  }
}

/** The columns that a ref may name an item by, each with its company the key of a unique index. */
const KEYS = [
  { field: 'nameKey', column: 'name_key', type: 'text' },
  { field: 'sku', column: 'sku', type: 'text' },
  { field: 'id', column: 'id', type: 'uuid' },
] as const;

/**
 * Locks the items that exist among the refs until the transaction ends, in (company, item) order whoever asks, so that
 * transactions queue up and never wait for each other in a circle.
 */
export async function lockStock(refs: readonly StockRef[], tx: Transaction): Promise<Stock> {
  const bind: unknown[] = [];
  const found = KEYS.flatMap(({ field, column, type }) => {
    const named = refs.filter(ref => ref[field] !== undefined);
    const distinct = [
      ...new Map(named.map(ref => [`${ref.companyId} ${ref[field]}`, ref])).values(),
    ];
    if (distinct.length === 0) return [];
    const companies = `$${bind.push(distinct.map(({ companyId }) => companyId))}::uuid[]`;
    const keys = `$${bind.push(distinct.map(ref => ref[field]))}::${type}[]`;
    return [
      `items i JOIN unnest(${companies}, ${keys}) AS w (company_id, ${column}) USING (company_id, ${column})`,
    ];
  });
  if (found.length === 0) return new Stock();
  // Most batches name all of their items in one way, and then each row is looked up once, by that.
  const rowsOf =
    found.length === 1
      ? found[0]
      : `items i WHERE (i.company_id, i.id) IN (${found.map(from => `SELECT company_id, i.id FROM ${from}`).join(' UNION ')})`;
  const rows = await query<Omit<StockItem, 'onHand'> & { onHand: string }>(
    `SELECT company_id AS "companyId", i.id, i.sku, i.name, i.name_key AS "nameKey", i.on_hand AS "onHand"
     FROM ${rowsOf} ORDER BY company_id, i.id FOR NO KEY UPDATE OF i`,
    bind,
    tx,
  );
  return new Stock(rows.map(row => ({ ...row, onHand: toUnits(row.onHand) })));
}

export interface Movement {
  readonly companyId: string;
  readonly itemId: string;
  readonly delta: bigint;
  readonly after: bigint;
  /** 'sale' or an adjustment's reason. */
  readonly kind: string;
  readonly invoiceId?: string;
  readonly adjustmentId?: string;
}

/**
 * Appends movements in order and brings each item's on hand to its last one. The items are locked, their source is written.
 * Each is found by its index and changed at its place, which the lock keeps: a join would read every item of every company.
 */
export async function recordMovements(
  movements: readonly Movement[],
  tx: Transaction,
): Promise<void> {
  if (movements.length === 0) return;
  const rows = movements.map(({ delta, after, ...row }, position) => ({
    ...row,
    position,
    delta: fromUnits(delta),
    after: fromUnits(after),
  }));
  await query(
    `WITH moved AS (
       SELECT * FROM json_to_recordset($1) AS m ("companyId" uuid, "itemId" uuid, position int, delta numeric, after numeric,
         kind text, "invoiceId" uuid, "adjustmentId" uuid)
     ), recorded AS (
       INSERT INTO movements (company_id, item_id, delta, on_hand_after, kind, invoice_id, adjustment_id, created_at)
       SELECT "companyId", "itemId", delta, after, kind, "invoiceId", "adjustmentId", now() FROM moved ORDER BY position
     )
     UPDATE items i SET on_hand = w.after, updated_at = now()
     FROM (SELECT DISTINCT ON ("companyId", "itemId") "companyId" AS company_id, "itemId" AS id, after FROM moved
           ORDER BY "companyId", "itemId", position DESC) w,
       LATERAL (SELECT t.ctid FROM items t WHERE t.company_id = w.company_id AND t.id = w.id LIMIT 1) place
     WHERE i.ctid = place.ctid`,
    [JSON.stringify(rows)],
    tx,
  );
  failPoint('stock-moved');
}

/** Tells the summary that stock changed. The company rows are the last lock, in order, as when numbers are taken. */
export async function countStockChange(
  companyIds: readonly string[],
  tx: Transaction,
): Promise<void> {
  if (companyIds.length === 0) return;
  await query(
    `WITH locked AS (SELECT id FROM companies WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE)
     UPDATE companies c SET stock_version = stock_version + 1 FROM locked WHERE c.id = locked.id`,
    [companyIds],
    tx,
  );
}
