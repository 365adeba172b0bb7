// The baseline's exact decimals: quantities and prices in ten-thousandths, amounts in cents, since
// the benchmark's companies use US dollars.

const SCALE = 10_000;
const UNITS_PER_CENT = 1_000_000n;

/** A quantity or price with at most four decimals, in ten-thousandths. */
export function toUnits(value: number): bigint {
  return BigInt(Math.round(value * SCALE));
}

export function fromUnits(units: bigint): number {
  return Number(units) / SCALE;
}

/** Quantity × price in cents, rounded half up. */
export function amountInCents(qty: number, price: number): bigint {
  return (toUnits(qty) * toUnits(price) + UNITS_PER_CENT / 2n) / UNITS_PER_CENT;
}

export function fromCents(cents: bigint): number {
  return Number(cents) / 100;
}
