// Statements and receivables as CSV, whose records Postgres writes. Each page is read after the
// consumer took the previous one, so a slow reader holds no transaction open.
import { BOM, type Cell, csvLine } from '../platform/values/csv.js';
import {
  type ActivityRange,
  LINE_COLUMNS,
  LINE_HEADS,
  MAX_LINES,
  type MoreLines,
  readActivity,
  readMoreLines,
} from './activity.js';
import { readAllReceivables } from './list.js';
import { RECEIVABLES_COLUMNS, RECEIVABLES_HEADS, type ReceivablesFilter } from './list-sql.js';
import {
  OPEN_ITEM_COLUMNS,
  OPEN_ITEM_HEADS,
  type OpenPosition,
  readOpenItems,
} from './open-items.js';
import { csvFormatOf, isOfPage, type RowFileFormat } from './row-text.js';

/** The first line of a file: names of members, or words. */
function headLine(columns: readonly string[], heads: readonly string[], format: RowFileFormat) {
  return BOM + csvLine(isOfPage(format) ? heads : columns, csvFormatOf(format));
}

/** The lines between a row with the opening balance and one with the closing balance. */
export async function* exportActivity(
  companyId: string,
  keys: readonly string[],
  range: ActivityRange,
  format: RowFileFormat = 'comma',
): AsyncGenerator<string> {
  const ofPage = isOfPage(format);
  const balanceRow = (date: string, type: string, balance: string) => {
    const others = (ofPage ? LINE_HEADS : LINE_COLUMNS).slice(2, -1).map((): Cell => null);
    return csvLine([date, type, ...others, { number: balance }], csvFormatOf(format));
  };
  const read = { keys, range, format };
  const first = await readActivity(companyId, { ...read, limit: MAX_LINES });
  const head = headLine(LINE_COLUMNS, LINE_HEADS, format);
  yield head + balanceRow(range.from, ofPage ? 'Opening balance' : 'opening', first.opening);
  let page: MoreLines = first;
  for (yield page.lines; page.next; yield page.lines)
    page = await readMoreLines(companyId, read, page);
  yield balanceRow(range.to, ofPage ? 'Closing balance' : 'closing', page.balance);
}

export async function* exportOpenItems(
  companyId: string,
  keys: readonly string[],
  day: string,
  format: RowFileFormat = 'comma',
): AsyncGenerator<string> {
  yield headLine(OPEN_ITEM_COLUMNS, OPEN_ITEM_HEADS, format);
  const read = { keys, day, limit: MAX_LINES, format };
  for (let position: OpenPosition | undefined; ; ) {
    const { invoices, credits, next } = await readOpenItems(companyId, { ...read, position });
    yield invoices + credits;
    if (!next) return;
    position = next;
  }
}

export async function* exportReceivables(
  companyId: string,
  filter: ReceivablesFilter,
  format: RowFileFormat = 'comma',
): AsyncGenerator<string> {
  const parts = await readAllReceivables(companyId, filter, format);
  yield headLine(RECEIVABLES_COLUMNS, RECEIVABLES_HEADS, format);
  yield* parts;
}
