// Distributes the money of a payment or credit note over invoices. Pure. Amounts are bigints of
// minor units.

/** An invoice to which money goes. */
export interface Recipient {
  readonly due: bigint;
  /** The amount that this source of money has given it so far. */
  readonly given: bigint;
  /** At most what is due; negative to take back what was given. Null: what is due. */
  readonly wanted: bigint | null;
}

/** A request for more than is due, or for more to be taken back than was given. */
export interface Exceeding {
  readonly recipient: number;
  readonly requested: bigint;
  /** The limit that the request exceeds, with its sign. */
  readonly available: bigint;
}

/** The recipients that request too much for themselves. */
export function findExceeding(recipients: readonly Recipient[]): Exceeding[] {
  return recipients.flatMap(({ due, given, wanted }, recipient) => {
    if (wanted === null) return [];
    if (wanted > due) return [{ recipient, requested: wanted, available: due }];
    return wanted < -given ? [{ recipient, requested: wanted, available: -given }] : [];
  });
}

/**
 * How much each recipient gets. Requested amounts go first, with what is taken back added to the
 * money. The others get what is due on them, in order, until the money runs out. The requested
 * amounts must not exceed the money.
 */
export function distribute(money: bigint, recipients: readonly Recipient[]): bigint[] {
  let left = recipients.reduce((rest, { wanted }) => rest - (wanted ?? 0n), money);
  if (left < 0n) throw new Error('more money was requested than there is');
  return recipients.map(({ due, wanted }) => {
    if (wanted !== null) return wanted;
    const amount = due < left ? due : left;
    left -= amount;
    return amount;
  });
}
