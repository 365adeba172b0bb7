// The 503 answers to writes. Each says whether the write may still be carried out, because a client
// that assumes the wrong one writes twice, or never.
import {
  MAY_BE_CARRIED_OUT,
  NOT_ACCEPTED,
  type Problem,
  unavailable,
} from '../../platform/errors.js';
import { isTransient } from '../../platform/postgres-errors.js';
import type { PendingWrite } from './pending-write.js';

/** The problem of a write whose row could not be persisted before the request's wait was over. */
export function notStored({ sequence }: PendingWrite): Problem {
  const consequence = sequence.mayBeCarriedOut ? MAY_BE_CARRIED_OUT : NOT_ACCEPTED;
  return unavailable(`The write could not be stored in time. ${consequence}`);
}

/** Runs work after a write was accepted. Its failure must not be reported as a refusal. */
export async function onceAccepted<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isTransient(error)) throw error;
    throw unavailable(`The service is temporarily unavailable. ${MAY_BE_CARRIED_OUT}`);
  }
}
