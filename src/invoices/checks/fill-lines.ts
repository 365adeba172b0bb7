// Lines that name a stock item by its SKU may leave their name and price to the item. They are
// filled in before the request is checked, so a worker gets whole lines.
import { plainArray, textArray } from '../../platform/db/arrays.js';
import { query } from '../../platform/db/connection.js';
import { MAX_ITEMS } from '../../platform/http/input/validate.js';
import { matchKey, possibleCode } from '../../platform/values/text.js';
import { MAX_SKU } from '../schema.js';

export interface FilledRequest {
  readonly body: unknown;
  /** The lines, counted from 0, that leave their name or price to an item that does not exist. */
  readonly unknownSkus: ReadonlySet<number>;
}

export const unfilled = (body: unknown): FilledRequest => ({ body, unknownSkus: NONE });

interface ItemDefaults {
  readonly name: string;
  /** Null if the item has none. */
  readonly unitPrice: number | null;
}

interface OpenLine {
  readonly name?: unknown;
  readonly price?: unknown;
  readonly sku?: unknown;
}

const NONE: ReadonlySet<number> = new Set();

/** Fills the requests of one company with what its items are called and cost at this moment. */
export async function fillLines(
  companyId: string,
  bodies: readonly unknown[],
): Promise<FilledRequest[]> {
  const keys = new Set(bodies.flatMap(body => linesOf(body).flatMap(line => openKey(line) ?? [])));
  if (keys.size === 0) return bodies.map(unfilled);
  const items = await readItems(companyId, [...keys]);
  return bodies.map(body => fillRequest(body, items));
}

/** The match key of the SKU of a line that lacks its name or price; null for any other line. */
function openKey(line: unknown): string | null {
  if (typeof line !== 'object' || line === null) return null;
  const { name, price, sku } = line as OpenLine;
  if (name != null && price != null) return null;
  const text = possibleCode(sku, MAX_SKU);
  return text === null ? null : matchKey(text);
}

function linesOf(body: unknown): readonly unknown[] {
  const { items } = (body ?? {}) as { readonly items?: unknown };
  return Array.isArray(items) ? items.slice(0, MAX_ITEMS) : [];
}

async function readItems(
  companyId: string,
  keys: readonly string[],
): Promise<Map<string, ItemDefaults>> {
  const rows = await query<{ key: string; name: string; unitPrice: string | null }>(
    `SELECT sku_key AS key, name, unit_price AS "unitPrice"
     FROM unnest($1::uuid[], $2::text[]) AS wanted (company_id, sku_key)
     JOIN items i USING (company_id, sku_key)
     WHERE NOT i.archived`,
    [plainArray(keys.map(() => companyId)), textArray(keys)],
  );
  return new Map(
    rows.map(({ key, name, unitPrice }) => [
      key,
      { name, unitPrice: unitPrice === null ? null : Number(unitPrice) },
    ]),
  );
}

function fillRequest(body: unknown, items: ReadonlyMap<string, ItemDefaults>): FilledRequest {
  const unknownSkus = new Set<number>();
  const lines = linesOf(body).map((line, index) => {
    const key = openKey(line);
    if (key === null) return line;
    const item = items.get(key);
    if (!item) {
      unknownSkus.add(index);
      return line;
    }
    const { name, price } = line as OpenLine;
    return { ...(line as object), name: name ?? item.name, price: price ?? item.unitPrice };
  });
  if (lines.length === 0) return unfilled(body);
  const { items: all } = body as { readonly items: readonly unknown[] };
  const filled = [...lines, ...all.slice(MAX_ITEMS)];
  return { body: { ...(body as object), items: filled }, unknownSkus };
}
