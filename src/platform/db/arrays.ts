// Array literals for unnest. The driver's own conversion escapes every element, which costs a batch
// more than rendering its invoices.

type Plain = string | number | bigint | null | undefined;

/** Of values without quotes, backslashes, commas, braces and white space: ids, decimals, dates. */
export function plainArray(values: readonly Plain[]): string {
  return `{${values.map(value => value ?? 'NULL').join(',')}}`;
}

/** Of any text. */
export function textArray(values: readonly (string | null | undefined)[]): string {
  return `{${values.map(value => (value == null ? 'NULL' : quoted(value))).join(',')}}`;
}

function quoted(text: string): string {
  return `"${SPECIAL.test(text) ? text.replaceAll(ALL_SPECIAL, String.raw`\$&`) : text}"`;
}

const SPECIAL = /["\\]/u;
const ALL_SPECIAL = /["\\]/gu;
