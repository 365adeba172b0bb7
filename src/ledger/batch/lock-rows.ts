// The statements that lock invoices, payments and credit notes.
import { numberText, parseInvoiceNumber } from '../../invoices/queries.js';
import { plainArray, textArray } from '../../platform/db/arrays.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import { ConflictError } from '../../platform/postgres-errors.js';
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
  /** Decimal text. */
  readonly total: string;
  readonly paid: string;
  readonly credited: string;
  readonly status: string;
  readonly settledOn: string | null;
}

/**
 * Locks the invoices among the refs that exist, in (company, id) order, as all callers do. Throws
 * ConflictError if one was found and not locked: the batch starts over.
 *
 * The refs are resolved to ids without a lock, and each id is locked by a look-up of its own. A
 * statement that locks the rows of a join may lose rows that another transaction changes: Postgres
 * then evaluates the join again, without the rows of its other branches.
 */
export async function lockInvoiceRows(
  refs: readonly InvoiceRef[],
  tx: Transaction,
): Promise<InvoiceRow[]> {
  const bind: unknown[] = [];
  const selects = [byId(refs, bind), byNumber(refs, bind), byPayment(refs, bind)].filter(
    sql => sql !== null,
  );
  if (selects.length === 0) return [];
  const rows = await query<{ [column in keyof InvoiceRow]: InvoiceRow[column] | null }>(
    `WITH wanted AS MATERIALIZED (
       SELECT DISTINCT company_id, id
       FROM (${selects.join(' UNION ALL ')}) named (company_id, id)
       ORDER BY company_id, id
     )
     SELECT locked.*
     FROM wanted
     LEFT JOIN LATERAL (
       SELECT i.company_id AS "companyId", i.id, ${numberText} AS number,
         i.customer_name AS "customerName", i.customer_key AS "customerKey",
         i.date::text AS date,
         i.total, i.paid, i.credited, i.status, i.settled_on::text AS "settledOn"
       FROM invoices i
       WHERE i.company_id = wanted.company_id AND i.id = wanted.id
       FOR NO KEY UPDATE
     ) locked ON true`,
    bind,
    tx,
  );
  if (!rows.every((row): row is InvoiceRow => row.id !== null))
    throw new ConflictError('an invoice was found and not locked');
  return rows;
}

function byId(refs: readonly InvoiceRef[], bind: unknown[]): string | null {
  const wanted = refs.filter(({ id }) => id !== undefined);
  return named(wanted, bind, [['uuid', plainArray(wanted.map(({ id }) => id))]], values => {
    return `SELECT company_id, id
      FROM ${values} AS wanted (company_id, id)
      JOIN invoices i USING (company_id, id)`;
  });
}

/** Finds an invoice by its running number, and compares the prefix. */
function byNumber(refs: readonly InvoiceRef[], bind: unknown[]): string | null {
  const wanted = refs.flatMap(({ companyId, number }) =>
    number === undefined
      ? []
      : parseInvoiceNumber(number).map(reading => ({ companyId, ...reading })),
  );
  const columns = [
    ['bigint', plainArray(wanted.map(({ number }) => number))],
    ['text', textArray(wanted.map(({ prefix }) => prefix))],
  ] as const;
  return named(wanted, bind, columns, values => {
    return `SELECT company_id, i.id
      FROM ${values} AS wanted (company_id, number, prefix)
      JOIN invoices i USING (company_id, number)
      WHERE i.number_prefix = wanted.prefix`;
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

/** Locks the payments and credit notes that exist, in (company, id) order, as all callers do. */
export async function lockFundsRows(
  refs: readonly FundsRef[],
  tx: Transaction,
): Promise<FundsRow[]> {
  if (refs.length === 0) return [];
  // One look-up per row, in the order of the arrays. With a condition on the type, the planner may
  // use an index of a list and read all entries of the company.
  const rows = await query<FundsRow>(
    `SELECT e.*
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted (company_id, id),
       LATERAL (
         SELECT t.company_id AS "companyId", t.id, t.type,
           t.customer_name AS "customerName", t.customer_key AS "customerKey",
           t.amount, t.refunded, t.unallocated, t.reversed AS "isReversed", t.body
         FROM entries t
         WHERE t.company_id = wanted.company_id AND t.id = wanted.id
         FOR NO KEY UPDATE
       ) e`,
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

/** Each ref once, sorted: Postgres orders UUIDs like their text. */
function refBind(refs: readonly FundsRef[]): string[] {
  const byKey = new Map(refs.map(ref => [`${ref.companyId} ${ref.id}`, ref]));
  const keys = [...byKey.keys()].sort();
  return [
    plainArray(keys.map(key => byKey.get(key)?.companyId)),
    plainArray(keys.map(key => byKey.get(key)?.id)),
  ];
}
