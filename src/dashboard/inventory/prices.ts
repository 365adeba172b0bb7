// Prices and costs in the forms of stock, which people without prices may send too.
import { may } from '../../users/roles.js';
import type { Session } from '../../users/sessions.js';
import { Forbidden } from '../kit/access.js';

interface Priced {
  readonly unitCost?: unknown;
  readonly unitPrice?: unknown;
}

/** Throws Forbidden if an entry sets a price or cost that the visitor may not set. */
export function refusePrices({ role }: Session, entries: readonly Priced[]): void {
  const hasPrice = entries.some(
    ({ unitCost, unitPrice }) => unitCost !== undefined || unitPrice !== undefined,
  );
  if (hasPrice && !may(role, 'set-prices'))
    throw new Forbidden('You may not set prices and costs, so nothing was saved. Ask an owner.');
}
