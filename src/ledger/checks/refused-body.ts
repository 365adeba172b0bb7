// The errors of a ledger request that do not lie in its body: invoices, payments and credit notes
// that do not exist, and what a credit note asks of its invoice. A worker finds them under the lock
// of the company, so only bodies that are refused anyway are looked at here. What is invalid in
// them is skipped.
import type { FieldError } from '../../platform/errors.js';
import { fieldError } from '../../platform/field-errors.js';
import { BodyErrors } from '../../platform/http/input/body-check.js';
import { shapeOf } from '../../platform/http/input/schema-shape.js';
import type { SchemaOf } from '../../platform/http/input/typed-schema.js';
import { isCalendarDate, MAX_ITEMS } from '../../platform/http/input/validate.js';
import { isUuid } from '../../platform/values/ids.js';
import { decimalPlaces } from '../../platform/values/money.js';
import { matchKey, possibleCode } from '../../platform/values/text.js';
import { readTransfers } from '../batch/read-credited.js';
import { type InvoiceRow, readFundsRows, readInvoiceRows } from '../batch/read-rows.js';
import { findInvoiceCredit } from '../creditable.js';
import { creditedSums, requestParts } from '../rules/credit-parts.js';
import { checkDate } from '../rules/plan-credit.js';
import { repeatedTransfer, unknownFunds } from '../rules/refusals.js';
import { creditItem, MAX_EXTERNAL_ID, namedInvoice } from '../schema.js';

/** Finds the errors of a body that may be invalid elsewhere. */
export type FindErrors = (companyId: string, body: unknown) => Promise<FieldError[]>;

interface LooseBody {
  readonly [member: string]: unknown;
}

/** Finds the invoices of a payment that do not exist, and its transfer if it is recorded. */
export const findPaymentErrors: FindErrors = async (companyId, body) => [
  ...(await findUnknownInvoices(companyId, body)),
  ...(await findTransfer(companyId, body, 'payment')),
];

const findUnknownInvoices: FindErrors = async (companyId, body) => {
  const named = entriesOf(body, 'invoices').map(entry => {
    const { invoiceId, number } = looseOf(entry);
    return validOf(namedInvoice, { invoiceId, number });
  });
  const rows = await readInvoiceRows(
    named.flatMap(name => {
      if (name === null) return [];
      const { invoiceId, number = '' } = name;
      return [{ companyId, ...(invoiceId === undefined ? { number } : { id: invoiceId }) }];
    }),
  );
  const known = new Set(rows.flatMap(({ id, number }) => [id, matchKey(number)]));
  return named.flatMap((name, index) => {
    if (name === null || known.has(name.invoiceId ?? matchKey(name.number ?? ''))) return [];
    const field = name.invoiceId === undefined ? 'number' : 'invoiceId';
    return [fieldError(['invoices', index, field], 'unknown_invoice')];
  });
};

/** Finds a payment or credit note that does not exist, of a refund, and its transfer. */
export const findRefundErrors: FindErrors = async (companyId, body) => [
  ...(await findUnknownFunds(companyId, body)),
  ...(await findTransfer(companyId, body, 'refund')),
];

const findUnknownFunds: FindErrors = async (companyId, body) => {
  const { paymentId, creditNoteId } = looseOf(body);
  const [field, id] =
    creditNoteId == null
      ? (['paymentId', paymentId] as const)
      : (['creditNoteId', creditNoteId] as const);
  if (!isId(id) || (paymentId != null && creditNoteId != null)) return [];
  const [found] = await readFundsRows([{ companyId, id }]);
  const type = field === 'paymentId' ? 'payment' : 'creditNote';
  return found?.type === type ? [] : [unknownFunds(field)];
};

/** Finds the entry that has recorded the same transfer. */
async function findTransfer(
  companyId: string,
  body: unknown,
  type: 'payment' | 'refund',
): Promise<FieldError[]> {
  const externalId = possibleCode(looseOf(body).externalId, MAX_EXTERNAL_ID);
  if (externalId === null) return [];
  const transfers = await readTransfers([{ companyId, type, externalId }]);
  return transfers.map(({ id }) => repeatedTransfer(id));
}

export const findAllocationErrors: FindErrors = async (companyId, body) => [
  ...(await findUnknownFunds(companyId, body)),
  ...(await findUnknownInvoices(companyId, body)),
];

/** Finds the date of a void before that of its invoice. */
export async function findVoidErrors(
  companyId: string,
  invoiceId: string,
  body: unknown,
): Promise<FieldError[]> {
  const [invoice] = await readInvoiceRows([{ companyId, id: invoiceId }]);
  return invoice ? earlyDate(looseOf(body).date, invoice) : [];
}

function earlyDate(date: unknown, invoice: InvoiceRow): FieldError[] {
  return typeof date === 'string' && isCalendarDate(date) ? checkDate(date, invoice) : [];
}

/** Finds what a credit note asks of its invoice in vain. */
export const findCreditErrors: FindErrors = async (companyId, body) => {
  const { invoiceId, date, items, restock } = looseOf(body);
  if (!isId(invoiceId)) return [];
  const [[invoice], credit] = await Promise.all([
    readInvoiceRows([{ companyId, id: invoiceId }]),
    findInvoiceCredit(companyId, invoiceId),
  ]);
  if (!invoice || !credit) return [fieldError(['invoiceId'], 'unknown_invoice')];
  const early = earlyDate(date, invoice);
  if (items != null && !Array.isArray(items)) return early;
  const { decimals } = credit.issued;
  const itemOf = (sent: unknown) => {
    const item = validOf(creditItem, sent);
    return item && decimalPlaces(item.amount ?? 0) <= decimals ? item : null;
  };
  const { parts, errors } = requestParts(
    {
      ...(items == null ? {} : { items: entriesOf(body, 'items').map(itemOf) }),
      ...(typeof restock === 'boolean' ? { restock } : {}),
    },
    credit,
  );
  return [...early, ...errors, ...creditedSums(parts, credit, decimals).excess];
};

/** The clean value; null if it is invalid. */
function validOf<Value>(schema: SchemaOf<Value | undefined>, value: unknown): Value | null {
  const errors = new BodyErrors(0);
  const valid = shapeOf(schema).check?.(value, errors);
  return errors.count === 0 ? (valid as Value) : null;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}

function looseOf(value: unknown): LooseBody {
  return typeof value === 'object' && value !== null ? (value as LooseBody) : {};
}

function entriesOf(body: unknown, name: string): unknown[] {
  const entries = looseOf(body)[name];
  return Array.isArray(entries) && entries.length <= MAX_ITEMS ? entries : [];
}
