// Effective dates by their definition, and the rows that they are compared with.
import type { Stores } from './suite.js';

export interface Entry {
  readonly id: string;
  readonly sequence: string;
  readonly type: string;
  readonly date: string;
  readonly effective: string;
  readonly sourceId: string | null;
  readonly invoiceId: string | null;
  readonly amount: number;
  readonly allocations: readonly Allocation[];
}

interface Invoice {
  readonly id: string;
  readonly date: string;
}

interface Allocation {
  readonly invoiceId: string;
  readonly amount: number;
  readonly effective: string;
}

const COLUMNS = `
  e.id, e.sequence, e.type, e.date::text AS date, e.effective_date::text AS effective,
  e.source_id AS "sourceId", e.invoice_id AS "invoiceId", e.amount::float AS amount,
  COALESCE((
    SELECT json_agg(json_build_object(
      'invoiceId', a.invoice_id, 'amount', a.amount, 'effective', a.effective_date
    ))
    FROM allocations a
    WHERE a.company_id = e.company_id AND a.sequence = e.sequence
  ), '[]') AS allocations`;

/** The entries of a company in order. */
export function entriesOf(stack: Pick<Stores, 'sql'>, companyId: string): Promise<Entry[]> {
  return stack.sql<Entry>(
    `SELECT ${COLUMNS} FROM entries e WHERE company_id = $1 ORDER BY sequence`,
    [companyId],
  );
}

const latest = (dates: readonly string[]) => dates.reduce((a, b) => (a > b ? a : b), '');

/** The effective dates by their definition, in order. */
export function expectedDates(
  entries: readonly Pick<Entry, 'id' | 'date' | 'sourceId' | 'invoiceId' | 'allocations'>[],
  invoices: readonly Pick<Invoice, 'id' | 'date'>[],
): string[] {
  const last = new Map<string, string>(invoices.map(({ id, date }) => [id, date]));
  return entries.map(({ id, date, sourceId, invoiceId, allocations }) => {
    const ids = [sourceId ?? id, ...allocations.map(each => each.invoiceId)];
    if (invoiceId) ids.push(invoiceId);
    const effective = latest([date, ...ids.map(each => last.get(each) ?? '')]);
    for (const each of ids) last.set(each, effective);
    return effective;
  });
}
