// The tax report and its file.
import { INVOICES } from '../invoices/routes.js';
import { get, type PageRoute } from '../kit/page.js';
import { TAX_REPORT } from './months.js';
import { downloadTaxReport, showTaxReport } from './report.js';

export function taxReportPages(): PageRoute[] {
  return [
    get(TAX_REPORT, 'see-sales', showTaxReport, {
      label: 'Tax report',
      area: INVOICES,
    }),
    get(`${TAX_REPORT}/export.csv`, 'see-sales', downloadTaxReport),
  ];
}
