// The totals of an invoice or credit note, and why no tax is due.
import { fromMinor, toMinor } from '../../platform/values/money.js';
import type { DocumentModel } from '../model/document.js';
import { printedMoney, printedNumber, printedPercent } from './format.js';
import { BODY, INK, PrintSheet, type Style } from './sheet.js';
import type { Words } from './words.js';

const TOTAL: Style = { size: 12, weight: 'bold' };
const WIDTH = 250;

/** Sets the figures at the right, above a bold total. */
export function setTotals(sheet: PrintSheet, document: DocumentModel, words: Words): void {
  const rows = totalRows(document, words).map(([label, figure]) => {
    const lines = sheet.wrap(label, WIDTH - sheet.widthOf(figure, BODY) - 10, BODY);
    return { lines, figure, height: lines.length * PrintSheet.lineHeight(BODY) + 2 };
  });
  sheet.need(rows.reduce((sum, { height }) => sum + height, 34));
  sheet.y += 6;
  const left = sheet.right - WIDTH;
  for (const { lines, figure, height } of rows) {
    sheet.lines(lines, left, sheet.y, BODY);
    sheet.text(figure, sheet.right, sheet.y, BODY, 'right');
    sheet.y += height;
  }
  sheet.y += 3;
  sheet.rule(sheet.y, left, sheet.right, INK, 0.8);
  sheet.y += 6;
  sheet.text(document.type === 'invoice' ? words.total : words.totalCredited, left, sheet.y, TOTAL);
  sheet.text(printedMoney(document.total, document), sheet.right, sheet.y, TOTAL, 'right');
  sheet.y += PrintSheet.lineHeight(TOTAL) + 12;
}

function totalRows(document: DocumentModel, words: Words): [label: string, figure: string][] {
  const { taxes, subtotal, language, decimals, isTaxed, discount } = document;
  const money = (amount: string) => printedNumber(amount, language, decimals);
  const lines = taxes.reduce((sum, { amounts }) => sum + toMinor(amounts, decimals), 0n);
  const reduced = lines - toMinor(subtotal, decimals);
  const rows: [string, string][] = [];
  if (reduced > 0n) {
    const percent = discount?.percent ?? null;
    const share = percent === null ? '' : ` ${printedPercent(percent, language)}`;
    const reason = discount?.reason ? ` (${discount.reason})` : '';
    rows.push([words.subtotal, money(fromMinor(lines, decimals))]);
    rows.push([`${words.discount}${share}${reason}`, money(fromMinor(-reduced, decimals))]);
  }
  if (!isTaxed) return rows;
  rows.push([words.net, money(subtotal)]);
  for (const { rate, base, tax } of taxes) {
    const label = `${words.tax} ${printedPercent(rate, language)} ${words.on} ${money(base)}`;
    rows.push([label, money(tax)]);
  }
  return rows;
}

/** Why no tax is due, one sentence per category. An untaxed document has the profile's reason. */
export function taxReasons({ taxes, isTaxed }: DocumentModel, words: Words): string[] {
  if (!isTaxed) return taxes.flatMap(({ reason }) => (reason === null ? [] : [reason]));
  return taxes.flatMap(({ category, reason }) => {
    if (category === 'E') return [reason === null ? words.E : `${words.E}: ${reason}`];
    if (category === 'AE' || category === 'K' || category === 'G' || category === 'O')
      return [words[category]];
    return [];
  });
}
