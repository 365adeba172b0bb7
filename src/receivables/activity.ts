// A customer's account: every line that moves its balance, with the balance after it.

import { orderReferenceText } from '../invoices/queries.js';
import { textArray } from '../platform/db/arrays.js';
import { inReportTurn, readReport } from '../platform/db/list-reads.js';
import { addDays } from '../platform/values/days.js';
import { AGEING_TEXTS, ageingSums } from './ageing.js';
import { moneySql, PENDING } from './dues/money.js';
import { prepareReceivables } from './dues/refresh.js';
import type { ActivityLine, Ageing } from './json.js';
import { LAST, type LineEnd, type LinePosition, linesSql, positionOf } from './lines.js';
import { cellsOf, joinedRows, type Members, type RowFormat, wordOf } from './row-text.js';

/** A page of lines, without figures. */
export interface MoreLines {
  /** The texts of the lines, joined; '' without lines. */
  readonly lines: string;
  /** The balance after the page's last line, as decimal text. */
  readonly balance: string;
  /** The position of the page's last line if more lines follow. */
  readonly next: LinePosition | null;
}

export interface ActivityPage extends MoreLines {
  /** The balance before the page's first line. */
  readonly opening: string;
  /** The balance and the ageing at the end of the last day, on every page. */
  readonly closing: string;
  readonly ageing: Ageing;
}

/** The lines of these days, both inclusive. */
export interface ActivityRange {
  readonly from: string;
  readonly to: string;
}

/** Which lines of a customer's account, and how they are written. */
export interface ActivityRead {
  /** The match keys of the customer. */
  readonly keys: readonly string[];
  readonly range: ActivityRange;
  readonly limit: number;
  /** The page begins after this position; absent for the first page. */
  readonly position?: LinePosition | undefined;
  readonly format?: RowFormat;
}

/** The largest page. */
export const MAX_LINES = 5_000;
/** The usual largest page: a page of this size or less reads fewer lines. */
const USUAL_LINES = 1_000;

/** The page after `position`, all of one snapshot. */
export function readActivity(companyId: string, read: ActivityRead): Promise<ActivityPage> {
  const { keys, range, limit, position = startOf(range.from), format = 'json' } = read;
  const max = (limit > USUAL_LINES ? MAX_LINES : USUAL_LINES) + 1;
  const bind = bindOf(companyId, keys, position, range.to, limit);
  return inReportTurn(companyId, ['activity', max, format, bind], async () => {
    await prepareReceivables(companyId);
    const [row] = await readReport<PageRow>(companyId, pageSql(max, format), bind);
    if (!row) throw new Error('an aggregate has no row');
    const { opening, ageing } = row;
    return { opening, closing: ageing.balance, ageing, ...linesOf(row, opening) };
  });
}

/** Pages of lines after `position`, at which the balance is known, as parts of a CSV file. */
export function readMoreLines(
  companyId: string,
  { keys, range, format = 'json' }: Pick<ActivityRead, 'keys' | 'range' | 'format'>,
  { next, balance }: Pick<MoreLines, 'next' | 'balance'>,
): Promise<MoreLines> {
  const position = next ?? startOf(range.from);
  const bind = [...bindOf(companyId, keys, position, range.to, MAX_LINES), balance];
  return inReportTurn(companyId, ['lines', format, bind], async () => {
    const sql = moreLinesSql(MAX_LINES + 1, format);
    const [row] = await readReport<LinesRow>(companyId, sql, bind);
    if (!row) throw new Error('an aggregate has no row');
    return linesOf(row, balance);
  });
}

interface LinesRow {
  readonly lines: string | null;
  /** The page's last line; null without lines. */
  readonly last: (LineEnd & { readonly balance: string }) | null;
  readonly hasMore: boolean;
}

interface PageRow extends LinesRow {
  readonly opening: string;
  readonly ageing: Ageing;
}

/** The end of the day before. */
function startOf(from: string): LinePosition {
  return { date: addDays(from, -1), number: LAST, sequence: LAST };
}

function bindOf(
  companyId: string,
  keys: readonly string[],
  { date, number, sequence }: LinePosition,
  to: string,
  limit: number,
): unknown[] {
  return [companyId, textArray(keys), date, number, sequence, to, limit + 1];
}

function linesOf({ lines, last, hasMore }: LinesRow, opening: string): MoreLines {
  return {
    lines: lines ?? '',
    balance: last?.balance ?? opening,
    next: last && hasMore ? positionOf(last) : null,
  };
}

const KEYS = '$2::text[]';
const AFTER = { date: '$3::date', number: '$4::bigint', sequence: '$5::bigint' };

