// The sums of a credit note while it is typed, by the ledger's own arithmetic. Pure: the server and
// the browser compute with it. Quantities are bigints of ten-thousandths, amounts of
// minor units.
import {
  type CreditableInvoice,
  type CreditPart,
  type CreditTotals,
  creditParts,
} from '../../ledger/rules/proportion.js';
import { DECIMALS } from '../../platform/values/money.js';
import { type MoneyStyle, readAmount } from '../payments/money/amounts.js';

/** An invoice with its credits so far, as the browser gets it. */
export interface CreditState {
  readonly style: MoneyStyle;
  readonly decimals: number;
  readonly creditable: CreditableInvoice;
  readonly credited: CreditTotals;
}

/** The fields of one line: a quantity or an amount. */
export interface TypedPart {
  readonly qty: string;
  readonly amount: string;
}

export interface CreditPreview {
  /** The amount of each line; null if nothing is credited or the fields are not valid. */
  readonly amounts: readonly (bigint | null)[];
  /** The total with taxes; null while a field is not valid. */
  readonly total: bigint | null;
  readonly subtotal: bigint;
  readonly taxTotal: bigint;
}

export function previewCredit(
  { style, decimals, creditable, credited }: CreditState,
  typed: readonly TypedPart[],
): CreditPreview {
  const parts = typed.map((fields, line) => {
    const [qty, amount] = [readAmount(fields.qty, style), readAmount(fields.amount, style)];
    return partOf(qty, amount, line, decimals);
  });
  const valid = parts.filter(part => part !== null && part !== 'invalid');
  const whole = creditParts(creditable, credited, valid);
  const isValid = !parts.includes('invalid') && !('excess' in whole);
  const amounts = parts.map(part => {
    if (part === null || part === 'invalid') return null;
    const one = creditParts(creditable, credited, [part]);
    return 'excess' in one ? null : (one.amounts[0] ?? null);
  });
  if ('excess' in whole) return { amounts, total: null, subtotal: 0n, taxTotal: 0n };
  const { subtotal, taxTotal } = whole;
  return { amounts, total: isValid ? subtotal + taxTotal : null, subtotal, taxTotal };
}

/** The part of a line to credit; null for empty fields. */
function partOf(units: bigint | null, money: bigint | null, line: number, decimals: number) {
  if (units === 0n && money === 0n) return null;
  if (units === null || money === null || units < 0n || money < 0n) return 'invalid';
  if (units > 0n && money > 0n) return 'invalid';
  const scale = 10n ** BigInt(DECIMALS - decimals);
  if (money % scale !== 0n) return 'invalid';
  const part: CreditPart = money === 0n ? { line, qty: units } : { line, amount: money / scale };
  return part;
}

/** The net sum and the tax, if there is any tax. */
export function sumsLabel(
  subtotal: bigint,
  taxTotal: bigint,
  show: (amount: bigint) => string,
): string {
  return taxTotal === 0n ? '' : `Subtotal ${show(subtotal)} · Tax ${show(taxTotal)}`;
}

/** The state as JSON, with bigints as objects, because JSON numbers lose precision. */
export function encodeState(state: CreditState): string {
  return JSON.stringify(state, (_, value) =>
    typeof value === 'bigint' ? { units: String(value) } : value,
  );
}

export function decodeState(text: string): CreditState {
  return JSON.parse(text, (_, value) =>
    typeof value?.units === 'string' ? BigInt(value.units) : value,
  ) as CreditState;
}
