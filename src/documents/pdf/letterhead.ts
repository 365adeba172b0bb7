// The parts around a document's table: logo and title, the addresses, the facts beside them, and
// the lines at the foot of each page.
import { addressLines } from '../../companies/parties/address-lines.js';
import type { Address, Language } from '../../companies/parties/party.js';
import type { Buyer, DocumentModel, Seller } from '../model/document.js';
import { printedDate } from './format.js';
import { BODY, BOLD, type Foot, GREY, INK, PrintSheet, SMALL, type Style } from './sheet.js';
import type { Words } from './words.js';

const TITLE: Style = { size: 21, weight: 'bold' };
const NAME: Style = { size: 14, weight: 'bold' };
const LABEL: Style = { size: 8.5, color: GREY };
/** The largest size of a logo in points. */
const LOGO = { width: 170, height: 54 };
/** Facts are in the right part of the page. */
const FACTS = { width: 212, labels: 96 };
const FOOT: Style = { size: 7, color: GREY };

export type HeadFact = readonly [label: string, value: string | null];

/** The name that is printed of a party. */
export function printedName({ name, legalName }: Seller | Buyer): string {
  return legalName ?? name;
}

/** The lines of an address. The country is named in letters that go abroad. */
function linesOfAddress(address: Address | null, from: Address | null, language: Language) {
  if (!address) return [];
  const { country } = address;
  return addressLines(address, from?.country === country ? null : countryName(country, language));
}

const names = new Map<Language, Intl.DisplayNames>();

function countryName(code: string, language: Language): string {
  const known = names.get(language) ?? new Intl.DisplayNames(language, { type: 'region' });
  names.set(language, known);
  return known.of(code) ?? code;
}

/** Sets logo or name at the left and the title at the right. */
export function setHead(
  sheet: PrintSheet,
  { seller }: DocumentModel,
  title: string,
  logo: Buffer | null,
) {
  const top = sheet.y;
  const size = seller.logo;
  let end = top;
  if (logo && size) {
    const scale = Math.min(LOGO.width / size.width, LOGO.height / size.height, 1);
    const [width, height] = [size.width * scale, size.height * scale];
    sheet.pdf.image(logo, sheet.left, top, { width, height });
    end = top + height;
  } else {
    const lines = sheet.wrap(printedName(seller), sheet.width - 220, NAME);
    end = sheet.lines(lines, sheet.left, top, NAME);
  }
  sheet.text(title, sheet.right, top - 4, TITLE, 'right');
  sheet.y = Math.max(end, top + PrintSheet.lineHeight(TITLE)) + 26;
}

/** Sets the recipient at the left and the facts at the right. */
export function setParties(
  sheet: PrintSheet,
  document: DocumentModel,
  recipient: { readonly label: string; readonly address: Address | null },
  facts: readonly HeadFact[],
): void {
  const { seller, buyer, language } = document;
  const width = sheet.width - FACTS.width - 24;
  const sender = [
    printedName(seller),
    ...linesOfAddress(seller.address, seller.address, language),
  ].join(' · ');
  const setAddresses = () => {
    sheet.paragraph(sender, SMALL, { width });
    sheet.y += 6;
    sheet.paragraph(recipient.label, LABEL, { width });
    sheet.y += 1;
    sheet.paragraph(printedName(buyer), BOLD, { width });
    for (const line of linesOfAddress(recipient.address, seller.address, language))
      sheet.paragraph(line, BODY, { width });
  };
  sheet.beside(setAddresses, () => {
    for (const [label, value] of facts) if (value !== null) setFact(sheet, label, value);
  });
  sheet.y += 24;
}

function setFact(sheet: PrintSheet, label: string, value: string): void {
  const left = sheet.right - FACTS.width;
  sheet.need(PrintSheet.lineHeight(BODY));
  sheet.text(label, left, sheet.y, LABEL);
  sheet.paragraph(value, BODY, {
    left: left + FACTS.labels,
    width: FACTS.width - FACTS.labels,
  });
  sheet.y += 1.5;
}

export function dateFact(label: string, date: string | null, language: Language): HeadFact {
  return [label, date === null ? null : printedDate(date, language)];
}

/** Keeps room at the foot of each page for who the seller is, and for the page's number. */
export function reserveFeet(sheet: PrintSheet, { seller }: DocumentModel, words: Words): void {
  const numbers = [
    [words.taxId, seller.taxId],
    [words.taxNumber, seller.taxNumber],
    [words.registration, seller.registrationId],
  ].flatMap(([label, value]) => (value ? [`${label} ${value}`] : []));
  const contact = [seller.contactName, seller.phone, seller.email].filter(Boolean);
  const texts = [[printedName(seller), ...numbers].join(' · '), contact.join(' · ')];
  const width = sheet.width - 60;
  const lines = texts.filter(Boolean).flatMap(text => sheet.wrap(text, width, FOOT));
  const draw: Foot['draw'] = (top, page, count) => {
    sheet.rule(top - 6);
    sheet.lines(lines, sheet.left, top, FOOT);
    sheet.text(`${page}/${count}`, sheet.right, top, { ...FOOT, color: INK }, 'right');
  };
  sheet.setFoot({ height: lines.length * PrintSheet.lineHeight(FOOT), draw });
}
