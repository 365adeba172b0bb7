// A session holds all item rows of one company, which keeps writing. Its writes wait in Postgres.
import { bystandersOf } from './bystanders.js';
import { repeat } from './fault.js';
import type { Random } from './random.js';
import type { System } from './system.js';

const WRITE_EVERY_MS = 100;
/** Most writes that wait for the lock then take longer than a busy machine may. */
const MIN_SECONDS = 6;

/** The bystanders write meanwhile, and are judged under the name `what`. */
export async function lockVictimsRows(
  system: System,
  random: Random,
  what: string,
  seconds: number,
): Promise<void> {
  const bystanders = bystandersOf(system);
  const writes: Promise<void>[] = [];
  const writeWhileLocked = () =>
    system.withClient(async client => {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM items WHERE company_id = $1 ORDER BY id FOR UPDATE', [
        bystanders.victim.companyId,
      ]);
      await repeat(Math.max(seconds, MIN_SECONDS), WRITE_EVERY_MS, async () => {
        writes.push(bystanders.writeAsVictim(system, random.pick([null, 'respond-async'])));
      });
      await client.query('ROLLBACK');
    });
  await bystanders.watch(system, what, () =>
    // A second fault may cut this session, and so release its locks.
    writeWhileLocked().catch(error => {
      if (bystanders.isJudged) throw error;
    }),
  );
  await Promise.all(writes);
}
