// The payments and credit notes that a text finds: in the stored texts, among the newest entries,
// and by the numbers of invoices and credit notes.
import { parseInvoiceNumber } from '../../invoices/queries.js';
import { type Bind, bindFrom, hasNumber } from '../../invoices/search/conditions.js';
import { readRows } from '../../platform/db/list-reads.js';
import type { TextQuery } from '../../search/text-query.js';
import { positionsInTexts } from '../../search/texts.js';
import type { ListedType } from '../queries.js';
import type { EntrySearch, Selected } from './entries.js';
import { findNewEntries, TEXT_KINDS } from './entry-texts.js';

/** An entry's place in the order of lists. */
export interface EntryPosition {
  readonly date: string;
  readonly sequence: string;
}

export interface FoundPosition extends EntryPosition {
  readonly type: ListedType;
}

/** The entries that a text finds, in any order, some of them twice. */
export interface FoundBySource {
  /** From the stored texts. */
  readonly stored: readonly EntryPosition[];
  /** True if `stored` ends at the limit. */
  readonly isCut: boolean;
  /** Those without a stored text, and by the numbers of invoices and credit notes. */
  readonly others: readonly FoundPosition[];
}

/** Stored texts are read up to `limit` matches; null for all. */
export async function readFound(
  companyId: string,
  { types }: EntrySearch,
  query: TextQuery,
  limit: number | null,
): Promise<FoundBySource> {
  // Before the stored texts are read, because an entry gets its text at any time.
  const newest = await findNewEntries(companyId, query);
  const [bind, value] = bindFrom(companyId);
  // One text for all: the driver takes as long for a row as for a kilobyte.
  const stored = readRows<{ positions: string | null }>(
    companyId,
    `SELECT string_agg(date || ' ' || position, ',') AS positions
     FROM (
       SELECT date, position
       FROM (${positionsInTexts(
         types.map(type => TEXT_KINDS[type]),
         query,
         value,
       )}) t
       LIMIT ${limit ?? 'ALL'}
     ) t`,
    bind,
  );
  const [[row], numbered] = await Promise.all([stored, readNumbered(companyId, query.text)]);
  const positions = (row?.positions?.split(',') ?? []).map(position => {
    const [date = '', sequence = ''] = position.split(' ');
    return { date, sequence };
  });
  return {
    stored: positions,
    isCut: positions.length === limit,
    others: [...newest, ...numbered],
  };
}

/** SQL for the sequences of known entries. */
export function sequencesIn(positions: readonly EntryPosition[]): Selected {
  const sequences = positions.map(({ sequence }) => sequence);
  return value => `SELECT unnest(${value(sequences)}::bigint[])`;
}

/** The entries by an invoice's number, or a credit note's own. */
export async function readNumbered(
  companyId: string,
  text: string,
): Promise<readonly FoundPosition[]> {
  const isInvoice = hasNumber(text);
  if (isInvoice === null) return [];
  const [bind, value] = bindFrom(companyId);
  return readRows(
    companyId,
    `SELECT sequence, date::text AS date, type
     FROM (${appliedTo(isInvoice(value))} UNION ALL ${numberedNotes(text, value)}) e`,
    bind,
  );
}

/** SQL for the positions of what invoices got, even if it was taken back later. */
function appliedTo(isInvoice: string): string {
  return `
    SELECT s.sequence, s.date, s.type
    FROM invoices i
    JOIN allocations a ON a.company_id = $1 AND a.invoice_id = i.id
    JOIN entries s ON s.company_id = $1 AND s.id = a.source_id
    WHERE i.company_id = $1 AND ${isInvoice}
    UNION ALL
    SELECT n.sequence, n.date, n.type
    FROM invoices i
    JOIN entries n ON n.company_id = $1 AND n.invoice_id = i.id
    WHERE i.company_id = $1 AND ${isInvoice}`;
}

/** SQL for the positions of the credit notes with a number such as 12, CN-12 or CN-000012. */
function numberedNotes(text: string, value: Bind): string {
  const readings = parseInvoiceNumber(text);
  const numbers = value(readings.map(({ number }) => number));
  const prefixes = value(readings.map(({ prefix }) => prefix));
  return `
    SELECT n.sequence, n.date, n.type
    FROM unnest(${numbers}::bigint[], ${prefixes}::text[]) AS reading (number, prefix)
    JOIN entries n ON n.company_id = $1 AND n.number = reading.number
    WHERE lower(reading.prefix) IN ('', lower(n.number_prefix))`;
}
