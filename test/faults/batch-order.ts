// Judges the order of the invoices of a batch: those that were created have ascending numbers.
import { v5 as uuidv5 } from 'uuid';
import { batchOf } from './exchange.js';
import type { Entry } from './journal.js';
import type { System } from './system.js';

/** Reads the invoices by job. To be called before a key is replayed by itself. */
export async function findDisorderedBatches(
  system: Pick<System, 'query'>,
  entries: readonly Entry[],
): Promise<string[]> {
  const rows = await system.query<{ jobId: string; number: number }>(
    `SELECT j.id AS "jobId", i.number::int AS number
     FROM jobs j
     JOIN invoices i ON i.company_id = j.company_id AND i.id = j.result_id`,
  );
  return judgeOrder(entries, new Map(rows.map(({ jobId, number }) => [jobId, number])));
}

/** One sentence per invoice with a lower number than one ahead of it. The entries are in order. */
export function judgeOrder(
  entries: readonly Entry[],
  numberOf: ReadonlyMap<string, number>,
): string[] {
  const last = new Map<string, number>();
  return entries.flatMap(({ key, companyId }) => {
    const batch = batchOf(key);
    const number = numberOf.get(uuidv5(key, companyId));
    if (batch === null || number === undefined) return [];
    const before = last.get(batch) ?? 0;
    last.set(batch, Math.max(before, number));
    return number > before ? [] : [`${key}: invoice ${number} was created after ${before}`];
  });
}
