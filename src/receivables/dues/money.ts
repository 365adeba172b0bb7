// SQL for the money of customers: what is due on their invoices, and what is unallocated of their
// payments and credit notes, now or at the end of a past day. One statement reads one snapshot: the
// rows of invoice_dues, and all invoices and entries that are not rolled up into them yet.
import { inTransactionOn } from '../../companies/write-turns.js';
import { PAST_DUE } from '../../invoices/overdue.js';
import { query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { lookUpAll, lookUpOne } from '../../platform/db/sql.js';

/** The customers and the day to read, as SQL expressions. The company is $1. */
export interface MoneyFilter {
  /** The match keys of the customers, a text[]; null for all customers. */
  readonly keys: string | null;
  /**
   * The as-of date. Later documents do not count, and money moves on effective dates. Null: all
   * documents count.
   */
  readonly day: string | null;
}

// Both bounds, because the planner expects a third of all rows above one bound, and few in a range.
const NEW_INVOICE = 'company_id = $1 AND number > p.watermark AND number < p.next_invoice_number';
const NEW_ENTRY =
  'company_id = $1 AND sequence > p.entry_sequence AND sequence < p.next_entry_sequence';

/**
 * SQL for CTEs that define `progress` and `pending`, the allocations that are not rolled up.
 * `money` reads them.
 */
export const PENDING = `
  progress AS MATERIALIZED (
    SELECT p.watermark, p.entry_sequence, c.next_invoice_number, c.next_entry_sequence
    FROM receivable_progress p
    JOIN companies c ON c.id = p.company_id
    WHERE p.company_id = $1
  ), pending AS MATERIALIZED (
    SELECT a.*
    FROM progress p,
      ${lookUpAll('entries', 'e', NEW_ENTRY)},
      ${lookUpAll(
        'allocations',
        'a',
        `company_id = $1 AND source_id = COALESCE(e.source_id, e.id) AND sequence = e.sequence`,
      )}
  )`;

const INVOICE = `
  i.customer_key, COALESCE(i.due_date, 'infinity') AS due_date, i.date, i.number`;
const INVOICE_OF_ALLOCATION = `
  a.customer_key, COALESCE(a.due_date, 'infinity'), a.invoice_date, a.invoice_number`;
const NO_INVOICE = 'NULL::date, NULL::date, NULL::bigint';

/**
 * SQL whose rows add up to the money of the customers. `due` is the amount due of the row's invoice
 * (columns due_date, 'infinity' for none, date and number); `unallocated` is the unallocated money
 * of the payment or credit note source_id. A row may have both, and negative amounts.
 */
export function moneySql(filter: MoneyFilter): string {
  const { ofCustomer, upToDay } = conditionsOf(filter);
  return `
    SELECT d.customer_key, d.due_date, d.date, d.number, NULL::uuid AS source_id,
      d.due, 0::numeric AS unallocated
    FROM invoice_dues d
    WHERE d.company_id = $1 ${ofCustomer('d')} ${upToDay('d.date')}
    UNION ALL
    ${otherMoney(filter)}`;
}

/**
 * SQL whose rows add up to what the customers owe and have unallocated at this moment. The rows of
 * invoice_dues are read in the order of their index, so that their sums need no sort or hash table:
 * with 100,000 of them, that takes half of the time.
 */
export function owedSql(keys: string | null): string {
  const filter = { keys, day: null };
  return `
    SELECT customer_key, sum(due) AS outstanding,
      COALESCE(sum(due) FILTER (WHERE ${PAST_DUE}), 0) AS overdue, 0::numeric AS unallocated
    FROM (
      SELECT d.customer_key, d.due_date, d.due
      FROM invoice_dues d
      WHERE d.company_id = $1 ${conditionsOf(filter).ofCustomer('d')}
      ORDER BY d.customer_key
      OFFSET 0
    ) i
    GROUP BY customer_key
    UNION ALL
    SELECT customer_key, due, CASE WHEN ${PAST_DUE} THEN due ELSE 0 END, unallocated
    FROM (${otherMoney(filter)}) i`;
}

function conditionsOf({ keys, day }: MoneyFilter) {
  return {
    ofCustomer: (row: string) => (keys === null ? '' : `AND ${row}.customer_key = ANY(${keys})`),
    upToDay: (date: string) => (day === null ? '' : `AND ${date} <= ${day}`),
  };
}

/** The money that is not in invoice_dues. */
function otherMoney(filter: MoneyFilter): string {
  const { day } = filter;
  const { ofCustomer, upToDay } = conditionsOf(filter);
  return `
    SELECT ${INVOICE}, NULL::uuid AS source_id, i.total AS due, 0::numeric AS unallocated
    FROM progress p,
      ${lookUpAll('invoices', 'i', NEW_INVOICE)}
    WHERE i.total > 0 ${ofCustomer('i')} ${upToDay('i.date')}
    UNION ALL
    SELECT ${INVOICE_OF_ALLOCATION}, NULL, -a.amount, 0
    FROM pending a
    WHERE true ${ofCustomer('a')} ${upToDay('a.invoice_date')}
    UNION ALL
    SELECT e.customer_key, ${NO_INVOICE}, e.id, 0, e.unallocated
    FROM entries e
    WHERE e.company_id = $1 AND e.unallocated > 0 ${ofCustomer('e')} ${upToDay('e.date')}
    ${day === null ? '' : laterMoney(day, ofCustomer)}`;
}

/** Money that moved after the day moves back. */
function laterMoney(day: string, ofCustomer: (row: string) => string): string {
  const ifUpToDay = (date: string) => `CASE WHEN ${date} <= ${day} THEN a.amount ELSE 0 END`;
  return `
    UNION ALL
    SELECT ${INVOICE_OF_ALLOCATION}, a.source_id,
      ${ifUpToDay('a.invoice_date')}, ${ifUpToDay('a.source_date')}
    FROM allocations a
    WHERE a.company_id = $1 AND a.effective_date > ${day}
      AND (a.invoice_date <= ${day} OR a.source_date <= ${day}) ${ofCustomer('a')}
    UNION ALL
    SELECT e.customer_key, ${NO_INVOICE}, e.source_id, 0, e.amount
    FROM entries e,
      ${lookUpOne('entries', 'source', 'company_id = $1 AND id = e.source_id')}
    WHERE e.company_id = $1 AND e.type IN ('reversal', 'refund')
      AND e.effective_date > ${day} AND source.date <= ${day} ${ofCustomer('e')}`;
}

/** Adds the company's open invoices to invoice_dues, unless they have been added. */
export async function ensureDues(companyId: string): Promise<void> {
  if (await hasDues(companyId)) return;
  // Many first reads would otherwise wait for one of them with a connection each.
  const built =
    building.get(companyId) ??
    inTransactionOn(companyId, 'figures', tx => buildDues(companyId, tx));
  building.set(companyId, built);
  await built.finally(() => building.delete(companyId));
}
const building = new Map<string, Promise<void>>();

/** True once `invoice_dues` was built for the company, which moneySql reads. */
export async function hasDues(companyId: string, tx?: Transaction): Promise<boolean> {
  const found = await queryOne(
    'SELECT FROM receivable_progress WHERE company_id = $1 AND watermark IS NOT NULL',
    [companyId],
    tx,
  );
  return found !== null;
}

async function buildDues(companyId: string, tx: Transaction): Promise<void> {
  // A second concurrent start waits here until the first one has committed its rows.
  await query(
    'INSERT INTO receivable_progress (company_id) VALUES ($1) ON CONFLICT DO NOTHING',
    [companyId],
    tx,
  );
  if (!(await hasDues(companyId, tx))) await query(BUILD, [companyId], tx);
}

/** The counters are of the same snapshot as the invoices. */
const BUILD = `
  WITH dues AS (
    INSERT INTO invoice_dues (company_id, customer_key, due_date, date, number, due)
    SELECT i.company_id, ${INVOICE}, i.total - i.paid - i.credited
    FROM invoices i
    WHERE i.company_id = $1 AND i.status = 'open' AND i.paid + i.credited < i.total
  )
  UPDATE receivable_progress p
  SET watermark = c.next_invoice_number - 1, entry_sequence = c.next_entry_sequence - 1
  FROM companies c
  WHERE p.company_id = $1 AND c.id = $1`;
