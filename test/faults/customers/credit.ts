// Judges holds and credit limits: no invoice was accepted for a customer on hold or above a limit
// that refuses, unless it ignored credit, and each refusal had a reason. Pure.
import { units } from '../model/rows.js';
import { fold } from '../model/stock.js';
import { Account, type AccountRows, type Between } from './account.js';
import type { RecordJson } from './changes.js';
import type { BilledRow } from './rows.js';

/** An invoice request of a client, and its outcome. */
export interface CreditWrite {
  readonly key: string;
  readonly jobId: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly sentAt: number;
  readonly status: number;
  /** The invoice or the problem. */
  readonly result: Readonly<Record<string, unknown>>;
}

/**
 * A request reads the name of its record without a lock. It may still see the version before one
 * that is stamped but not committed yet.
 */
const UNCOMMITTED_MS = 10_000;

const inUse = (state: RecordJson | null): state is RecordJson => state !== null && !state.archived;

/** One sentence per broken promise. All rows are of one company. */
export function judgeCredit(
  rows: AccountRows,
  writes: readonly CreditWrite[],
  isRefusing: boolean,
): string[] {
  const account = new Account(rows);
  const writeOf = new Map(writes.map(write => [write.result.id, write]));
  const accepted = rows.invoices.flatMap(invoice => {
    const write = writeOf.get(invoice.id);
    const isOther = write && isOfOther(account, invoice, write);
    const isIgnored = write?.body.ignoreCredit === true;
    return [
      ...(isOther ? [`${write.key}: ${invoice.key} is no name of ${write.body.customerId}`] : []),
      ...(isIgnored ? [] : refuseAccepted(account, invoice, isRefusing)),
    ];
  });
  const refused = writes.flatMap(write => {
    const to = rows.settledAt.get(write.jobId);
    const span = { from: write.sentAt, to: to ?? Number.POSITIVE_INFINITY };
    const error = write.status === 409 ? explainRefusal(account, write, span, isRefusing) : null;
    return error ? [`${write.key}: ${error}: ${JSON.stringify(write.result)}`] : [];
  });
  return [...accepted, ...refused];
}

/** Why the invoice should have been refused, if it should have been in every order of facts. */
function refuseAccepted(account: Account, invoice: BilledRow, isRefusing: boolean): string[] {
  const { key, number, total, at } = invoice;
  const moment = { from: at, to: at };
  const errors: string[] = [];
  for (const owner of account.ownersOf(key, moment)) {
    const states = owner === null ? [] : account.statesOf(owner, moment);
    const used = states.filter(inUse);
    // Without a record in use at some moment, nothing refuses.
    if (owner === null || used.length < states.length) return [];
    const name = `invoice ${number} over ${total} for ${key}`;
    if (used.every(({ hold }) => hold)) {
      errors.push(`${name} was accepted, although record ${owner} was on hold`);
      continue;
    }
    const limits = used.map(({ creditLimit }) => creditLimit ?? Number.POSITIVE_INFINITY);
    const limit = Math.max(...limits);
    const exposure = account.leastExposure(owner, invoice);
    if (!isRefusing || total === 0 || exposure + units(total) <= units(limit)) return [];
    errors.push(
      `${name} was accepted above the limit ${limit} of record ${owner}, ` +
        `which owed ${exposure / 10_000}`,
    );
  }
  return errors;
}

/** A request's `customerId` gave the invoice a name that its record did not have by then. */
function isOfOther(account: Account, { key, at }: BilledRow, write: CreditWrite): boolean {
  const { customerId } = write.body;
  if (typeof customerId !== 'string') return false;
  const span = { from: write.sentAt - UNCOMMITTED_MS, to: at };
  const ids = [customerId];
  for (const id of ids)
    for (const state of account.statesOf(id, span))
      if (state?.mergedInto && !ids.includes(state.mergedInto)) ids.push(state.mergedInto);
  return !ids.some(id =>
    account.statesOf(id, span).some(state => state !== null && fold(state.name) === key),
  );
}

/** Null if there was a moment at which the refusal was right. */
function explainRefusal(
  account: Account,
  { result }: CreditWrite,
  span: Between,
  isRefusing: boolean,
): string | null {
  const { code, customerId, creditLimit, outstanding, unallocated, requested, available } = result;
  if (code !== 'customer_on_hold' && code !== 'credit_limit_exceeded') return null;
  const states = account.statesOf(String(customerId), span).filter(inUse);
  if (code === 'customer_on_hold')
    return states.some(({ hold }) => hold) ? null : 'refused without a hold';
  if (!isRefusing || !states.some(state => state.creditLimit === creditLimit))
    return 'refused by a limit that was not in force';
  const amounts = [creditLimit, outstanding, unallocated, requested, available];
  const [limit = 0, owed = 0, credits = 0, wanted = 0, left = 0] = amounts.map(each =>
    units(Number(each)),
  );
  if (left !== limit - owed + credits || wanted <= left || wanted === 0)
    return 'refused with figures that do not refuse it';
  const isSeen = account.exposuresIn(String(customerId), span).has(owed - credits);
  return isSeen ? null : 'refused for an exposure that the customer never had';
}
