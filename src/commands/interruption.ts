// Tells an operator why a time limit or a lost connection ended a command, whether anything was
// changed, and what to do.
import {
  connectionFailure,
  isRefusedByPooler,
  isTransient,
  mayHaveTakenEffect,
  sqlState,
} from '../platform/postgres-errors.js';

/** A command changes nothing, everything in one transaction, or one finished step after another. */
export type Effect = 'nothing' | 'everything' | 'steps';

/** An error that the operator can fix. The message is one sentence or two. */
export class CommandError extends Error {}

const CAUSES: Readonly<Record<string, string>> = {
  '25P03': 'Postgres ended the command because it paused within a transaction.',
  '55P03': 'Another session holds a lock that the command needs; see pg_stat_activity.',
  '57014': 'A statement of the command was cancelled.',
  '40001': 'Another session changed the same rows at the same time.',
  '40P01': 'Another session locked the same rows at the same time.',
};
/** The server ends the session, perhaps between a COMMIT and its answer. */
const LOST_STATES = /^(08...|57P0.)$/u;

/** Runs a command's work. Throws CommandError if a limit, a lock or a lost connection ends it. */
export async function explainInterruption<Result>(
  effect: Effect,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isTransient(error) || isRefusedByPooler(error)) throw error;
    throw new CommandError(`${causeOf(error)} ${adviceOn(error, effect)}`, { cause: error });
  }
}

function causeOf(error: unknown): string {
  const cause = CAUSES[sqlState(error) ?? ''];
  const reason = (connectionFailure(error) ?? (error as Error).message).replace(/\.$/u, '');
  return cause ?? `Postgres is unavailable: ${reason}.`;
}

function adviceOn(error: unknown, effect: Effect): string {
  if (effect === 'steps') return 'What was finished is kept: run it again for the rest.';
  const isUnknown = mayHaveTakenEffect(error) || LOST_STATES.test(sqlState(error) ?? '');
  return effect === 'everything' && isUnknown
    ? 'The command may have been carried out: check that before you run it again.'
    : 'Nothing was changed: run it again.';
}
