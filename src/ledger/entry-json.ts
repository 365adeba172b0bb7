// The one definition of the JSON of a payment, a refund and a credit note. Amounts are decimal text
// in major units.
import { quoted, renderTaxGroup, type TaxGroup } from '../invoices/invoice-json.js';
import { replaceMembers } from '../platform/values/json-text.js';

/** The part of a payment or credit note that an invoice has. */
export interface Allocation {
  readonly invoiceId: string;
  readonly invoiceNumber: string;
  readonly amount: string;
}

/** The use of a payment or credit note so far. Later entries change it. */
export interface Usage {
  /** Ordered by each invoice's first allocation. */
  readonly allocations: readonly Allocation[];
  readonly refunded: string;
  readonly unallocated: string;
}

interface Money {
  readonly id: string;
  readonly amount: string;
  readonly date: string;
  readonly currency: string;
  readonly customerName: string;
  readonly method: string | null;
  readonly reference: string | null;
  readonly externalId: string | null;
  readonly note: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  readonly createdAt: string;
}

export interface PaymentRecord extends Money {
  readonly usage: Usage;
}

export interface RefundRecord extends Money {
  /** Either this or `creditNoteId` is set. */
  readonly paymentId: string | null;
  readonly creditNoteId: string | null;
}

export interface CreditNoteItem {
  /** The invoice's line, counted from 1. */
  readonly line: number;
  readonly name: string;
  readonly sku: string | null;
  /** Null for a credit by amount. */
  readonly qty: string | null;
  readonly amount: string;
  readonly itemId: string | null;
  readonly restocked: boolean;
}

export interface CreditNoteRecord {
  readonly id: string;
  /** The full number, such as CN-000001. */
  readonly number: string;
  readonly invoiceId: string;
  readonly invoiceNumber: string;
  readonly customerName: string;
  readonly date: string;
  readonly currency: string;
  readonly reason: string;
  readonly items: readonly CreditNoteItem[];
  readonly subtotal: string;
  readonly taxTotal: string;
  readonly taxes: readonly TaxGroup[];
  readonly total: string;
  readonly usage: Usage;
  readonly reference: string | null;
  readonly note: string | null;
  readonly createdAt: string;
}

export function renderPayment(payment: PaymentRecord): string {
  return (
    `{"id":"${payment.id}",${renderMoney(payment)},"status":"recorded",` +
    `${renderUsage(payment.usage)},"createdAt":"${payment.createdAt}"}`
  );
}

export function renderRefund(refund: RefundRecord): string {
  const { id, paymentId, creditNoteId, createdAt } = refund;
  return (
    `{"id":"${id}","paymentId":${quoted(paymentId)},"creditNoteId":${quoted(creditNoteId)},` +
    `${renderMoney(refund)},"createdAt":"${createdAt}"}`
  );
}

export function renderCreditNote(note: CreditNoteRecord): string {
  const { id, number, invoiceId, invoiceNumber, customerName, date, currency, reason } = note;
  return (
    `{"id":"${id}","number":"${number}","invoiceId":"${invoiceId}",` +
    `"invoiceNumber":"${invoiceNumber}","customerName":${JSON.stringify(customerName)},` +
    `"date":"${date}","currency":"${currency}","reason":"${reason}",` +
    `"items":[${note.items.map(renderItem).join(',')}],` +
    `"subtotal":${note.subtotal},"taxTotal":${note.taxTotal},` +
    `"taxes":[${note.taxes.map(renderTaxGroup).join(',')}],"total":${note.total},` +
    `${renderUsage(note.usage)},"reference":${JSON.stringify(note.reference)},` +
    `"note":${JSON.stringify(note.note)},"createdAt":"${note.createdAt}"}`
  );
}

/** A payment's or credit note's JSON with another usage. */
export function withUsage(body: string, usage: Usage): string {
  return replaceMembers(body, usageMembers(usage));
}

/** A payment's JSON after its reversal. */
export function reversed(body: string): string {
  const usage = { allocations: [], refunded: '0', unallocated: '0' };
  return replaceMembers(body, { status: '"reversed"', ...usageMembers(usage) });
}

function renderUsage(usage: Usage): string {
  const members = Object.entries(usageMembers(usage));
  return members.map(([name, value]) => `"${name}":${value}`).join(',');
}

function usageMembers({ allocations, refunded, unallocated }: Usage) {
  const texts = allocations.map(
    ({ invoiceId, invoiceNumber, amount }) =>
      `{"invoiceId":"${invoiceId}","invoiceNumber":"${invoiceNumber}","amount":${amount}}`,
  );
  return { allocations: `[${texts.join(',')}]`, refunded, unallocated };
}

function renderMoney(money: Money): string {
  const { amount, date, currency, customerName, method, reference, externalId, note } = money;
  return (
    `"amount":${amount},"date":"${date}","currency":"${currency}",` +
    `"customerName":${JSON.stringify(customerName)},"method":${quoted(method)},` +
    `"reference":${JSON.stringify(reference)},"externalId":${JSON.stringify(externalId)},` +
    `"note":${JSON.stringify(note)}`
  );
}

function renderItem({ line, name, sku, qty, amount, itemId, restocked }: CreditNoteItem): string {
  return (
    `{"line":${line},"name":${JSON.stringify(name)},"sku":${JSON.stringify(sku)},` +
    `"qty":${qty},"amount":${amount},"itemId":${quoted(itemId)},"restocked":${restocked}}`
  );
}
