// GET /summary.
import { type Endpoint, readEndpoint } from '../jobs/endpoint.js';
import { readSummary } from './queries.js';

export const summaryEndpoints: readonly Endpoint[] = [
  readEndpoint({
    path: '/summary',
    id: 'getSummary',
    tag: 'Summary',
    summary: 'Financial summary of the current month',
    description:
      'The month goes by the dates of invoices, payments, refunds and credit notes, in the time ' +
      'zone of the company. `invoices`, `sales`, `previous`, `change` and the top lists are what ' +
      'was invoiced, even if it is credited later. `outstanding`, `overdue` and `unallocated` ' +
      'are as of today. The figures are precomputed: reading them costs the same with ten ' +
      'invoices or ten million. They include a write within 5 seconds.',
    scope: 'summary:read',
    answer: 'The summary.',
    schema: 'Summary',
    find: ({ companyId, currency, timeZone }) => readSummary(companyId, currency, timeZone),
  }),
];
