// SQL for the lines of a statement: invoices, payments, credit notes, reversals and refunds of a
// customer in order of date, with the invoices of a day before its entries.
import { numberText } from '../invoices/queries.js';
import { creditNoteNumberText } from '../ledger/queries.js';
import { positionFields } from '../platform/http/pagination.js';

/** The values by which lines are ordered. */
export interface LineEnd {
  readonly date: string;
  /** 0: an invoice. 1: an entry. */
  readonly kind: 0 | 1;
  /** The invoice's number or the entry's sequence, which orders the lines of a day. */
  readonly position: string;
}

/** The end of a line in the order of lines. */
export interface LinePosition {
  readonly date: string;
  /** The invoices of the day up to this number come before it. */
  readonly number: string;
  /** The entries of the day up to this sequence. */
  readonly sequence: string;
}

export const LINE_POSITION = positionFields('date', 'number', 'sequence');

/** Above every number and sequence. */
export const LAST = '9223372036854775807';

export function positionOf({ date, kind, position }: LineEnd): LinePosition {
  return kind === 0
    ? { date, number: position, sequence: '0' }
    : { date, number: LAST, sequence: position };
}

/** Where lines are read. All are SQL expressions; the company is $1. */
export interface LineRange {
  /** The customer's match keys, a text[]. */
  readonly keys: string;
  /** Three expressions: the lines after this position. */
  readonly after: LinePosition;
  /** The lines up to this day. */
  readonly to: string;
  /** Lines of each type at most. A constant, so that plans do not depend on it. */
  readonly max: number;
}

/** Rows with a date, kind, position, debit and credit, and the columns of the type. */
export function linesSql(range: LineRange): string {
  const entry = (type: string, date: string, columns: string) =>
    branch(range, 'entries e', `e.type = '${type}'`, date, 'e.sequence', columns);
  const invoice = `'invoice' AS type, i.id, ${numberText} AS number, i.reference,
      i.due_date, i.total AS debit, NULL::numeric AS credit`;
  const own = (type: string, number: string, side: string) =>
    `'${type}', e.id, ${number}, e.reference, NULL::date, ${side}`;
  const [debit, credit] = ['e.amount, NULL::numeric', 'NULL::numeric, e.amount'];
  return [
    branch(range, 'invoices i', 'true', 'i.date', 'i.number', invoice),
    entry('payment', 'e.date', own('payment', 'NULL', credit)),
    entry('creditNote', 'e.date', own('creditNote', creditNoteNumberText, credit)),
    entry('refund', 'e.effective_date', own('refund', 'NULL', debit)),
    entry(
      'reversal',
      'e.effective_date',
      `'reversal', e.source_id, NULL, NULL, NULL::date, ${debit}`,
    ),
  ].join('\n    UNION ALL\n    ');
}

/** The first rows of each name, by an index in the order of lines. */
function branch(
  { keys, after, to, max }: LineRange,
  from: string,
  condition: string,
  date: string,
  position: string,
  columns: string,
): string {
  const row = from.split(' ').at(-1);
  const isInvoice = row === 'i';
  const start = `(${after.date}, ${isInvoice ? after.number : after.sequence})`;
  return `
    SELECT line.*
    FROM unnest(${keys}) AS name (key),
      LATERAL (
        SELECT ${date} AS date, ${isInvoice ? 0 : 1} AS kind, ${position} AS position, ${columns}
        FROM ${from}
        WHERE ${row}.company_id = $1 AND ${row}.customer_key = name.key AND ${condition}
          AND ${date} <= ${to} AND (${date}, ${position}) > ${start}
        ORDER BY ${date}, ${position}
        LIMIT ${max}
      ) line`;
}
