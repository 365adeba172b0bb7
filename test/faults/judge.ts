// Judges a run after the faults: waits until every job is settled, replays every key, and compares
// the journal with the database.
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { runScript, until } from '../support/processes.js';
import { send } from './clients.js';
import type { Answer, Entry, Journal } from './journal.js';
import type { System } from './system.js';

export interface Verdict {
  readonly acknowledged: number;
  /** Requests without an answer that tells their outcome. */
  readonly unknown: number;
  readonly replayed: number;
  readonly lost: number;
  readonly duplicated: number;
  /** Every broken promise, one sentence each. */
  readonly violations: string[];
}

const SETTLE_MS = 10_000;
const CONCURRENT_REPLAYS = 64;
const REPLAY_ATTEMPTS = 20;
const REPLAY_PAUSE_MS = 200;
const FINAL = new Set([201, 409, 422]);

type Finals = ReadonlyMap<string, Answer | undefined>;

export async function judge(system: System, journal: Journal): Promise<Verdict> {
  const violations = [...journal.badReads];
  const isSettled = async () =>
    (await system.query(`SELECT 1 FROM jobs WHERE status = 'queued' LIMIT 1`)).length === 0;
  await until('every queued job is settled', isSettled, SETTLE_MS).catch(error =>
    violations.push((error as Error).message),
  );
  violations.push(...findBadAnswers(system, journal));
  const acknowledged = journal.entries.filter(
    ({ answer }) => answer && (answer.status === 202 || FINAL.has(answer.status)),
  );
  const missing = await findMissing(system, acknowledged);
  violations.push(...missing);
  const finals = await replayAll(system, journal, violations);
  const { lost, duplicated } = await compare(system, journal, finals, violations);
  const verify = runScript('src/commands/verify.js', [], { DATABASE_URL: system.databaseUrl });
  if (verify.code !== 0) violations.push(`verify: ${verify.stdout}${verify.stderr}`);
  return {
    acknowledged: acknowledged.length,
    unknown: journal.entries.length - acknowledged.length,
    replayed: finals.size,
    lost: lost + missing.length,
    duplicated,
    violations,
  };
}

/** Unexpected statuses, and answers that came too late. */
function findBadAnswers(system: System, journal: Journal): string[] {
  const found: string[] = [];
  for (const { key, answer, limitMs, port, startedAt } of journal.entries) {
    if (!answer) continue;
    const { status, text, ms } = answer;
    if (status >= 500 && status !== 503) found.push(`${key}: ${status} ${text}`);
    if (ms > limitMs && !system.processes.wasFrozen(port, startedAt, startedAt + ms)) {
      const sentAt = ((startedAt - system.openedAt) / 1000).toFixed(1);
      found.push(
        `${key}: sent at ${sentAt} s, answered after ${Math.round(ms)} ms, allowed ${limitMs} ms`,
      );
    }
  }
  return found;
}

/** Acknowledged writes without a row. Runs before the replays, since a replay would write them. */
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

async function replayAll(system: System, journal: Journal, violations: string[]): Promise<Finals> {
  const finals = new Map<string, Answer | undefined>();
  const remaining = [...journal.entries];
  const replayNext = async (): Promise<void> => {
    for (let entry = remaining.pop(); entry; entry = remaining.pop()) {
      const final = await replay(system, entry);
      if (!final) violations.push(`${entry.key}: no final answer to its replay`);
      finals.set(entry.key, final);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_REPLAYS }, replayNext));
  return finals;
}

/** Repeats a request with its key until an answer tells its outcome. */
async function replay({ webPorts }: System, entry: Entry): Promise<Answer | undefined> {
  for (let attempt = 0; attempt < REPLAY_ATTEMPTS; attempt += 1) {
    const port = webPorts[attempt % webPorts.length] ?? 0;
    const answer = await send(port, { ...entry, prefer: null });
    if (answer && FINAL.has(answer.status)) return answer;
    await delay(REPLAY_PAUSE_MS);
  }
  return undefined;
}

async function compare(
  system: System,
  { entries }: Journal,
  finals: Finals,
  violations: string[],
): Promise<{ lost: number; duplicated: number }> {
  const counts = await countRows(system);
  let lost = 0;
  let duplicated = 0;
  for (const entry of entries) {
    const { key, body, answer: first } = entry;
    const rows = counts.get(key) ?? 0;
    const final = finals.get(key);
    const isCreated = final?.status === 201;
    const losses: string[] = [];
    if (rows > 1) {
      duplicated += 1;
      violations.push(`${key}: written ${rows} times`);
    }
    if (isCreated !== (rows === 1)) losses.push(`final answer ${final?.status}, ${rows} rows`);
    if (isCreated && !isResultOf(entry, final.text))
      losses.push(`requested ${JSON.stringify(body)}, got ${final.text}`);
    if (first && final && FINAL.has(first.status) && !isSameOutcome(first, final))
      losses.push(`first ${first.status} ${first.text}, then ${final.status} ${final.text}`);
    lost += losses.length;
    violations.push(...losses.map(loss => `${key}: ${loss}`));
  }
  return { lost, duplicated };
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
