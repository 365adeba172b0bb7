// Compares the statements and receivables of a company's customers, and their stored exposures,
// with a recount from invoices and entries: of all that is recorded, and at the end of past days.
import type { TestCompany } from '../../support/factories.js';
import type { CustomerRows } from '../customers/rows.js';
import { units } from '../model/rows.js';
import { fold } from '../model/stock.js';
import { createRandom, type Random } from '../random.js';
import type { System } from '../system.js';
import { Balances, type MoneyRows } from './balances.js';
import {
  type Activity,
  type Customer,
  compareActivity,
  compareExposures,
  compareOpenItems,
  comparePresent,
  compareReceivables,
  type OpenItems,
  type Receivables,
} from './compare-balances.js';
import type { Documents } from './documents.js';

/** After the date of every document. */
const END = '2026-12-31';
/** A page has all lines of a run. */
const LINES = 5_000;
const CUSTOMERS = 1_000;

export async function checkBalances(
  system: System,
  company: TestCompany,
  documents: Documents,
  rows: CustomerRows,
): Promise<string[]> {
  const { companyId } = company;
  const balances = new Balances(await readMoney(system, companyId, documents));
  const customers = customersOf(companyId, documents, rows);
  const random = createRandom(0, companyId);
  const errors: string[] = [];
  for (const customer of customers)
    for (const day of [dayOf(random), dayOf(random), END])
      errors.push(...(await checkStatements(company, customer, balances, day)));
  for (const day of [null, dayOf(random), dayOf(random), END]) {
    const asOf = day === null ? '' : `&asOf=${day}`;
    const shown = await read<Receivables>(company, `/receivables?limit=${CUSTOMERS}${asOf}`);
    errors.push(...compareReceivables(shown, customers, balances, day));
  }
  const stored = rows.exposures.filter(each => each.companyId === companyId);
  const versions = rows.versions.filter(each => each.companyId === companyId);
  const limited = rows.refusing.has(companyId) ? versions : [];
  return [
    ...comparePresent(customers, documents, balances),
    ...compareExposures(customers, limited, stored, balances),
    ...errors,
  ];
}

/** Of the load's documents. */
function dayOf(random: Random): string {
  return `2026-11-${String(random.between(1, 28)).padStart(2, '0')}`;
}

async function readMoney(
  system: System,
  companyId: string,
  { invoices }: Documents,
): Promise<MoneyRows> {
  const [entries, allocations] = await Promise.all([
    system.query<MoneyRows['entries'][number]>(
      `SELECT id, sequence::float8, customer_key AS key, type, date::text, amount::float8,
         source_id AS "sourceId", invoice_id AS "invoiceId"
       FROM entries
       WHERE company_id = $1
       ORDER BY sequence`,
      [companyId],
    ),
    system.query<MoneyRows['allocations'][number]>(
      `SELECT invoice_id AS "invoiceId", source_id AS "sourceId", sequence::float8,
         amount::float8
       FROM allocations
       WHERE company_id = $1`,
      [companyId],
    ),
  ]);
  const inUnits = <Row extends { readonly amount: number }>(row: Row) => {
    return { ...row, amount: units(row.amount) };
  };
  return {
    invoices: invoices.map(({ id, customerName, date, dueDate, total }) => ({
      ...{ id, date, dueDate, key: fold(customerName), total: units(total) },
    })),
    entries: entries.map(inUnits),
    allocations: allocations.map(inUnits),
  };
}

/** The records with their match keys, and the names of documents that no record has. */
function customersOf(companyId: string, documents: Documents, rows: CustomerRows): Customer[] {
  const keysOf = new Map<string, Set<string>>();
  const owned = new Set<string>();
  for (const { key, customerId } of rows.names.filter(each => each.companyId === companyId)) {
    keysOf.set(customerId, (keysOf.get(customerId) ?? new Set()).add(key));
    owned.add(key);
  }
  const { invoices, payments, creditNotes } = documents;
  const named = [...invoices, ...payments, ...creditNotes].map(each => fold(each.customerName));
  return [
    ...[...keysOf].map(([id, keys]) => ({ id, name: [...keys].at(-1) ?? '', keys })),
    ...[...new Set(named)]
      .filter(key => !owned.has(key))
      .map(key => ({ id: null, name: key, keys: new Set([key]) })),
  ];
}

/** A record is found by its id up to some days, and by a name up to others. */
async function checkStatements(
  company: TestCompany,
  customer: Customer,
  balances: Balances,
  to: string,
): Promise<string[]> {
  const { id, name } = customer;
  const isById = id !== null && to < '2026-11-15';
  const who = isById ? `customerId=${id}` : `customerName=${encodeURIComponent(name)}`;
  const path = `/statements?${who}&to=${to}&limit=${LINES}`;
  const from = '2026-11-08' < to ? '2026-11-08' : to;
  const activity = await read<Activity>(company, `${path}&from=${from}`);
  const open = await read<OpenItems>(company, `${path}&type=open`);
  return [
    ...compareActivity(activity, customer, balances, { from, to }),
    ...compareOpenItems(open, customer, balances, to),
  ];
}

async function read<Body>(company: TestCompany, path: string): Promise<Body> {
  const { status, body } = await company.get(path, { unchecked: true });
  if (status !== 200) throw new Error(`${path} answered ${status} ${JSON.stringify(body)}`);
  return body as Body;
}
