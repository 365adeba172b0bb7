// Figures of several runs as one, and as text.

const DASH = '-';

/** Ignores unknown values (null). NaN if none is known. */
export function median(values: readonly (number | null)[]): number {
  const known = values.filter(value => value !== null).sort((a, b) => a - b);
  const middle = (known.length - 1) / 2;
  return ((known[Math.floor(middle)] ?? Number.NaN) + (known[Math.ceil(middle)] ?? 0)) / 2;
}

/** Three significant digits; a dash for an unknown value. */
export function rounded(value: number): string {
  if (!Number.isFinite(value)) return DASH;
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
