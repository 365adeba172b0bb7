// Judges what happened to customers' records: repeats the changes without an outcome, then compares
// all with the rows.
import { setTimeout as delay } from 'node:timers/promises';
import { v5 as uuidv5 } from 'uuid';
import type { Entry, Journal } from '../journal.js';
import type { Finals } from '../outcomes.js';
import { createRandom } from '../random.js';
import type { System } from '../system.js';
import { type Change, isDecided, isKeyed, toldOutcomes } from './changes.js';
import { sendChange } from './clients.js';
import { compareChanges, findUnclear } from './compare.js';
import { type CreditWrite, judgeCredit } from './credit.js';
import { type CustomerRows, readCustomerRows } from './rows.js';

/** Of the changes with an outcome, repeated as well: nothing may change. */
const REPEATED_SHARE = 0.2;
const ATTEMPTS = 20;
const RETRY_MS = 300;
const LIMIT_MS = 12_000;

export interface CustomerVerdict {
  /** Changes of records that were lost, repeated or made up. */
  readonly changes: readonly string[];
  /** Holds and limits that an invoice ignored, and refusals without a reason. */
  readonly credit: readonly string[];
  readonly rows: CustomerRows;
}

export interface Sent {
  readonly changes: readonly Change[];
  readonly graceMs: number;
  readonly finals: Finals;
}

export async function checkCustomers(
  system: System,
  journal: Journal,
  { changes, graceMs, finals }: Sent,
): Promise<CustomerVerdict> {
  await repeatChanges(system, journal, changes, graceMs);
  const companyIds = system.companies.map(({ companyId }) => companyId);
  const rows = await readCustomerRows(system, companyIds);
  const isOf = (companyId: string) => (each: { readonly companyId: string }) =>
    each.companyId === companyId;
  const named = (companyId: string) => (error: string) => `company ${companyId}: ${error}`;
  return {
    rows,
    changes: [
      ...findUnclear(changes),
      ...companyIds.flatMap(id => {
        const own = isOf(id);
        const [versions, names] = [rows.versions.filter(own), rows.names.filter(own)];
        return compareChanges(changes.filter(own), versions, names).map(named(id));
      }),
    ],
    credit: companyIds.flatMap(id => {
      const own = isOf(id);
      const ofCompany = {
        versions: rows.versions.filter(own),
        nameVersions: rows.nameVersions.filter(own),
        invoices: rows.invoices.filter(own),
        entries: rows.entries.filter(own),
        settledAt: rows.settledAt,
      };
      const writes = writesOf(journal.entries.filter(own), finals);
      return judgeCredit(ofCompany, writes, rows.refusing.has(id)).map(named(id));
    }),
  };
}

async function repeatChanges(
  system: System,
  journal: Journal,
  changes: readonly Change[],
  graceMs: number,
): Promise<void> {
  const random = createRandom(0, 'repeated changes');
  const limitMs = LIMIT_MS + graceMs;
  for (const change of changes) {
    if (!isKeyed(change)) continue;
    if (change.ends.some(isDecided) && random.next() >= REPEATED_SHARE) continue;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (attempt > 0) await delay(RETRY_MS);
      const port = random.pick(system.webPorts);
      if (isDecided(await sendChange(change, journal, { port, limitMs, hangUpMs: null }))) break;
    }
  }
}

/** The invoices that clients requested. */
function writesOf(entries: readonly Entry[], finals: Finals): CreditWrite[] {
  return entries.flatMap(({ key, companyId, path, body, startedAt: sentAt }): CreditWrite[] => {
    const final = finals.get(key);
    if (!final || !path.endsWith('/invoices')) return [];
    const { status, text } = final;
    const jobId = uuidv5(key, companyId);
    return [{ key, jobId, body, sentAt, status, result: JSON.parse(text) }];
  });
}

/** How the changes of records ended. */
export function countChanges(changes: readonly Change[]) {
  const types = ['create', 'batch', 'patch', 'merge', 'delete'] as const;
  const told = changes.flatMap(toldOutcomes);
  return types.map(type => {
    const own = told.filter(({ change }) => change.type === type);
    const created = own.filter(({ status }) => status !== undefined && status < 300).length;
    return { kind: `customers ${type}`, created, refused: own.length - created };
  });
}
