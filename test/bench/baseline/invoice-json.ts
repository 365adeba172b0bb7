// The baseline's JSON of an invoice.

export interface InvoiceRow {
  readonly id: string;
  /** A bigint, as the driver returns it. */
  readonly number: string;
  readonly customerName: string;
  readonly date: string;
  readonly total: number;
  readonly reference: string | null;
  readonly createdAt: Date;
}

export function invoiceJson(row: InvoiceRow, currency: string, items: readonly object[]): object {
  const { id, number, customerName, date, total, reference, createdAt } = row;
  const fullNumber = `INV-${number.padStart(6, '0')}`;
  return {
    id,
    number: fullNumber,
    status: 'open',
    customerName,
    date,
    currency,
    items,
    total,
    reference,
    createdAt,
  };
}
