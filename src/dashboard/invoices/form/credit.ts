// What a credit limit or a hold says about an invoice: while it is typed, after it was created, and
// if it is refused. The browser uses it, too.
import { Problem } from '../../../platform/errors.js';
import { fromUnits, toUnits } from '../../../platform/values/money.js';
import { formatMoney } from '../../kit/ui/format.js';

/** A limit of a customer. Decimal texts. */
export interface Credit {
  /** What is left of it; negative above the limit. */
  readonly left: string;
  readonly limit: string;
  /** The company refuses invoices above it; otherwise it only warns. */
  readonly refuses: boolean;
}

/** The credit left as a note says it: "$12.00 credit left of $50.00". */
export function creditLeftText(credit: Credit, currency: string): string {
  const excess = excessOf(credit, currency);
  if (excess) return `${excess.over} over the ${excess.limit} limit`;
  const [left, limit] = [credit.left, credit.limit].map(each => formatMoney(each, currency));
  return `${left} credit left of ${limit}`;
}

/** By how much a customer who owes this `more` exceeds the limit; null if it does not. */
export function excessOf(
  { left, limit }: Credit,
  currency: string,
  more = '0',
): { readonly over: string; readonly limit: string } | null {
  const over = toUnits(more) - toUnits(left);
  if (over <= 0n) return null;
  return { over: formatMoney(fromUnits(over), currency), limit: formatMoney(limit, currency) };
}

/** What a limit says about an invoice of this total, while it is typed. A total of 0 passes. */
export function creditWarning(
  credit: Credit | null,
  total: string | null,
  currency: string,
): string | null {
  if (credit === null || total === null || toUnits(total) === 0n) return null;
  const excess = excessOf(credit, currency, total);
  return excess && `${excess.over} over the limit of ${excess.limit}`;
}

/** The refusals for a hold or a credit limit. Only owners may lift either. */
export function creditWords(currency: string, name: string, isOwner: boolean) {
  const way = isOwner ? '' : ' Ask an owner to release it.';
  return ({ code, details }: Problem): Problem | null => {
    const { available, creditLimit, requested } = details.members ?? {};
    if (code === 'customer_on_hold') return new Problem(code, `${name} is on hold.${way}`);
    if (code !== 'credit_limit_exceeded') return null;
    const credit = { left: String(available), limit: String(creditLimit), refuses: true };
    const { over, limit } = excessOf(credit, currency, String(requested)) ?? {};
    const sentence = `This invoice would put the customer ${over} over its limit of ${limit}.`;
    return new Problem(code, isOwner ? sentence : `${sentence} Ask an owner.`);
  };
}
