// An electronic invoice as EN 16931-1 describes it: its terms (BT) and groups (BG), before they are
// written as UBL or CII. Amounts have the currency's decimals.
import { COUNTRIES } from '../../companies/parties/code-lists.js';
import type { Address, ElectronicAddress } from '../../companies/parties/party.js';
import { DECIMALS, toMinor } from '../../platform/values/money.js';
import type { DocumentLine, DocumentModel, DocumentTax, Seller } from '../model/document.js';

export interface EInvoice {
  readonly type: DocumentModel['type'];
  /** BT-1, BT-2, BT-5, BT-9, BT-22. */
  readonly number: string;
  readonly date: string;
  readonly currency: string;
  readonly decimals: number;
  readonly dueDate: string | null;
  readonly note: string | null;
  /** BT-10, BT-13, BT-25 and BT-26. */
  readonly buyerReference: string | null;
  readonly orderReference: string | null;
  readonly precedingInvoice: { readonly number: string; readonly date: string } | null;
  readonly seller: EParty;
  readonly buyer: EParty;
  /** BT-72, BG-15. */
  readonly deliveryDate: string | null;
  readonly deliveryAddress: Address | null;
  /** BG-16; null without an account. */
  readonly payment: PaymentDetails | null;
  /** BT-20. */
  readonly terms: string | null;
  /** BG-20, BG-23, BG-25. */
  readonly allowances: readonly Allowance[];
  readonly taxes: readonly TaxBreakdown[];
  readonly lines: readonly ELine[];
  /** BT-106, BT-107, BT-109, BT-110, BT-112 and BT-115. */
  readonly lineTotal: string;
  readonly allowanceTotal: string;
  readonly taxBasis: string;
  readonly taxTotal: string;
  readonly total: string;
}

export interface EParty {
  /** BT-27, BT-44; BT-28, BT-45: null if it is the same. */
  readonly name: string;
  readonly tradingName: string | null;
  /** BT-29; of a seller only. */
  readonly identifier: string | null;
  /** BT-30, BT-47. */
  readonly registration: { readonly id: string; readonly scheme: string | null } | null;
  /** BT-31, BT-48. */
  readonly vatId: string | null;
  /** BT-32; of a seller only. */
  readonly taxNumber: string | null;
  /** BT-34, BT-49. */
  readonly electronicAddress: ElectronicAddress | null;
  readonly address: Address | null;
  /** BT-41 to BT-43; of a seller only. */
  readonly contact: Contact | null;
}

export interface Contact {
  readonly name: string | null;
  readonly phone: string | null;
  readonly email: string | null;
}

export interface PaymentDetails {
  /** BT-81: 58 is a SEPA credit transfer, 30 another one. */
  readonly means: '58' | '30';
  /** BT-83, BT-84, BT-85, BT-86. */
  readonly reference: string;
  readonly iban: string;
  readonly accountName: string;
  readonly bic: string | null;
}

export interface TaxKind {
  readonly category: string;
  /** Null with O, which has no rate. */
  readonly rate: string | null;
}

export interface Allowance extends TaxKind {
  readonly amount: string;
  readonly reason: string | null;
}

export interface TaxBreakdown extends TaxKind {
  readonly base: string;
  readonly tax: string;
  /** BT-120, BT-121. */
  readonly reason: string | null;
  readonly reasonCode: string | null;
}

export interface ELine extends TaxKind {
  readonly id: string;
  readonly name: string;
  readonly sku: string | null;
  readonly qty: string;
  readonly price: string;
  /** BT-149; null for the price of one. */
  readonly priceQty: string | null;
  readonly amount: string;
  readonly discount: string | null;
}

/** Codes of the VATEX list. E has its reason as text. */
const REASON_CODES: Readonly<Record<string, string>> = {
  AE: 'VATEX-EU-AE',
  K: 'VATEX-EU-IC',
  G: 'VATEX-EU-G',
  O: 'VATEX-EU-O',
};

/** A document to be paid needs a due date or terms (BR-CO-25). */
const TERMS = { invoice: 'As agreed', creditNote: 'Credit note: no payment is due.' };

export function eInvoiceOf(document: DocumentModel): EInvoice {
  const { type, number, decimals, taxes, lines, seller, buyer } = document;
  const money = (amount: string) => withDecimals(amount, decimals);
  const isOutside = taxes.some(({ category }) => category === 'O');
  const isWithin = taxes.some(({ category }) => category === 'K');
  const deliveryAddress = document.deliveryAddress ?? (isWithin ? buyer.address : null);
  const lineTotal = sumOf(
    taxes.map(({ amounts }) => amounts),
    decimals,
  );
  const base = toMinor(document.subtotal, decimals);
  return {
    type,
    number,
    date: document.date,
    currency: document.currency,
    decimals,
    dueDate: document.dueDate,
    note: document.note,
    buyerReference: document.buyerReference,
    orderReference: document.orderReference,
    precedingInvoice: document.invoice,
    seller: sellerOf(seller, isOutside),
    buyer: {
      ...namesOf(buyer),
      identifier: null,
      registration: registrationOf(buyer),
      vatId: isOutside ? null : vatIdOf(buyer.taxId),
      taxNumber: null,
      electronicAddress: buyer.electronicAddress,
      address: buyer.address,
      contact: null,
    },
    deliveryDate: document.deliveryDate ?? (isWithin ? document.invoiceDate : null),
    deliveryAddress,
    payment: type === 'invoice' ? paymentOf(document) : null,
    terms: termsOf(document),
    allowances: taxes.flatMap(tax => allowanceOf(tax, document)),
    taxes: taxes.map(tax => ({
      ...categoryOf(tax),
      base: money(tax.base),
      tax: money(tax.tax),
      reason: tax.category === 'S' || tax.category === 'Z' ? null : tax.reason,
      reasonCode: REASON_CODES[tax.category] ?? null,
    })),
    lines: lines.map((line, index) => lineOf(line, index, decimals)),
    lineTotal: minorText(lineTotal, decimals),
    allowanceTotal: minorText(lineTotal - base, decimals),
    taxBasis: money(document.subtotal),
    taxTotal: money(document.taxTotal),
    total: money(document.total),
  };
}

