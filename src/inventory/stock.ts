// The locked items of a batch, found the way lines name them, the drafts that plans change, and how
// movements and figures are written.
import type { Transaction } from '../platform/db/connection.js';
import { type Columns, insertRows, type RowChange, updateRows } from '../platform/db/rows.js';
import { failPoint } from '../platform/process/fail-point.js';
import { fromUnits } from '../platform/values/money.js';

/** Ten-thousandths: 99,999,999,999.9999, which numeric(15,4) and a double hold exactly. */
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
  /** The stored values when the item was locked; a new item has none. */
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

  /** Makes `byName` also find the item by the key of a former name. */
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

const MOVEMENT: Columns<Movement> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  item_id: ['uuid', ({ itemId }) => itemId],
  delta: ['numeric', ({ delta }) => fromUnits(delta)],
  on_hand_after: ['numeric', ({ after }) => fromUnits(after)],
  kind: ['text', ({ kind }) => kind],
  invoice_id: ['uuid', ({ invoiceId }) => invoiceId],
  adjustment_id: ['uuid', ({ adjustmentId }) => adjustmentId],
  created_at: 'now()',
};
/** The columns of a batch with returned goods. Other batches send one array less. */
const MOVEMENT_OR_RETURN: Columns<Movement> = {
  ...MOVEMENT,
  credit_note_id: ['uuid', ({ creditNoteId }) => creditNoteId],
};

const BALANCE: RowChange<Movement> = {
  key: {
    company_id: ['uuid', ({ companyId }) => companyId],
    id: ['uuid', ({ itemId }) => itemId],
  },
  set: {
    on_hand: ['numeric', ({ after }) => fromUnits(after)],
    updated_at: 'now()',
  },
};

/**
 * Appends movements in order and sets each item's stock to the balance after its last one. Requires
 * locked items and a written source.
 */
export async function recordMovements(
  movements: readonly Movement[],
  tx: Transaction,
): Promise<void> {
  if (movements.length === 0) return;
  const last = new Map(movements.map(movement => [movement.itemId, movement]));
  const hasReturns = movements.some(({ creditNoteId }) => creditNoteId !== undefined);
  await Promise.all([
    insertRows('movements', hasReturns ? MOVEMENT_OR_RETURN : MOVEMENT, movements, tx),
    updateRows('items', BALANCE, [...last.values()], tx),
  ]);
  failPoint('stock-moved');
}
