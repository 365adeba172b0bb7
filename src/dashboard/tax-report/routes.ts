// The tax report and its file, open to every signed-in user.
import { get, type PageRoute } from '../kit/page.js';
import { TAX_REPORT } from './months.js';
import { downloadTaxReport, showTaxReport } from './report.js';

export function taxReportPages(): PageRoute[] {
  return [
    get(TAX_REPORT, 'signed-in', showTaxReport, {
      label: 'Tax report',
      icon: 'report',
      group: 'Company',
    }),
    get(`${TAX_REPORT}/export.csv`, 'signed-in', downloadTaxReport),
  ];
}
