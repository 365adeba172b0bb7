// The tax report as CSV: one row per month and tax, after each month its total, and the total of
// all months at the end.
import { BOM, type Cell, type CsvFormat, csvLine } from '../../platform/values/csv.js';
import type { TaxFigures, TaxLine, TaxReport } from '../../summary/tax/report.js';
import { NO_TAX } from '../../summary/tax/roll-up.js';
import { taxName } from './tax-name.js';

const HEADER = [
  ...['Month', 'Tax', 'Tax category', 'Tax rate', 'Invoiced excl. tax', 'Tax invoiced'],
  ...['Credited excl. tax', 'Tax credited', 'Net sales', 'Tax due', 'Currency'],
];
const TOTAL = 'Total';

export function taxReportCsv(
  { months, whole }: TaxReport,
  currency: string,
  format: CsvFormat,
): string {
  const record = (month: string, tax: readonly Cell[], figures: TaxFigures) =>
    csvLine([month, ...tax, ...figuresOf(figures), currency], format);
  const records = months.flatMap(({ month, lines, total }) => [
    ...lines.map(line => record(month, taxOf(line), line)),
    record(month, [TOTAL, null, null], total),
  ]);
  const end = record(TOTAL, [TOTAL, null, null], whole.total);
  return BOM + csvLine(HEADER, format) + records.join('') + end;
}

function taxOf(line: TaxLine): Cell[] {
  const { category, rate } = line;
  if (category === NO_TAX) return [taxName(line), null, null];
  return [taxName(line), category, { number: rate }];
}

function figuresOf(figures: TaxFigures): Cell[] {
  const { invoicedNet, invoicedTax, creditedNet, creditedTax, net, tax } = figures;
  return [invoicedNet, invoicedTax, creditedNet, creditedTax, net, tax].map(number => ({ number }));
}
