// The retention job, as the scheduler runs it.
import { closeDatabase } from '../../src/platform/db/connection.js';
import { createLog } from '../../src/platform/process/log.js';
import { runScheduled } from '../../src/scheduled/schedules.js';
import type { Stack } from './suite.js';
import { openForTests } from './suite.js';

/** Runs the retention job of the scheduler. */
export async function runRetention({ databaseUrl }: Pick<Stack, 'databaseUrl'>): Promise<void> {
  openForTests(databaseUrl, 2);
  try {
    await runScheduled({ name: 'delete-old-jobs' }, createLog('test', 'silent'));
  } finally {
    await closeDatabase();
  }
}
