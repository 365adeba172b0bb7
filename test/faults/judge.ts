// Judges a run after the faults: waits until every job is settled, replays every key, and compares
// the journal with the database.
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { runScript, until } from '../support/processes.js';
import { sendWrite } from './exchange.js';
import type { Answer, Entry, Journal } from './journal.js';
import {
  type FailedJob,
  findBadAnswers,
  findBlocked,
  findBrokenPromises,
  findStarved,
  findUnanswered,
  findUnexplainedRefusals,
  isAcknowledged,
  isFinal,
} from './judgements.js';
import type { Load } from './load.js';
import type { System } from './system.js';

export interface Verdict {
  readonly acknowledged: number;
  /** Requests without an answer that tells their outcome. */
  readonly unknown: number;
  readonly replayed: number;
  readonly lost: number;
  readonly duplicated: number;
  /** Jobs that failed through no fault of their client. */
  readonly brokenPromises: number;
  readonly unanswered: number;
  /** 503s while Postgres was available. */
  readonly unexplained: number;
  /** Every violation, one sentence each; those of one kind together. */
  readonly violations: readonly (readonly string[])[];
}

/** A write that met faults in several attempts is repeated after a pause of up to 12 s. */
const SETTLE_MS = 30_000;
const CONCURRENT_REPLAYS = 64;
const REPLAY_ATTEMPTS = 20;
const REPLAY_PAUSE_MS = 200;

type Finals = ReadonlyMap<string, Answer | undefined>;

export async function judge(system: System, journal: Journal, load: Load): Promise<Verdict> {
  const { history } = system;
  const { entries, reads } = journal;
  const unsettled: string[] = [];
  const isSettled = async () =>
    (await system.query(`SELECT 1 FROM jobs WHERE status = 'queued' LIMIT 1`)).length === 0;
  await until('every queued job is settled', isSettled, SETTLE_MS).catch(error =>
    unsettled.push((error as Error).message),
  );
  // Before the replays: a replay writes what is missing, and retries a job that failed.
  const acknowledged = entries.filter(isAcknowledged);
  const missing = await findMissing(system, acknowledged);
  const broken = findBrokenPromises(await readFailedJobs(system), entries);
  const unanswered = findUnanswered([...entries, ...reads], history);
  const unexplained = findUnexplainedRefusals([...entries, ...reads], history);
  const { finals, undecided } = await replayAll(system, journal);
  const { losses, duplicates } = await compare(system, journal, finals);
  return {
    acknowledged: acknowledged.length,
    unknown: entries.length - acknowledged.length,
    replayed: finals.size,
    lost: losses.length + missing.length,
    duplicated: duplicates.length,
    brokenPromises: broken.length,
    unanswered: unanswered.length,
    unexplained: unexplained.length,
    violations: [
      ...[missing, losses, duplicates, broken, unanswered, unexplained, unsettled, undecided],
      [...history.breaches],
      findBadAnswers(entries, reads, history),
      findStarved(load.companyIds, entries, history, load.span),
      findBlocked(history.trials, load.graceMs),
      verify(system),
    ],
  };
}

function verify({ databaseUrl }: System): string[] {
  const { code, stdout, stderr } = runScript('src/commands/verify.js', [], {
    DATABASE_URL: databaseUrl,
  });
  return code === 0 ? [] : [`verify: ${stdout}${stderr}`];
}

/** The counts, on one line. */
export function summarize(verdict: Verdict): string {
  const { acknowledged, unknown, replayed, lost, duplicated } = verdict;
  const { brokenPromises, unanswered, unexplained, violations } = verdict;
  return (
    `acknowledged ${acknowledged}, unknown ${unknown}, replayed ${replayed}, ` +
    `lost ${lost}, duplicated ${duplicated}, broken promises ${brokenPromises}, ` +
    `unanswered ${unanswered}, unexplained 503s ${unexplained}, ` +
    `violations ${violations.flat().length}`
  );
}

function readFailedJobs(system: System): Promise<FailedJob[]> {
  return system.query<FailedJob>(
    `SELECT company_id AS "companyId", id, request_id AS "requestId",
       (error->>'status')::int AS status,
       payload IS NOT NULL AS "hasPayload"
     FROM jobs
     WHERE status = 'failed'`,
  );
}

