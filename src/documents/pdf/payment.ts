// How an invoice is paid: the account, and the code of the European Payments Council (EPC069-12)
// that banking apps read.
import { encode } from 'uqr';
import { groupedIban } from '../../companies/profile/iban.js';
import { toMinor } from '../../platform/values/money.js';
import type { DocumentModel } from '../model/document.js';
import { printedName } from './letterhead.js';
import { BODY, BOLD, GREY, INK, PrintSheet, SMALL, type Style } from './sheet.js';
import type { Words } from './words.js';

const LABEL: Style = { size: 8.5, color: GREY };
const LABELS = 96;
const CODE_SIZE = 82;
const MAX_NAME = 70;
const MIN_CENTS = 1n;
const MAX_CENTS = 99_999_999_999n;

/** The text of the payment code; null where the document has none. */
export function paymentCode(document: DocumentModel): string | null {
  const { type, seller, currency, total, decimals, number } = document;
  if (type !== 'invoice' || seller.paymentQr !== 'epc' || currency !== 'EUR') return null;
  const cents = toMinor(total, decimals);
  if (seller.iban === null || cents < MIN_CENTS || cents > MAX_CENTS) return null;
  const name = [...printedName(seller)].slice(0, MAX_NAME).join('').trim();
  const amount = `EUR${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
  return [
    ...['BCD', '002', '1', 'SCT', seller.bic ?? '', name, seller.iban, amount],
    ...['', '', number],
  ].join('\n');
}

/** Sets account and code beside each other, if there is an account. */
export function setPayment(sheet: PrintSheet, document: DocumentModel, words: Words): void {
  const { seller, number } = document;
  if (seller.iban === null) return;
  const code = paymentCode(document);
  const rows = [
    [words.accountHolder, printedName(seller)],
    [words.bank, seller.bankName],
    ['IBAN', groupedIban(seller.iban)],
    ['BIC', seller.bic],
    [words.paymentReference, number || null],
  ] as const;
  const width = sheet.width - LABELS - (code === null ? 0 : CODE_SIZE + 30);
  const filled = rows.flatMap(([label, value]) =>
    value === null ? [] : [{ label, lines: sheet.wrap(value, width, BODY) }],
  );
  const line = PrintSheet.lineHeight(BODY);
  const textHeight = filled.reduce((sum, { lines }) => sum + lines.length * line + 1, line + 4);
  const codeHeight = code === null ? 0 : CODE_SIZE + PrintSheet.lineHeight(SMALL) + 4;
  sheet.need(Math.max(textHeight, codeHeight) + 18);
  sheet.y += 14;
  const top = sheet.y;
  sheet.text(words.payment, sheet.left, top, BOLD);
  let y = top + line + 4;
  for (const { label, lines } of filled) {
    sheet.text(label, sheet.left, y, LABEL);
    y = sheet.lines(lines, sheet.left + LABELS, y, BODY) + 1;
  }
  if (code !== null) setCode(sheet, code, words.scan, top);
  sheet.y = Math.max(y, top + codeHeight) + 10;
}

function setCode(sheet: PrintSheet, code: string, caption: string, top: number): void {
  const { data, size } = encode(code, { ecc: 'M', boostEcc: false, border: 0 });
  const module = CODE_SIZE / size;
  const left = sheet.right - CODE_SIZE;
  for (const [row, modules] of data.entries())
    for (let from = 0; from < size; from += 1) {
      if (!modules[from]) continue;
      let to = from + 1;
      while (modules[to]) to += 1;
      sheet.pdf.rect(left + from * module, top + row * module, (to - from) * module, module);
      from = to;
    }
  sheet.pdf.fill(INK);
  sheet.text(caption, sheet.right, top + CODE_SIZE + 4, SMALL, 'right');
}
