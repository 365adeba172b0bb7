// Checks of this slice's bodies that no schema can express. Each check gets a body that may be
// invalid elsewhere and reports only its own rule.
import { twoCustomers } from '../invoices/checks/check.js';
import type { FieldError } from '../platform/errors.js';
import { fieldError } from '../platform/field-errors.js';
import { DECIMALS, decimalPlaces, minorUnits, toUnits } from '../platform/values/money.js';

interface LooseBody {
  readonly amount?: unknown;
  readonly customerName?: unknown;
  readonly customerId?: unknown;
  readonly invoices?: unknown;
  readonly items?: unknown;
}
type LooseRecipient = { invoiceId?: unknown; number?: unknown; amount?: unknown } | null;

export function checkPayment(body: unknown, currency: string): FieldError[] {
  const { amount } = looseBody(body);
  const recipients = entriesOf<LooseRecipient>(body, 'invoices');
  return [
    ...checkDecimals(amount, ['amount'], currency),
    ...checkRecipients(recipients, currency),
    ...checkCustomer(looseBody(body), recipients),
    ...checkSum(amount, recipients),
  ];
}

function checkCustomer(
  { customerName, customerId }: LooseBody,
  recipients: readonly LooseRecipient[],
): FieldError[] {
  if (customerName != null && customerId != null) return [twoCustomers()];
  return recipients.length === 0 && customerName == null && customerId == null
    ? [fieldError(['customerName'], 'required', 'Required without invoices.')]
    : [];
}

export function checkAllocation(body: unknown, currency: string): FieldError[] {
  const recipients = entriesOf<LooseRecipient>(body, 'invoices');
  const zeros = recipients.flatMap((recipient, index) =>
    recipient?.amount === 0
      ? [fieldError(['invoices', index, 'amount'], 'invalid_value', 'Must not be zero.')]
      : [],
  );
  return [...checkRecipients(recipients, currency), ...zeros];
}

export function checkRefund(body: unknown, currency: string): FieldError[] {
  return checkDecimals(looseBody(body).amount, ['amount'], currency);
}

export function checkCreditNote(body: unknown, currency: string): FieldError[] {
  return entriesOf<{ amount?: unknown } | null>(body, 'items').flatMap((item, index) =>
    checkDecimals(item?.amount, ['items', index, 'amount'], currency),
  );
}

function checkRecipients(recipients: readonly LooseRecipient[], currency: string): FieldError[] {
  const seen = new Set<string>();
  return recipients.flatMap((recipient, index) => {
    const errors = checkDecimals(recipient?.amount, ['invoices', index, 'amount'], currency);
    const name = recipient?.invoiceId ?? recipient?.number;
    if (typeof name !== 'string') return errors;
    const key = name.trim().toLowerCase();
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
