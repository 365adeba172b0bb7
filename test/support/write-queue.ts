// A queue whose writes need no plan, for tests of how batches are settled.
import type { WriteKind, WriteQueue } from '../../src/jobs/write-kind.js';

type Queue<Payload> = WriteQueue<Payload, null, null>;
type Kind<Payload> = WriteKind<Payload, null, null>;

/** By default each write has one line, and its plan takes no time. */
export function writeQueue<Payload>(
  steps: Pick<Queue<Payload>, 'lock' | 'write'> &
    Partial<Pick<Kind<Payload>, 'lineCount' | 'plan'>>,
): Queue<Payload> {
  const { lock, write, ...ofKind } = steps;
  const kind: Kind<Payload> = {
    type: 'invoice.create',
    queue: 'invoices',
    path: () => '/api/external/invoices',
    readScope: 'invoices:read',
    resultSql: 'NULL',
    lineCount: () => 1,
    plan: () => ({ plan: null }),
    readBodies: async () => new Map(),
    ...ofKind,
  };
  return { name: kind.queue, label: kind.type, kinds: [kind], lock, write };
}
