// The errors of a ledger request that do not lie in its body: invoices, payments and credit notes
// that do not exist, and what a credit note asks of its invoice. A worker finds them under the lock
// of the company, so only bodies that are refused anyway are looked at here. What is invalid in
// them is skipped.
import { haveOneOwner, readOwners } from '../../customers/names/names.js';
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
import { otherCustomer, repeatedTransfer, unknownFunds } from '../rules/refusals.js';
import { creditItem, MAX_EXTERNAL_ID, namedInvoice } from '../schema.js';

/** Finds the errors of a body that may be invalid elsewhere. */
export type FindErrors = (companyId: string, body: unknown) => Promise<FieldError[]>;

interface LooseBody {
  readonly [member: string]: unknown;
}

/** The customer that a payment names: the name, and the member of the request that gave it. */
export interface PaymentCustomer {
  readonly name: string;
  readonly member: 'customerName' | 'customerId' | 'customerNumber';
}

/** Finds unknown invoices, invoices of different customers, and a transfer that is recorded. */
export async function findPaymentErrors(
  companyId: string,
  body: unknown,
  customer: PaymentCustomer | null,
): Promise<FieldError[]> {
  const { found, errors } = await readRecipients(companyId, body);
  const [first] = found;
  const mixed = first ? await otherCustomers(companyId, found, first.customerKey) : [];
  if (first && customer && mixed.length === 0) {
    const [other] = await otherCustomers(companyId, [first], matchKey(customer.name));
    if (other) mixed.push(otherCustomer(customer.member));
  }
  return [...errors, ...mixed, ...(await findTransfer(companyId, body, 'payment'))];
}

/** An invoice of a request that exists, and its place there. */
interface Recipient {
  readonly index: number;
  readonly customerKey: string;
}

async function readRecipients(
  companyId: string,
  body: unknown,
): Promise<{ readonly found: readonly Recipient[]; readonly errors: readonly FieldError[] }> {
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
  const keys = new Map(
    rows.flatMap(({ id, number, customerKey }) => [
      [id, customerKey],
      [matchKey(number), customerKey],
    ]),
  );
  const found: Recipient[] = [];
  const errors: FieldError[] = [];
  for (const [index, name] of named.entries()) {
    if (name === null) continue;
    const customerKey = keys.get(name.invoiceId ?? matchKey(name.number ?? ''));
    if (customerKey !== undefined) found.push({ index, customerKey });
    else {
      const field = name.invoiceId === undefined ? 'number' : 'invoiceId';
      errors.push(fieldError(['invoices', index, field], 'unknown_invoice'));
    }
  }
  return { found, errors };
}

/** An error for each invoice of another customer than that with this match key. */
async function otherCustomers(
  companyId: string,
  recipients: readonly Recipient[],
  key: string,
): Promise<FieldError[]> {
  const differing = recipients.filter(({ customerKey }) => customerKey !== key);
  if (differing.length === 0) return [];
  const refs = [key, ...differing.map(({ customerKey }) => customerKey)].map(nameKey => ({
    ...{ companyId, nameKey },
  }));
  const owners = await readOwners(refs);
  return differing
    .filter(({ customerKey }) => !haveOneOwner(owners, companyId, customerKey, key))
    .map(({ index }) => fieldError(['invoices', index], 'mixed_customers'));
}

/** Finds a payment or credit note that does not exist, of a refund, and its transfer. */
export const findRefundErrors: FindErrors = async (companyId, body) => [
  ...(await findUnknownFunds(companyId, body)),
  ...(await findTransfer(companyId, body, 'refund')),
];

const findUnknownFunds: FindErrors = async (companyId, body) =>
  (await readFunds(companyId, body)).errors;

/** The match key of the customer whose money is named; null without a valid name of it. */
async function readFunds(companyId: string, body: unknown) {
  const { paymentId, creditNoteId } = looseOf(body);
  const [field, id] =
    creditNoteId == null
      ? (['paymentId', paymentId] as const)
      : (['creditNoteId', creditNoteId] as const);
  if (!isId(id) || (paymentId != null && creditNoteId != null))
    return { customerKey: null, errors: [] };
  const [found] = await readFundsRows([{ companyId, id }]);
  const type = field === 'paymentId' ? 'payment' : 'creditNote';
  return found?.type === type
    ? { customerKey: found.customerKey, errors: [] }
    : { customerKey: null, errors: [unknownFunds(field)] };
}

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

/** Finds money or invoices that do not exist, and invoices of another customer. */
export const findAllocationErrors: FindErrors = async (companyId, body) => {
  const funds = await readFunds(companyId, body);
  const { found, errors } = await readRecipients(companyId, body);
  const { customerKey } = funds;
  const mixed = customerKey === null ? [] : await otherCustomers(companyId, found, customerKey);
  return [...funds.errors, ...errors, ...mixed];
};

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
