// Checks the requests that create one or many invoices: fills in names and prices from stock items,
// finds the customers' records, then checks each invoice. A batch can have as many lines as sixty
// usual requests, so the event loop has a turn between slices of the work.

import type { BatchEntry } from '../../api/batch-answer.js';
import type { Auth } from '../../api-keys/authenticate.js';
import { namesRecord } from '../../customers/names/request-customer.js';
import { requireMail } from '../../emails/mail-settings.js';
import { MAX_BATCH_LINES } from '../../jobs/write-kind.js';
import { Slices } from '../../platform/async/slices.js';
import { Problem } from '../../platform/errors.js';
import { fieldError, validationFailed } from '../../platform/field-errors.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { MAX_FIELD_ERRORS } from '../../platform/problem-document.js';
import { withDefaults } from '../defaults.js';
import type { InvoicePayload } from '../drafts/draft-ref.js';
import {
  type InvoiceRequest,
  invoiceBatch,
  invoiceRequest,
  namedInvoiceRequest,
} from '../schema.js';
import { type CheckedSend, checkSends } from '../sending/order.js';
import { checkInvoice } from './check.js';
import { findCustomers, type InvoicedCustomer, type InvoicingCompany } from './customers.js';
import { type FilledRequest, fillLines, unfilled } from './fill-lines.js';
import { checkOwnScopes } from './scopes.js';

/** Checks a request, with its lines filled. */
export async function checkRequest(body: unknown, company: InvoicingCompany): Promise<BatchEntry> {
  const [request] = await completeRequests(company, [body]);
  return toEntry(body, () => validInvoice(request as CompleteRequest, MAX_FIELD_ERRORS));
}

/** A request with what its stock items and its customer's record add to it. */
interface CompleteRequest {
  readonly filled: FilledRequest;
  readonly customer: InvoicedCustomer;
  readonly send: CheckedSend;
}

async function completeRequests(
  company: InvoicingCompany,
  bodies: readonly unknown[],
): Promise<CompleteRequest[]> {
  const [filled, customers] = await Promise.all([
    fillLines(company.companyId, bodies),
    findCustomers(company, bodies),
  ]);
  const names = customers.map(({ record }) => record?.name);
  const sends = await checkSends(company.companyId, bodies, names);
  return bodies.map((body, index) => ({
    filled: filled[index] ?? unfilled(body),
    customer: customers[index] ?? { settings: company, terms: null, errors: [] },
    send: sends[index] ?? null,
  }));
}

/**
 * Throws Problem `validation_failed`, with at most `maxErrors` of the errors, or
 * `email_not_configured`.
 */
function validInvoice(
  { filled: { body, unknownSkus }, customer, send }: CompleteRequest,
  maxErrors: number,
): InvoicePayload {
  const { settings, record, errors } = customer;
  const ofSend = send && 'errors' in send ? send.errors : [];
  const more = (checked: unknown) => [
    ...checkInvoice(checked, settings, unknownSkus),
    ...errors,
    ...ofSend,
  ];
  const schema = namesRecord(body) ? invoiceRequest : namedInvoiceRequest;
  const {
    customerNumber: _number,
    send: _send,
    ...valid
  } = validateBody(schema, body, more, maxErrors);
  const named = {
    ...valid,
    ...(record && { customerName: record.name }),
  } as InvoiceRequest;
  const request = withDefaults(withoutFalse(named), settings);
  if (!send || !('order' in send)) return request;
  requireMail();
  return { ...request, send: send.order };
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
      checkOwnScopes(invoice, company);
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
function toEntry(body: unknown, check: () => InvoicePayload): BatchEntry {
  try {
    return { body, checked: { payload: check() } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { body, checked: { refusal: error } };
  }
}
