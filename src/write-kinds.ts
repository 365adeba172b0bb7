// The one list of kinds of write. To add one, define it in its own slice and name it here.
import { stockWrites } from './inventory/adjust.js';
import { invoiceWrites } from './invoices/post.js';
import type { WriteKind } from './jobs/write-kind.js';
import {
  allocationWrites,
  creditNoteWrites,
  paymentWrites,
  refundWrites,
  reversalWrites,
  voidWrites,
} from './ledger/batch/kinds.js';

export const WRITE_KINDS: readonly WriteKind[] = [
  ...[invoiceWrites, stockWrites],
  ...[paymentWrites, reversalWrites, allocationWrites, refundWrites, creditNoteWrites, voidWrites],
];
