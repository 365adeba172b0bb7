// Checks the requests that create one or many invoices: fills in names and prices from stock items,
// then checks each invoice. A batch can have as many lines as sixty usual requests, so the event
// loop has a turn between slices of the work.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BatchEntry } from '../../jobs/batch-answer.js';
import { Problem } from '../../platform/errors.js';
import { fieldError, validationFailed } from '../../platform/field-errors.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { MAX_FIELD_ERRORS } from '../../platform/problem-document.js';
import { type InvoiceSettings, withDefaults } from '../defaults.js';
import { type InvoiceBatch, type InvoiceRequest, invoiceBatch, invoiceRequest } from '../schema.js';
import { checkInvoice } from './check.js';
import { type FilledRequest, fillLines, unfilled } from './fill-lines.js';

/** The lines of all invoices of a batch request: a worker settles so many in one transaction. */
export const MAX_BATCH_LINES = 2_500;
/** How long a request may hold the event loop. Its last invoice may exceed this. */
const SLICE_MS = 5;

interface Company extends InvoiceSettings {
  readonly companyId: string;
}

/** Checks a request, with its lines filled. */
export async function checkRequest(body: unknown, company: Company): Promise<BatchEntry> {
  const [filled = unfilled(body)] = await fillLines(company.companyId, [body]);
  return checkEntry(body, filled, company, MAX_FIELD_ERRORS);
}

/** Throws Problem `validation_failed`. Lists at most `maxErrors` of the errors. */
function validInvoice(
  { body, unknownSkus }: FilledRequest,
  settings: InvoiceSettings,
  maxErrors: number,
): InvoiceRequest {
  const more = (checked: unknown) => checkInvoice(checked, settings, unknownSkus);
  return withDefaults(
    validateBody<InvoiceRequest>(invoiceRequest, body, more, maxErrors),
    settings,
  );
}

/**
 * Checks each invoice by itself; together they list as many errors as one answer may. Throws
 * Problem `validation_failed` if the request is no batch or has too many lines.
 */
export async function checkBatch(body: unknown, company: Company): Promise<BatchEntry[]> {
  const { invoices } = validateBody<InvoiceBatch>(invoiceBatch, body);
  const lines = invoices.reduce<number>((sum, invoice) => sum + countLines(invoice), 0);
  if (lines > MAX_BATCH_LINES) throw validationFailed([TOO_MANY_LINES]);
  const filled = await fillLines(company.companyId, invoices);
  const entries: BatchEntry[] = [];
  let errorsLeft = MAX_FIELD_ERRORS;
  let sliceStart = performance.now();
  for (const [index, invoice] of invoices.entries()) {
    if (performance.now() - sliceStart > SLICE_MS) {
      await nextTurn();
      sliceStart = performance.now();
    }
    const entry = checkEntry(invoice, filled[index] ?? unfilled(invoice), company, errorsLeft);
    if ('refusal' in entry.checked) errorsLeft -= entry.checked.refusal.details.errors?.length ?? 0;
    entries.push(entry);
  }
  return entries;
}

const TOO_MANY_LINES = fieldError(
  ['invoices'],
  'too_many_items',
  `The invoices must have at most ${MAX_BATCH_LINES.toLocaleString('en')} lines together.`,
);

function countLines(invoice: unknown): number {
  const { items } = (invoice ?? {}) as { items?: unknown };
  return Array.isArray(items) ? items.length : 0;
}

function checkEntry(
  body: unknown,
  filled: FilledRequest,
  settings: InvoiceSettings,
  maxErrors: number,
): BatchEntry {
  try {
    return { body, checked: { payload: validInvoice(filled, settings, maxErrors) } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { body, checked: { refusal: error } };
  }
}
