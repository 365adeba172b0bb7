// Checks the requests that create one or many invoices: fills in names and prices from stock items,
// finds the customers' records, then checks each invoice. A batch can have as many lines as sixty
// usual requests, so the event loop has a turn between slices of the work.

import type { BatchEntry } from '../../api/batch-answer.js';
import type { Auth } from '../../api-keys/authenticate.js';
import { namesRecord } from '../../customers/names/request-customer.js';
import { MAX_BATCH_LINES } from '../../jobs/write-kind.js';
import { Slices } from '../../platform/async/slices.js';
import { Problem } from '../../platform/errors.js';
import { fieldError, validationFailed } from '../../platform/field-errors.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { MAX_FIELD_ERRORS } from '../../platform/problem-document.js';
import { withDefaults } from '../defaults.js';
import {
  type InvoiceRequest,
  invoiceBatch,
  invoiceRequest,
  namedInvoiceRequest,
} from '../schema.js';
import { checkInvoice } from './check.js';
import { checkCreditScope } from './credit-scope.js';
import { findCustomers, type InvoicedCustomer, type InvoicingCompany } from './customers.js';
import { type FilledRequest, fillLines, unfilled } from './fill-lines.js';

/** Checks a request, with its lines filled. */
export async function checkRequest(body: unknown, company: InvoicingCompany): Promise<BatchEntry> {
  const [request] = await completeRequests(company, [body]);
  return toEntry(body, () => validInvoice(request as CompleteRequest, MAX_FIELD_ERRORS));
}

/** A request with what its stock items and its customer's record add to it. */
interface CompleteRequest {
  readonly filled: FilledRequest;
  readonly customer: InvoicedCustomer;
}

async function completeRequests(
  company: InvoicingCompany,
  bodies: readonly unknown[],
): Promise<CompleteRequest[]> {
  const [filled, customers] = await Promise.all([
    fillLines(company.companyId, bodies),
    findCustomers(company, bodies),
  ]);
  return bodies.map((body, index) => ({
    filled: filled[index] ?? unfilled(body),
    customer: customers[index] ?? { settings: company, terms: null, errors: [] },
  }));
}

/** Throws Problem `validation_failed`. Lists at most `maxErrors` of the errors. */
function validInvoice(
  { filled: { body, unknownSkus }, customer }: CompleteRequest,
  maxErrors: number,
): InvoiceRequest {
  const { settings, name, errors } = customer;
  const more = (checked: unknown) => [...checkInvoice(checked, settings, unknownSkus), ...errors];
  const schema = namesRecord(body) ? invoiceRequest : namedInvoiceRequest;
  const { customerNumber: _number, ...valid } = validateBody(schema, body, more, maxErrors);
  const named = {
    ...valid,
    ...(name === undefined ? {} : { customerName: name }),
  } as InvoiceRequest;
  return withDefaults(withoutFalse(named), settings);
}

/** A payload has `ignoreCredit` only where it has an effect. */
function withoutFalse(request: InvoiceRequest): InvoiceRequest {
  const { ignoreCredit, ...others } = request;
  return ignoreCredit === false ? others : request;
}

/**
 * Checks each invoice by itself; together they list as many errors as one answer may. Throws
 * Problem `validation_failed` if the request is not a batch or has too many lines.
 */
export async function checkBatch(
  body: unknown,
  company: InvoicingCompany & Auth,
): Promise<BatchEntry[]> {
  const { invoices } = validateBody(invoiceBatch, body);
  const lines = invoices.reduce<number>((sum, invoice) => sum + countLines(invoice), 0);
  // A worker settles a batch in one transaction.
  if (lines > MAX_BATCH_LINES) throw validationFailed([TOO_MANY_LINES]);
  const complete = await completeRequests(company, invoices);
  const entries: BatchEntry[] = [];
  let errorsLeft = MAX_FIELD_ERRORS;
  const slices = new Slices();
  for (const [index, invoice] of invoices.entries()) {
    await slices.pause();
    const entry = toEntry(invoice, () => {
      checkCreditScope(invoice, company);
      return validInvoice(complete[index] as CompleteRequest, errorsLeft);
    });
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

/** `check` returns the payload or throws a Problem. */
function toEntry(body: unknown, check: () => InvoiceRequest): BatchEntry {
  try {
    return { body, checked: { payload: check() } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { body, checked: { refusal: error } };
  }
}
