// A customer's open items at the end of a day: its invoices with money due, and the unallocated
// money of its payments and credit notes.

import { numberText, orderReferenceText } from '../invoices/queries.js';
import { creditNoteNumberText } from '../ledger/queries.js';
import { textArray } from '../platform/db/arrays.js';
import { inReportTurn, readReport } from '../platform/db/list-reads.js';
import { lookUpOne } from '../platform/db/sql.js';
import { positionFields } from '../platform/http/pagination.js';
import { AGEING_TEXTS, ageingSums } from './ageing.js';
import { moneySql, PENDING } from './dues/money.js';
import { prepareReceivables } from './dues/refresh.js';
import type { Ageing, OpenCredit, OpenItem } from './json.js';
import { LAST } from './lines.js';
import { cellsOf, joinedRows, type Members, type RowFormat, wordOf } from './row-text.js';

/** The last item of a page: invoices by due date, date and number, then credits. */
export interface OpenPosition {
  /** 'infinity' for invoices without a due date, and above those for credits. */
  readonly dueDate: string;
  readonly invoiceDate: string;
  readonly number: string;
  readonly creditDate: string;
  readonly sequence: string;
}

export const OPEN_POSITION = positionFields(
  'dueDate',
  'invoiceDate',
  'number',
  'creditDate',
  'sequence',
);

export interface OpenItems {
  /** The texts of the page's invoices, joined; '' without invoices. */
  readonly invoices: string;
  readonly credits: string;
  /** At the end of the day, on every page. */
  readonly ageing: Ageing;
  /** The position of the page's last item if more follow. */
  readonly next: OpenPosition | null;
}

/** Which items are open at the end of `day`, and how they are written. */
export interface OpenRead {
  /** The match keys of the customer. */
  readonly keys: readonly string[];
  readonly day: string;
  readonly limit: number;
  /** The page begins after this position; absent for the first page. */
  readonly position?: OpenPosition | undefined;
  readonly format?: RowFormat;
}

const FIRST: OpenPosition = {
  dueDate: '-infinity',
  invoiceDate: '-infinity',
  number: '0',
  creditDate: '-infinity',
  sequence: '0',
};
const AFTER_INVOICES = { dueDate: 'infinity', invoiceDate: 'infinity', number: LAST };

/** The page after `position`, all of one snapshot. */
export function readOpenItems(companyId: string, read: OpenRead): Promise<OpenItems> {
  const { keys, day, limit, position = FIRST, format = 'json' } = read;
  const { dueDate, invoiceDate, number, creditDate, sequence } = position;
  const bind = [
    ...[companyId, textArray(keys), day, limit],
    ...[dueDate, invoiceDate, number, creditDate, sequence],
  ];
  return inReportTurn(companyId, ['open items', format, bind], async () => {
    await prepareReceivables(companyId);
    const [row] = await readReport<OpenRow>(companyId, openItemsSql(format), bind);
    if (!row) throw new Error('an aggregate has no row');
    const { invoices, credits, ageing, lastInvoice, lastCredit, hasMore } = row;
    return {
      invoices: invoices ?? '',
      credits: credits ?? '',
      ageing,
      next: hasMore ? positionOf(lastInvoice, lastCredit) : null,
    };
  });
}

interface OpenRow {
  readonly invoices: string | null;
  readonly credits: string | null;
  readonly ageing: Ageing;
  /** The page's last items; null without one. */
  readonly lastInvoice: Pick<OpenPosition, 'dueDate' | 'invoiceDate' | 'number'> | null;
  readonly lastCredit: Pick<OpenPosition, 'creditDate' | 'sequence'> | null;
  readonly hasMore: boolean;
}

function positionOf(invoice: OpenRow['lastInvoice'], credit: OpenRow['lastCredit']): OpenPosition {
  return credit ? { ...AFTER_INVOICES, ...credit } : { ...FIRST, ...invoice };
}

const INVOICE_COLUMNS: Members<Omit<OpenItem, 'orderReference'>> = {
  id: 'id',
  number: 'number',
  date: 'date',
  dueDate: 'due_date',
  reference: 'reference',
  total: 'trim_scale(total)',
  due: 'trim_scale(due)',
  daysOverdue: 'days_overdue',
};
const INVOICE_MEMBERS: Members<OpenItem> = {
  ...INVOICE_COLUMNS,
  orderReference: 'order_reference',
};
const CREDIT_TEXTS: Members<Omit<OpenCredit, 'unallocated'>> = {
  type: 'type',
  id: 'id',
  number: 'number',
  date: 'date',
};
const UNALLOCATED = 'trim_scale(unallocated)';

