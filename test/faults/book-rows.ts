// Reads the rows that the books are compared with.
import type { BookRows, InvoiceRow, SourceRow } from './books.js';
import type { System } from './system.js';

export async function readBooks(system: Pick<System, 'query'>): Promise<BookRows> {
  const [invoices, sources, returns] = await Promise.all([
    system.query<InvoiceRow>(
      `SELECT i.id, i.total::float8, i.paid::float8, i.credited::float8,
         (
           SELECT json_agg(l.qty ORDER BY l.position)
           FROM invoice_lines l
           WHERE l.company_id = i.company_id AND l.invoice_id = i.id
         ) AS sold
       FROM invoices i`,
    ),
    system.query<SourceRow>(
      `SELECT id, amount::float8, refunded::float8, unallocated::float8, reversed
       FROM entries
       WHERE type IN ('payment', 'creditNote')`,
    ),
    system.query<BookRows['returns'][number]>(
      `SELECT item_id AS "itemId", sum(delta)::float8 AS qty
       FROM movements
       WHERE kind = 'return'
       GROUP BY item_id`,
    ),
  ]);
  return { invoices, sources, returns };
}
