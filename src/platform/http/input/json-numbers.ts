// The numbers of JSON text. A JSON number means the shortest decimal form of its double (money.ts),
// so a literal with another value must not be accepted as that number. An exception are the 17
// digits with which many programs print doubles: 0.10000000000000001 is their 0.1.

/** A double has the value of every literal with at most this many digits that is not tiny. */
const EXACT_DIGITS = 15;
/** As many digits as tell all doubles apart. */
const PRINTED_DIGITS = 17;
/** The length of the shortest literal to replace. */
export const MIN_REPLACED = '1e-324'.length;

/** False for text whose number is not to be replaced: a check that costs little. */
export function mayBeReplaced(text: string): boolean {
  return text.length > EXACT_DIGITS || text.includes('e-') || text.includes('E-');
}

/**
 * The number to read in place of a JSON literal whose double has another value; null for any other
 * literal. It is a double close to the literal that has more than 15 digits itself, so every field
 * refuses it with the code for the literal: too many decimals, or out of the field's range.
 */
export function replacementOf(literal: string): number | null {
  const nearest = Number(literal);
  // Infinity is already out of the range of every field.
  if (!Number.isFinite(nearest)) return null;
  const meant = decimalOf(String(nearest));
  const direction = compareMagnitudes(decimalOf(literal), meant);
  if (direction === 0 || meant.digits.length > EXACT_DIGITS) return null;
  if (nearest === 0) return literal.startsWith('-') ? -Number.MIN_VALUE : Number.MIN_VALUE;
  const printed = decimalOf(nearest.toPrecision(PRINTED_DIGITS));
  if (compareMagnitudes(decimalOf(literal), printed) === 0) return null;
  return nearest * (1 + direction * Number.EPSILON);
}

/** A magnitude: 0.digits × 10^exponent, without zeros at either end of the digits. */
interface Decimal {
  readonly digits: string;
  /** -Infinity for zero, which has no digits. */
  readonly exponent: number;
}

function decimalOf(literal: string): Decimal {
  const [, whole = '', fraction = '', power = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/iu.exec(literal) ?? [];
  const all = whole + fraction;
  const start = all.search(/[1-9]/u);
  if (start < 0) return { digits: '', exponent: Number.NEGATIVE_INFINITY };
  let end = all.length;
  // Linear, unlike a regular expression that ends with $.
  while (all[end - 1] === '0') end -= 1;
  return { digits: all.slice(start, end), exponent: whole.length - start + Number(power) };
}

function compareMagnitudes(a: Decimal, b: Decimal): -1 | 0 | 1 {
  if (a.exponent !== b.exponent) return a.exponent > b.exponent ? 1 : -1;
  if (a.digits === b.digits) return 0;
  return a.digits > b.digits ? 1 : -1;
}
