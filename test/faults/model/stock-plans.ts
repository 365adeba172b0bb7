// Plans an invoice or an adjustment in one state of a company's stock. The result is text that can
// be compared with what the product did. Shares no code with the product's own rules.
import { units } from './rows.js';
import { type CompanyStock, fold, type ModelItem, onHandAt } from './stock.js';

/** A state, in which some items that are being created may not be found yet. */
export interface View {
  readonly stock: CompanyStock;
  readonly state: number;
  readonly hidden: ReadonlySet<string>;
}

export interface LineBody {
  readonly name?: string;
  readonly sku?: string;
  readonly qty: number;
}

export interface AdjustmentBody {
  readonly reason: string;
  readonly items: readonly EntryBody[];
}

export interface EntryBody {
  readonly name?: string;
  readonly sku?: string;
  readonly itemId?: string;
  readonly delta?: number;
  readonly count?: number;
  readonly expectedOnHand?: number;
}

/** A member of `errors` in a problem document, as far as the model knows its members. */
export interface ModelError {
  readonly pointer: string;
  readonly code: string;
  readonly itemId?: string | null;
  readonly requested?: number;
  readonly available?: number;
  readonly onHand?: number;
}

const CREATING_REASONS: ReadonlySet<string> = new Set(['received', 'count']);

/** A refusal with its code and its errors, in any order. */
export function describeRefusal(code: string, errors: readonly ModelError[]): string {
  const each = errors.map(({ pointer, code: reason, itemId, requested, available, onHand }) =>
    [pointer, reason, itemId, requested, available, onHand].filter(part => part != null).join(' '),
  );
  return `refused: ${code}${each.length > 0 ? ` [${each.sort().join(', ')}]` : ''}`;
}

/** The items of an invoice's lines, and the movements that it makes. */
export function describeInvoice(
  itemIds: readonly (string | null)[],
  movements: readonly string[],
): string {
  const lines = itemIds.map(id => id ?? 'no item').join(', ');
  return `lines of ${lines}; moves ${movements.toSorted().join(', ')}`;
}

export function describeMovement(itemId: string, delta: number, after: number): string {
  return `${itemId} by ${delta / 10_000} to ${after / 10_000}`;
}

export function planInvoice(lines: readonly LineBody[], view: View): string {
  const items = lines.map(({ name, sku }) =>
    visible(sku === undefined ? view.stock.byName(name ?? '') : view.stock.bySku(sku), view),
  );
  const unknown = lines.flatMap(({ sku }, index) =>
    sku !== undefined && !items[index]
      ? [{ pointer: `/items/${index}/sku`, code: 'unknown_item' }]
      : [],
  );
  if (unknown.length > 0) return describeRefusal('validation_failed', unknown);
  const sold = new Map<ModelItem, number>();
  for (const [index, item] of items.entries())
    if (item) sold.set(item, (sold.get(item) ?? 0) + units(lines[index]?.qty ?? 0));
  const short = items.flatMap((item, index) => {
    if (!item || onHandAt(item, view.state) >= (sold.get(item) ?? 0)) return [];
    const available = onHandAt(item, view.state) / 10_000;
    return [shortage(`/items/${index}/qty`, item.id, lines[index]?.qty ?? 0, available)];
  });
  if (short.length > 0) return describeRefusal('insufficient_stock', short);
  const movements = Array.from(sold, ([item, qty]) =>
    describeMovement(item.id, -qty, onHandAt(item, view.state) - qty),
  );
  return describeInvoice(
    items.map(item => item?.id ?? null),
    movements,
  );
}

/** An item with the changes that the entries so far have made. */
interface DraftItem {
  /** Null: created by an entry. */
  readonly id: string | null;
  readonly nameKey: string;
  readonly skuKey: string | null;
  onHand: number;
}

export function describeNewItem(nameKey: string, skuKey: string | null): string {
  return `new item "${nameKey}" (${skuKey ?? 'no SKU'})`;
}

