// The amounts of a payment while it is typed: how it is spread over invoices, and the remainder.
// Pure: the server and the browser compute with it, and the ledger distributes money the same way.
// Amounts are bigints of ten-thousandths.
import { distribute } from '../../../ledger/rules/distribution.js';
import type { DecimalMark } from '../../../platform/values/csv.js';
import { fromUnits, toUnits } from '../../../platform/values/money.js';
import { withoutCurrency } from '../../../platform/values/typed-amount.js';
import { typedPrice } from '../../invoices/form/amounts.js';
import { plainNumber } from '../../kit/typed-number.js';
import { formatMoney } from '../../kit/ui/format.js';

/** How amounts of money are written in a company. */
export interface MoneyStyle {
  readonly decimalMark: DecimalMark;
  readonly currency: string;
}

/** The typed amount; 0 for an empty field, null for text that is not a number. */
export function readAmount(text: string, { decimalMark, currency }: MoneyStyle): bigint | null {
  try {
    const number = withoutCurrency(text, currency).replace(/[.,]$/u, '');
    const plain = plainNumber(number, decimalMark);
    return plain === '' ? 0n : toUnits(plain);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The amounts that a form suggests: each invoice's balance, until the money runs out. */
export function suggestAmounts(money: bigint, dues: readonly bigint[]): bigint[] {
  const recipients = dues.map(due => ({ due, allocated: 0n, wanted: null }));
  return distribute(money < 0n ? 0n : money, recipients);
}

/** The unallocated money: negative if there is too little, null while a field is invalid. */
export function remainderOf(
  money: bigint | null,
  typed: readonly (bigint | null)[],
): bigint | null {
  let remainder = money;
  for (const amount of typed) {
    if (remainder === null || amount === null) return null;
    remainder -= amount;
  }
  return remainder;
}

/** The label of the remainder, which is shown without its sign. */
export function remainderLabel(remainder: bigint | null): string {
  return remainder !== null && remainder < 0n ? 'Too much by' : 'Unallocated';
}

/** The formatted remainder; a dash while a field is not a number. */
export function showRemainder(remainder: bigint | null, currency: string): string {
  if (remainder === null) return '–';
  return showUnits(remainder < 0n ? -remainder : remainder, currency);
}

/** An amount as the text of a field, such as 60.50; empty for 0. */
export function typedAmount(units: bigint, currency: string, mark: DecimalMark): string {
  return units === 0n ? '' : typedPrice(fromUnits(units), currency, mark);
}

export function showUnits(units: bigint, currency: string): string {
  return formatMoney(fromUnits(units), currency);
}
