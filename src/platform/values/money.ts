// Exact decimals: quantities and prices are bigints of ten-thousandths, amounts are bigints of the
// currency's minor units. A JSON number means its shortest decimal form, so 0.1 is exactly a tenth.

/** Decimals of quantities, prices and costs. */
export const DECIMALS = 4;
const SCALE = 10n ** BigInt(DECIMALS);

// Currencies whose minor unit is not 2 (ISO 4217 list one, 2024), without metals.
const ZERO_DECIMAL = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const THREE_DECIMAL = 'BHD IQD JOD KWD LYD OMR TND';
// Which funds codes a company may choose depends on the runtime's list of currencies.
const FOUR_DECIMAL = 'CLF UYW';
export const MINOR_UNITS: ReadonlyMap<string, number> = new Map<string, number>([
  ...ZERO_DECIMAL.split(' ').map(code => [code, 0] as const),
  ...THREE_DECIMAL.split(' ').map(code => [code, 3] as const),
  ...FOUR_DECIMAL.split(' ').map(code => [code, 4] as const),
]);

/** Decimals of a currency's minor unit (ISO 4217): JPY 0, USD 2, KWD 3. */
export function minorUnits(currency: string): number {
  return MINOR_UNITS.get(currency) ?? 2;
}

/** True for an ISO 4217 code known to this runtime. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** Currencies that runtimes know, and that ISO 4217 no longer lists. */
export const WITHDRAWN_CURRENCIES: ReadonlySet<string> = new Set([
  ...['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL'],
]);

/** Digits after the point in a finite number's shortest decimal form: 7 for 1e-7. */
export function decimalPlaces(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

/** Characters of a number with zeros around it. Reading a longer text takes quadratic time. */
const MAX_NUMBER_TEXT = 1_000;

/** Decimal text as a number, or null if it is not decimal or a double cannot represent it. */
export function exactNumber(text: string): number | null {
  const plain = text.trim();
  if (plain.length > MAX_NUMBER_TEXT) return null;
  const [, sign = '', whole = '', fraction = ''] =
    /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/u.exec(plain) ?? [];
  if (whole === '') return null;
  const value = Number(plain);
  const isExact = String(value) === `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  const isZero = whole === '0' && fraction === '';
  return isExact || isZero ? value : null;
}

/** A double represents every number with this many digits, and division rounds correctly. */
const EXACT_DIGITS = 15;
const EXACT_BELOW = 10 ** EXACT_DIGITS;
const EXACT_BELOW_BIGINT = BigInt(EXACT_BELOW);

/** Decimal text of up to EXACT_DIGITS digits: its double times SCALE is off by less than 0.5. */
const SHORT_DECIMAL = /^-?\d{1,11}(?:\.\d{1,4})?$/u;

/**
 * A JSON number, or decimal text, in ten-thousandths. Throws RangeError beyond 4 decimals. Its
 * message reaches the log, so it does not have the value.
 */
export function toUnits(value: number | string): bigint {
  if (typeof value === 'number') {
    const units = Math.round(value * 10 ** DECIMALS);
    if (Math.abs(units) < EXACT_BELOW && units / 10 ** DECIMALS === value) return BigInt(units);
  } else if (SHORT_DECIMAL.test(value)) return BigInt(Math.round(Number(value) * 10 ** DECIMALS));
  const text = typeof value === 'number' ? plainDecimal(value) : value;
  const match = /^(-?)(\d+)(?:\.(\d+))?$/u.exec(text);
  const fraction = withoutLastZeros(match?.[3] ?? '');
  if (!match || fraction.length > DECIMALS)
    throw new RangeError(`not a number with at most ${DECIMALS} decimals`);
  const units = BigInt(match[2] ?? '0') * SCALE + BigInt(fraction.padEnd(DECIMALS, '0'));
  return match[1] === '-' ? -units : units;
}

/** Ten-thousandths as decimal text without trailing zeros: 125000n is "12.5". */
export function fromUnits(units: bigint): string {
  return decimalText(units, DECIMALS);
}

/** A JSON number, or decimal text, in minor units. Throws RangeError if it has more decimals. */
export function toMinor(value: number | string, decimals: number): bigint {
  const units = toUnits(value);
  const scale = 10n ** BigInt(DECIMALS - decimals);
  if (units % scale !== 0n) throw new RangeError(`not a number with at most ${decimals} decimals`);
  return units / scale;
}

/** Minor units as decimal text without trailing zeros: 1250n at 2 is "12.5". */
export function fromMinor(minor: bigint, decimals: number): string {
  return decimalText(minor, decimals);
}

/** Divisors from a product of two ten-thousandths to minor units, by the currency's decimals. */
const DIVISORS = Array.from(
  { length: DECIMALS + 1 },
  (_, decimals) => 10n ** BigInt(2 * DECIMALS - decimals),
);

/** qty × price, both in ten-thousandths, as minor units rounded half away from zero. */
export function lineAmount(qty: bigint, price: bigint, decimals: number): bigint {
  const divisor = DIVISORS[decimals] as bigint;
  const product = qty * price;
  const magnitude = product < 0n ? -product : product;
  const rounded = (magnitude + divisor / 2n) / divisor;
  return product < 0n ? -rounded : rounded;
}

/** Linear, unlike a regular expression that ends with $. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

function decimalText(value: bigint, decimals: number): string {
  if (value < EXACT_BELOW_BIGINT && value > -EXACT_BELOW_BIGINT)
    return String(Number(value) / 10 ** decimals);
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = withoutLastZeros(digits.slice(digits.length - decimals));
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Decimal text without an exponent, for numbers such as 1e-7 and 1e21. */
function plainDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(decimalPlaces(value)) : text;
}
