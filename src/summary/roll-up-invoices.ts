// Rolls up new invoices: adds them to the rollups, for many companies in one pass. Lines are read
// from the invoices' JSON and summed here, which keeps the parsing off the database.
import type { NewInvoice, ReadInvoices } from '../invoices/issued/new-invoices.js';
import { storeInvoiceTexts } from '../invoices/search/invoice-texts.js';
import type { Transaction } from '../platform/db/connection.js';
import { toUnits } from '../platform/values/money.js';
import type { RowRange } from '../rollups/progress.js';
import { COUNTS, NAMES, QUANTITIES, Sums, TAXES, TOTALS } from './sums.js';
import { isAboveZero } from './tops.js';

/**
 * Adds the invoices of one step to the rollups, in the transaction that advances the watermarks,
 * and stores the search texts of companies whose earlier invoices all have theirs. An invoice's
 * whole total counts as due; rolling up the entries reduces it. Returns the ranges as far as they
 * were rolled up.
 */
export async function rollUpInvoices(
  ranges: readonly RowRange[],
  readInvoices: ReadInvoices,
  isSearchable: (companyId: string) => boolean,
  tx: Transaction,
): Promise<RowRange[]> {
  const [days, dues, customers, items] = [new Sums(), new Sums(), new Sums(), new Sums()];
  const { invoices, read } = await readInvoices(ranges, tx);
  for (const invoice of invoices) {
    const { companyId, date, dueDate, customerKey, customerName } = invoice;
    const month = `${date.slice(0, 7)}-01`;
    const total = toUnits(invoice.total);
    const { lines, tax } = contentsOf(invoice);
    days.of(companyId).add(date, 1n, total).tax += tax;
    if (total > 0n) dues.of(companyId).add(dueDate ?? 'infinity', 1n, total);
    customers.of(companyId, month).add(customerKey, 1n, total).name = customerName;
    const itemsOfMonth = items.of(companyId, month);
    for (const { itemKey, name, qty, amount } of lines) {
      const sum = itemsOfMonth.add(itemKey, qty, amount);
      // The first line of the newest invoice names the item.
      if (sum.namedBy === invoice) continue;
      sum.name = name;
      sum.namedBy = invoice;
    }
  }
  await Promise.all([
    days.store(ADD_DAYS, [COUNTS, TOTALS, TAXES], tx),
    dues.store(ADD_DUES, [COUNTS, TOTALS], tx),
    customers.store(ADD_CUSTOMERS, [NAMES, COUNTS, TOTALS], tx),
    items.store(ADD_ITEMS, [NAMES, QUANTITIES, TOTALS], tx),
    storeInvoiceTexts(
      invoices.filter(({ companyId }) => isSearchable(companyId)),
      tx,
    ),
  ]);
  return read;
}

const EMPTY = { lines: [], tax: 0n };

/**
 * The lines and the tax in ten-thousandths. An invoice whose JSON is damaged counts without them:
 * the audit reports it, and other invoices' figures must not wait for it.
 */
function contentsOf({ json, nameKeys }: NewInvoice) {
  if (!json) return EMPTY;
  try {
    const lines = json.items.map(({ name, itemId, qty, amount }, index) => ({
      itemKey: itemId ?? `name:${nameKeys?.[index]}`,
      name,
      qty: toUnits(qty),
      amount: toUnits(amount),
    }));
    return { lines, tax: toUnits(json.taxTotal) };
  } catch {
    return EMPTY;
  }
}

const ADD_DAYS = `
  INSERT INTO daily_totals AS t (company_id, date, count, total, tax)
  SELECT *
  FROM unnest($1::uuid[], $2::date[], $3::bigint[], $4::numeric[], $5::numeric[])
  ON CONFLICT (company_id, date) DO UPDATE
    SET count = t.count + excluded.count,
      total = t.total + excluded.total,
      tax = t.tax + excluded.tax`;

const ADD_DUES = `
  INSERT INTO due_totals AS t (company_id, due_date, count, total)
  SELECT *
  FROM unnest($1::uuid[], $2::date[], $3::bigint[], $4::numeric[])
  ON CONFLICT (company_id, due_date) DO UPDATE
    SET count = t.count + excluded.count,
      total = t.total + excluded.total`;

const ADD_CUSTOMERS = addNamed('customer_totals', 'customer_key', 'count', 'customers');
const ADD_ITEMS = addNamed('item_totals', 'item_key', 'qty', 'items');

/**
 * Invoices only raise totals, so the new top five are among the old top five and the rows changed
 * here. A row that is in both sets counts with its new, larger total.
 */
function addNamed(table: string, key: string, count: string, top: string): string {
  return `
  WITH added AS (
    INSERT INTO ${table} AS t (company_id, month, ${key}, name, ${count}, total)
    SELECT *
    FROM unnest($1::uuid[], $2::date[], $3::text[], $4::text[], $5::numeric[], $6::numeric[])
    ON CONFLICT (company_id, month, ${key}) DO UPDATE
      SET name = excluded.name,
        ${count} = t.${count} + excluded.${count},
        total = t.total + excluded.total
    RETURNING company_id, month, ${key} AS key, ${count}, total
  ), former AS (
    SELECT changed.company_id, changed.month, former.*
    FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::date[]) AS w (company_id, month)) changed,
      LATERAL (
        SELECT ${top} AS keys
        FROM monthly_tops t
        WHERE t.company_id = changed.company_id AND t.month = changed.month
        LIMIT 1
      ) top,
      unnest(top.keys) AS top_key,
      LATERAL (
        SELECT ${key} AS key, ${count}, total
        FROM ${table} t
        WHERE t.company_id = changed.company_id AND t.month = changed.month AND t.${key} = top_key
        LIMIT 1
      ) former
  ), candidates AS (
    SELECT company_id, month, key, max(total) AS total
    FROM (SELECT * FROM added UNION ALL SELECT * FROM former) candidate
    WHERE ${isAboveZero('candidate', count)}
    GROUP BY company_id, month, key
  )
  INSERT INTO monthly_tops (company_id, month, ${top})
  SELECT company_id, month, (array_agg(key ORDER BY total DESC, key))[1:5]
  FROM candidates
  GROUP BY company_id, month
  ON CONFLICT (company_id, month) DO UPDATE SET ${top} = excluded.${top}`;
}
