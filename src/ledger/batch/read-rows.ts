// The statements that read the invoices, payments and credit notes of a batch. These rows change
// only under the locks of their companies, so a plan requires the locks.
import { numberText, parseInvoiceNumber } from '../../invoices/queries.js';
import { keyArrays, plainArray, textArray } from '../../platform/db/arrays.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import { lookUpOne } from '../../platform/db/sql.js';
import { matchKey } from '../../platform/values/text.js';
import type { Funds } from '../rules/state.js';

/** An invoice by its id, by its number, or by a payment that has paid it. */
export interface InvoiceRef {
  readonly companyId: string;
  readonly id?: string;
  readonly number?: string;
  readonly paymentId?: string;
}

export interface InvoiceRow {
  readonly companyId: string;
  readonly id: string;
  readonly number: string;
  readonly customerName: string;
  readonly customerKey: string;
  readonly date: string;
  readonly dueDate: string | null;
  /** The number without the prefix. */
  readonly running: string;
  /** That of the last entry, or the invoice's date. */
  readonly effectiveDate: string;
  /** Decimal text. */
  readonly total: string;
  readonly paid: string;
  readonly credited: string;
  readonly status: string;
  readonly settledOn: string | null;
}

/** Reads the invoices among the refs that exist. */
export async function readInvoiceRows(
  refs: readonly InvoiceRef[],
  tx?: Transaction,
): Promise<InvoiceRow[]> {
  const bind: unknown[] = [];
  const selects = [byId(refs, bind), byNumber(refs, bind), byPayment(refs, bind)].filter(
    sql => sql !== null,
  );
  if (selects.length === 0) return [];
  return query<InvoiceRow>(
    `SELECT i.company_id AS "companyId", i.id, ${numberText} AS number,
       i.customer_name AS "customerName", i.customer_key AS "customerKey",
       i.date::text AS date, i.due_date::text AS "dueDate", i.number AS running,
       GREATEST(
         i.date,
         ${lastDate('allocations', 'invoice_id', 'i')},
         ${lastDate('entries', 'invoice_id', 'i')}
       )::text AS "effectiveDate",
       i.total, i.paid, i.credited, i.status, i.settled_on::text AS "settledOn"
     FROM (
         SELECT DISTINCT company_id, id
         FROM (${selects.join(' UNION ALL ')}) named (company_id, id)
       ) wanted,
       ${lookUpOne('invoices', 'i', 'company_id = wanted.company_id AND id = wanted.id')}`,
    bind,
    tx,
  );
}

/** SQL for the effective date of the last row that has this row's id in the column. */
function lastDate(table: string, column: 'invoice_id' | 'source_id', row: string): string {
  return `(
    SELECT last.effective_date
    FROM ${table} last
    WHERE last.company_id = ${row}.company_id AND last.${column} = ${row}.id
    ORDER BY last.sequence DESC
    LIMIT 1
  )`;
}

function byId(refs: readonly InvoiceRef[], bind: unknown[]): string | null {
  const wanted = refs.filter(({ id }) => id !== undefined);
  return named(wanted, bind, [['uuid', plainArray(wanted.map(({ id }) => id))]], values => {
    return `SELECT company_id, id
      FROM ${values} AS wanted (company_id, id)
      JOIN invoices i USING (company_id, id)`;
  });
}

/** Finds an invoice by its running number, and compares the prefix, which is ASCII. */
function byNumber(refs: readonly InvoiceRef[], bind: unknown[]): string | null {
  const wanted = refs.flatMap(({ companyId, number }) =>
    number === undefined
      ? []
      : parseInvoiceNumber(matchKey(number)).map(reading => ({ companyId, ...reading })),
  );
  const columns = [
    ['bigint', plainArray(wanted.map(({ number }) => number))],
    ['text', textArray(wanted.map(({ prefix }) => prefix))],
  ] as const;
  return named(wanted, bind, columns, values => {
    return `SELECT company_id, i.id
      FROM ${values} AS wanted (company_id, number, prefix)
      JOIN invoices i USING (company_id, number)
      WHERE lower(i.number_prefix) = wanted.prefix`;
  });
}

