// A locked import of stock.
import type { ImportClaim } from '../../imports/kind.js';
import type { Reason } from '../schema.js';

export interface StockClaim extends ImportClaim {
  readonly reference: string;
  readonly reason: Reason;
  readonly allOrNothing: boolean;
  /** True if rows apply even if their item's stock differs from `expectedOnHand`. */
  readonly ignoresExpected: boolean;
}