const COLUMNS: Members<Omit<ActivityLine, 'orderReference'>> = {
  date: 'date',
  type: 'type',
  id: 'id',
  number: 'number',
  reference: 'reference',
  dueDate: 'due_date',
  debit: 'trim_scale(debit)',
  credit: 'trim_scale(credit)',
  balance: 'trim_scale(balance)',
};
const MEMBERS: Members<ActivityLine> = {
  ...COLUMNS,
  orderReference: 'order_reference',
};
/** The kinds of lines in words. */
export const LINE_LABELS: Readonly<Record<ActivityLine['type'], string>> = {
  invoice: 'Invoice',
  payment: 'Payment',
  creditNote: 'Credit note',
  reversal: 'Reversal',
  refund: 'Refund',
};
const LINE = {
  members: MEMBERS,
  cells: cellsOf(COLUMNS, ['debit', 'credit', 'balance']),
  pageCells: {
    Date: { text: MEMBERS.date },
    Document: wordOf('type', LINE_LABELS),
    Number: { text: MEMBERS.number },
    Reference: { text: MEMBERS.reference },
    'PO number': { text: MEMBERS.orderReference },
    'Due date': { text: MEMBERS.dueDate },
    Debit: { number: MEMBERS.debit },
    Credit: { number: MEMBERS.credit },
    Balance: { number: MEMBERS.balance },
  },
};
/** The columns of the dashboard's file. */
export const LINE_HEADS = Object.keys(LINE.pageCells);
/** The columns of a CSV file. */
export const LINE_COLUMNS = Object.keys(COLUMNS);

/**
 * SQL for a CTE `line`: the page's lines and one more if more follow, with their places and the
 * balances after them. `opening` is SQL for the balance before them.
 */
const lineCte = (max: number, opening: string) => `
  line AS MATERIALIZED (
    SELECT line.*, row_number() OVER in_order AS place,
      ${opening} + sum(COALESCE(debit, 0) - COALESCE(credit, 0)) OVER in_order AS balance
    FROM (
      SELECT *
      FROM (${linesSql({ keys: KEYS, after: AFTER, to: '$6::date', max })}) line
      ORDER BY line.date, line.kind, line.position
      LIMIT $7
    ) line
    WINDOW in_order AS (ORDER BY date, kind, position ROWS UNBOUNDED PRECEDING)
  )`;

/** Postgres leaves the order number out where a format has none. */
const LINES = `
  SELECT line.*,
    CASE line.type WHEN 'invoice' THEN (
      SELECT ${orderReferenceText}
      FROM invoices i
      WHERE i.company_id = $1 AND i.id = line.id
    ) END AS order_reference
  FROM line
  WHERE line.place < $7
  ORDER BY line.place`;

const linesColumns = (format: RowFormat) => `
  (${joinedRows(LINES, LINE, format)}) AS lines,
  (
    SELECT json_build_object('date', date, 'kind', kind, 'position', position::text,
      'balance', trim_scale(balance)::text)
    FROM line
    WHERE place < $7
    ORDER BY place DESC
    LIMIT 1
  ) AS last,
  EXISTS (SELECT FROM line WHERE place = $7) AS "hasMore"`;

const moreLinesSql = (max: number, format: RowFormat) => `
  WITH ${lineCte(max, '$8::numeric')}
  SELECT ${linesColumns(format)}`;

/**
 * The opening balance is that at the end of the day of `after`, less the lines of that day which
 * follow. So it reads the invoices and entries of one day only.
 */
const pageSql = (max: number, format: RowFormat) => `
  WITH ${PENDING}, opening AS MATERIALIZED (
    SELECT (
        SELECT COALESCE(sum(due) - sum(unallocated), 0)
        FROM (${moneySql({ keys: KEYS, day: AFTER.date })}) money
      ) - (
        SELECT COALESCE(sum(COALESCE(debit, 0) - COALESCE(credit, 0)), 0)
        FROM (${linesSql({ keys: KEYS, after: AFTER, to: AFTER.date, max: 1_000_000_000 })}) line
      ) AS balance
  ), ${lineCte(max, '(SELECT balance FROM opening)')}
  SELECT (SELECT trim_scale(balance)::text FROM opening) AS opening,
    (
      SELECT row_to_json(ageing)
      FROM (
        SELECT ${AGEING_TEXTS}
        FROM (
          SELECT ${ageingSums('dueDate', '$6::date')}
          FROM (${moneySql({ keys: KEYS, day: '$6::date' })}) money
        ) sums
      ) ageing
    ) AS ageing,
    ${linesColumns(format)}`;
