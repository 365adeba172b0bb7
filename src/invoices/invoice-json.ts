// The one definition of an invoice's JSON. Posting stores it, verify and the audit compare it. An
// entry changes the status and the last four members: the trigger write_settlement repeats those.
import { replaceMembers } from '../platform/values/json-text.js';

/** The digits of INV-000001. A longer number is not cut. */
const NUMBER_DIGITS = 6;

/** A discount as it was given (`percent` null: as an amount) and what it comes to. */
export interface LineDiscount {
  /** Decimal text without trailing zeros. */
  readonly percent: string | null;
  /** In major units, like every amount here. */
  readonly amount: string;
}

export interface DocumentDiscount extends LineDiscount {
  readonly reason: string | null;
}

export interface InvoiceLine {
  readonly name: string;
  /** The matched item's SKU. */
  readonly sku: string | null;
  /** Decimal text without trailing zeros, like price and amount. */
  readonly qty: string;
  readonly price: string;
  /** In major units, net, less the line's discount. */
  readonly amount: string;
  /** NULL: the line moves no stock. */
  readonly itemId: string | null;
  readonly discount?: LineDiscount | undefined;
  readonly tax?: LineTax | undefined;
}

export interface LineTax {
  /** In percent. */
  readonly rate: string;
  readonly category: string;
}

/** The tax of all lines with one category and rate. */
export interface TaxGroup {
  readonly category: string;
  readonly rate: string;
  /** The lines' amounts less the group's share of the document's discount. */
  readonly base: string;
  readonly amount: string;
  /** Why no tax is due. */
  readonly reason: string | null;
}

export interface RenderableInvoice {
  readonly id: string;
  readonly numberPrefix: string;
  readonly number: bigint | string;
  readonly status: string;
  readonly customerName: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly currency: string;
  readonly lines: readonly InvoiceLine[];
  /** Decimal text without trailing zeros, in major units. */
  readonly total: string;
  readonly reference: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  readonly createdAt: string;
  readonly details: InvoiceDetails;
  readonly settlement: InvoiceSettlement;
}

/** The members between `createdAt` and the settlement. */
export interface InvoiceDetails {
  readonly dueDate: string | null;
  readonly orderReference: string | null;
  readonly deliveryDate: string | null;
  readonly note: string | null;
  readonly discount: DocumentDiscount | null;
  readonly subtotal: string;
  readonly taxTotal: string;
  /** Empty: no line has a tax. */
  readonly taxes: readonly TaxGroup[];
  /** As sent; absent if the request named the customer. */
  readonly customerId?: string | undefined;
}

export interface InvoiceSettlement {
  readonly paid: string;
  readonly credited: string;
  /** The total less these two. */
  readonly due: string;
  readonly settledOn: string | null;
}

/** The full number of an invoice or credit note, such as INV-000001. */
export function invoiceNumber(prefix: string, number: bigint | string): string {
  return prefix + String(number).padStart(NUMBER_DIGITS, '0');
}

/** SQL for `invoiceNumber`, of the row with this alias. */
export function fullNumberSql(alias: string): string {
  const number = `${alias}.number::text`;
  const digits = `greatest(${NUMBER_DIGITS}, length(${number}))`;
  return `${alias}.number_prefix || lpad(${number}, ${digits}, '0')`;
}

/** The JSON text, which clients get as it is. Decimals are written digit by digit. */
export function renderInvoice(invoice: RenderableInvoice): string {
  const { id, numberPrefix, number, status, customerName, date, currency } = invoice;
  const { lines, total, reference, createdAt, details, settlement } = invoice;
  return (
    `{"id":"${id}","number":"${invoiceNumber(numberPrefix, number)}","status":"${status}",` +
    `"customerName":${JSON.stringify(customerName)},"date":"${date}","currency":"${currency}",` +
    `"items":[${lines.map(renderLine).join(',')}],"total":${total},` +
    `"reference":${JSON.stringify(reference)},"createdAt":"${createdAt}",` +
    `${renderDetails(details)},${renderSettlement(settlement)}}`
  );
}

/** The JSON as it was when the invoice was issued, before any entry. */
export function asIssued(body: string, total: string): string {
  return withSettlement(body, ['open', '0', '0', total, null]);
}

/** An invoice's status and settlement: all that changes after its issue. */
export type SettledMembers = readonly [
  status: string,
  paid: string,
  credited: string,
  due: string,
  settledOn: string | null,
];

/** The JSON as it is with another status and settlement. */
export function withSettlement(body: string, members: SettledMembers): string {
  const [status, amountPaid, amountCredited, amountDue, settledOn] = members;
  const end = renderSettlement({
    paid: amountPaid,
    credited: amountCredited,
    due: amountDue,
    settledOn,
  });
  // Most invoices are read with the settlement that they have, which is quickly seen.
  if (body.endsWith(`${end}}`) && body.includes(`"status":"${status}"`)) return body;
  return replaceMembers(body, {
    status: `"${status}"`,
    amountPaid,
    amountCredited,
    amountDue,
    settledOn: quoted(settledOn),
  });
}

function renderLine({ name, sku, qty, price, amount, itemId, discount, tax }: InvoiceLine): string {
  const v1 =
    `{"name":${JSON.stringify(name)},"sku":${JSON.stringify(sku)},"qty":${qty},` +
    `"price":${price},"amount":${amount},"itemId":${quoted(itemId)}`;
  if (!discount && !tax) return `${v1}}`;
  const reduced = discount
    ? `,"discount":{"percent":${discount.percent},"amount":${discount.amount}}`
    : '';
  const taxed = tax ? `,"taxRate":${tax.rate},"taxCategory":"${tax.category}"` : '';
  return `${v1}${reduced}${taxed}}`;
}

function renderDetails(details: InvoiceDetails): string {
  const { dueDate, orderReference, deliveryDate, note, discount } = details;
  const taxes = details.taxes.length === 0 ? '' : details.taxes.map(renderTaxGroup).join(',');
  const customer = details.customerId === undefined ? '' : `,"customerId":"${details.customerId}"`;
  return (
    `"dueDate":${quoted(dueDate)},"orderReference":${JSON.stringify(orderReference)},` +
    `"deliveryDate":${quoted(deliveryDate)},"note":${JSON.stringify(note)},` +
    `"discount":${discount === null ? 'null' : renderDiscount(discount)},` +
    `"subtotal":${details.subtotal},"taxTotal":${details.taxTotal},"taxes":[${taxes}]${customer}`
  );
}

function renderDiscount({ percent, amount, reason }: DocumentDiscount): string {
  return `{"percent":${percent},"amount":${amount},"reason":${JSON.stringify(reason)}}`;
}

export function renderTaxGroup({ category, rate, base, amount, reason }: TaxGroup): string {
  return (
    `{"category":"${category}","rate":${rate},"base":${base},"amount":${amount},` +
    `"reason":${JSON.stringify(reason)}}`
  );
}

function renderSettlement({ paid, credited, due, settledOn }: InvoiceSettlement): string {
  return (
    `"amountPaid":${paid},"amountCredited":${credited},"amountDue":${due},` +
    `"settledOn":${quoted(settledOn)}`
  );
}

/** A text without characters that JSON escapes. */
export function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}
