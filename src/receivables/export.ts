// Statements and receivables as CSV, whose records Postgres writes. Each page is read after the
// consumer took the previous one, so a slow reader holds no transaction open.
import { BOM, type Cell, type CsvFormat, csvLine } from '../platform/values/csv.js';
import {
  type ActivityRange,
  LINE_COLUMNS,
  MAX_LINES,
  type MoreLines,
  readActivity,
  readMoreLines,
} from './activity.js';
import { RECEIVABLES_COLUMNS, type ReceivablesFilter, readAllReceivables } from './list.js';
import { OPEN_ITEM_COLUMNS, type OpenPosition, readOpenItems } from './open-items.js';

/** The lines between a row with the opening balance and one with the closing balance. */
export async function* exportActivity(
  companyId: string,
  keys: readonly string[],
  range: ActivityRange,
  format: CsvFormat = 'comma',
): AsyncGenerator<string> {
  const balanceRow = (date: string, type: string, balance: string) => {
    const others = LINE_COLUMNS.slice(2, -1).map((): Cell => null);
    return csvLine([date, type, ...others, { number: balance }], format);
  };
  const read = { keys, range, format };
  const first = await readActivity(companyId, { ...read, limit: MAX_LINES });
  const head = BOM + csvLine(LINE_COLUMNS, format);
  yield head + balanceRow(range.from, 'opening', first.opening);
  let page: MoreLines = first;
  for (yield page.lines; page.next; yield page.lines)
    page = await readMoreLines(companyId, read, page);
  yield balanceRow(range.to, 'closing', page.balance);
}

export async function* exportOpenItems(
  companyId: string,
  keys: readonly string[],
  day: string,
  format: CsvFormat = 'comma',
): AsyncGenerator<string> {
  yield BOM + csvLine(OPEN_ITEM_COLUMNS, format);
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
  format: CsvFormat = 'comma',
): AsyncGenerator<string> {
  const parts = await readAllReceivables(companyId, filter, format);
  yield BOM + csvLine(RECEIVABLES_COLUMNS, format);
  yield* parts;
}
