// Judges a run after the faults: compares the journal with the database.
import { runScript } from '../support/processes.js';
import { checkCustomers, countChanges } from './customers/check.js';
import { checkDashboard, countForms, type KindCount } from './dashboard/check.js';
import { checkDerived } from './derived/check.js';
import type { Entry, Journal } from './journal.js';
import { judgeWrites } from './judge-writes.js';
import {
  findBadAnswers,
  findBadPages,
  findBlocked,
  findStarved,
  findUnanswered,
  findUnexplainedRefusals,
} from './judgements.js';
import type { Load } from './load.js';
import type { Finals } from './outcomes.js';
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
  /** Every violation, one sentence each, grouped by kind. */
  readonly violations: readonly (readonly string[])[];
}

export async function judge(system: System, journal: Journal, load: Load): Promise<Verdict> {
  const { history } = system;
  const { entries, reads, pages, changes } = journal;
  const writes = await judgeWrites(system, journal);
  const { acknowledged, missing, broken, disordered, unsettled, undecided } = writes;
  const { finals, books, model } = writes;
  const requests = [...entries, ...reads, ...pages, ...changes];
  const unanswered = findUnanswered(requests, history);
  const unexplained = findUnexplainedRefusals(requests, history);
  const { records } = load;
  const customers = await checkCustomers(system, journal, { ...load, finals });
  const dashboard = await checkDashboard(system, journal, load);
  const importRows = dashboard.rows.imports;
  const told = { entries, finals, records, importRows, customerRows: customers.rows };
  const miscounted = await checkDerived(system, told);
  const { losses, duplicates } = writes;
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