function sellerOf(seller: Seller, isOutside: boolean): EParty {
  const registration = registrationOf(seller);
  const vatId = isOutside ? null : vatIdOf(seller.taxId);
  const taxNumber = seller.taxNumber ?? (vatIdOf(seller.taxId) === null ? seller.taxId : null);
  const { contactName, phone, email } = seller;
  const hasContact = contactName !== null || phone !== null || email !== null;
  return {
    ...namesOf(seller),
    identifier: registration === null && vatId === null ? taxNumber : null,
    registration,
    vatId,
    taxNumber,
    electronicAddress: seller.electronicAddress,
    address: seller.address,
    contact: hasContact ? { name: contactName, phone, email } : null,
  };
}

function namesOf({ name, legalName }: { name: string; legalName: string | null }) {
  const isSame = legalName === null || legalName === name;
  return { name: legalName ?? name, tradingName: isSame ? null : name };
}

interface Registered {
  readonly registrationId: string | null;
  readonly address: Address | null;
}

/** A SIREN of France has a scheme of its own. */
function registrationOf({ registrationId, address }: Registered): EParty['registration'] {
  if (registrationId === null) return null;
  const digits = registrationId.replaceAll(' ', '');
  const isSiren = address?.country === 'FR' && /^\d{9}$/u.test(digits);
  return isSiren ? { id: digits, scheme: '0002' } : { id: registrationId, scheme: null };
}

/** Greece has EL, and Northern Ireland XI. */
const PREFIXES = new Set([...COUNTRIES, 'EL', 'XI']);

/** The tax id if it has the prefix of a country, as a VAT identifier needs (BR-CO-09). */
function vatIdOf(taxId: string | null): string | null {
  return taxId !== null && PREFIXES.has(taxId.slice(0, 2)) ? taxId : null;
}

function paymentOf({ number, currency, seller }: DocumentModel): PaymentDetails | null {
  const { iban, bic, name, legalName } = seller;
  if (iban === null) return null;
  const means = currency === 'EUR' ? '58' : '30';
  return { means, reference: number, iban, accountName: legalName ?? name, bic };
}

function termsOf({ type, dueDate, seller, total }: DocumentModel): string | null {
  if (type === 'creditNote') return TERMS.creditNote;
  return seller.paymentTerms ?? (dueDate === null && total !== '0' ? TERMS.invoice : null);
}

/** The group's share of the document's discount. */
function allowanceOf(tax: DocumentTax, { decimals, discount }: DocumentModel): Allowance[] {
  const share = toMinor(tax.amounts, decimals) - toMinor(tax.base, decimals);
  if (share === 0n) return [];
  const amount = minorText(share, decimals);
  return [{ ...categoryOf(tax), amount, reason: discount?.reason ?? null }];
}

function categoryOf({ category, rate }: { category: string; rate: string }): TaxKind {
  return { category, rate: category === 'O' ? null : rate };
}

/** The price of a credited line is its amount, for the quantity that is credited. */
function lineOf(line: DocumentLine, index: number, decimals: number): ELine {
  const { name, sku, price, discount } = line;
  const qty = line.qty ?? '1';
  const amount = withDecimals(line.amount, decimals);
  return {
    ...categoryOf(line),
    id: String(index + 1),
    name,
    sku,
    qty: plain(qty),
    price: price === null ? amount : plain(price),
    priceQty: price === null ? plain(qty) : null,
    amount,
    discount:
      discount && Number(discount.amount) > 0 ? withDecimals(discount.amount, decimals) : null,
  };
}

function sumOf(amounts: readonly string[], decimals: number): bigint {
  return amounts.reduce((sum, amount) => sum + toMinor(amount, decimals), 0n);
}

/** Decimal text with the decimals of the currency: 12.5 is 12.50. */
export function withDecimals(amount: string, decimals: number): string {
  return minorText(toMinor(plain(amount), decimals), decimals);
}

function minorText(minor: bigint, decimals: number): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
  return minor < 0n ? `-${text}` : text;
}

/** Without an exponent. */
function plain(decimal: string): string {
  return decimal.includes('e') ? Number(decimal).toFixed(DECIMALS) : decimal;
}
