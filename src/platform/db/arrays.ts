// Array literals for unnest. The driver's own conversion escapes every element, which costs a batch
// more than rendering its invoices.

export type Plain = string | number | bigint | boolean | null | undefined;

/** Values must have no quotes, backslashes, commas, braces or white space: ids, decimals, dates. */
export function plainArray(values: readonly Plain[]): string {
  return `{${values.map(value => value ?? 'NULL').join(',')}}`;
}

/** The arrays for unnest($1::uuid[], $2::uuid[]) of the keys of rows. */
export function keyArrays(
  rows: readonly { readonly companyId: string; readonly id: string }[],
): [companyIds: string, ids: string] {
  return [plainArray(rows.map(({ companyId }) => companyId)), plainArray(rows.map(({ id }) => id))];
}

/** Values may be any text. */
export function textArray(values: readonly Plain[]): string {
  return `{${values.map(value => (value == null ? 'NULL' : quoted(String(value)))).join(',')}}`;
}

function quoted(text: string): string {
  return `"${SPECIAL.test(text) ? text.replaceAll(ALL_SPECIAL, String.raw`\$&`) : text}"`;
}

const SPECIAL = /["\\]/u;
const ALL_SPECIAL = /["\\]/gu;
