// The invoices of a request that receive money: found among the locked ones, and checked.
import type { FieldError } from '../../platform/errors.js';
import { fieldError } from '../../platform/field-errors.js';
import { fromMinor, toMinor } from '../../platform/values/money.js';
import { repeatedInvoice } from '../checks/body-checks.js';
import type { RecipientRequest } from '../schema.js';
import { findOverRequests, type Recipient } from './distribution.js';
import { exceedingInvoice } from './refusals.js';
import { dueOf, type Funds, type LedgerInvoice, type LedgerState } from './state.js';

export interface NamedInvoice {
  /** Its place in the request, counted from 0. */
  readonly index: number;
  readonly invoice: LedgerInvoice;
  readonly recipient: Recipient;
}

/**
 * Finds the invoices. `allocations` are the earlier ones of the same payment or credit note. The
 * errors are unknown_invoice, and invalid_value for a repeated invoice or an ambiguous number.
 */
export function findRecipients(
  companyId: string,
  requests: readonly RecipientRequest[],
  allocations: Funds['allocations'],
  state: LedgerState,
): { readonly named: readonly NamedInvoice[]; readonly errors: readonly FieldError[] } {
  const { decimals } = state.company(companyId);
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const named = requests.flatMap(({ invoiceId, number, amount }, index) => {
    const [invoice, other] =
      invoiceId === undefined
        ? state.invoicesByNumber(companyId, number ?? '')
        : [state.invoice(companyId, invoiceId)];
    const field = ['invoices', index, invoiceId === undefined ? 'number' : 'invoiceId'];
    if (!invoice || other) {
      errors.push(other ? ambiguousNumber(field) : fieldError(field, 'unknown_invoice'));
      return [];
    }
    if (seen.has(invoice.id)) errors.push(repeatedInvoice(index));
    seen.add(invoice.id);
    const recipient = {
      due: dueOf(invoice),
      allocated: allocations.get(invoice.id)?.amount ?? 0n,
      wanted: amount === undefined ? null : toMinor(amount, decimals),
    };
    return [{ index, invoice, recipient }];
  });
  return { named, errors };
}

function ambiguousNumber(path: readonly (string | number)[]): FieldError {
  const sentence = 'Two invoices have this number, with different prefixes. Send the invoiceId.';
  return fieldError(path, 'invalid_value', sentence);
}

/** An error for each invoice of another customer. */
export function otherCustomers(
  companyId: string,
  named: readonly NamedInvoice[],
  customerKey: string | undefined,
  state: LedgerState,
): FieldError[] {
  return named.flatMap(({ index, invoice }) =>
    state.isOneCustomer(companyId, invoice.customerKey, customerKey)
      ? []
      : [fieldError(['invoices', index], 'mixed_customers')],
  );
}

/**
 * An error for each invoice that cannot have what is requested: more than is due there, or more
 * taken back than was given. Without an amount, all of the `money` is requested for an invoice on
 * which nothing is due.
 */
export function exceedingInvoices(
  named: readonly NamedInvoice[],
  money: bigint,
  decimals: number,
): FieldError[] {
  const text = (minor: bigint) => fromMinor(minor, decimals);
  return findOverRequests(named.map(({ recipient }) => recipient)).flatMap(
    ({ recipient, requested, available }) => {
      const invoice = named[recipient]?.invoice;
      if (!invoice) return [];
      const path = ['invoices', recipient, ...(requested === null ? [] : ['amount'])];
      return [exceedingInvoice(path, invoice, text(requested ?? money), text(available))];
    },
  );
}
