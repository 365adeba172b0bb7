// The one function from stored data to a document. Pure: the same data give the same document, in
// every process and at any time.
import type { Profile } from '../../companies/profile/profile.js';
import type { CustomerRecord } from '../../customers/record.js';
import type { InvoiceJson } from '../../invoices/issued/invoice-shape.js';
import { toIssuedInvoice } from '../../invoices/issued-invoice.js';
import type { CREDIT_NOTE } from '../../ledger/entry-json.js';
import type { ParsedJson } from '../../platform/values/json-shape.js';
import { fromMinor, minorUnits, toMinor } from '../../platform/values/money.js';
import type { Buyer, DocumentLine, DocumentModel, DocumentTax, Seller } from './document.js';

export type CreditNoteJson = ParsedJson<typeof CREDIT_NOTE>;

/** The data of an invoice, each as of its creation. */
export interface InvoiceData {
  /** Its stored JSON. What entries change there is not a part of the document. */
  readonly invoice: InvoiceJson;
  readonly profile: Profile;
  /** Null: no record ever had the customer's name. */
  readonly record: CustomerRecord | null;
}

/** The data of a credit note: its own, as of its creation, and those of its invoice. */
export interface CreditNoteData {
  readonly creditNote: CreditNoteJson;
  readonly profile: Profile;
  readonly record: CustomerRecord | null;
  readonly of: InvoiceData;
}

/** Throws if the JSON of the invoice cannot be read. */
export function invoiceDocument({ invoice, profile, record }: InvoiceData): DocumentModel {
  const { lines, total, details, decimals } = toIssuedInvoice(invoice);
  const { untaxed } = profile;
  const isTaxed = details.taxes.length > 0;
  const shown: DocumentLine[] = lines.map(({ name, sku, qty, price, discount, amount, tax }) => ({
    ...{ name, sku, qty, price, amount },
    discount: discount ?? null,
    category: tax?.category ?? untaxed.category,
    rate: tax?.rate ?? '0',
  }));
  const taxes = isTaxed
    ? details.taxes.map(({ amount, ...group }) => ({ ...group, tax: amount }))
    : [untaxedGroup(details.subtotal, profile)];
  return {
    ...commonPart(invoice, profile, record),
    type: 'invoice',
    number: invoice.number,
    dueDate: details.dueDate,
    invoice: null,
    orderReference: details.orderReference,
    buyerReference: record?.buyerReference ?? null,
    deliveryDate: details.deliveryDate,
    invoiceDate: invoice.date,
    note: details.note,
    deliveryAddress: record?.deliveryAddress ?? null,
    lines: shown,
    discount: details.discount,
    subtotal: details.subtotal,
    taxes: withSums(taxes, shown, decimals),
    isTaxed,
    taxTotal: details.taxTotal,
    total,
  };
}

/** Throws if the JSON of the invoice cannot be read. */
export function creditNoteDocument(data: CreditNoteData): DocumentModel {
  const { creditNote, profile, record, of } = data;
  const original = invoiceDocument(of);
  const decimals = minorUnits(creditNote.currency);
  const lines: DocumentLine[] = creditNote.items.map(({ line, name, sku, qty, amount }) => {
    const credited = original.lines[line - 1];
    return {
      ...{ name, sku, price: null, discount: null },
      qty: qty === null ? null : decimal(qty),
      amount: decimal(amount),
      category: credited?.category ?? 'O',
      rate: credited?.rate ?? '0',
    };
  });
  const subtotal = decimal(creditNote.subtotal);
  const taxes = creditNote.taxes.map(({ category, rate, base, amount, reason }) => ({
    ...{ category, reason },
    rate: decimal(rate),
    base: decimal(base),
    tax: decimal(amount),
  }));
  const groups = original.isTaxed ? taxes : [untaxedGroup(subtotal, of.profile)];
  return {
    ...commonPart(creditNote, profile, record),
    type: 'creditNote',
    number: creditNote.number,
    dueDate: null,
    invoice: { number: original.number, date: original.date },
    orderReference: original.orderReference,
    buyerReference: original.buyerReference,
    deliveryDate: original.deliveryDate,
    invoiceDate: original.date,
    note: creditNote.note,
    deliveryAddress: original.deliveryAddress,
    lines,
    discount: null,
    subtotal,
    taxes: withSums(groups, lines, decimals),
    isTaxed: original.isTaxed,
    taxTotal: decimal(creditNote.taxTotal),
    total: decimal(creditNote.total),
  };
}

/** The parts that both kinds of documents take from their own JSON, profile and record. */
function commonPart(
  json: Pick<CreditNoteJson, 'date' | 'createdAt' | 'currency' | 'customerName' | 'reference'>,
  profile: Profile,
  record: CustomerRecord | null,
) {
  const { date, createdAt, currency, customerName, reference } = json;
  return {
    ...{ date, createdAt, currency, reference },
    decimals: minorUnits(currency),
    seller: sellerOf(profile),
    buyer: buyerOf(customerName, record),
    language: record?.language ?? profile.language,
    paper: profile.paper,
  };
}

/** A number of JSON in its shortest form, as it was stored. */
function decimal(value: number): string {
  return String(value);
}

type TaxGroup = Omit<DocumentTax, 'amounts'>;

/** The one group of a document whose lines have no tax. */
function untaxedGroup(subtotal: string, { untaxed }: Profile): TaxGroup {
  const { category, reason } = untaxed;
  return { category, rate: '0', base: subtotal, tax: '0', reason };
}

/** Adds the sums of the lines' amounts: what they exceed the base by is the group's discount. */
function withSums(
  groups: readonly TaxGroup[],
  lines: readonly DocumentLine[],
  decimals: number,
): DocumentTax[] {
  return groups.map(group => {
    const own = lines.filter(
      ({ category, rate }) => category === group.category && rate === group.rate,
    );
    const sum = own.reduce((total, { amount }) => total + toMinor(amount, decimals), 0n);
    return { ...group, amounts: fromMinor(sum, decimals) };
  });
}

function sellerOf(profile: Profile): Seller {
  const { name, legalName, address, taxId, taxNumber, registrationId } = profile;
  const { electronicAddress, contactName, email, phone, bankName, iban, bic } = profile;
  const { paymentTerms, footer, paymentQr, logo } = profile;
  return {
    ...{ name, legalName, address, taxId, taxNumber, registrationId },
    ...{ electronicAddress, contactName, email, phone, bankName, iban, bic },
    ...{ paymentTerms, footer, paymentQr, logo },
  };
}

/** The name is the document's own, which may be an alias of the record. */
function buyerOf(customerName: string, record: CustomerRecord | null): Buyer {
  return {
    name: customerName,
    number: record?.number ?? null,
    legalName: record?.legalName ?? null,
    address: record?.address ?? null,
    taxId: record?.taxId ?? null,
    registrationId: record?.registrationId ?? null,
    electronicAddress: record?.electronicAddress ?? null,
    contactName: record?.contactName ?? null,
  };
}
