// A customer's open items at the end of a day: its invoices with money due, and the unallocated
// money of its payments and credit notes.
import { moneySql, UNFOLDED } from '../customers/dues.js';
import { numberText } from '../invoices/queries.js';
import { creditNoteNumberText } from '../ledger/queries.js';
import { textArray } from '../platform/db/arrays.js';
import { readReport } from '../platform/db/list-reads.js';
import { lookUpOne } from '../platform/db/sql.js';
import { AGEING_TEXTS, type Ageing, ageingSums } from './ageing.js';
import { LAST } from './lines.js';

/** Amounts are decimal texts. */
export interface OpenInvoice {
  readonly id: string;
  readonly number: string;
  readonly date: string;
  readonly dueDate: string | null;
  readonly reference: string | null;
  readonly total: string;
  readonly due: string;
  /** 0 if it is not overdue; null without a due date. */
  readonly daysOverdue: number | null;
}

export interface OpenCredit {
  readonly type: 'payment' | 'creditNote';
  readonly id: string;
  readonly number: string | null;
  readonly date: string;
  readonly unallocated: string;
}

/** The last item of a page: invoices by due date, date and number, then credits. */
export interface OpenPosition {
  /** 'infinity' for invoices without a due date, and above those for credits. */
  readonly dueDate: string;
  readonly invoiceDate: string;
  readonly number: string;
  readonly creditDate: string;
  readonly sequence: string;
}

export interface OpenItems {
  readonly invoices: readonly OpenInvoice[];
  readonly credits: readonly OpenCredit[];
  /** At the end of the day, on every page. */
  readonly ageing: Ageing;
  /** The position of the page's last item if more follow. */
  readonly next: OpenPosition | null;
}

const FIRST: OpenPosition = {
  dueDate: '-infinity',
  invoiceDate: '-infinity',
  number: '0',
  creditDate: '-infinity',
  sequence: '0',
};
const AFTER_INVOICES = { dueDate: 'infinity', invoiceDate: 'infinity', number: LAST };

/** The page after `position`, all of one snapshot. Requires `prepareReceivables`. */
export async function readOpenItems(
  companyId: string,
  keys: readonly string[],
  day: string,
  limit: number,
  position: OpenPosition = FIRST,
): Promise<OpenItems> {
  const { dueDate, invoiceDate, number, creditDate, sequence } = position;
  const [row] = await readReport<OpenRow>(companyId, OPEN_ITEMS, [
    ...[companyId, textArray(keys), day, limit + 1],
    ...[dueDate, invoiceDate, number, creditDate, sequence],
  ]);
  if (!row) throw new Error('an aggregate has no row');
  const invoices = row.invoices ?? [];
  const credits = row.credits ?? [];
  const shownInvoices = invoices.slice(0, limit);
  const shownCredits = credits.slice(0, limit - shownInvoices.length);
  const isMore = invoices.length + credits.length > limit;
  const [lastInvoice, lastCredit] = [shownInvoices.at(-1), shownCredits.at(-1)];
  return {
    invoices: shownInvoices.map(({ running: _running, ...invoice }) => invoice),
    credits: shownCredits.map(({ sequence: _sequence, ...credit }) => credit),
    ageing: row.ageing,
    next: isMore ? positionOf(lastInvoice, lastCredit) : null,
  };
}

type InvoiceRow = OpenInvoice & { readonly running: string };
type CreditRow = OpenCredit & { readonly sequence: string };

interface OpenRow {
  readonly ageing: Ageing;
  readonly invoices: readonly InvoiceRow[] | null;
  readonly credits: readonly CreditRow[] | null;
}

function positionOf(invoice: InvoiceRow | undefined, credit: CreditRow | undefined): OpenPosition {
  if (credit) return { ...AFTER_INVOICES, creditDate: credit.date, sequence: credit.sequence };
  if (!invoice) return FIRST;
  const { dueDate, date, running } = invoice;
  return { ...FIRST, dueDate: dueDate ?? 'infinity', invoiceDate: date, number: running };
}

/** $3 is the day, $4 the number of items. */
const OPEN_ITEMS = `
  WITH ${UNFOLDED}, money AS MATERIALIZED (
    ${moneySql({ keys: '$2::text[]', day: '$3::date' })}
  ), invoice AS (
    SELECT due_date, date, number, sum(due) AS due
    FROM money
    WHERE number IS NOT NULL
      AND (due_date, date, number) > ($5::date, $6::date, $7::bigint)
    GROUP BY due_date, date, number
    HAVING sum(due) > 0
    ORDER BY due_date, date, number
    LIMIT $4
  ), rest AS (
    SELECT e.date, e.sequence, e.type, e.id,
      CASE WHEN e.type = 'creditNote' THEN ${creditNoteNumberText} END AS number,
      source.rest
    FROM (
        SELECT source_id, sum(rest) AS rest
        FROM money
        WHERE source_id IS NOT NULL
        GROUP BY source_id
        HAVING sum(rest) > 0
      ) source,
      ${lookUpOne('entries', 'e', 'company_id = $1 AND id = source.source_id')}
    WHERE (e.date, e.sequence) > ($8::date, $9::bigint)
    ORDER BY e.date, e.sequence
    LIMIT $4
  )
  SELECT (
      SELECT row_to_json(ageing)
      FROM (
        SELECT ${AGEING_TEXTS}
        FROM (SELECT ${ageingSums('dueDate', '$3::date')} FROM money) sums
      ) ageing
    ) AS ageing,
    (
      SELECT json_agg(row_to_json(item))
      FROM (
        SELECT i.id, ${numberText} AS number, i.number::text AS running,
          i.date::text AS date, i.due_date::text AS "dueDate", i.reference,
          trim_scale(i.total)::text AS total, trim_scale(open.due)::text AS due,
          CASE WHEN i.due_date > $3::date THEN 0 ELSE $3::date - i.due_date END AS "daysOverdue"
        FROM invoice open,
          ${lookUpOne('invoices', 'i', 'company_id = $1 AND number = open.number')}
        ORDER BY open.due_date, open.date, open.number
      ) item
    ) AS invoices,
    (
      SELECT json_agg(row_to_json(item))
      FROM (
        SELECT type, id, number, date::text AS date, trim_scale(rest)::text AS unallocated,
          sequence::text AS sequence
        FROM rest
        ORDER BY rest.date, rest.sequence
      ) item
    ) AS credits`;