/** Acknowledged writes without a row. */
async function findMissing(system: System, acknowledged: readonly Entry[]): Promise<string[]> {
  const rows = await system.query<{ id: string }>(
    `SELECT id FROM jobs WHERE status <> 'queued'
     UNION ALL SELECT id FROM invoices
     UNION ALL SELECT id FROM adjustments`,
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
  system: System,
  { entries }: Journal,
): Promise<{ finals: Finals; undecided: string[] }> {
  const finals = new Map<string, Answer | undefined>();
  const undecided: string[] = [];
  const remaining = [...entries];
  const replayNext = async (): Promise<void> => {
    for (let entry = remaining.pop(); entry; entry = remaining.pop()) {
      const final = await replay(system, entry);
      if (!final) undecided.push(`${entry.key}: no final answer to its replay`);
      finals.set(entry.key, final);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_REPLAYS }, replayNext));
  return { finals, undecided };
}

/** Repeats a request with its key until an answer tells its outcome. */
async function replay({ webPorts }: System, entry: Entry): Promise<Answer | undefined> {
  for (let attempt = 0; attempt < REPLAY_ATTEMPTS; attempt += 1) {
    const port = webPorts[attempt % webPorts.length] ?? 0;
    const end = await sendWrite(port, { ...entry, prefer: null });
    if ('status' in end && isFinal(end)) return end;
    await delay(REPLAY_PAUSE_MS);
  }
  return undefined;
}

/** Compares what the clients were told with what was written. */
async function compare(
  system: System,
  { entries }: Journal,
  finals: Finals,
): Promise<{ losses: string[]; duplicates: string[] }> {
  const counts = await countRows(system);
  const losses: string[] = [];
  const duplicates: string[] = [];
  for (const entry of entries) {
    const { key, body, answer: first } = entry;
    const rows = counts.get(key) ?? 0;
    const final = finals.get(key);
    const isCreated = final?.status === 201;
    if (rows > 1) duplicates.push(`${key}: written ${rows} times`);
    if (isCreated !== (rows === 1))
      losses.push(`${key}: final answer ${final?.status}, ${rows} rows`);
    if (isCreated && !isResultOf(entry, final.text))
      losses.push(`${key}: requested ${JSON.stringify(body)}, got ${final.text}`);
    if (isFinal(first) && final && !isSameOutcome(first, final))
      losses.push(
        `${key}: first ${first.status} ${first.text}, then ${final.status} ${final.text}`,
      );
  }
  return { losses, duplicates };
}

/** How many rows each key wrote: its reference is the key. */
async function countRows(system: System): Promise<ReadonlyMap<string, number>> {
  const rows = await system.query<{ reference: string; count: number }>(
    `SELECT reference, count(*)::int AS count
     FROM (SELECT reference FROM invoices UNION ALL SELECT reference FROM adjustments) AS written
     WHERE reference IS NOT NULL
     GROUP BY reference`,
  );
  return new Map(rows.map(({ reference, count }) => [reference, count]));
}

interface Created {
  readonly reference: string;
  readonly reason?: string;
  readonly customerName?: string;
  readonly date?: string;
  readonly items?: { name: string; qty: number; price: number }[];
  readonly movements?: { name: string; delta: number }[];
}

/** True if the created resource is what the request asked for. */
function isResultOf({ body }: Entry, text: string): boolean {
  const created = JSON.parse(text) as Created;
  if (created.movements) {
    const items = created.movements.map(({ name, delta }) => ({ name, delta }));
    const { reason, reference } = created;
    return isDeepStrictEqual({ reason, reference, items }, body);
  }
  const { customerName, date, reference, items = [] } = created;
  const lines = items.map(({ name, qty, price }) => ({ name, qty, price }));
  return isDeepStrictEqual({ customerName, date, items: lines, reference }, body);
}

function isSameOutcome(first: Answer, final: Answer): boolean {
  const withoutRequestId = (text: string) =>
    JSON.stringify({ ...JSON.parse(text), requestId: null });
  return (
    first.status === final.status && withoutRequestId(first.text) === withoutRequestId(final.text)
  );
}