const OTHER_CELLS = cellsOf(INVOICE_COLUMNS, ['total', 'due', 'daysOverdue']);
const INVOICE = {
  members: INVOICE_MEMBERS,
  cells: [{ text: "'invoice'" }, ...OTHER_CELLS, null],
  pageCells: {
    Document: { text: "'Invoice'" },
    Number: { text: 'number' },
    Date: { text: 'date' },
    'Due date': { text: 'due_date' },
    Reference: { text: 'reference' },
    'PO number': { text: 'order_reference' },
    Total: { number: INVOICE_COLUMNS.total },
    Due: { number: INVOICE_COLUMNS.due },
    'Days overdue': { number: 'days_overdue' },
    Unallocated: null,
  },
};
/** The columns of the dashboard's file. */
export const OPEN_ITEM_HEADS = Object.keys(INVOICE.pageCells);
const CREDIT = {
  members: { ...CREDIT_TEXTS, unallocated: UNALLOCATED },
  // Those of an invoice after its date are empty.
  cells: [...cellsOf(CREDIT_TEXTS, []), null, null, null, null, null, { number: UNALLOCATED }],
  pageCells: {
    ...Object.fromEntries(OPEN_ITEM_HEADS.map(head => [head, null])),
    Document: wordOf('type', { payment: 'Payment', creditNote: 'Credit note' }),
    Number: { text: 'number' },
    Date: { text: 'date' },
    Unallocated: { number: UNALLOCATED },
  },
};
/** The columns of a CSV file. */
export const OPEN_ITEM_COLUMNS = ['type', ...Object.keys(INVOICE_COLUMNS), 'unallocated'];

/** $3 is the day, $4 the number of items on the page, of which invoices come first. */
const openItemsSql = (format: RowFormat) => `
  WITH ${PENDING}, money AS MATERIALIZED (
    ${moneySql({ keys: '$2::text[]', day: '$3::date' })}
  ), invoice AS MATERIALIZED (
    SELECT due_date, date, number, sum(due) AS due,
      row_number() OVER (ORDER BY due_date, date, number) AS place
    FROM money
    WHERE number IS NOT NULL
      AND (due_date, date, number) > ($5::date, $6::date, $7::bigint)
    GROUP BY due_date, date, number
    HAVING sum(due) > 0
    ORDER BY due_date, date, number
    LIMIT $4 + 1
  ), credit AS MATERIALIZED (
    SELECT e.date, e.sequence, e.type, e.id,
      CASE WHEN e.type = 'creditNote' THEN ${creditNoteNumberText} END AS number,
      source.unallocated,
      (SELECT count(*) FROM invoice) + row_number() OVER (ORDER BY e.date, e.sequence) AS place
    FROM (
        SELECT source_id, sum(unallocated) AS unallocated
        FROM money
        WHERE source_id IS NOT NULL
        GROUP BY source_id
        HAVING sum(unallocated) > 0
      ) source,
      ${lookUpOne('entries', 'e', 'company_id = $1 AND id = source.source_id')}
    WHERE (e.date, e.sequence) > ($8::date, $9::bigint)
    ORDER BY e.date, e.sequence
    LIMIT $4 + 1
  )
  SELECT (
      SELECT row_to_json(ageing)
      FROM (
        SELECT ${AGEING_TEXTS}
        FROM (SELECT ${ageingSums('dueDate', '$3::date')} FROM money) sums
      ) ageing
    ) AS ageing,
    (${joinedRows(OPEN_INVOICES, INVOICE, format)}) AS invoices,
    (${joinedRows(OPEN_CREDITS, CREDIT, format)}) AS credits,
    (
      SELECT json_build_object('dueDate', due_date, 'invoiceDate', date, 'number', number::text)
      FROM invoice
      WHERE place <= $4
      ORDER BY place DESC
      LIMIT 1
    ) AS "lastInvoice",
    (
      SELECT json_build_object('creditDate', date, 'sequence', sequence::text)
      FROM credit
      WHERE place <= $4
      ORDER BY place DESC
      LIMIT 1
    ) AS "lastCredit",
    (SELECT count(*) FROM invoice) + (SELECT count(*) FROM credit) > $4 AS "hasMore"`;

const OPEN_INVOICES = `
  SELECT i.id, ${numberText} AS number, i.date, i.due_date, i.reference, i.total, open.due,
    ${orderReferenceText} AS order_reference,
    CASE WHEN i.due_date > $3::date THEN 0 ELSE $3::date - i.due_date END AS days_overdue
  FROM invoice open,
    ${lookUpOne('invoices', 'i', 'company_id = $1 AND number = open.number')}
  WHERE open.place <= $4
  ORDER BY open.place`;

const OPEN_CREDITS = 'SELECT * FROM credit WHERE place <= $4 ORDER BY place';