export function planAdjustment({ reason, items }: AdjustmentBody, view: View): string {
  const draft: DraftItem[] = [];
  const unknown: ModelError[] = [];
  const conflicts: ModelError[] = [];
  const short: ModelError[] = [];
  const movements: string[] = [];
  for (const [index, entry] of items.entries()) {
    const item = findOrCreate(entry, reason, draft, view);
    if (!item) {
      const field = ['itemId', 'sku', 'name'].find(name => name in entry);
      unknown.push({ pointer: `/items/${index}/${field}`, code: 'unknown_item' });
      continue;
    }
    const before = item.onHand;
    const after = entry.count === undefined ? before + units(entry.delta ?? 0) : units(entry.count);
    const pointer = `/items/${index}`;
    if (entry.expectedOnHand !== undefined && units(entry.expectedOnHand) !== before)
      conflicts.push({
        pointer: `${pointer}/expectedOnHand`,
        code: 'stock_conflict',
        itemId: item.id,
        onHand: before / 10_000,
      });
    const isShort = after < 0 && after < before;
    const field = entry.count === undefined ? 'delta' : 'count';
    if (isShort)
      short.push(
        shortage(`${pointer}/${field}`, item.id, (before - after) / 10_000, before / 10_000),
      );
    // As the product reports it: later entries for a short item find none on hand.
    item.onHand = isShort ? Math.min(before, 0) : after;
    const who = item.id ?? describeNewItem(item.nameKey, item.skuKey);
    movements.push(describeMovement(who, after - before, after));
  }
  if (unknown.length > 0) return describeRefusal('validation_failed', unknown);
  if (conflicts.length > 0) return describeRefusal('stock_conflict', conflicts);
  if (short.length > 0) return describeRefusal('insufficient_stock', short);
  return `moves ${movements.join(', ')}`;
}

function findOrCreate(
  { name, sku, itemId }: EntryBody,
  reason: string,
  draft: DraftItem[],
  view: View,
): DraftItem | undefined {
  const { stock } = view;
  const nameKey = name === undefined ? undefined : fold(name);
  const skuKey = sku === undefined ? undefined : fold(sku);
  const inDraft = (condition: (item: DraftItem) => boolean, known: ModelItem | undefined) =>
    draft.find(condition) ?? toDraft(visible(known, view), draft, view);
  if (itemId !== undefined) return inDraft(({ id }) => id === itemId, stock.byId(itemId));
  if (sku !== undefined) {
    const bySku = inDraft(item => item.skuKey === skuKey, stock.bySku(sku));
    if (bySku || name === undefined) return bySku;
  }
  const byName = inDraft(item => item.nameKey === nameKey, stock.byName(name ?? ''));
  // A known name with an unknown SKU: they contradict each other.
  if (byName) return sku === undefined ? byName : undefined;
  if (nameKey === undefined || !CREATING_REASONS.has(reason)) return undefined;
  const created = { id: null, nameKey, skuKey: skuKey ?? null, onHand: 0 };
  draft.push(created);
  return created;
}

function toDraft(
  item: ModelItem | undefined,
  draft: DraftItem[],
  { state }: View,
): DraftItem | undefined {
  if (!item) return undefined;
  const { id, nameKey, skuKey } = item;
  const copy = { id, nameKey, skuKey, onHand: onHandAt(item, state) };
  draft.push(copy);
  return copy;
}

function visible(item: ModelItem | undefined, { state, hidden }: View): ModelItem | undefined {
  return item && item.since <= state && !hidden.has(item.id) ? item : undefined;
}

function shortage(
  pointer: string,
  itemId: string | null,
  requested: number,
  available: number,
): ModelError {
  return { pointer, code: 'insufficient_stock', itemId, requested, available };
}

/** The items that a write may find, by any of the ways in which it names them. */
export function namedItems(
  named: readonly { readonly name?: string; readonly sku?: string; readonly itemId?: string }[],
  stock: CompanyStock,
): Set<ModelItem> {
  const found = named.flatMap(({ name, sku, itemId }) => [
    ...(name === undefined ? [] : [stock.byName(name)]),
    ...(sku === undefined ? [] : [stock.bySku(sku)]),
    ...(itemId === undefined ? [] : [stock.byId(itemId)]),
  ]);
  return new Set(found.filter(item => item !== undefined));
}
