// A company's invoice lines as CSV for bookkeeping, with the filters of the dashboard's list of
// invoices: first the lines of the invoices, then the lines of their credit notes as negative
// figures. Tax is rounded once per rate of an invoice, so a line has no tax of its own: the tax
// report and the documents have it.

import { type Bind, bindFrom, filterRange, stateOf } from '../../invoices/search/conditions.js';
import { foundNumbers } from '../../invoices/search/found.js';
import type { InvoiceFilter } from '../../invoices/search/types.js';
import { readFileRows } from '../../platform/db/lists/file-reads.js';
import { lookUpOne } from '../../platform/db/sql.js';
import { BOM, type Cell, type CsvFormat, csvLine } from '../../platform/values/csv.js';
import { creditNoteRows, HEADER, invoiceRows } from './records.js';

/**
 * Documents read per query, matching or not. Each has up to 250 lines, so this bounds memory to
 * some 10 MB.
 */
const PAGE_SIZE = 500;

interface PageRow {
  readonly date: string;
  /** The number without its prefix of an invoice, the sequence of a credit note. */
  readonly running: string;
  /** Its position on the page, from 1. */
  readonly position: number;
  readonly isMatch: boolean;
  /** Null unless it matches. */
  readonly body: string | null;
  /** The JSON of a credit note's invoice. */
  readonly invoiceBody: string | null;
}

/** The numbers of the invoices that the filter's text finds; null without a text. */
type FoundNumbers = readonly string[] | null;

type ReadPage = (
  companyId: string,
  filter: InvoiceFilter,
  found: FoundNumbers,
  last: PageRow | undefined,
) => Promise<PageRow[]>;

/**
 * The file in chunks, newest documents first. A credit note is in it if its own date is in the
 * filter's range and its invoice meets the other conditions. Each page is read after the consumer
 * took the previous one, so a slow reader holds no transaction open.
 */
export async function* exportLines(
  companyId: string,
  filter: InvoiceFilter,
  format: CsvFormat,
): AsyncGenerator<string> {
  yield BOM + csvLine(HEADER, format);
  // A credit note is selected by its own date, so its invoice may have any date.
  const anyDate = { ...filter, from: null, to: null };
  const found = filter.text && (await foundNumbers(companyId, anyDate, filter.text));
  for (const readPage of [readInvoices, readCreditNotes] satisfies ReadPage[])
    for (let last: PageRow | undefined; ; ) {
      const rows: PageRow[] = await readPage(companyId, filter, found || null, last);
      const records = rows.flatMap(row => cellsOf(row).map(cells => csvLine(cells, format)));
      if (records.length > 0) yield records.join('');
      last = rows.at(-1);
      if (last?.position !== PAGE_SIZE) break;
    }
}

/** The condition that the invoice `i` has the state and is among those that the text finds. */
function matchOf(filter: InvoiceFilter, found: FoundNumbers, value: Bind): string {
  const isFound = found === null ? [] : [`i.number = ANY(${value(found)}::bigint[])`];
  return [...stateOf(filter), ...isFound].join(' AND ') || 'true';
}

function cellsOf({ body, invoiceBody }: PageRow): Cell[][] {
  if (body === null) return [];
  return invoiceBody === null ? invoiceRows(body) : creditNoteRows(body, invoiceBody);
}

const readInvoices: ReadPage = (companyId, filter, found, last) => {
  const [bind, value] = bindFrom(companyId);
  const range = filterRange(filter, value);
  if (last)
    range.push(`(i.date, i.number) < (${value(last.date)}::date, ${value(last.running)}::bigint)`);
  const match = matchOf(filter, found, value);
  return readFileRows<PageRow>(
    companyId,
    `SELECT date::text AS date, number AS running, position, "isMatch",
       CASE WHEN "isMatch" THEN body END AS body,
       NULL AS "invoiceBody"
     FROM (
       SELECT i.date, i.number, i.body,
         row_number() OVER (ORDER BY i.date DESC, i.number DESC)::int AS position,
         ${match} AS "isMatch"
       FROM invoices i
       WHERE ${range.join(' AND ')}
       ORDER BY i.date DESC, i.number DESC
       LIMIT ${PAGE_SIZE}
     ) page
     WHERE "isMatch" OR position = ${PAGE_SIZE}
     ORDER BY position`,
    bind,
  );
};

const readCreditNotes: ReadPage = (companyId, filter, found, last) => {
  const [bind, value] = bindFrom(companyId);
  const range = ['e.company_id = $1', "e.type = 'creditNote'"];
  if (filter.from !== null) range.push(`e.date >= ${value(filter.from)}::date`);
  if (filter.to !== null) range.push(`e.date <= ${value(filter.to)}::date`);
  if (last)
    range.push(
      `(e.date, e.sequence) < (${value(last.date)}::date, ${value(last.running)}::bigint)`,
    );
  return readFileRows<PageRow>(
    companyId,
    `SELECT date::text AS date, sequence AS running, position, "isMatch",
       CASE WHEN "isMatch" THEN body END AS body,
       CASE WHEN "isMatch" THEN "invoiceBody" END AS "invoiceBody"
     FROM (
       SELECT e.date, e.sequence, e.position, e.body, i.body AS "invoiceBody",
         ${matchOf(filter, found, value)} AS "isMatch"
       FROM (
         SELECT e.company_id, e.invoice_id, e.date, e.sequence, e.body,
           row_number() OVER (ORDER BY e.date DESC, e.sequence DESC)::int AS position
         FROM entries e
         WHERE ${range.join(' AND ')}
         ORDER BY e.date DESC, e.sequence DESC
         LIMIT ${PAGE_SIZE}
       ) e,
         ${lookUpOne('invoices', 'i', 'company_id = e.company_id AND id = e.invoice_id')}
     ) page
     WHERE "isMatch" OR position = ${PAGE_SIZE}
     ORDER BY position`,
    bind,
  );
};
