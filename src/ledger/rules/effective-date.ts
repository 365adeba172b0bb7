// The effective date of an entry: the date from which the money that it moves counts in balances of
// a past day.

/** An invoice, or a payment or credit note, with the effective date of its last entry. */
interface Concerned {
  effectiveDate: string;
}

/**
 * The effective date of an entry with this date: the latest of this date and the effective dates of
 * earlier entries for the same invoices, payment or credit note. All of them get it as their last.
 */
export function takeEffectiveDate(date: string, concerned: readonly Concerned[]): string {
  const latest = concerned.reduce(
    (last, { effectiveDate }) => (effectiveDate > last ? effectiveDate : last),
    date,
  );
  for (const each of concerned) each.effectiveDate = latest;
  return latest;
}
