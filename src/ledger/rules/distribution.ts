// Distributes the money of a payment or credit note over invoices. Deterministic, without I/O.
// Amounts are bigints of minor units.

/** An invoice that receives money. */
export interface Recipient {
  readonly due: bigint;
  /** The amount that this payment or credit note has allocated it so far. */
  readonly allocated: bigint;
  /** At most the amount due; negative to take back money. Null stands for the amount due. */
  readonly wanted: bigint | null;
}

/** A request for more than the amount due, or to take back more than was allocated. */
export interface OverRequest {
  readonly recipient: number;
  /** Null: no amount was requested, and nothing is due. */
  readonly requested: bigint | null;
  /** The limit that the request exceeds, with its sign. */
  readonly available: bigint;
}

/** The recipients whose explicit amount is outside their own limits, or that need nothing. */
export function findOverRequests(recipients: readonly Recipient[]): OverRequest[] {
  return recipients.flatMap(({ due, allocated, wanted }, recipient): OverRequest[] => {
    if (wanted === null) return due > 0n ? [] : [{ recipient, requested: null, available: 0n }];
    if (wanted > due) return [{ recipient, requested: wanted, available: due }];
    return wanted < -allocated ? [{ recipient, requested: wanted, available: -allocated }] : [];
  });
}

/**
 * Returns the amount of each recipient. Explicit amounts are served first; negative ones add to the
 * money to distribute. The other recipients get their amounts due, in order, until the money runs
 * out. The explicit amounts must not exceed the money.
 */
export function distribute(money: bigint, recipients: readonly Recipient[]): bigint[] {
  let left = recipients.reduce((sum, { wanted }) => sum - (wanted ?? 0n), money);
  if (left < 0n) throw new Error('more money was requested than there is');
  return recipients.map(({ due, wanted }) => {
    if (wanted !== null) return wanted;
    const amount = due < left ? due : left;
    left -= amount;
    return amount;
  });
}
