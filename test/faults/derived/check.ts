// Compares each company's derived figures, stock and balances with recounts from its documents,
// once the product has had time to roll up the newest ones.
import { setTimeout as delay } from 'node:timers/promises';
import type { TestCompany } from '../../support/factories.js';
import type { CustomerRows } from '../customers/rows.js';
import type { Records } from '../dashboard/records.js';
import type { ImportRow } from '../dashboard/rows.js';
import type { Entry } from '../journal.js';
import type { Finals } from '../outcomes.js';
import { ITEMS } from '../stock-writes.js';
import type { System } from '../system.js';
import { type Documents, readDocuments } from './documents.js';
import { compareFigures, recountFigures } from './recount.js';
import { checkBalances } from './statements.js';
import { compareStock } from './stock.js';
import { readStoredFigures } from './stored.js';

/** The summary has each write within 5 seconds, and taxes follow as fast. */
const FRESH_MS = 15_000;
const RETRY_MS = 500;

export interface Told {
  readonly entries: readonly Entry[];
  readonly finals: Finals;
  readonly records: Records;
  readonly importRows: ReadonlyMap<string, ImportRow>;
  readonly customerRows: CustomerRows;
}

export async function checkDerived(system: System, told: Told): Promise<string[]> {
  const errors = await Promise.all(
    system.companies.map(async company => {
      const documents = await readDocuments(company);
      return [
        ...(await checkFigures(system, company, documents)),
        ...checkStock(system, company, documents, told),
        ...(await checkBalances(system, company, documents, told.customerRows)),
      ].map(error => `company ${company.companyId}: ${error}`);
    }),
  );
  return errors.flat();
}

async function checkFigures(
  system: System,
  { companyId }: TestCompany,
  documents: Documents,
): Promise<string[]> {
  const expected = recountFigures(documents);
  for (const end = Date.now() + FRESH_MS; ; await delay(RETRY_MS)) {
    const errors = compareFigures(expected, await readStoredFigures(system, companyId));
    if (errors.length === 0 || Date.now() > end) return errors;
  }
}

function checkStock(
  { targets }: System,
  { companyId }: TestCompany,
  documents: Documents,
  { entries, finals, records, importRows }: Told,
): string[] {
  const { itemIds } = targets.of(companyId);
  const isOwn = (each: { readonly companyId: string }) => each.companyId === companyId;
  return compareStock({
    start: new Map(itemIds.map((id, index) => [id, ITEMS[index]?.stock ?? 0])),
    documents,
    movements: entries.filter(isOwn).flatMap(({ key, path }) => {
      const final = path.endsWith('/adjustments') ? finals.get(key) : undefined;
      return final?.status === 201 ? JSON.parse(final.text).movements : [];
    }),
    corrections: records.corrections.filter(isOwn),
    imports: records.imports.filter(isOwn),
    importRows,
  });
}
