// The content of a document, with everything that it depends on: PDF, UBL, CII and delivery note
// are functions of it. Figures are decimal text without trailing zeros, dates are YYYY-MM-DD.
import type { Address, ElectronicAddress, Language } from '../../companies/parties/party.js';
import type { LogoRef, PaperSize, PaymentCode } from '../../companies/profile/profile.js';

export interface DocumentModel {
  readonly type: 'invoice' | 'creditNote';
  readonly number: string;
  readonly date: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly currency: string;
  /** Decimals of the currency. */
  readonly decimals: number;
  readonly dueDate: string | null;
  /** The invoice that a credit note belongs to. */
  readonly invoice: { readonly number: string; readonly date: string } | null;
  readonly reference: string | null;
  readonly orderReference: string | null;
  readonly buyerReference: string | null;
  readonly deliveryDate: string | null;
  /** The date of the invoice, on which it was delivered unless it has a date of delivery. */
  readonly invoiceDate: string;
  readonly note: string | null;
  readonly seller: Seller;
  readonly buyer: Buyer;
  readonly deliveryAddress: Address | null;
  readonly lines: readonly DocumentLine[];
  /** Of the whole document. */
  readonly discount: WholeDiscount | null;
  readonly subtotal: string;
  /** One at least. */
  readonly taxes: readonly DocumentTax[];
  /** False if the invoice has no taxes, so that `taxes` has the category of the profile. */
  readonly isTaxed: boolean;
  readonly taxTotal: string;
  readonly total: string;
  readonly language: Language;
  readonly paper: PaperSize;
}

interface Party {
  readonly name: string;
  /** Null: as the name. */
  readonly legalName: string | null;
  readonly address: Address | null;
  readonly taxId: string | null;
  readonly registrationId: string | null;
  readonly electronicAddress: ElectronicAddress | null;
  readonly contactName: string | null;
}

export interface Seller extends Party {
  readonly taxNumber: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly bankName: string | null;
  readonly iban: string | null;
  readonly bic: string | null;
  readonly paymentTerms: string | null;
  readonly footer: string | null;
  readonly paymentQr: PaymentCode;
  readonly logo: LogoRef | null;
}

export interface Buyer extends Party {
  /** The customer's own number; null without a record. */
  readonly number: string | null;
}

export interface ShownDiscount {
  /** Null: it was given as an amount. */
  readonly percent: string | null;
  readonly amount: string;
}

export interface WholeDiscount extends ShownDiscount {
  readonly reason: string | null;
}

export interface DocumentLine {
  readonly name: string;
  readonly sku: string | null;
  /** Null: a credit by amount. */
  readonly qty: string | null;
  /** Null on credit notes. */
  readonly price: string | null;
  readonly discount: ShownDiscount | null;
  readonly amount: string;
  readonly category: string;
  readonly rate: string;
}

/** The tax of all lines with one category and rate. */
export interface DocumentTax {
  readonly category: string;
  readonly rate: string;
  /** The sum of the lines' amounts. */
  readonly amounts: string;
  /** That less their share of the document's discount. */
  readonly base: string;
  readonly tax: string;
  readonly reason: string | null;
}
