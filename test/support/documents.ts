// Documents for tests: one that breaks no rule, and random ones whose amounts are priced as the
// product does.
import fc from 'fast-check';
import { EMPTY_PROFILE, type Profile } from '../../src/companies/profile/profile.js';
import { type CustomerRecord, EMPTY_FIELDS } from '../../src/customers/record.js';
import {
  type CreditNoteJson,
  creditNoteDocument,
  type InvoiceData,
  invoiceDocument,
} from '../../src/documents/model/build.js';
import type { DocumentModel } from '../../src/documents/model/document.js';
import type { InvoiceJson } from '../../src/invoices/issued/invoice-shape.js';
import { priceInvoice } from '../../src/invoices/pricing.js';
import { reasonOf } from '../../src/invoices/tax-reasons.js';
import { fromMinor, fromUnits, minorUnits } from '../../src/platform/values/money.js';
import { anyText } from './any-text.js';

export const SELLER_ADDRESS = {
  ...{ line1: 'Hafenstraße 1', line2: 'Tor 4', line3: 'Halle 2', city: 'Bremen' },
  ...{ postalCode: '28195', region: 'HB', country: 'DE' },
};
export const BUYER_ADDRESS = {
  ...{ line1: '12 rue du Port', line2: null, line3: null, city: 'Nantes' },
  ...{ postalCode: '44000', region: null, country: 'FR' },
};

