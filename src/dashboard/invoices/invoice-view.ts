// An invoice as pages show it (the API's JSON with its figures as text) and the job behind it.
import { findInvoice } from '../../invoices/queries.js';
import { findJobState, type JobState } from '../../jobs/queries.js';
import { Problem } from '../../platform/errors.js';
import { isUuid } from '../../platform/values/ids.js';
import { parseDecimalJson } from '../kit/decimal-json.js';

export interface Invoice {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  readonly customerName: string;
  readonly date: string;
  readonly items: readonly InvoiceLine[];
  readonly total: string;
  readonly reference: string | null;
  readonly createdAt: string;
}

export interface InvoiceLine {
  readonly name: string;
  readonly sku: string | null;
  readonly qty: string;
  readonly price: string;
  readonly amount: string;
  readonly itemId: string | null;
}

/** Throws Problem `not_found`, also for an invoice of another company. */
export async function getInvoice(companyId: string, id: string): Promise<Invoice> {
  const body = isUuid(id) ? await findInvoice(companyId, id) : null;
  if (body === null) throw new Problem('not_found', 'Invoice not found.');
  return parseDecimalJson<Invoice>(body);
}

/** Returns the company's invoice job. Throws Problem `not_found`, also for other kinds of job. */
export async function getInvoiceJob(companyId: string, id: string): Promise<JobState> {
  const job = isUuid(id) ? await findJobState(companyId, id) : null;
  if (job?.type !== 'invoice.create') throw new Problem('not_found', 'Job not found.');
  return job;
}

/** 1 line, 2 lines. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
