// The currency with which the web process checked a write. A company may change its currency while
// the write waits for a worker; its amounts then mean other money and may have too many decimals.
import { Problem } from '../platform/errors.js';
import { decimalPlaces, minorUnits } from '../platform/values/money.js';

/** A member of each payload that has amounts. Writes that an earlier release queued have none. */
interface CheckedPayload {
  readonly checkedCurrency?: string;
}

export function withCurrency(payload: unknown, checkedCurrency: string): unknown {
  return { ...(payload as object), checkedCurrency };
}

/**
 * The refusal (invalid_state) of a payload that was checked with another currency than the
 * company's. Without a member that tells, its amounts must fit the company's currency.
 */
export function refuseOtherCurrency(payload: object, currency: string): Problem | null {
  const { checkedCurrency: checked } = payload as CheckedPayload;
  if (checked === currency) return null;
  if (checked === undefined && haveDecimals(payload, minorUnits(currency))) return null;
  const change = checked === undefined ? `to ${currency}` : `from ${checked} to ${currency}`;
  const sentence = `The company's currency was changed ${change} before this was written.`;
  return new Problem('invalid_state', `${sentence} Nothing was written.`);
}

/** Whether all members named amount, at any depth, have at most that many decimals. */
function haveDecimals(value: unknown, decimals: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) =>
    name === 'amount' && typeof member === 'number'
      ? decimalPlaces(member) <= decimals
      : haveDecimals(member, decimals),
  );
}
