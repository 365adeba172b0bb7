// Subtracts new credit notes from the monthly figures of their customers and items, in the month of
// their own date, and counts the invoices that were voided. This has a watermark of its own: an
// earlier release rolled up entries without it.

import { query, type Transaction } from '../platform/db/connection.js';
import { arraysOf } from '../platform/db/rows.js';
import { lookUpOne } from '../platform/db/sql.js';
import { toUnits } from '../platform/values/money.js';
import { inRange, RANGE, RANGES, type RowRange } from '../rollups/progress.js';
import { COUNTS, QUANTITIES, Sums, TAXES, TOTALS } from './sums.js';
import { lowerTops } from './tops.js';

interface NewCreditNote {
  readonly companyId: string;
  readonly date: string;
  readonly customerKey: string;
  /** Decimal text. */
  readonly amount: string;
  readonly tax: string;
  readonly body: string;
  /** The match keys of the invoice's lines without an item; null if there are none. */
  readonly nameKeys: readonly (string | null)[] | null;
  /** True if it voided its invoice, whose only credit note it then is. */
  readonly isVoid: boolean;
}

/**
 * Rolls up the credit notes among the entries of these ranges and advances their watermark. Their
 * invoices must be rolled up.
 */
export async function rollUpCredits(ranges: readonly RowRange[], tx: Transaction): Promise<void> {
  const bind = arraysOf(RANGE, ranges);
  const notes = await query<NewCreditNote>(NEW_CREDIT_NOTES, bind, tx);
  const [customers, items, voids] = [new Sums(), new Sums(), new Sums()];
  for (const note of notes) {
    const { companyId, date, customerKey } = note;
    const month = `${date.slice(0, 7)}-01`;
    const total = toUnits(note.amount);
    customers.of(companyId, month).add(customerKey, 0n, -total);
    const itemsOfMonth = items.of(companyId, month);
    for (const { itemKey, qty, amount } of linesOf(note)) itemsOfMonth.add(itemKey, -qty, -amount);
    if (note.isVoid) voids.of(companyId).add(date, 1n, total).tax += toUnits(note.tax);
  }
  // The client sends these at once, and Postgres runs them in order.
  await Promise.all([
    customers.store(SUBTRACT_FROM_CUSTOMERS, [COUNTS, TOTALS], tx),
    customers.store(LOWER_TOP_CUSTOMERS, [], tx),
    items.store(SUBTRACT_FROM_ITEMS, [QUANTITIES, TOTALS], tx),
    items.store(LOWER_TOP_ITEMS, [], tx),
    voids.store(ADD_VOIDS, [COUNTS, TOTALS, TAXES], tx),
    query(ADVANCE, bind, tx),
  ]);
}

interface NoteJson {
  readonly items: readonly {
    readonly line: number;
    readonly itemId: string | null;
    /** Null: the price is reduced, and the goods stay sold. */
    readonly qty: number | null;
    readonly amount: number;
  }[];
}

/**
 * The lines in ten-thousandths. A credit note whose JSON is damaged counts without them: the audit
 * reports it, and other figures must not wait for it.
 */
function linesOf({ body, nameKeys }: NewCreditNote) {
  try {
    return (JSON.parse(body) as NoteJson).items.map(({ line, itemId, qty, amount }) => ({
      itemKey: itemId ?? `name:${nameKeys?.[line - 1]}`,
      qty: toUnits(qty ?? 0),
      amount: toUnits(amount),
    }));
  } catch {
    return [];
  }
}

const NEW_CREDIT_NOTES = `
  SELECT e.company_id AS "companyId", e.date::text AS date, e.customer_key AS "customerKey",
    e.amount, e.tax_total AS tax, e.body,
    i.name_keys AS "nameKeys", i.status = 'void' AS "isVoid"
  FROM ${RANGES},
    ${inRange('entries', 'e', 'sequence')},
    ${lookUpOne('invoices', 'i', 'company_id = e.company_id AND id = e.invoice_id')}
  WHERE e.type = 'creditNote'`;

const SUBTRACT_FROM_CUSTOMERS = subtractFrom('customer_totals', 'customer_key', 'count');
const SUBTRACT_FROM_ITEMS = subtractFrom('item_totals', 'item_key', 'qty');

/** Only invoices name a row. */
function subtractFrom(table: string, key: string, count: string): string {
  return `
  INSERT INTO ${table} AS t (company_id, month, ${key}, name, ${count}, total)
  SELECT company_id, month, key, '', count, total
  FROM unnest($1::uuid[], $2::date[], $3::text[], $4::numeric[], $5::numeric[])
    AS credited (company_id, month, key, count, total)
  ON CONFLICT (company_id, month, ${key}) DO UPDATE
    SET ${count} = t.${count} + excluded.${count},
      total = t.total + excluded.total`;
}

const LOWER_TOP_CUSTOMERS = lowerTops('customer_totals', 'customer_key', 'count', 'customers');
const LOWER_TOP_ITEMS = lowerTops('item_totals', 'item_key', 'qty', 'items');

const ADD_VOIDS = `
  INSERT INTO entry_totals AS t (company_id, date, type, count, total, tax)
  SELECT company_id, date, 'void', count, total, tax
  FROM unnest($1::uuid[], $2::date[], $3::bigint[], $4::numeric[], $5::numeric[])
    AS voided (company_id, date, count, total, tax)
  ON CONFLICT (company_id, date, type) DO UPDATE
    SET count = t.count + excluded.count,
      total = t.total + excluded.total,
      tax = t.tax + excluded.tax`;

const ADVANCE = `
  UPDATE summaries s
  SET credit_sequence = r.up_to
  FROM ${RANGES}
  WHERE s.company_id = r.company_id`;
