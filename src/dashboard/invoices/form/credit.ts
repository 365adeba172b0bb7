// The sentences about a credit limit beside an invoice. Pure, because the browser also uses it.
import { fromUnits, toUnits } from '../../../platform/values/money.js';
import { formatMoney } from '../../kit/ui/format.js';

/** A limit of a customer. Decimal texts. */
export interface LimitLeft {
  /** The rest of it, which is negative above the limit. */
  readonly left: string;
  readonly limit: string;
  /** The company refuses invoices above it; otherwise it only warns. */
  readonly refuses: boolean;
}

/** The credit left as a note says it: "$12.00 credit left of $50.00". */
export function creditLeftText(credit: LimitLeft, currency: string): string {
  const excess = excessOf(credit, currency);
  if (excess) return `${excess.over} over the ${excess.limit} limit`;
  const [left, limit] = [credit.left, credit.limit].map(each => formatMoney(each, currency));
  return `${left} credit left of ${limit}`;
}

/** By how much a customer who owes this `more` exceeds the limit; null if it does not. */
export function excessOf(
  { left, limit }: LimitLeft,
  currency: string,
  more = '0',
): { readonly over: string; readonly limit: string } | null {
  const over = toUnits(more) - toUnits(left);
  if (over <= 0n) return null;
  return { over: formatMoney(fromUnits(over), currency), limit: formatMoney(limit, currency) };
}

/** The warning beside the total of an invoice that is typed. A total of 0 passes. */
export function creditWarning(
  credit: LimitLeft | null,
  total: string | null,
  currency: string,
): string | null {
  if (credit === null || total === null || toUnits(total) === 0n) return null;
  const excess = excessOf(credit, currency, total);
  return excess && `${excess.over} over the limit of ${excess.limit}`;
}
