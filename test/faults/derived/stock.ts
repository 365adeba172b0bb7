// Recounts the stock of each item: the stock at the start, and the changes by documents, by
// adjustments that were answered with 201, and by what dashboard users were told. Pure.
import { type CorrectionRecord, type ImportRecord, outcomeOf } from '../dashboard/records.js';
import type { ImportRow } from '../dashboard/rows.js';
import { units } from '../model/rows.js';
import type { Documents } from './documents.js';

export interface StockSources {
  /** By item: the stock at the start. */
  readonly start: ReadonlyMap<string, number>;
  readonly documents: Documents;
  /** Of the adjustments that were answered with 201. */
  readonly movements: readonly { readonly itemId: string; readonly delta: number }[];
  readonly corrections: readonly CorrectionRecord[];
  readonly imports: readonly ImportRecord[];
  /** By id; only their states are read. */
  readonly importRows: ReadonlyMap<string, Pick<ImportRow, 'status' | 'undo'>>;
}

/** One sentence per item whose stock differs. */
export function compareStock(sources: StockSources): string[] {
  const { documents, movements, corrections, imports, importRows } = sources;
  const sums = new Map([...sources.start].map(([id, qty]) => [id, units(qty)]));
  const add = (itemId: string | null | undefined, delta: number) => {
    if (itemId) sums.set(itemId, (sums.get(itemId) ?? 0) + units(delta));
  };
  const idOf = new Map(documents.items.map(({ id, name }) => [name, id]));
  for (const { items } of documents.invoices)
    for (const { itemId, qty } of items) add(itemId, -qty);
  for (const { items } of documents.creditNotes)
    for (const { itemId, qty, restocked } of items) if (restocked) add(itemId, qty ?? 0);
  for (const { itemId, delta } of movements) add(itemId, delta);
  for (const correction of corrections)
    if (outcomeOf(correction) === 'done')
      for (const [itemId, qty] of correction.wanted)
        add(itemId, qty - (correction.shown.get(itemId) ?? 0));
  for (const { id, rows } of imports) {
    const row = importRows.get(id);
    if (row?.status === 'done' && row.undo !== 'done')
      for (const { name, delta } of rows) add(idOf.get(name) ?? name, delta);
  }
  const actual = new Map(documents.items.map(({ id, onHand }) => [id, units(onHand)]));
  return [...new Set([...sums.keys(), ...actual.keys()])].flatMap(id => {
    const [stock, expected] = [actual.get(id) ?? 0, sums.get(id) ?? 0];
    if (stock === expected) return [];
    return [`item ${id}: ${stock / 10_000} on hand, recounted ${expected / 10_000}`];
  });
}
