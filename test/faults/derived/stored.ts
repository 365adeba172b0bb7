// The stored figures of a company, under the names that the recount gives them.
import { units } from '../model/rows.js';
import type { System } from '../system.js';
import { type Figures, nameOf, pair } from './recount.js';

/** Before the texts in a line of a stored search text: position, date and amount. */
const FIELD_END = '\u0001';

export async function readStoredFigures(system: System, companyId: string): Promise<Figures> {
  const read = <Row extends object>(sql: string) => system.query<Row>(sql, [companyId]);
  const [totals, tops, taxes, texts] = await Promise.all([
    read<{ list: string; month: string; key: string; count: number; total: number }>(
      `SELECT 'customers' AS list, month::text, customer_key AS key, count::float8, total::float8
       FROM customer_totals
       WHERE company_id = $1
       UNION ALL
       SELECT 'items', month::text, item_key, qty::float8, total::float8
       FROM item_totals
       WHERE company_id = $1`,
    ),
    read<{ month: string; customers: string[]; items: string[] }>(
      'SELECT month::text, customers, items FROM monthly_tops WHERE company_id = $1',
    ),
    read<{
      type: string;
      month: string;
      category: string;
      rate: number;
      net: number;
      tax: number;
    }>(
      `SELECT type, month::text, category, rate::float8, net::float8, tax::float8
       FROM tax_totals
       WHERE company_id = $1`,
    ),
    read<{ kind: string; lines: string }>(
      `SELECT kind, lines
       FROM search_texts
       WHERE company_id = $1 AND kind IN ('invoices', 'payments', 'creditNotes')`,
    ),
  ]);
  const counts = new Map<string, number>();
  for (const { kind, lines } of texts)
    for (const line of lines.split('\n')) {
      const [, date = '', amount] = line.split(FIELD_END);
      const name = nameOf.text(kind, date, Number(amount));
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  return new Map([
    ...totals.map(({ list, month, key, count, total }): [string, string] => [
      nameOf.total(list, month, key),
      pair(units(count), units(total)),
    ]),
    ...tops.flatMap(({ month, customers, items }): [string, string][] => [
      [nameOf.top('customers', month), customers.join(', ')],
      [nameOf.top('items', month), items.join(', ')],
    ]),
    ...taxes.map(({ type, month, category, rate, net, tax }): [string, string] => [
      nameOf.tax(type, month, category, rate),
      pair(units(net), units(tax)),
    ]),
    ...[...counts].map(([name, count]): [string, string] => [name, String(count)]),
  ]);
}
