// The lines of an invoice or a credit note as CSV cells, from the stored JSON.
import type { InvoiceLine } from '../../invoices/invoice-json.js';
import type { InvoiceJson } from '../../invoices/issued/invoice-shape.js';
import type { Cell } from '../../platform/values/csv.js';
import type { ParsedJson } from '../../platform/values/json-shape.js';
import { fromMinor, toMinor } from '../../platform/values/money.js';
import { creditableInvoice } from '../batch/read-credited.js';
import type { CREDIT_NOTE } from '../entry-json.js';
import { netAmounts } from './net-amounts.js';

export const HEADER = [
  ...['Document type', 'Number', 'Date', 'Credited invoice', 'Customer', 'Order number'],
  ...['Line', 'Item', 'SKU', 'Quantity', 'Unit price', 'Line discount', 'Amount'],
  ...['Invoice discount', 'Net amount', 'Tax category', 'Tax rate', 'Currency', 'Status'],
];

type CreditNote = ParsedJson<typeof CREDIT_NOTE>;

/** One row of cells per line of the invoice. */
export function invoiceRows(body: string): Cell[][] {
  const head = JSON.parse(body) as InvoiceJson;
  const { issued, creditable } = creditableInvoice(body);
  const bases = new Map(creditable.groups.map(({ base }, group) => [group, base]));
  const net = netAmounts(creditable.lines, bases);
  return issued.lines.map((line, index) => {
    const amount = creditable.lines[index]?.amount ?? 0n;
    return toCells({
      document: ['Invoice', head.number, head.date, null, head.customerName, head.orderReference],
      position: index + 1,
      name: line.name,
      sku: line.sku,
      qty: line.qty,
      price: line.price,
      lineDiscount: line.discount?.amount ?? '0',
      amount,
      net: net[index] ?? 0n,
      tax: line.tax,
      end: [head.currency, head.status],
      decimals: issued.decimals,
    });
  });
}

/**
 * One row of cells per line of the credit note, whose figures are negative. A credit by amount has
 * no quantity. The discount of the invoice's line is part of the amount.
 */
export function creditNoteRows(body: string, invoiceBody: string): Cell[][] {
  const note = JSON.parse(body) as CreditNote;
  const { orderReference } = JSON.parse(invoiceBody) as InvoiceJson;
  const { issued, creditable } = creditableInvoice(invoiceBody);
  const { decimals } = issued;
  const lines = note.items.map(({ line, amount }) => ({
    amount: toMinor(amount, decimals),
    group: creditable.lines[line - 1]?.group ?? 0,
  }));
  const net = netAmounts(lines, basesOf(note, issued));
  return note.items.map((item, index) => {
    const line = issued.lines[item.line - 1];
    const { number, date, invoiceNumber, customerName, currency } = note;
    return toCells({
      document: ['Credit note', number, date, invoiceNumber, customerName, orderReference],
      position: item.line,
      name: item.name,
      sku: item.sku,
      qty: item.qty === null ? null : String(-item.qty),
      price: item.qty === null ? null : (line?.price ?? null),
      lineDiscount: null,
      amount: -(lines[index]?.amount ?? 0n),
      net: -(net[index] ?? 0n),
      tax: line?.tax,
      end: [currency, null],
      decimals,
    });
  });
}

/** The credited bases by the index of the invoice's tax group. */
function basesOf(
  { taxes, subtotal }: CreditNote,
  { details, decimals }: ReturnType<typeof creditableInvoice>['issued'],
): Map<number, bigint> {
  if (details.taxes.length === 0) return new Map([[0, toMinor(subtotal, decimals)]]);
  return new Map(
    taxes.map(({ category, rate, base }) => [
      details.taxes.findIndex(of => of.category === category && Number(of.rate) === rate),
      toMinor(base, decimals),
    ]),
  );
}

interface LineCells {
  readonly document: readonly Cell[];
  /** The line of the invoice, counted from 1. */
  readonly position: number;
  readonly name: string;
  readonly sku: string | null;
  /** Decimal text, like the price and the line's discount. */
  readonly qty: string | null;
  readonly price: string | null;
  readonly lineDiscount: string | null;
  readonly amount: bigint;
  readonly net: bigint;
  readonly tax: InvoiceLine['tax'];
  readonly end: readonly Cell[];
  readonly decimals: number;
}

function toCells(line: LineCells): Cell[] {
  const money = (minor: bigint) => ({ number: fromMinor(minor, line.decimals) });
  return [
    ...line.document,
    { number: String(line.position) },
    line.name,
    line.sku,
    ...[line.qty, line.price, line.lineDiscount].map(number => ({ number })),
    money(line.amount),
    money(line.amount - line.net),
    money(line.net),
    line.tax?.category ?? null,
    { number: line.tax?.rate ?? null },
    ...line.end,
  ];
}
