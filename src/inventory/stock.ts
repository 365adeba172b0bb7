// The items of a batch, found the way lines name them, the drafts that plans change, and how
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
  /** The stored values; a new item has none. */
  readonly before?: StockLevel;
}

export interface StockLevel {
  readonly onHand: string;
  readonly reorderPoint: string;
  readonly unitCost: string | null;
  /** These two are absent where no detail changes. */
  readonly unit?: string | null;
  readonly unitPrice?: string | null;
  /** Absent: not archived. */
  readonly archived?: boolean;
}

/** A company's items by id, and by the match keys of names and SKUs. */
interface CompanyItems {
  readonly ids: Map<string, StockItem>;
  readonly names: Map<string, StockItem>;
  readonly skus: Map<string, StockItem>;
}

/** Items by id, SKU or name (match keys). A draft has its own changes until it is committed. */
export class Stock {
  readonly #companies = new Map<string, CompanyItems>();
  /** The ids of items by their former names, by company. */
  readonly #formerNames: Map<string, Map<string, string>>;
  readonly #parent: Stock | undefined;

  constructor(items: readonly StockItem[] = [], parent?: Stock) {
    this.#parent = parent;
    this.#formerNames = parent ? parent.#formerNames : new Map();
    for (const item of items) this.add(item);
  }

  byId(companyId: string, id: string): StockItem | undefined {
    return this.#find(companyId, 'ids', id);
  }

  bySku(companyId: string, skuKey: string): StockItem | undefined {
    return this.#find(companyId, 'skus', skuKey);
  }

  byName(companyId: string, nameKey: string): StockItem | undefined {
    const id = this.#formerNames.get(companyId)?.get(nameKey);
    return id === undefined ? this.#find(companyId, 'names', nameKey) : this.byId(companyId, id);
  }

  /** Makes `byName` also find the item by the key of a former name. */
  addFormerName(companyId: string, nameKey: string, id: string): void {
    const names = this.#formerNames.get(companyId) ?? new Map<string, string>();
    this.#formerNames.set(companyId, names.set(nameKey, id));
  }

  add(item: StockItem): StockItem {
    const { companyId, id, nameKey, skuKey } = item;
    let items = this.#companies.get(companyId);
    if (!items) {
      items = { ids: new Map(), names: new Map(), skus: new Map() };
      this.#companies.set(companyId, items);
    }
    items.ids.set(id, item);
    items.names.set(nameKey, item);
    if (skuKey !== null) items.skus.set(skuKey, item);
    return item;
  }

  items(): StockItem[] {
    return Array.from(this.#companies.values(), ({ ids }) => [...ids.values()]).flat();
  }

  draft(): Stock {
    return new Stock([], this);
  }

  /** Applies the draft's changes to its parent. */
  commit(): void {
    for (const item of this.items()) this.#parent?.add(item);
  }

  #find(companyId: string, by: keyof CompanyItems, key: string): StockItem | undefined {
    const own = this.#companies.get(companyId)?.[by].get(key);
    if (own || !this.#parent) return own;
    const inherited = this.#parent.#find(companyId, by, key);
    return inherited && this.add({ ...inherited });
  }
}

export interface StockMovement {
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

const MOVEMENT: Columns<StockMovement> = {
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
const MOVEMENT_OR_RETURN: Columns<StockMovement> = {
  ...MOVEMENT,
  credit_note_id: ['uuid', ({ creditNoteId }) => creditNoteId],
};

const BALANCE: RowChange<StockMovement> = {
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
 * the locks of the companies and a written source.
 */
export async function appendMovements(
  movements: readonly StockMovement[],
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
