// A customer's account: every line that moves its balance, with the balance after it.
import { moneySql, UNFOLDED } from '../customers/dues.js';
import { textArray } from '../platform/db/arrays.js';
import { readReport } from '../platform/db/list-reads.js';
import { addDays } from '../platform/values/days.js';
import { fromUnits, toUnits } from '../platform/values/money.js';
import { AGEING_TEXTS, type Ageing, ageingSums } from './ageing.js';
import { LAST, type LinePosition, type LineRow, linesSql, positionOf } from './lines.js';

export interface ActivityLine extends Omit<LineRow, 'kind' | 'position'> {
  /** After the line, as decimal text. */
  readonly balance: string;
}

export interface ActivityPage {
  /** The balance before the page's first line. */
  readonly opening: string;
  readonly entries: readonly ActivityLine[];
  /** The balance and the ageing at the end of the last day, on every page. */
  readonly closing: string;
  readonly ageing: Ageing;
  /** The position of the page's last line if more lines follow. */
  readonly next: LinePosition | null;
}

/** The lines of these days, both inclusive. */
export interface ActivityRange {
  readonly from: string;
  readonly to: string;
}

/** The largest page. */
export const MAX_LINES = 5_000;
/** The usual largest page: a page of this size or less reads fewer lines. */
const USUAL_LINES = 1_000;

/** The page after `position`, all of one snapshot. Requires `prepareReceivables`. */
export async function readActivity(
  companyId: string,
  keys: readonly string[],
  { from, to }: ActivityRange,
  limit: number,
  position?: LinePosition,
): Promise<ActivityPage> {
  const sql = limit > USUAL_LINES ? LARGE_PAGE : USUAL_PAGE;
  const after = position ?? startOf(from);
  const [row] = await readReport<PageRow>(companyId, sql, [
    ...bindOf(companyId, keys, after, to, limit),
  ]);
  if (!row) throw new Error('an aggregate has no row');
  const { opening, ageing } = row;
  return { opening, closing: ageing.balance, ageing, ...pageOf(row.lines ?? [], limit, opening) };
}

/** Pages of lines after `position` whose first opening balance is known, without figures. */
export async function readMoreLines(
  companyId: string,
  keys: readonly string[],
  to: string,
  { position, balance }: { readonly position: LinePosition; readonly balance: string },
): Promise<Pick<ActivityPage, 'entries' | 'next'>> {
  const bind = bindOf(companyId, keys, position, to, MAX_LINES);
  const lines = await readReport<LineRow>(companyId, MORE_LINES, bind);
  return pageOf(lines, MAX_LINES, balance);
}

interface PageRow {
  readonly opening: string;
  readonly ageing: Ageing;
  readonly lines: readonly LineRow[] | null;
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

function pageOf(rows: readonly LineRow[], limit: number, opening: string) {
  let balance = toUnits(opening);
  const page = rows.slice(0, limit);
  const entries = page.map(({ kind: _kind, position: _position, ...line }): ActivityLine => {
    balance += toUnits(line.debit ?? '0') - toUnits(line.credit ?? '0');
    return { ...line, balance: fromUnits(balance) };
  });
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { entries, next: last ? positionOf(last) : null };
}

const KEYS = '$2::text[]';
const AFTER = { date: '$3::date', number: '$4::bigint', sequence: '$5::bigint' };

const LINE = `
  date::text AS date, kind, position::text AS position, type, id, number, reference,
  due_date::text AS "dueDate",
  trim_scale(debit)::text AS debit, trim_scale(credit)::text AS credit`;
const ORDER = 'line.date, line.kind, line.position';

const lines = (max: number) => `
  SELECT ${LINE}
  FROM (
    SELECT *
    FROM (${linesSql({ keys: KEYS, after: AFTER, to: '$6::date', max })}) line
    ORDER BY ${ORDER}
    LIMIT $7
  ) line
  ORDER BY ${ORDER}`;

const MORE_LINES = lines(MAX_LINES + 1);

/**
 * The opening balance is that at the end of the day of `after`, less the lines of that day which
 * follow. So it reads the invoices and entries of one day only.
 */
const page = (max: number) => `
  WITH ${UNFOLDED}
  SELECT trim_scale((
      SELECT COALESCE(sum(due) - sum(rest), 0)
      FROM (${moneySql({ keys: KEYS, day: AFTER.date })}) money
    ) - (
      SELECT COALESCE(sum(COALESCE(debit, 0) - COALESCE(credit, 0)), 0)
      FROM (${linesSql({ keys: KEYS, after: AFTER, to: AFTER.date, max: 1_000_000_000 })}) line
    ))::text AS opening,
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
    (SELECT json_agg(row_to_json(line)) FROM (${lines(max)}) line) AS lines`;

const USUAL_PAGE = page(USUAL_LINES + 1);
const LARGE_PAGE = page(MAX_LINES + 1);
