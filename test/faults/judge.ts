// Judges a run after the faults: waits until every job is settled, replays every key, and compares
// the journal with the database.
import { setTimeout as delay } from 'node:timers/promises';
import { runScript, until } from '../support/processes.js';
import { findDisorderedBatches } from './batch-order.js';
import { readBooks } from './book-rows.js';
import { compareBooks, type Success } from './books.js';
import { checkCustomers, countChanges } from './customers/check.js';
import { checkDashboard, countForms, type KindCount } from './dashboard/check.js';
import { checkDerived } from './derived/check.js';
import { sendWrite } from './exchange.js';
import type { Answer, Entry, Journal } from './journal.js';
import {
  type FailedJob,
  findBadAnswers,
  findBadPages,
  findBlocked,
  findBrokenPromises,
  findStarved,
  findUnanswered,
  findUnexplainedRefusals,
  isAcknowledged,
  isFinal,
} from './judgements.js';
import type { Load } from './load.js';
import { checkModel } from './model-check.js';
import { compareOutcomes, countRows, type Finals } from './outcomes.js';
import type { System } from './system.js';

export interface Verdict {
  readonly acknowledged: number;
  /** Requests without an answer that tells their outcome. */
  readonly unknown: number;
  readonly replayed: number;
  readonly lost: number;
  readonly duplicated: number;
  /** Invoices that got more than is due, and payments and credit notes that gave too much. */
  readonly overpaid: number;
  /** Lines and items of which more came back than was sold. */
  readonly overReturned: number;
  readonly kinds: readonly KindCount[];
  /** Corrections, drafts and imports that differ from what dashboard users were told. */
  readonly misled: number;
  /** Derived figures and stock levels that differ from a recount. */
  readonly miscounted: number;
  /** Changes of customers' records that were lost, repeated or made up. */
  readonly miswritten: number;
  /** Invoices that ignored a hold or a credit limit, and refusals without a reason. */
  readonly overLimit: number;
  /** Jobs that failed through no fault of their client. */
  readonly brokenPromises: number;
  readonly unanswered: number;
  /** 503s while Postgres was available. */
  readonly unexplained: number;
  /** How many outcomes the sequential model explains. */
  readonly modelled: number;
  /** Outcomes that no order of the writes explains. */
  readonly impossible: number;
  /** Outcomes that the model cannot judge, by their code. */
  readonly unjudged: ReadonlyMap<string, number>;
  /** Every violation, one sentence each; those of one kind together. */
  readonly violations: readonly (readonly string[])[];
}

/** A write that met faults in several attempts is repeated after a pause of up to 12 s. */
const SETTLE_MS = 30_000;
const CONCURRENT_REPLAYS = 64;
const REPLAY_ATTEMPTS = 20;
const REPLAY_PAUSE_MS = 200;

export async function judge(system: System, journal: Journal, load: Load): Promise<Verdict> {
  const { history } = system;
  const { entries, reads, pages, changes } = journal;
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
  const requests = [...entries, ...reads, ...pages, ...changes];
  const unanswered = findUnanswered(requests, history);
  const unexplained = findUnexplainedRefusals(requests, history);
  const { finals, undecided } = await replayAll(system, journal);
  const { records } = load;
  const customers = await checkCustomers(system, journal, { ...load, finals });
  const dashboard = await checkDashboard(system, journal, load);
  const importRows = dashboard.rows.imports;
  const told = { entries, finals, records, importRows, customerRows: customers.rows };
  const miscounted = await checkDerived(system, told);
  const outcomes = compareOutcomes(entries, finals, await countRows(system));
  const books = compareBooks(successesOf(entries, finals), await readBooks(system));
  const model = await checkModel(system, entries, finals);
  const losses = [...outcomes.losses, ...books.losses];
  const duplicates = [...outcomes.duplicates, ...books.duplicates];
  const { overpaid, overReturned } = books;
  return {
    acknowledged: acknowledged.length,
    unknown: entries.length - acknowledged.length,
    replayed: finals.size,
    lost: losses.length + missing.length,
    duplicated: duplicates.length,
    overpaid: overpaid.length,
    overReturned: overReturned.length,
    misled: dashboard.errors.length,
    miscounted: miscounted.length,
    miswritten: customers.changes.length,
    overLimit: customers.credit.length,
    kinds: [
      ...countKinds(entries, finals),
      ...countForms(records, importRows),
      ...countChanges(load.changes),
    ],
    brokenPromises: broken.length,
    unanswered: unanswered.length,
    unexplained: unexplained.length,
    modelled: model.explained,
    impossible: model.violations.length,
    unjudged: model.unjudged,
    violations: [
      ...[missing, losses, duplicates, overpaid, overReturned, dashboard.errors, miscounted],
      ...[customers.changes, customers.credit],
      ...[disordered, broken, unanswered, unexplained, unsettled, undecided],
      model.violations,
      [...history.breaches],
      findBadAnswers([...entries, ...changes], reads, history),
      findBadPages(pages, history),
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

/** How the writes of each kind ended. */
function countKinds(entries: readonly Entry[], finals: Finals): KindCount[] {
  const kinds = new Map<string, KindCount>();
  for (const { path, key } of entries) {
    const kind = path.replace('/api/external/', '').replace(/\/[^/]+\//u, ' ');
    const { created, refused } = kinds.get(kind) ?? { created: 0, refused: 0 };
    const isCreated = finals.get(key)?.status === 201;
    const counts = { created: created + Number(isCreated), refused: refused + Number(!isCreated) };
    kinds.set(kind, { kind, ...counts });
  }
  return [...kinds.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
}

/** The counts, on one line. */
export function summarize(verdict: Verdict): string {
  const { acknowledged, unknown, replayed, lost, duplicated, overpaid, overReturned } = verdict;
  const { misled, miscounted, miswritten, overLimit } = verdict;
  const { brokenPromises, unanswered, unexplained, impossible } = verdict;
  return (
    `acknowledged ${acknowledged}, unknown ${unknown}, replayed ${replayed}, ` +
    `lost ${lost}, duplicated ${duplicated}, ` +
    `overpaid ${overpaid}, over-returned ${overReturned}, ` +
    `misled users ${misled}, miscounted ${miscounted}, ` +
    `miswritten customers ${miswritten}, over limits ${overLimit}, ` +
    `broken promises ${brokenPromises}, ` +
    `unanswered ${unanswered}, unexplained 503s ${unexplained}, ` +
    `impossible outcomes ${impossible}, ` +
    `violations ${verdict.violations.flat().length}`
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
  system: System,
  { entries }: Journal,
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
async function replay({ webPorts }: System, entry: Entry): Promise<Answer | undefined> {
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
