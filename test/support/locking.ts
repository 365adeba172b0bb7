// A stress test for statements that lock rows: many transactions of several connections lock and
// change the same few rows, with the plans that a worker uses. Postgres evaluates a row again once
// the transaction that changed it has committed, and some statements lose the row then.

import type { Transaction } from '../../src/platform/db/connection.js';
import { closeDatabase, inTransaction, openDatabase } from '../../src/platform/db/connection.js';
import { sqlState } from '../../src/platform/postgres-errors.js';

export interface LockStress<Pick> {
  readonly databaseUrl: string;
  readonly connections?: number;
  /** Per connection. */
  readonly transactions?: number;
  /** Chooses the rows of one transaction, for example with `sample`. */
  readonly pick: () => Pick;
  /** The keys of all rows that exist and that the pick names. */
  readonly wanted: (pick: Pick) => readonly string[];
  /** Locks the rows and returns their keys. */
  readonly lock: (pick: Pick, tx: Transaction) => Promise<readonly string[]>;
  /** Updates the locked rows: a lock alone does not make Postgres evaluate a row again. */
  readonly change: (pick: Pick, tx: Transaction) => Promise<unknown>;
}

export interface LockStressResult {
  /** Transactions that committed. */
  readonly committed: number;
  /** Transactions in which `lock` did not return exactly the wanted rows. */
  readonly wrong: number;
  /** SQLSTATEs, or messages, of the transactions that failed: 40P01 is a deadlock. */
  readonly failures: readonly string[];
}

const CONNECTIONS = 8;
const TRANSACTIONS = 50;

/** Opens the process's database for the time of the run, with a worker's settings. */
export async function stressLocks<Pick>(stress: LockStress<Pick>): Promise<LockStressResult> {
  const { databaseUrl, connections = CONNECTIONS, transactions = TRANSACTIONS } = stress;
  openDatabase({ url: databaseUrl, poolMax: connections, name: 'locking', lookupPlans: true });
  const result = { committed: 0, wrong: 0, failures: [] as string[] };
  const runAll = async () => {
    for (let count = 0; count < transactions; count += 1) {
      try {
        if (!(await runOnce(stress))) result.wrong += 1;
        result.committed += 1;
      } catch (error) {
        result.failures.push(sqlState(error) ?? String(error));
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, runAll));
  } finally {
    await closeDatabase();
  }
  return result;
}

/** Whether the locked rows were the wanted ones. */
async function runOnce<Pick>(stress: LockStress<Pick>): Promise<boolean> {
  const pick = stress.pick();
  const wanted = sorted(stress.wanted(pick));
  return inTransaction(async tx => {
    const locked = sorted(await stress.lock(pick, tx));
    await stress.change(pick, tx);
    return locked === wanted;
  });
}

function sorted(keys: readonly string[]): string {
  return [...new Set(keys)].sort().join();
}

/** Some different elements of the list, in random order. */
export function sample<Element>(list: readonly Element[], count: number): Element[] {
  const left = [...list];
  return Array.from({ length: count }, () =>
    left.splice(Math.floor(Math.random() * left.length), 1),
  ).flat();
}
