// The column credited_lines of a credit note: the credited part of its invoice after the note. The
// next note starts from it, so its cost does not depend on the number of notes.
import {
  type CreditableInvoice,
  type CreditTotals,
  creditedOf,
  nothingCredited,
} from './proportion.js';

/**
 * Index of a line from 0, its credited quantity and amount, and both at the last credit by amount
 * if there was one. A number holds each of them exactly: the largest has 15 digits.
 */
type StoredLine = readonly [
  line: number,
  qty: number,
  amount: number,
  qtyThen?: number,
  amountThen?: number,
];
export type CreditedLines = readonly StoredLine[];

/** Lines without a credit are left out. */
export function storedLines({ lines }: CreditTotals): CreditedLines {
  return lines.flatMap(({ qty, amount, qtyThen, amountThen }, line): StoredLine[] => {
    if (qty === 0n && amount === 0n) return [];
    const sums = [line, Number(qty), Number(amount)] as const;
    return [amountThen === 0n ? sums : [...sums, Number(qtyThen), Number(amountThen)]];
  });
}

export function readStoredLines(invoice: CreditableInvoice, stored: CreditedLines): CreditTotals {
  const lines = [...nothingCredited(invoice).lines];
  for (const [line, qty, amount, qtyThen = 0, amountThen = 0] of stored)
    lines[line] = {
      qty: BigInt(qty),
      amount: BigInt(amount),
      qtyThen: BigInt(qtyThen),
      amountThen: BigInt(amountThen),
    };
  return creditedOf(invoice, lines);
}
