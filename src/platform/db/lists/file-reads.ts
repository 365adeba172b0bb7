// Reads of the pages of a file that is sent while they are read. An error would cut the file off
// after what its reader has already, so a page that could not be read in time is read again.
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../errors.js';
import { isTransient } from '../../postgres-errors.js';
import { readRows } from '../list-reads.js';

/** The pauses between two attempts: long enough for a restart of Postgres. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000];

/** Like `readRows`, but fails only if no attempt succeeds. */
export async function readFileRows<Row extends object>(
  companyId: string,
  sql: string,
  bind: unknown[],
): Promise<Row[]> {
  for (const pause of PAUSES_MS)
    try {
      return await readRows<Row>(companyId, sql, bind);
    } catch (error) {
      if (!(error instanceof Problem || isTransient(error))) throw error;
      await delay(pause);
    }
  return readRows<Row>(companyId, sql, bind);
}
