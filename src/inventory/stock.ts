// The locked items of a batch, found the way lines name them, and the drafts that plans change.
import { plainArray, textArray } from '../platform/db/arrays.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { failPoint } from '../platform/process/fail-point.js';
import { fromUnits, toUnits } from '../platform/values/money.js';
import { ADD_FIGURES, figureValues } from './stock-figures.js';

/** In ten-thousandths: 99,999,999,999.9999, which numeric(15,4) and a double hold exactly. */
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
  details?: Record<string, number | string | null>;
  /** As it was locked, in decimal text. A new item has none. */
  readonly before?: StockLevel;
}

export interface StockLevel {
  readonly onHand: string;
  readonly reorderPoint: string;
  readonly unitCost: string | null;
}

/** An item that a request may touch, by id, sku or folded name. */
export interface StockRef {
  readonly companyId: string;
  readonly nameKey?: string;
  readonly sku?: string;
  readonly id?: string;
}

/** Items by id, sku or folded name. A draft has its own changes until it is committed. */
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

  items(): Iterable<StockItem> {
    return new Set(this.#items.values());
  }

  draft(): Stock {
    return new Stock([], this);
  }

  /** Applies the draft's changes to its parent. */
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

/** The columns that name an item; each, with the company, has a unique index. */
const KEYS = [
  { field: 'nameKey', column: 'name_key', type: 'text' },
  { field: 'sku', column: 'sku', type: 'text' },
  { field: 'id', column: 'id', type: 'uuid' },
] as const;

/**
 * Locks the items among the refs that exist until the transaction ends. All callers lock in
 * (company, item) order, so transactions queue up and never deadlock.
 */
export async function lockStock(refs: readonly StockRef[], tx: Transaction): Promise<Stock> {
  const bind: unknown[] = [];
  const sources = KEYS.flatMap(({ field, column, type }) => {
    const named = new Map(
      refs.flatMap(ref =>
        ref[field] === undefined ? [] : [[`${ref.companyId} ${ref[field]}`, ref]],
      ),
    );
    if (named.size === 0) return [];
    const wanted = [...named.values()];
    const companies = `$${bind.push(plainArray(wanted.map(({ companyId }) => companyId)))}::uuid[]`;
    const keys = `$${bind.push(textArray(wanted.map(ref => ref[field])))}::${type}[]`;
    return [
      `items i JOIN unnest(${companies}, ${keys}) AS wanted (company_id, ${column})
         USING (company_id, ${column})`,
    ];
  });
  const [source] = sources;
  if (source === undefined) return new Stock();
  // Most batches name all items in one way. Then each row is looked up once, by that index.
  const ids = sources.map(each => `SELECT company_id, i.id FROM ${each}`).join(' UNION ');
  const locked = sources.length === 1 ? source : `items i WHERE (i.company_id, i.id) IN (${ids})`;
  const rows = await query<
    Pick<StockItem, 'companyId' | 'id' | 'sku' | 'name' | 'nameKey'> & StockLevel
  >(
    `SELECT company_id AS "companyId", i.id,
       i.sku, i.name, i.name_key AS "nameKey",
       i.on_hand AS "onHand", i.reorder_point AS "reorderPoint", i.unit_cost AS "unitCost"
     FROM ${locked}
     ORDER BY company_id, i.id
     FOR NO KEY UPDATE OF i`,
    bind,
    tx,
  );
  return new Stock(
    rows.map(({ onHand, reorderPoint, unitCost, ...item }) => ({
      ...item,
      onHand: toUnits(onHand),
      before: { onHand, reorderPoint, unitCost },
    })),
  );
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
 * Appends movements in order and sets each item's stock to the balance after its last one. Requires
 * locked items and a written source.
 */
export async function recordMovements(
  movements: readonly Movement[],
  tx: Transaction,
): Promise<void> {
  if (movements.length === 0) return;
  const balances = new Map(movements.map(movement => [movement.itemId, movement]));
  await Promise.all([
    query(
      `INSERT INTO movements (
         company_id, item_id, delta, on_hand_after, kind, invoice_id, adjustment_id, created_at
       )
       SELECT *, now()
       FROM unnest(
         $1::uuid[], $2::uuid[], $3::numeric[], $4::numeric[], $5::text[], $6::uuid[], $7::uuid[]
       )`,
      [
        plainArray(movements.map(({ companyId }) => companyId)),
        plainArray(movements.map(({ itemId }) => itemId)),
        plainArray(movements.map(({ delta }) => fromUnits(delta))),
        plainArray(movements.map(({ after }) => fromUnits(after))),
        plainArray(movements.map(({ kind }) => kind)),
        plainArray(movements.map(({ invoiceId }) => invoiceId)),
        plainArray(movements.map(({ adjustmentId }) => adjustmentId)),
      ],
      tx,
    ),
    query(
      `UPDATE items i
       SET on_hand = balance.on_hand, updated_at = now()
       FROM unnest($1::uuid[], $2::uuid[], $3::numeric[]) AS balance (company_id, id, on_hand)
       WHERE i.company_id = balance.company_id AND i.id = balance.id`,
      [
        plainArray(Array.from(balances.values(), ({ companyId }) => companyId)),
        plainArray([...balances.keys()]),
        plainArray(Array.from(balances.values(), ({ after }) => fromUnits(after))),
      ],
      tx,
    ),
  ]);
  failPoint('stock-moved');
}

/**
 * Marks the companies' stock as changed and adds the batch's differences to their stock figures.
 * Locks the company rows in order; they are the last lock of a transaction, as when an invoice
 * takes its number. Requires the planned stock.
 */
export async function countStockChange(
  companyIds: readonly string[],
  stock: Stock,
  tx: Transaction,
): Promise<void> {
  if (companyIds.length === 0) return;
  const changed = [...new Set(companyIds)];
  await query(
    `WITH locked AS (
       SELECT id FROM companies WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE
     )
     UPDATE companies c
     SET stock_version = stock_version + 1, ${ADD_FIGURES}
     FROM locked,
       unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::numeric[])
         AS change (id, items, low, out_of_stock, value)
     WHERE c.id = locked.id AND c.id = change.id`,
    [plainArray(changed), ...figureValues(changed, stock)],
    tx,
  );
}
