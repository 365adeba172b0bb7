// Phone numbers as searches compare them: their digits.

const PHONE = /^[\d\s()+./-]+$/u;
/** Fewer digits are usually something else, such as a quantity. */
const MIN_DIGITS = 4;

/** All digits of a stored number. */
export function digitsOf(phone: string): string {
  return phone.replaceAll(/\D/gu, '');
}

/**
 * The digits of a typed text that may be a part of a phone number, without the zeros of a prefix,
 * which a stored number may have in place of a country code; null for other texts.
 */
export function phoneDigits(typed: string): string | null {
  if (!PHONE.test(typed)) return null;
  const digits = digitsOf(typed).replace(/^0+/u, '');
  return digits.length < MIN_DIGITS ? null : digits;
}
