// The events of a changed currency: the JSON of each record shows the company's.
import type { Actor } from '../companies/actor.js';
import { appendEvents, EVENTS_PER_ROW } from '../feed/append.js';
import { query, type Transaction } from '../platform/db/connection.js';

/** Before all others. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

const RECORDS = `
  SELECT id, version
  FROM customers
  WHERE company_id = $1 AND id > $2
  ORDER BY id
  LIMIT ${EVENTS_PER_ROW}`;

/**
 * Appends an event for each record of the company, in steps of bounded size. The records have no
 * new version: only the company has changed. The company is locked.
 */
export async function appendCurrencyEvents(
  companyId: string,
  currency: string,
  changedBy: Actor | null,
  tx: Transaction,
): Promise<void> {
  for (let after: string | undefined = NO_ID; after !== undefined; ) {
    const records: { id: string; version: number }[] = await query(RECORDS, [companyId, after], tx);
    const events = records.map(({ id, version }) => ({
      type: 'customer.updated',
      subjectId: id,
      actor: changedBy,
      data: [version, currency],
    }));
    await appendEvents(companyId, events, tx);
    after = records.at(-1)?.id;
  }
}
