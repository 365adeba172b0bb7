// GET /jobs/{id}.
import { checkScope } from '../api-keys/authenticate.js';
import { findJobJson } from '../jobs/queries.js';
import type { WriteKind } from '../jobs/write-kind.js';
import { type Endpoint, readEndpoint } from './endpoint.js';

export function jobEndpoints(kinds: readonly WriteKind[]): Endpoint[] {
  return [
    readEndpoint({
      path: '/jobs/{id}',
      id: 'getJob',
      tag: 'Jobs',
      summary: 'Get a queued write',
      description:
        'Status of a write that returned 202. Available for 30 days, with the matching scope.',
      scope: ['invoices:read', 'inventory:read', 'payments:read'],
      noun: 'job',
      answer: 'The job.',
      schema: 'Job',
      find: async (auth, id) => {
        const job = await findJobJson(auth.companyId, id, kinds);
        const kind = kinds.find(({ type }) => type === job?.type);
        if (!job || !kind) return null;
        checkScope(auth, kind.readScope);
        return job.body;
      },
    }),
  ];
}
