// How the statements of one transaction may be planned.
import { query, type Transaction } from './connection.js';
import { SET_LOCALLY } from './limits.js';

/** Sets planner settings for the rest of the transaction. */
export async function setPlans(
  settings: Readonly<Record<string, string>>,
  tx: Transaction,
): Promise<void> {
  await query(SET_LOCALLY, [Object.keys(settings), Object.values(settings)], tx);
}
