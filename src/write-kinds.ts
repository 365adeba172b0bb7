// The one list of queues of writes and their kinds. To add a kind, define it in its own slice and
// name it in the slice's queue.
import { stockQueue } from './inventory/adjust.js';
import { invoiceQueue } from './invoices/post.js';
import type { WriteKind, WriteQueue } from './jobs/write-kind.js';
import { ledgerQueue } from './ledger/batch/kinds.js';

export const WRITE_QUEUES: readonly WriteQueue[] = [invoiceQueue, stockQueue, ledgerQueue];
export const WRITE_KINDS: readonly WriteKind[] = WRITE_QUEUES.flatMap(({ kinds }) => kinds);
