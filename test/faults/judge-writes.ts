// Judges the writes of a journal: waits until every job is settled, replays every key, and compares
// the outcomes with the rows, with the books that the answers make, and with the sequential model.
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/processes.js';
import { findDisorderedBatches } from './batch-order.js';
import { readBooks } from './book-rows.js';
import { type BookErrors, compareBooks, type Success } from './books.js';
import { sendWrite } from './exchange.js';
import type { Answer, Entry, Journal } from './journal.js';
import { type FailedJob, findBrokenPromises, isAcknowledged, isFinal } from './judgements.js';
import type { Explanation } from './model/explain.js';
import { checkModel } from './model-check.js';
import { compareOutcomes, countRows, type Finals } from './outcomes.js';
import type { System } from './system.js';

/** The system that has the rows of the writes, and answers their replays. */
export type WrittenSystem = Pick<System, 'query' | 'webPorts'>;

export interface JudgedWrites {
  readonly acknowledged: readonly Entry[];
  readonly finals: Finals;
  readonly books: BookErrors;
  readonly model: Explanation;
  /** One sentence each. */
  readonly missing: readonly string[];
  readonly broken: readonly string[];
  readonly disordered: readonly string[];
  readonly unsettled: readonly string[];
  readonly undecided: readonly string[];
  readonly losses: readonly string[];
  readonly duplicates: readonly string[];
}

/** A write that met faults in several attempts is repeated after a pause of up to 12 s. */
const SETTLE_MS = 30_000;
const CONCURRENT_REPLAYS = 64;
const REPLAY_ATTEMPTS = 20;
const REPLAY_PAUSE_MS = 200;

export async function judgeWrites(
  system: WrittenSystem,
  journal: Pick<Journal, 'entries'>,
): Promise<JudgedWrites> {
  const { entries } = journal;
  const unsettled: string[] = [];
  const isSettled = async () =>
    (
      await system.query(
        `(SELECT FROM jobs WHERE status = 'queued' LIMIT 1)
         UNION ALL (SELECT FROM imports WHERE status = 'queued' LIMIT 1)`,
      )
    ).length === 0;
  await until('every queued job and import is settled', isSettled, SETTLE_MS).catch(error =>
    unsettled.push((error as Error).message),
  );
  // Before the replays: a replay writes what is missing, and retries a job that failed.
  const acknowledged = entries.filter(isAcknowledged);
  const missing = await findMissing(system, acknowledged);
  const broken = findBrokenPromises(await readFailedJobs(system), entries);
  const disordered = await findDisorderedBatches(system, entries);
  const { finals, undecided } = await replayAll(system, entries);
  const outcomes = compareOutcomes(entries, finals, await countRows(system));
  const books = compareBooks(successesOf(entries, finals), await readBooks(system));
  return {
    acknowledged,
    finals,
    books,
    model: await checkModel(system, entries, finals),
    missing,
    broken,
    disordered,
    unsettled,
    undecided,
    losses: [...outcomes.losses, ...books.losses],
    duplicates: [...outcomes.duplicates, ...books.duplicates],
  };
}

function readFailedJobs(system: WrittenSystem): Promise<FailedJob[]> {
  return system.query<FailedJob>(
    `SELECT company_id AS "companyId", id, request_id AS "requestId",
       (error->>'status')::int AS status,
       payload IS NOT NULL AS "hasPayload"
     FROM jobs
     WHERE status = 'failed'`,
  );
}

/** Acknowledged writes without a row. */
async function findMissing(
  system: WrittenSystem,
  acknowledged: readonly Entry[],
): Promise<string[]> {
  const rows = await system.query<{ id: string }>(
    `SELECT id FROM jobs WHERE status <> 'queued'
     UNION ALL SELECT id FROM invoices
     UNION ALL SELECT id FROM adjustments
     UNION ALL SELECT id FROM entries`,
  );
  const present = new Set(rows.map(({ id }) => id));
  return acknowledged.flatMap(({ key, answer }) => {
    if (!answer || answer.status > 202) return [];
    const id = /^\{"id":"([^"]+)"/u.exec(answer.text)?.[1] ?? '';
    return present.has(id)
      ? []
      : [`${key}: answered ${answer.status} ${answer.text}, which does not exist`];
  });
}

/** Replays every write. `undecided` names those without a final answer. */
async function replayAll(
  system: WrittenSystem,
  entries: readonly Entry[],
): Promise<{ finals: Finals; undecided: string[] }> {
  const finals = new Map<string, Answer | undefined>();
  const undecided: string[] = [];
  const remaining = [...entries];
  const replayNext = async (): Promise<void> => {
    for (let entry = remaining.pop(); entry; entry = remaining.pop()) {
      const { answer } = entry;
      const final = isAboutCustomer(answer) ? answer : await replay(system, entry);
      if (!final) undecided.push(`${entry.key}: no final answer to its replay`);
      finals.set(entry.key, final);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_REPLAYS }, replayNext));
  return { finals, undecided };
}

/** A refused customer may be in use again by now, and 422 is not stored under a key. */
function isAboutCustomer(answer: Answer | undefined): boolean {
  return answer?.status === 422 && answer.text.includes('"unknown_customer"');
}

/** Repeats a request with its key until an answer tells its outcome. */
async function replay({ webPorts }: WrittenSystem, entry: Entry): Promise<Answer | undefined> {
  for (let attempt = 0; attempt < REPLAY_ATTEMPTS; attempt += 1) {
    const port = webPorts[attempt % webPorts.length] ?? 0;
    const end = await sendWrite(port, { ...entry, prefer: null });
    if ('status' in end && isFinal(end)) return end;
    await delay(REPLAY_PAUSE_MS);
  }
  return undefined;
}

/** The writes that ended with 201, and what they created. */
function successesOf(entries: readonly Entry[], finals: Finals): Success[] {
  return entries.flatMap(entry => {
    const final = finals.get(entry.key);
    return final?.status === 201 ? [{ entry, result: JSON.parse(final.text) }] : [];
  });
}
