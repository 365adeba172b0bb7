// The rows of issued invoices.
import type { Actor } from '../../companies/actor.js';
import type { Transaction } from '../../platform/db/connection.js';
import { type Columns, insertRows } from '../../platform/db/rows.js';
import { failPoint } from '../../platform/process/fail-point.js';
import { matchKey } from '../../platform/values/text.js';
import type { RenderableInvoice } from '../invoice-json.js';

export interface NumberedInvoice extends RenderableInvoice {
  readonly companyId: string;
  readonly submissionId: string;
  readonly createdBy: Actor | null;
  readonly body: string;
}

const INVOICE: Columns<NumberedInvoice> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  id: ['uuid', ({ id }) => id],
  submission_id: ['uuid', ({ submissionId }) => submissionId],
  number: ['bigint', ({ number }) => number],
  number_prefix: ['text', ({ numberPrefix }) => numberPrefix],
  customer_name: ['text', ({ customerName }) => customerName],
  customer_key: ['text', ({ customerName }) => matchKey(customerName)],
  date: ['date', ({ date }) => date],
  currency: ['text', ({ currency }) => currency],
  total: ['numeric', ({ total }) => total],
  reference: ['text', ({ reference }) => reference],
  created_at: ['timestamptz', ({ createdAt }) => createdAt],
  name_keys: ['json', nameKeys],
  created_by: ['json', ({ createdBy }) => createdBy && JSON.stringify(createdBy)],
  body: ['body', ({ body }) => body],
};
/** The columns of a batch in which an invoice has a due date. Others send one array less. */
const DUE_INVOICE: Columns<NumberedInvoice> = {
  ...INVOICE,
  due_date: ['date', ({ details }) => details.dueDate],
};

export async function insertInvoices(
  invoices: readonly NumberedInvoice[],
  tx: Transaction,
): Promise<void> {
  const isDue = invoices.some(({ details }) => details.dueDate !== null);
  await insertRows('invoices', isDue ? DUE_INVOICE : INVOICE, invoices, tx);
  failPoint('result-inserted');
}

/** The match key of each line that names no item; null if all lines name one. */
function nameKeys({ lines }: NumberedInvoice): string | null {
  if (lines.every(({ itemId }) => itemId !== null)) return null;
  return JSON.stringify(lines.map(({ name, itemId }) => (itemId ? null : matchKey(name))));
}
