// After the faults: everything settled, every unknown key asked again, the journal held against the database.
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { runScript, until } from '../support/processes.js';
import { send } from './clients.js';
import type { Entry, Journal } from './journal.js';
import type { Stage } from './stage.js';

export interface Verdict {
  readonly acknowledged: number;
  readonly unknown: number;
  readonly replayed: number;
  readonly lost: number;
  readonly duplicated: number;
  /** Everything else that must not be, in sentences. */
  readonly faults: string[];
}

const SETTLE_MS = 10_000;
const REPLAYS_AT_ONCE = 64;
const FINAL = new Set([201, 409, 422]);

/** Waits for quiet, replays, compares. */
export async function judge(stage: Stage, journal: Journal): Promise<Verdict> {
  const faults = [...journal.badReads];
  await until(
    'every queued job is settled',
    async () =>
      (await stage.query(`SELECT 1 FROM jobs WHERE status = 'queued' LIMIT 1`)).length === 0,
    SETTLE_MS,
  ).catch(error => faults.push((error as Error).message));
  const acknowledged = journal.entries.filter(
    ({ answer }) => answer && (answer.status === 202 || FINAL.has(answer.status)),
  );
  const unknown = journal.entries.filter(entry => !acknowledged.includes(entry));
  for (const { key, answer, limitMs, port, startedAt } of journal.entries) {
    if (!answer) continue;
    if (answer.status >= 500 && answer.status !== 503)
      faults.push(`${key}: ${answer.status} ${answer.text}`);
    if (answer.ms > limitMs && !stage.wasFrozen(port, startedAt, startedAt + answer.ms))
      faults.push(
        `${key}: sent at ${((startedAt - stage.openedAt) / 1000).toFixed(1)} s, answered after ${Math.round(answer.ms)} ms, allowed ${limitMs} ms`,
      );
  }
  const forgotten = await findForgotten(stage, acknowledged);
  faults.push(...forgotten);
  const finals = new Map<string, Entry['answer']>();
  const left = [...journal.entries];
  const askAgain = async (): Promise<void> => {
    for (let entry = left.pop(); entry; entry = left.pop())
      finals.set(entry.key, await replay(stage, entry, faults));
  };
  await Promise.all(Array.from({ length: REPLAYS_AT_ONCE }, askAgain));
  const { lost, duplicated } = await compare(stage, journal, finals, faults);
  const verify = runScript('src/commands/verify.js', [], { DATABASE_URL: stage.databaseUrl });
  if (verify.code !== 0) faults.push(`verify: ${verify.stdout}${verify.stderr}`);
  return {
    acknowledged: acknowledged.length,
    unknown: unknown.length,
    replayed: finals.size,
    lost: lost + forgotten.length,
    duplicated,
    faults,
  };
}

/** What was promised or done and is not there, before any key is asked again: asking again would mend it. */
async function findForgotten(stage: Stage, acknowledged: readonly Entry[]): Promise<string[]> {
  const rows = await stage.query<{ id: string }>(
    "SELECT id FROM jobs WHERE status <> 'queued' UNION ALL SELECT id FROM invoices UNION ALL SELECT id FROM adjustments",
  );
  const there = new Set(rows.map(({ id }) => id));
  return acknowledged.flatMap(({ key, answer }) => {
    if (!answer || answer.status > 202) return [];
    const id = /^\{"id":"([^"]+)"/u.exec(answer.text)?.[1] ?? '';
    return there.has(id)
      ? []
      : [`${key}: answered ${answer.status} ${answer.text}, which is not there`];
  });
}

/** The key's one true outcome, asked for again. */
async function replay(stage: Stage, entry: Entry, faults: string[]): Promise<Entry['answer']> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await send(stage.webPorts[attempt % stage.webPorts.length] ?? 0, {
      ...entry,
      prefer: null,
      limitMs: 12_000,
    });
    if (answer && FINAL.has(answer.status)) return answer;
    await pause(200);
  }
  faults.push(`${entry.key}: no final answer to its replay`);
  return undefined;
}

async function compare(
  stage: Stage,
  journal: Journal,
  finals: Map<string, Entry['answer']>,
  faults: string[],
): Promise<{ lost: number; duplicated: number }> {
  const written = new Map<string, string[]>();
  for (const { reference, id } of await stage.query<{ reference: string; id: string }>(
    'SELECT reference, id FROM invoices WHERE reference IS NOT NULL UNION ALL SELECT reference, id FROM adjustments WHERE reference IS NOT NULL',
  )) {
    written.set(reference, [...(written.get(reference) ?? []), id]);
  }
  let lost = 0;
  let duplicated = 0;
  for (const entry of journal.entries) {
    const rows = written.get(entry.key) ?? [];
    const final = finals.get(entry.key);
    if (rows.length > 1) {
      duplicated += 1;
      faults.push(`${entry.key}: written ${rows.length} times`);
    }
    const created = final?.status === 201;
    if (created !== (rows.length === 1)) {
      lost += 1;
      faults.push(`${entry.key}: final answer ${final?.status}, ${rows.length} rows`);
    }
    if (final?.status === 201 && !isOf(entry, final.text)) {
      lost += 1;
      faults.push(`${entry.key}: asked for ${JSON.stringify(entry.body)}, got ${final.text}`);
    }
    const first = entry.answer;
    if (
      first &&
      FINAL.has(first.status) &&
      final &&
      !sameOutcome(first.text, final.text, first.status, final.status)
    ) {
      lost += 1;
      faults.push(
        `${entry.key}: first ${first.status} ${first.text}, then ${final.status} ${final.text}`,
      );
    }
  }
  return { lost, duplicated };
}

interface Created {
  readonly reference: string;
  readonly reason?: string;
  readonly customerName?: string;
  readonly date?: string;
  readonly items?: { name: string; qty: number; price: number }[];
  readonly movements?: { name: string; delta: number }[];
}

/** True where what was created is what the request asked for. */
function isOf({ body }: Entry, text: string): boolean {
  const created = JSON.parse(text) as Created;
  const asked = body as unknown as Created & { items: { name: string; delta: number }[] };
  if (created.movements) {
    const movements = created.movements.map(({ name, delta }) => ({ name, delta }));
    return isDeepStrictEqual(
      [created.reason, created.reference, movements],
      [asked.reason, asked.reference, asked.items],
    );
  }
  const { customerName, date, reference, items = [] } = created;
  const lines = items.map(({ name, qty, price }) => ({ name, qty, price }));
  return isDeepStrictEqual({ customerName, date, items: lines, reference }, body);
}

function sameOutcome(
  first: string,
  then: string,
  firstStatus: number,
  thenStatus: number,
): boolean {
  if (firstStatus !== thenStatus) return false;
  const withoutRequestId = (text: string) =>
    JSON.stringify({ ...JSON.parse(text), requestId: null });
  return withoutRequestId(first) === withoutRequestId(then);
}
