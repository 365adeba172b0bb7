// Transactions in three waits: BEGIN rides with the statements that read and lock, those that write ride together, and
// COMMIT goes when all of them are answered. Waiting for each by itself is what a lone write spends much of its time on.
import {
  type Connection,
  type PipelinedTransaction,
  setLimits,
  toDatabaseError,
  withConnection,
} from './connection.js';

/**
 * Runs `read` and `write` in one transaction at READ COMMITTED; both send statements without a wait in between where one
 * does not need another's answer. `write` is called when BEGIN and `read` are through. Rejects with the first failure, not
 * with what failed for its sake. When COMMIT's answer is lost, its outcome is unknown.
 */
export async function inPipeline<Found, Result>(
  read: (tx: PipelinedTransaction) => Promise<Found>,
  write: (found: Found, tx: PipelinedTransaction) => Promise<Result>,
): Promise<Result> {
  return withConnection(async connection => {
    const tx: PipelinedTransaction = { connection };
    try {
      // Should BEGIN fail, what reads has run outside of a transaction and let go of its locks. What writes never does.
      const begun = command(connection, 'BEGIN ISOLATION LEVEL READ COMMITTED');
      const [, , found] = await Promise.all([begun, setLimits(tx), read(tx)]);
      const result = await write(found, tx);
      const answer = await command(connection, 'COMMIT');
      if (answer !== 'COMMIT') throw new Error(`COMMIT was answered with ${answer}`);
      return result;
    } catch (error) {
      // Answered after all that was sent before. Where it is not, the connection is gone, and its transaction with it.
      await command(connection, 'ROLLBACK').catch(() => undefined);
      throw error;
    }
  });
}

/** Runs a command without values; returns the word that Postgres answers it with. */
async function command(connection: Connection, text: string): Promise<string> {
  try {
    return (await connection.query(text)).command;
  } catch (error) {
    throw toDatabaseError(error, text, connection);
  }
}
