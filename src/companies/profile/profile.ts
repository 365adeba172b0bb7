// A company's profile: what its documents show of it as the seller, and how they are set.
import type { Address, ElectronicAddress, Language } from '../parties/party.js';
import { LANGUAGES } from '../parties/party.js';

export const PAPERS = ['a4', 'letter'] as const;
export type PaperSize = (typeof PAPERS)[number];

/** The payment codes of invoices: none, or the one of the European Payments Council. */
export const PAYMENT_CODES = ['none', 'epc'] as const;
export type PaymentCode = (typeof PAYMENT_CODES)[number];

/** The tax categories that lines without a tax may have. */
export const UNTAXED_CATEGORIES = ['O', 'E', 'Z'] as const;

export interface Untaxed {
  readonly category: (typeof UNTAXED_CATEGORIES)[number];
  readonly reason: string | null;
}

/** A checked picture. Its bytes are stored once, under its hash. */
export interface LogoRef {
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
  readonly type: 'png' | 'jpeg';
  readonly width: number;
  readonly height: number;
}

export interface ProfileFields {
  /** Null: the company's name. */
  readonly legalName: string | null;
  readonly address: Address | null;
  readonly taxId: string | null;
  readonly taxNumber: string | null;
  readonly registrationId: string | null;
  readonly electronicAddress: ElectronicAddress | null;
  readonly contactName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly bankName: string | null;
  readonly iban: string | null;
  readonly bic: string | null;
  readonly paymentTerms: string | null;
  readonly footer: string | null;
  readonly untaxed: Untaxed;
  readonly language: Language;
  readonly paper: PaperSize;
  readonly paymentQr: PaymentCode;
  /** Gets a copy of each e-mail. */
  readonly emailCopy: string | null;
}

/** A version as it is stored. A member that an earlier release did not write is absent there. */
export interface Profile extends ProfileFields {
  /** The company's name at that time. */
  readonly name: string;
  readonly logo: LogoRef | null;
}

export const EMPTY_PROFILE: Omit<Profile, 'name'> = {
  legalName: null,
  address: null,
  taxId: null,
  taxNumber: null,
  registrationId: null,
  electronicAddress: null,
  contactName: null,
  email: null,
  phone: null,
  bankName: null,
  iban: null,
  bic: null,
  paymentTerms: null,
  footer: null,
  untaxed: { category: 'O', reason: null },
  language: LANGUAGES[0],
  paper: PAPERS[0],
  paymentQr: PAYMENT_CODES[0],
  emailCopy: null,
  logo: null,
};

export function parseProfile(body: string): Profile {
  return { ...EMPTY_PROFILE, ...(JSON.parse(body) as Profile) };
}

/** The stored JSON text, with its members in one order, so that equal profiles have equal texts. */
export function renderProfile(profile: Profile): string {
  const members = ['name', ...Object.keys(EMPTY_PROFILE)] as (keyof Profile)[];
  return JSON.stringify(Object.fromEntries(members.map(member => [member, profile[member]])));
}
