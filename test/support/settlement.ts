// Changes the settlement of an invoice as the transaction of an entry does.
import type { Stack } from './suite.js';

export interface Settlement {
  readonly status?: 'open' | 'paid' | 'void';
  readonly paid?: number;
  readonly credited?: number;
  readonly settledOn?: string | null;
}

/** Sets the members, the others to those of an open invoice without entries. */
export async function setSettlement(
  stack: Pick<Stack, 'sql'>,
  invoiceId: string,
  { status = 'open', paid = 0, credited = 0, settledOn = null }: Settlement,
): Promise<void> {
  await stack.sql(
    `WITH invoice AS (
       UPDATE invoices
       SET status = $2, paid = $3, credited = $4, settled_on = $5::date
       WHERE id = $1
       RETURNING company_id
     )
     UPDATE companies c
     SET next_entry_sequence = next_entry_sequence + 1
     FROM invoice
     WHERE c.id = invoice.company_id`,
    [invoiceId, status, paid, credited, settledOn],
  );
}
