// The ledger's kinds of write. They share one queue and its batches, since they change the same
// invoices.
import { defineWriteKind } from '../../jobs/write-kind.js';
import type { LedgerPayload } from '../payload.js';
import { entryAnswers } from '../queries.js';
import type { LedgerPlan } from '../rules/entry-plan.js';
import { planWrites } from '../rules/plan.js';
import type { LedgerState } from '../rules/state.js';
import { lockLedger } from './lock.js';
import { LEDGER_CONFLICTS, writeLedger } from './write.js';

const API = '/api/external';
/** Lines of an invoice whose number is not known before it is read. */
const USUAL_LINES = 20;

type PayloadOf<Type extends LedgerPayload['type']> = Extract<LedgerPayload, { type: Type }>;

/** SQL for a job's result: the record of type `type`, with the id of the entries row as e. */
function resultSql(type: string, id = 'e.id'): string {
  const paths = { payment: 'payments', refund: 'refunds', creditNote: 'credit-notes' };
  const path = Object.entries(paths).map(([name, part]) => `WHEN '${name}' THEN '${part}'`);
  return `(
    SELECT row_to_json(result)
    FROM (
      SELECT r.type, r.id, '${API}/' || CASE r.type ${path.join(' ')} END || '/' || r.id AS href
      FROM entries e
      JOIN entries r ON r.company_id = e.company_id AND r.id = ${id}
      WHERE e.company_id = j.company_id AND e.id = j.result_id AND r.type ${type}
    ) result
  )`;
}

const SOURCE_OF_ENTRY = resultSql("IN ('payment', 'creditNote')", 'e.source_id');

function defineLedgerKind<Type extends LedgerPayload['type']>(
  type: Type,
  readScope: 'payments:read' | 'invoices:read',
  result: string,
  path: (payload: PayloadOf<Type>) => string,
) {
  return defineWriteKind<LedgerPayload, LedgerState, LedgerPlan>({
    type,
    queue: 'ledger',
    path: payload => API + path(payload as PayloadOf<Type>),
    readScope,
    resultSql: result,
    retryOn: LEDGER_CONFLICTS,
    hasAmounts: true,
    weigh,
    lock: lockLedger,
    plan: planWrites,
    write: writeLedger,
    readBodies: entryAnswers,
  });
}

function weigh(payload: LedgerPayload): number {
  switch (payload.type) {
    case 'payment.record':
    case 'allocation.make':
      return 1 + (payload.invoices?.length ?? 0);
    case 'creditNote.create':
      return payload.items?.length ?? USUAL_LINES;
    case 'invoice.void':
      return USUAL_LINES;
    default:
      return 1;
  }
}

export const paymentWrites = defineLedgerKind(
  'payment.record',
  'payments:read',
  resultSql("= 'payment'"),
  () => '/payments',
);
export const reversalWrites = defineLedgerKind(
  'payment.reverse',
  'payments:read',
  SOURCE_OF_ENTRY,
  ({ paymentId }) => `/payments/${paymentId}/reversal`,
);
export const allocationWrites = defineLedgerKind(
  'allocation.make',
  'payments:read',
  SOURCE_OF_ENTRY,
  () => '/allocations',
);
export const refundWrites = defineLedgerKind(
  'refund.record',
  'payments:read',
  resultSql("= 'refund'"),
  () => '/refunds',
);
export const creditNoteWrites = defineLedgerKind(
  'creditNote.create',
  'invoices:read',
  resultSql("= 'creditNote'"),
  () => '/credit-notes',
);
export const voidWrites = defineLedgerKind(
  'invoice.void',
  'invoices:read',
  resultSql("= 'creditNote'"),
  ({ invoiceId }) => `/invoices/${invoiceId}/void`,
);