function byPayment(refs: readonly InvoiceRef[], bind: unknown[]): string | null {
  const wanted = refs.filter(({ paymentId }) => paymentId !== undefined);
  const ids = plainArray(wanted.map(({ paymentId }) => paymentId));
  return named(wanted, bind, [['uuid', ids]], values => {
    return `SELECT company_id, a.invoice_id
      FROM ${values} AS wanted (company_id, source_id)
      JOIN allocations a USING (company_id, source_id)`;
  });
}

/** The SELECT over arrays of the refs' companies and these columns; null without refs. */
function named(
  refs: readonly { readonly companyId: string }[],
  bind: unknown[],
  columns: readonly (readonly [type: string, values: string])[],
  select: (values: string) => string,
): string | null {
  if (refs.length === 0) return null;
  const companies = ['uuid', plainArray(refs.map(({ companyId }) => companyId))] as const;
  const arrays = [companies, ...columns].map(
    ([type, values]) => `$${bind.push(values)}::${type}[]`,
  );
  return select(`unnest(${arrays.join(', ')})`);
}

export interface FundsRef {
  readonly companyId: string;
  readonly id: string;
}

export interface FundsRow
  extends Omit<Funds, 'amount' | 'refunded' | 'unallocated' | 'allocations' | 'isChanged'> {
  /** Decimal text. */
  readonly amount: string;
  readonly refunded: string;
  readonly unallocated: string;
}

/** Reads the payments and credit notes among the refs that exist. */
export async function readFundsRows(
  refs: readonly FundsRef[],
  tx?: Transaction,
): Promise<FundsRow[]> {
  if (refs.length === 0) return [];
  // One look-up per row. With a condition on the type, the planner may
  // use an index of a list and read all entries of the company.
  const rows = await query<FundsRow>(
    `SELECT e.company_id AS "companyId", e.id, e.type,
       e.customer_name AS "customerName", e.customer_key AS "customerKey",
       e.date::text AS date,
       GREATEST(
         e.effective_date,
         ${lastDate('entries', 'source_id', 'e')}
       )::text AS "effectiveDate",
       e.amount, e.refunded, e.unallocated, e.reversed AS "isReversed", e.body
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted (company_id, id),
       ${lookUpOne('entries', 'e', 'company_id = wanted.company_id AND id = wanted.id')}`,
    refBind(refs),
    tx,
  );
  return rows.filter(({ type }) => type === 'payment' || type === 'creditNote');
}

export interface FundsAllocation {
  readonly companyId: string;
  readonly fundsId: string;
  readonly invoiceId: string;
  readonly invoiceNumber: string;
  readonly amount: string;
}

/**
 * The amounts that each payment and credit note has allocated to invoices, ordered by the first
 * allocation. The amount is zero where all was taken back.
 */
export async function readAllocations(
  refs: readonly FundsRef[],
  tx: Transaction,
): Promise<FundsAllocation[]> {
  if (refs.length === 0) return [];
  return query<FundsAllocation>(
    `SELECT sums.company_id AS "companyId", sums.source_id AS "fundsId",
       sums.invoice_id AS "invoiceId", ${numberText} AS "invoiceNumber", sums.amount
     FROM (
       SELECT a.company_id, a.source_id, a.invoice_id, sum(a.amount) AS amount,
         min(a.sequence) AS sequence
       FROM unnest($1::uuid[], $2::uuid[]) AS wanted (company_id, source_id)
         JOIN allocations a USING (company_id, source_id)
       GROUP BY 1, 2, 3
     ) sums
     JOIN invoices i ON i.company_id = sums.company_id AND i.id = sums.invoice_id
     ORDER BY sums.sequence, i.number`,
    refBind(refs),
    tx,
  );
}

/** Each ref once. */
function refBind(refs: readonly FundsRef[]): string[] {
  return keyArrays([...new Map(refs.map(ref => [`${ref.companyId} ${ref.id}`, ref])).values()]);
}
