// Routes of the operators' pages. The queue board is a mounted app (queue-board.ts).
import type { Cursors } from '../../platform/http/pagination.js';
import type { UsageOf } from '../keys/usage.js';
import { get, type PageRoute } from '../kit/page.js';
import { showCompanies } from './companies.js';
import { retryForm, showFailedJobs } from './jobs.js';

export function operatorPages(usage: UsageOf, pager: Cursors): PageRoute[] {
  const group = 'Operators';
  return [
    get('/admin/jobs', 'operator', request => showFailedJobs(request, pager), {
      label: 'Failed jobs',
      icon: 'alert',
      group,
    }),
    ...retryForm(pager),
    get('/admin/companies', 'operator', request => showCompanies(request, usage, pager), {
      label: 'Companies',
      icon: 'company',
      group,
    }),
  ];
}
