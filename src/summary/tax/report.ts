// The tax report: net amounts and tax per month, category and rate, of invoices and of the credit
// notes that lessen them.
import { query } from '../../platform/db/connection.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import { refreshTaxes } from './refresh.js';
import type { DocumentType } from './roll-up.js';

/** Net and tax as decimal text: of invoices, of credit notes (positive), and their difference. */
export interface TaxFigures {
  readonly invoicedNet: string;
  readonly invoicedTax: string;
  readonly creditedNet: string;
  readonly creditedTax: string;
  readonly net: string;
  readonly tax: string;
}

export interface TaxLine extends TaxFigures {
  /** A category of EN 16931, or NO_TAX. */
  readonly category: string;
  /** Decimal text, in percent. */
  readonly rate: string;
}

/** A month, or the whole period. */
export interface TaxSection {
  /** The highest rate first, then by category. */
  readonly lines: readonly TaxLine[];
  readonly total: TaxFigures;
}

export interface TaxMonth extends TaxSection {
  /** YYYY-MM. */
  readonly month: string;
}

export interface TaxReport {
  /** The months that have documents, in order. */
  readonly months: readonly TaxMonth[];
  readonly whole: TaxSection;
}

/** The report of the months `from` to `to` (YYYY-MM, inclusive), by the documents' own dates. */
export async function readTaxReport(
  companyId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<TaxReport> {
  await refreshTaxes(companyId);
  const rows = await query<TaxLine & { month: string }>(
    `SELECT to_char(month, 'YYYY-MM') AS month, category, trim_scale(rate)::text AS rate,
       ${sumOf('net', 'invoice')} AS "invoicedNet",
       ${sumOf('tax', 'invoice')} AS "invoicedTax",
       ${sumOf('net', 'creditNote')} AS "creditedNet",
       ${sumOf('tax', 'creditNote')} AS "creditedTax",
       ${differenceOf('net')} AS net,
       ${differenceOf('tax')} AS tax
     FROM tax_totals t
     WHERE company_id = $1 AND month BETWEEN $2::date AND $3::date AND (net > 0 OR tax > 0)
     GROUP BY month, category, t.rate
     ORDER BY month, t.rate DESC, category`,
    [companyId, `${from}-01`, `${to}-01`],
  );
  const months = [...new Set(rows.map(({ month }) => month))].map(month => {
    const lines = rows.filter(row => row.month === month);
    return { month, lines, total: totalOf(lines) };
  });
  return { months, whole: wholeOf(rows) };
}

const sumOf = (column: string, type: DocumentType) =>
  `trim_scale(COALESCE(sum(${column}) FILTER (WHERE type = '${type}'), 0))::text`;

const differenceOf = (column: string) =>
  `trim_scale(sum(CASE type WHEN 'invoice' THEN ${column} ELSE -${column} END))::text`;

function wholeOf(rows: readonly TaxLine[]): TaxSection {
  const groups = new Map<string, TaxLine[]>();
  for (const row of rows) {
    const key = `${row.category} ${row.rate}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const lines = [...groups.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, ...totalOf([first, ...others]) }] : [],
  );
  lines.sort((a, b) => Number(b.rate) - Number(a.rate) || (a.category < b.category ? -1 : 1));
  return { lines, total: totalOf(lines) };
}

function totalOf(lines: readonly TaxFigures[]): TaxFigures {
  const sum = (name: keyof TaxFigures) =>
    fromUnits(lines.reduce((total, line) => total + toUnits(line[name]), 0n));
  return {
    invoicedNet: sum('invoicedNet'),
    invoicedTax: sum('invoicedTax'),
    creditedNet: sum('creditedNet'),
    creditedTax: sum('creditedTax'),
    net: sum('net'),
    tax: sum('tax'),
  };
}
