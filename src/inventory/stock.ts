// The locked items of a batch, found the way lines name them, the drafts that plans change, and how
// movements and figures are written.
import { plainArray } from '../platform/db/arrays.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { failPoint } from '../platform/process/fail-point.js';
import { fromUnits } from '../platform/values/money.js';
import { ADD_FIGURES, figureValues } from './stock-figures.js';

/** In ten-thousandths: 99,999,999,999.9999, which numeric(15,4) and a double hold exactly. */
export const MAX_ON_HAND = 999_999_999_999_999n;

export interface StockItem {
  readonly companyId: string;
  readonly id: string;
  readonly sku: string | null;
  /** text.matchKey(sku). */
  readonly skuKey: string | null;
  readonly name: string;
  readonly nameKey: string;
  /** Ten-thousandths. */
  onHand: bigint;
  /** Fields that a plan sets: reorderPoint, unitCost, unitPrice, unit. */
  details?: Record<string, number | string | null>;
  /** If set, the item is archived by the change. */
  readonly archived?: boolean;
  /** As it was locked, in decimal text. A new item has none. */
  readonly before?: StockLevel;
}

export interface StockLevel {
  readonly onHand: string;
  readonly reorderPoint: string;
  readonly unitCost: string | null;
  /** Absent: not archived. */
  readonly archived?: boolean;
}

/** Items by id, folded SKU or folded name. A draft has its own changes until it is committed. */
export class Stock {
  readonly #items = new Map<string, StockItem>();
  /** The ids of items by their former names. */
  readonly #formerNames: Map<string, string>;
  readonly #parent: Stock | undefined;

  constructor(items: readonly StockItem[] = [], parent?: Stock) {
    this.#parent = parent;
    this.#formerNames = parent ? parent.#formerNames : new Map();
    for (const item of items) this.add(item);
  }

  byId(companyId: string, id: string): StockItem | undefined {
    return this.#find(`${companyId} id ${id}`);
  }

  bySku(companyId: string, skuKey: string): StockItem | undefined {
    return this.#find(`${companyId} sku ${skuKey}`);
  }

  byName(companyId: string, nameKey: string): StockItem | undefined {
    const key = `${companyId} name ${nameKey}`;
    const id = this.#formerNames.get(key);
    return id === undefined ? this.#find(key) : this.byId(companyId, id);
  }

  /** Makes `byName` find the item by another key than that of its name. */
  addFormerName(companyId: string, nameKey: string, id: string): void {
    this.#formerNames.set(`${companyId} name ${nameKey}`, id);
  }

  add(item: StockItem): StockItem {
    this.#items.set(`${item.companyId} id ${item.id}`, item);
    this.#items.set(`${item.companyId} name ${item.nameKey}`, item);
    if (item.skuKey !== null) this.#items.set(`${item.companyId} sku ${item.skuKey}`, item);
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

export interface Movement {
  readonly companyId: string;
  readonly itemId: string;
  readonly delta: bigint;
  readonly after: bigint;
  /** 'sale', 'return' or an adjustment's reason. */
  readonly kind: string;
  readonly invoiceId?: string;
  readonly adjustmentId?: string;
  readonly creditNoteId?: string;
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
  const hasReturns = movements.some(({ creditNoteId }) => creditNoteId !== undefined);
  await Promise.all([
    query(
      `INSERT INTO movements (
         company_id, item_id, delta, on_hand_after, kind, invoice_id, adjustment_id,
         ${hasReturns ? 'credit_note_id,' : ''} created_at
       )
       SELECT *, now()
       FROM unnest(
         $1::uuid[], $2::uuid[], $3::numeric[], $4::numeric[], $5::text[], $6::uuid[], $7::uuid[]
         ${hasReturns ? ', $8::uuid[]' : ''}
       )`,
      [
        plainArray(movements.map(({ companyId }) => companyId)),
        plainArray(movements.map(({ itemId }) => itemId)),
        plainArray(movements.map(({ delta }) => fromUnits(delta))),
        plainArray(movements.map(({ after }) => fromUnits(after))),
        plainArray(movements.map(({ kind }) => kind)),
        plainArray(movements.map(({ invoiceId }) => invoiceId)),
        plainArray(movements.map(({ adjustmentId }) => adjustmentId)),
        ...(hasReturns ? [plainArray(movements.map(({ creditNoteId }) => creditNoteId))] : []),
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
 * `renamed` are those in which a name or SKU starts or ends to mean an item. Requires the planned
 * stock, and the locks of the companies if there are several.
 */
export async function countStockChange(
  companyIds: readonly string[],
  stock: Stock,
  renamed: ReadonlySet<string>,
  tx: Transaction,
): Promise<void> {
  if (companyIds.length === 0) return;
  const changed = [...new Set(companyIds)];
  await query(
    `UPDATE companies c
     SET stock_version = stock_version + 1,
       names_version = names_version + change.names, ${ADD_FIGURES}
     FROM unnest($1::uuid[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[], $6::numeric[])
       AS change (id, names, items, low, out_of_stock, value)
     WHERE c.id = change.id`,
    [
      plainArray(changed),
      plainArray(changed.map(id => (renamed.has(id) ? 1 : 0))),
      ...figureValues(changed, stock),
    ],
    tx,
  );
}
