// The one definition of an invoice's JSON. Posting stores it, verify and the audit compare it.

/** NUMBER_DIGITS of INV-000001. A longer number is not cut. */
export const NUMBER_DIGITS = 6;

export interface InvoiceLine {
  readonly name: string;
  /** The matched item's SKU. */
  readonly sku: string | null;
  /** Decimal text without trailing zeros, like price and amount. */
  readonly qty: string;
  readonly price: string;
  /** In major units. */
  readonly amount: string;
  /** NULL: the line moves no stock. */
  readonly itemId: string | null;
}

export interface InvoiceRecord {
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
}

/** INV-000001. */
export function invoiceNumber(prefix: string, number: bigint | string): string {
  return prefix + String(number).padStart(NUMBER_DIGITS, '0');
}

/** The JSON text, which clients get as it is. Decimals are written digit by digit. */
export function renderInvoice(invoice: InvoiceRecord): string {
  const { id, numberPrefix, number, status, customerName, date, currency } = invoice;
  const { lines, total, reference, createdAt } = invoice;
  return (
    `{"id":"${id}","number":"${invoiceNumber(numberPrefix, number)}","status":"${status}",` +
    `"customerName":${JSON.stringify(customerName)},"date":"${date}","currency":"${currency}",` +
    `"items":[${lines.map(renderLine).join(',')}],"total":${total},` +
    `"reference":${JSON.stringify(reference)},"createdAt":"${createdAt}"}`
  );
}

function renderLine({ name, sku, qty, price, amount, itemId }: InvoiceLine): string {
  return (
    `{"name":${JSON.stringify(name)},"sku":${JSON.stringify(sku)},"qty":${qty},` +
    `"price":${price},"amount":${amount},"itemId":${itemId === null ? 'null' : `"${itemId}"`}}`
  );
}
