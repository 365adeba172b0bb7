// Judges what dashboard users did: sends again the forms without an outcome, then compares what
// they were told with the rows.
import { setTimeout as delay } from 'node:timers/promises';
import type { Journal } from '../journal.js';
import { createRandom } from '../random.js';
import type { System } from '../system.js';
import {
  compareCorrections,
  compareCosts,
  compareDrafts,
  compareImports,
  findUnclear,
} from './compare.js';
import { type FormType, outcomeOf, type Records, type SentForm } from './records.js';
import { type DashboardRows, type ImportRow, readDashboardRows } from './rows.js';
import type { Visitor } from './visitor.js';
import { signIn } from './visits.js';

/** Of the forms with an outcome, sent again as well: nothing may change. */
const REPEATED_SHARE = 0.1;
const ATTEMPTS = 20;
const RETRY_MS = 300;
const TOKEN = /^token$/u;

export interface DashboardVerdict {
  readonly errors: readonly string[];
  readonly rows: DashboardRows;
}

export async function checkDashboard(
  system: System,
  journal: Journal,
  { records, graceMs }: { readonly records: Records; readonly graceMs: number },
): Promise<DashboardVerdict> {
  const repeats = system.companies.map(async ({ companyId }) => {
    const random = createRandom(0, companyId);
    const visitor = await signIn(system, companyId, { journal, graceMs, random });
    const own = records.forms.filter(form => form.companyId === companyId);
    await repeatForms(visitor, own, random);
  });
  await Promise.all(repeats);
  const companyIds = system.companies.map(({ companyId }) => companyId);
  const rows = await readDashboardRows(system, companyIds);
  const { corrections, drafts, imports } = records;
  const errors = [
    ...findUnclear(records.forms),
    ...compareCorrections(corrections, rows.corrections),
    ...compareDrafts(drafts, rows.drafts),
    ...compareImports(imports, rows.imports),
    ...compareCosts(imports, rows.imports),
  ];
  return { errors, rows };
}

async function repeatForms(
  visitor: Visitor,
  forms: readonly SentForm[],
  random: ReturnType<typeof createRandom>,
): Promise<void> {
  // Each user has another token.
  const own = await visitor.open('/invoices/new', TOKEN);
  for (const form of forms) {
    // A delete that was carried out finds no draft when it is sent again.
    if (form.type === 'delete') continue;
    const isKnown = outcomeOf(form) !== undefined;
    if (isKnown && random.next() >= REPEATED_SHARE) continue;
    const { length } = form.outcomes;
    for (let attempt = 0; attempt < ATTEMPTS && form.outcomes.length === length; attempt += 1) {
      if (attempt > 0) await delay(RETRY_MS);
      await visitor.submit({ ...form, fields: { ...form.fields, ...own } });
    }
  }
}

export interface KindCount {
  readonly kind: string;
  readonly created: number;
  readonly refused: number;
}

/** How the forms of dashboard users ended. */
export function countForms(
  { corrections, drafts, imports }: Records,
  rows: ReadonlyMap<string, ImportRow>,
): KindCount[] {
  const count = (kind: string, all: number, created: number) => {
    return { kind, created, refused: all - created };
  };
  const isDone = (form: SentForm) => outcomeOf(form) === 'done';
  const forms = drafts.flatMap(({ sent }) => sent);
  const requested = imports.filter(({ isUndoRequested }) => isUndoRequested);
  const undone = requested.filter(({ id }) => rows.get(id)?.undo === 'done');
  const ofType = (type: FormType) => forms.filter(form => form.type === type);
  const types = ['issue', 'save', 'delete'] as const;
  return [
    count('corrections', corrections.length, corrections.filter(isDone).length),
    ...types.map(type =>
      count(`drafts ${type}`, ofType(type).length, ofType(type).filter(isDone).length),
    ),
    count('imports', imports.length, imports.filter(({ isStarted }) => isStarted).length),
    count('imports undo', requested.length, undone.length),
  ];
}
