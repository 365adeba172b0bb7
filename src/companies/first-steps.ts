// How far a new company is, for the list of first steps on the overview.
import { query, queryOne } from '../platform/db/connection.js';

export interface Progress {
  readonly hasItems: boolean;
  readonly hasInvoices: boolean;
  /** An owner has hidden the list. */
  readonly isHidden: boolean;
}

/** Null if there is no such company. */
export async function readProgress(companyId: string): Promise<Progress | null> {
  return queryOne<Progress>(
    `SELECT item_count > 0 AS "hasItems",
       next_invoice_number > 1 AS "hasInvoices",
       first_steps_hidden AS "isHidden"
     FROM companies
     WHERE id = $1`,
    [companyId],
  );
}

/** Hides the list for everyone in the company. */
export async function hideFirstSteps(companyId: string): Promise<void> {
  await query('UPDATE companies SET first_steps_hidden = true WHERE id = $1', [companyId]);
}
