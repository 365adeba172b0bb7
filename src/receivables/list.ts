// Receivables: what each customer owes by age, now or at the end of a past day. Each read adds up
// all customers in one statement, so its totals and rows are of one snapshot.
import { inReportTurn, readReport } from '../platform/db/list-reads.js';
import { findRecord } from './customer.js';
import { prepareReceivables } from './dues/refresh.js';
import type { Ageing } from './json.js';
import {
  pageStatement,
  partsStatement,
  type ReceivablesFilter,
  type Selection,
} from './list-sql.js';
import type { RowFormat } from './row-text.js';

export interface Receivables {
  /** The day from which ages count. */
  readonly asOf: string;
  /** Of all rows, on every page. */
  readonly totals: Ageing;
  /** The texts of the page's rows, joined; '' without rows. */
  readonly customers: string;
  /** The position of the page's last row if more rows follow. */
  readonly next: string[] | null;
}

/** The rows after `position`, at most `limit`. */
export function readReceivables(
  companyId: string,
  filter: ReceivablesFilter,
  limit: number,
  position?: readonly string[],
): Promise<Receivables> {
  return inReportTurn(companyId, ['receivables', filter, limit, position], async () => {
    const selection = await selectionOf(companyId, filter);
    const { sql, bind } = pageStatement(companyId, selection, limit, position);
    const [row] = await readReport<PageRow>(companyId, sql, bind);
    if (!row) throw new Error('an aggregate has no row');
    const { totals, customers, last } = row;
    const next = row.hasMore ? last : null;
    return { asOf: selection.day, totals, customers: customers ?? '', next };
  });
}

interface PageRow {
  readonly totals: Ageing;
  readonly customers: string | null;
  /** The position of the page's last row; null without rows. */
  readonly last: string[] | null;
  readonly hasMore: boolean;
}

/** All rows as parts of a CSV file. */
export function readAllReceivables(
  companyId: string,
  filter: ReceivablesFilter,
  format: RowFormat,
): Promise<string[]> {
  return inReportTurn(companyId, ['all receivables', filter, format], async () => {
    const { sql, bind } = partsStatement(companyId, await selectionOf(companyId, filter), format);
    const rows = await readReport<{ part: string }>(companyId, sql, bind);
    return rows.map(({ part }) => part);
  });
}

async function selectionOf(companyId: string, filter: ReceivablesFilter): Promise<Selection> {
  const { asOf, customerId } = filter;
  const today = (await prepareReceivables(companyId)) ?? '';
  const record = customerId === undefined ? null : await findRecord(companyId, customerId);
  const keys = customerId === undefined ? null : (record?.keys ?? []);
  return { ...filter, day: asOf ?? today, keys };
}
