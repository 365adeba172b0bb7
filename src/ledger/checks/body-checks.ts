// Checks of this slice's bodies that no schema can express. Each check gets a body that may be
// invalid elsewhere and reports only its own rule.
import { namesRecord } from '../../customers/names/request-customer.js';
import type { FieldError } from '../../platform/errors.js';
import { fieldError } from '../../platform/field-errors.js';
import { isCalendarDate } from '../../platform/http/input/validate.js';
import { addDays, today } from '../../platform/values/days.js';
import { DECIMALS, decimalPlaces, minorUnits, toUnits } from '../../platform/values/money.js';
import { matchKey } from '../../platform/values/text.js';

interface LooseBody {
  readonly amount?: unknown;
  readonly date?: unknown;
  readonly customerName?: unknown;
  readonly invoices?: unknown;
  readonly items?: unknown;
}
/** The currency and the time zone of a request's company. */
interface Company {
  readonly currency: string;
  readonly timeZone: string;
}
type LooseRecipient = { invoiceId?: unknown; number?: unknown; amount?: unknown } | null;

/** A later date is a typing error. */
const MAX_DAYS_AHEAD = 366;

/** Refuses money, or a correction, of more than a year ahead. */
export function checkMoneyDate(body: unknown, company: Company): FieldError[] {
  const { date } = looseBody(body);
  if (typeof date !== 'string' || !isCalendarDate(date)) return [];
  const now = today(company);
  if (date <= addDays(now, MAX_DAYS_AHEAD)) return [];
  const sentence = `Must be at most ${MAX_DAYS_AHEAD} days after today, ${now}.`;
  return [fieldError(['date'], 'invalid_date', sentence)];
}

export function checkPayment(body: unknown, company: Company): FieldError[] {
  const { currency } = company;
  const { amount } = looseBody(body);
  const recipients = entriesOf<LooseRecipient>(body, 'invoices');
  return [
    ...checkDecimals(amount, ['amount'], currency),
    ...checkMoneyDate(body, company),
    ...checkRecipients(recipients, currency),
    ...checkCustomer(body, recipients),
    ...checkSum(amount, recipients),
  ];
}

function checkCustomer(body: unknown, recipients: readonly LooseRecipient[]): FieldError[] {
  const { customerName } = looseBody(body);
  return recipients.length === 0 && customerName == null && !namesRecord(body)
    ? [fieldError(['customerName'], 'required', 'Required without invoices.')]
    : [];
}

export function checkAllocation(body: unknown, company: Company): FieldError[] {
  const recipients = entriesOf<LooseRecipient>(body, 'invoices');
  const zeros = recipients.flatMap((recipient, index) =>
    recipient?.amount === 0
      ? [fieldError(['invoices', index, 'amount'], 'invalid_value', 'Must not be zero.')]
      : [],
  );
  return [
    ...checkMoneyDate(body, company),
    ...checkRecipients(recipients, company.currency),
    ...zeros,
  ];
}

export function checkRefund(body: unknown, company: Company): FieldError[] {
  return [
    ...checkDecimals(looseBody(body).amount, ['amount'], company.currency),
    ...checkMoneyDate(body, company),
  ];
}

export function checkCreditNote(body: unknown, company: Company): FieldError[] {
  const items = entriesOf<{ amount?: unknown } | null>(body, 'items');
  return [
    ...checkMoneyDate(body, company),
    ...items.flatMap((item, index) =>
      checkDecimals(item?.amount, ['items', index, 'amount'], company.currency),
    ),
  ];
}

function checkRecipients(recipients: readonly LooseRecipient[], currency: string): FieldError[] {
  const seen = new Set<string>();
  return recipients.flatMap((recipient, index) => {
    const errors = checkDecimals(recipient?.amount, ['invoices', index, 'amount'], currency);
    const name = recipient?.invoiceId ?? recipient?.number;
    if (typeof name !== 'string') return errors;
    const key = matchKey(name);
    if (seen.has(key)) errors.push(repeatedInvoice(index));
    seen.add(key);
    return errors;
  });
}

export function repeatedInvoice(index: number): FieldError {
  return fieldError(['invoices', index], 'invalid_value', 'This invoice is named more than once.');
}

/** Refuses requested amounts that together exceed the payment. */
function checkSum(amount: unknown, recipients: readonly LooseRecipient[]): FieldError[] {
  if (!isDecimal(amount) || amount <= 0) return [];
  const requested = recipients.map(recipient => recipient?.amount).filter(isDecimal);
  return requested.reduce((sum, each) => sum + toUnits(each), 0n) > toUnits(amount)
    ? [fieldError(['invoices'], 'too_large', 'The amounts together exceed the payment.')]
    : [];
}

/** Refuses more decimals than the currency has. The schemas know only the most of any currency. */
function checkDecimals(
  amount: unknown,
  path: readonly (string | number)[],
  currency: string,
): FieldError[] {
  const decimals = minorUnits(currency);
  if (!isDecimal(amount) || decimalPlaces(amount) <= decimals) return [];
  const sentence = `An amount in ${currency} has at most ${decimals} decimals.`;
  return [fieldError(path, 'too_many_decimals', sentence)];
}

function isDecimal(value: unknown): value is number {
  return typeof value === 'number' && decimalPlaces(value) <= DECIMALS;
}

function looseBody(body: unknown): LooseBody {
  return typeof body === 'object' && body !== null ? body : {};
}

function entriesOf<Entry>(body: unknown, name: 'invoices' | 'items'): Entry[] {
  const entries = looseBody(body)[name];
  return Array.isArray(entries) ? entries : [];
}
