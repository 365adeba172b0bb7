// GET /summary.
import { type Endpoint, readEndpoint } from '../api/endpoint.js';
import { readSummary } from './queries.js';

export const summaryEndpoints: readonly Endpoint[] = [
  readEndpoint({
    path: '/summary',
    id: 'getSummary',
    tag: 'Summary',
    summary: 'Financial summary of the current month',
    description:
      'The month goes by the dates of invoices, payments, refunds and credit notes, in the time ' +
      'zone of the company. `invoices`, `sales`, `previous` and `change` are what was invoiced, ' +
      'even if it is credited later: `sales.net` is without tax, but before credit notes. The ' +
      'top lists are after credit notes, whose quantities and money count in the month of their ' +
      'own date; `topCustomers` include tax, `topItems` do not. A voided invoice has a ' +
      'credit note for all of it. `outstanding`, `overdue` and `unallocated` are as of today. ' +
      'The figures are precomputed: reading them costs the same with ten invoices or ten ' +
      'million. They include a write within 5 seconds.',
    scope: 'summary:read',
    answer: 'The summary.',
    schema: 'Summary',
    find: ({ companyId, currency, timeZone }) => readSummary(companyId, currency, timeZone),
  }),
];
