// A company's stock at each state, by the movements' order and balances, and which items there are
// to be found by name, SKU or id.
import type { ItemRow, MovementRow } from './rows.js';
import { units } from './rows.js';

/**
 * NFKC without invisible characters, trimmed, inner spaces collapsed, case folded. Names and SKUs
 * are compared in this form.
 */
export function fold(text: string): string {
  const visible = text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const spaced = visible.normalize('NFKC').trim().replace(/\s+/gu, ' ');
  return spaced.toLowerCase().toUpperCase().toLowerCase();
}

export interface ModelItem {
  readonly id: string;
  readonly nameKey: string;
  readonly skuKey: string | null;
  /** The first state that has it. */
  readonly since: number;
  readonly levels: readonly { readonly state: number; readonly onHand: number }[];
}

/** All movements of one invoice, adjustment or credit note. */
export interface Source {
  readonly id: string;
  readonly movements: readonly MovementRow[];
}

/** The movements by their source, in the order of commits. `errors` names the torn ones. */
export function groupBySource(movements: readonly MovementRow[]): {
  readonly sources: readonly Source[];
  readonly errors: readonly string[];
} {
  const sources: { id: string; movements: MovementRow[] }[] = [];
  const errors: string[] = [];
  const seen = new Set<string>();
  for (const movement of movements) {
    const { sourceId } = movement;
    const last = sources.at(-1);
    if (last?.id === sourceId) last.movements.push(movement);
    else {
      if (seen.has(sourceId))
        errors.push(`${sourceId}: other movements were written between its own`);
      seen.add(sourceId);
      sources.push({ id: sourceId, movements: [movement] });
    }
  }
  return { sources, errors };
}

export class CompanyStock {
  readonly #items = new Map<string, ModelItem>();
  readonly #byName = new Map<string, ModelItem>();
  readonly #bySku = new Map<string, ModelItem>();

  constructor(rows: readonly ItemRow[], sources: readonly Source[]) {
    const levelsOf = new Map<string, { state: number; onHand: number }[]>();
    for (const [place, { movements }] of sources.entries())
      for (const { itemId, onHandAfter } of movements) {
        const levels = levelsOf.get(itemId) ?? [];
        levels.push({ state: place + 1, onHand: units(onHandAfter) });
        levelsOf.set(itemId, levels);
      }
    for (const { id, name, sku } of rows) {
      const levels = levelsOf.get(id) ?? [];
      const since = levels[0]?.state ?? Number.POSITIVE_INFINITY;
      const skuKey = sku === null ? null : fold(sku);
      const item = { id, nameKey: fold(name), skuKey, since, levels };
      this.#items.set(id, item);
      this.#byName.set(item.nameKey, item);
      if (skuKey !== null) this.#bySku.set(skuKey, item);
    }
  }

  byId(id: string): ModelItem | undefined {
    return this.#items.get(id);
  }

  byName(name: string): ModelItem | undefined {
    return this.#byName.get(fold(name));
  }

  bySku(sku: string): ModelItem | undefined {
    return this.#bySku.get(fold(sku));
  }
}

/** The balance in ten-thousandths; 0 before the first movement. */
export function onHandAt({ levels }: ModelItem, state: number): number {
  let [low, high] = [0, levels.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((levels[middle]?.state ?? 0) <= state) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : (levels[low - 1]?.onHand ?? 0);
}
