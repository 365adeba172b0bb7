// A connection of its own for health checks: they neither wait for the API's pool nor take from it.
import type { OnStop } from '../process/lifecycle.js';
import { LentClient, openPool } from './client.js';
import { Transaction } from './connection.js';
import {
  beginWith,
  clientLimits,
  DATABASE_LIMITS,
  limitSettings,
  SESSION_SETTINGS,
} from './limits.js';

/** Runs `work` in a read-only transaction on the probe's connection. Rejects within the timeout. */
export type Probe = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;

/** Opens a probe, which also works through a pooler. Connects on first use. */
export function openProbe(url: string, timeoutMs: number, onStop: OnStop): Probe {
  const limits = {
    ...DATABASE_LIMITS,
    connectMs: timeoutMs,
    statementMs: timeoutMs,
    lockMs: timeoutMs,
    answerMs: timeoutMs,
  };
  const settings = { ...SESSION_SETTINGS, ...limitSettings(limits), transaction_read_only: 'on' };
  const pool = openPool({
    connectionString: url,
    application_name: 'tradepost-health',
    max: 1,
    settings: null,
    ...clientLimits(limits),
  });
  onStop('health checks', () => pool.end());
  return async work => {
    const client = await pool.connect();
    const lent = new LentClient(client, false);
    const tx = new Transaction(lent);
    let failure: Error | undefined;
    try {
      await lent.command(beginWith(settings));
      const result = await work(tx);
      await lent.command('COMMIT');
      return result;
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      tx.end();
      client.release(failure);
    }
  };
}