export const PROFILE: Profile = {
  ...EMPTY_PROFILE,
  ...{ name: 'Harbour Supply', legalName: 'Harbour Supply GmbH', address: SELLER_ADDRESS },
  ...{ taxId: 'DE123456789', taxNumber: '60/123/45678', registrationId: 'HRB 1234' },
  electronicAddress: { scheme: '9930', id: 'DE123456789' },
  ...{ contactName: 'Ann Vogt', email: 'billing@example.org', phone: '+49 421 1234' },
  ...{ bankName: 'Sparkasse Bremen', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
  ...{ paymentTerms: 'Payable within 30 days.', footer: 'Thank you for your order.' },
};

export const RECORD: CustomerRecord = {
  ...EMPTY_FIELDS,
  ...{ id: '01900000-0000-7000-8000-000000000001', number: 'C-00001', name: 'Castel' },
  ...{ legalName: 'Castel SARL', address: BUYER_ADDRESS, deliveryAddress: BUYER_ADDRESS },
  ...{ taxId: 'FR12345678901', registrationId: '123456789', buyerReference: '04011000-1' },
  electronicAddress: { scheme: '0009', id: '12345678900011' },
  ...{ contactName: 'Luc Martin', mergedInto: null },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
};

/** A line of an invoice to price: ten-thousandths, and amounts in minor units. */
export interface SampleLine {
  readonly name: string;
  readonly sku: string | null;
  readonly qty: bigint;
  readonly price: bigint;
  /** Of 100, in ten-thousandths. */
  readonly percent: bigint | null;
  readonly category: string | null;
  readonly rate: bigint;
}

export interface Sample {
  readonly currency: string;
  readonly lines: readonly SampleLine[];
  /** Of the document. */
  readonly percent: bigint | null;
  readonly discountReason: string | null;
  readonly dueDate: string | null;
}

/** The stored JSON of an invoice with these lines. */
export function invoiceJson({ currency, lines, percent, ...others }: Sample): InvoiceJson {
  const decimals = minorUnits(currency);
  const pricing = priceInvoice(
    lines.map(line => ({
      ...{ qty: line.qty, price: line.price },
      discount: line.percent === null ? undefined : { percent: line.percent },
      tax: line.category === null ? undefined : { category: line.category, rate: line.rate },
    })),
    percent === null ? undefined : { percent },
    decimals,
  );
  const money = (minor: bigint) => Number(fromMinor(minor, decimals));
  const total = money(pricing.total);
  return {
    ...{ id: '01900000-0000-7000-8000-00000000000a', number: 'INV-000042', status: 'open' },
    ...{ customerName: 'Castel', date: '2026-11-22', currency },
    items: lines.map(({ name, sku, qty, price, ...line }, index) => ({
      ...{ name, sku, qty: Number(fromUnits(qty)), price: Number(fromUnits(price)) },
      amount: money(pricing.lines[index]?.amount ?? 0n),
      itemId: null,
      ...(line.percent === null
        ? {}
        : {
            discount: {
              percent: Number(fromUnits(line.percent)),
              amount: money(pricing.lines[index]?.discount ?? 0n),
            },
          }),
      ...(line.category === null
        ? {}
        : { taxRate: Number(fromUnits(line.rate)), taxCategory: line.category as 'S' }),
    })),
    ...{ total, reference: 'Job 7', createdAt: '2026-11-22T09:30:00.123Z' },
    ...{ dueDate: others.dueDate, orderReference: 'PO-77', deliveryDate: null },
    note: 'Ring twice.\nAsk for Luc.',
    discount:
      percent === null
        ? null
        : {
            percent: Number(fromUnits(percent)),
            amount: money(pricing.discount),
            reason: others.discountReason,
          },
    ...{ subtotal: money(pricing.subtotal), taxTotal: money(pricing.taxTotal) },
    taxes: pricing.groups.map(({ category, rate, base, tax }) => ({
      category: category as 'S',
      rate: Number(fromUnits(rate)),
      ...{ base: money(base), amount: money(tax) },
      reason: reasonOf(category, 'Exempt by § 4'),
    })),
    ...{ amountPaid: 0, amountCredited: 0, amountDue: total, settledOn: null },
  };
}

export const SAMPLE: Sample = {
  currency: 'EUR',
  lines: [
    sampleLine('Copper pipe 15 mm', 'HS-001', 20_000n, 54_400n),
    sampleLine('Ball valve 1/2"', 'HS-006', 30_000n, 78_400n, 100_000n),
    sampleLine('Installation', null, 15_000n, 800_000n),
  ],
  percent: 50_000n,
  discountReason: 'Loyalty',
  dueDate: '2026-12-22',
};

export function sampleLine(
  name: string,
  sku: string | null,
  qty: bigint,
  price: bigint,
  percent: bigint | null = null,
  category: string | null = 'S',
  rate = 190_000n,
): SampleLine {
  return { name, sku, qty, price, percent, category, rate };
}

export function invoiceData(sample: Partial<Sample> = {}, parts: Partial<InvoiceData> = {}) {
  const invoice = invoiceJson({ ...SAMPLE, ...sample });
  return { invoice, profile: PROFILE, record: RECORD, ...parts };
}

/** A document that breaks no rule, with these changes. */
export function sampleDocument(
  sample: Partial<Sample> = {},
  parts: Partial<InvoiceData> = {},
): DocumentModel {
  return invoiceDocument(invoiceData(sample, parts));
}

/** A credit note of the whole invoice. */
export function creditNoteOf(of: InvoiceData): DocumentModel {
  const { invoice, profile, record } = of;
  const creditNote: CreditNoteJson = {
    ...{ id: '01900000-0000-7000-8000-00000000000b', number: 'CN-000007' },
    ...{ invoiceId: invoice.id, invoiceNumber: invoice.number, customerName: 'Castel' },
    ...{ date: '2026-11-24', currency: invoice.currency, reason: 'return' },
    items: invoice.items.map(({ name, sku, qty, amount }, index) => ({
      ...{ line: index + 1, name, sku, amount, itemId: null, restocked: false },
      qty: index === 1 ? null : qty,
    })),
    ...{ subtotal: invoice.subtotal, taxTotal: invoice.taxTotal, taxes: invoice.taxes },
    ...{ total: invoice.total, allocations: [], refunded: 0, unallocated: 0 },
    ...{ reference: null, note: null, createdAt: '2026-11-24T10:00:00.000Z' },
  };
  return creditNoteDocument({ creditNote, profile, record, of });
}

const RATES = { S: [50_000n, 190_000n, 82_500n, 1_000_000n], none: [0n] };
const CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G'] as const;

/** Random invoices in every tax category, or without any tax. */
export function anySample(currencies: readonly string[]): fc.Arbitrary<Sample> {
  const within = (max: bigint) => fc.bigInt(0n, max);
  const percent = fc.option(fc.bigInt(0n, 1_000_000n), { nil: null });
  const taxed = fc.constantFrom(...CATEGORIES).chain(category =>
    fc.record({
      category: fc.constant(category as string | null),
      rate: fc.constantFrom(...(category === 'S' ? RATES.S : RATES.none)),
    }),
  );
  const lineOf = (tax: fc.Arbitrary<{ category: string | null; rate: bigint }>) =>
    fc
      .record({
        name: anyText({ minLength: 1, maxLength: 40 }),
        sku: fc.option(fc.string({ minLength: 1, maxLength: 10 }), { nil: null }),
        qty: within(10_000_000n).map(qty => qty + 1n),
        price: within(100_000_000n),
        percent,
        tax,
      })
      .map(({ tax: { category, rate }, ...line }) => ({ ...line, category, rate }));
  const same = (category: string | null) => lineOf(fc.constant({ category, rate: 0n }));
  const lines = (line: fc.Arbitrary<SampleLine>) => fc.array(line, { minLength: 1, maxLength: 8 });
  return fc.record({
    currency: fc.constantFrom(...currencies),
    lines: fc.oneof(lines(lineOf(taxed)), lines(same('O')), lines(same(null))),
    percent,
    discountReason: fc.option(fc.string({ minLength: 1, maxLength: 20 }), { nil: null }),
    dueDate: fc.constantFrom('2026-12-22', null),
  });
}
