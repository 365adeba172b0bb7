// Holds and credit limits: the refusal of an invoice for a customer who may not owe more. Amounts
// are in ten-thousandths, which the limit and the amounts of any currency fit.
import { query, type Transaction } from '../../platform/db/connection.js';
import { lookUpOne } from '../../platform/db/sql.js';
import { Problem } from '../../platform/errors.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import { NAME_OF_WANTED, type NameRef, nameBind, nameRefKey } from '../names/names.js';
import { LIMITS_CREDIT, readUnallocated } from './exposures.js';

/**
 * SQL of the company's row: creates look for holds and limits. While it is false, they read nothing
 * of a customer.
 */
export const CHECKS_CREDIT = `(customers_on_hold > 0 OR ${LIMITS_CREDIT})`;

/** A record with a hold or a limit that refuses invoices. */
export interface CustomerCredit {
  readonly companyId: string;
  readonly customerId: string;
  readonly isOnHold: boolean;
  readonly limit: CreditLimit | null;
}

interface CreditLimit {
  readonly limit: bigint;
  /** Outstanding less unallocated, with the invoices that the batch has planned so far. */
  exposure: bigint;
  /** The sum of these invoices. */
  added: bigint;
  /** Null unless a refusal was expected. */
  unallocated: bigint | null;
}

/** An invoice that a batch may post. */
export interface CreditRequest extends NameRef {
  /** Decimal text. */
  readonly total: () => string;
}

interface CreditRow extends NameRef {
  readonly customerId: string;
  readonly isOnHold: boolean;
  /** Decimal text, like the exposure, which is null if no limit refuses invoices. */
  readonly limit: string | null;
  readonly exposure: string | null;
}

/** The records with a hold or a refusing limit among the customers of a batch. */
export class Credits {
  readonly #byName: ReadonlyMap<string, CustomerCredit>;

  private constructor(byName: ReadonlyMap<string, CustomerCredit>) {
    this.#byName = byName;
  }

  static readonly NONE = new Credits(new Map());

  /**
   * Reads them, and the unallocated money that refusals show of customers whose limit the requests
   * may exceed together: plans read nothing. Requires the locks of the companies.
   */
  static async read(requests: readonly CreditRequest[], tx: Transaction): Promise<Credits> {
    if (requests.length === 0) return Credits.NONE;
    const credits = new Credits(await readCredits(requests, tx));
    const requested = new Map<CustomerCredit, bigint>();
    for (const request of requests) {
      const credit = credits.find(request);
      if (credit?.limit)
        requested.set(credit, (requested.get(credit) ?? 0n) + toUnits(request.total()));
    }
    const exceeded = Array.from(requested).flatMap(([credit, total]) =>
      exceedsLimit(credit.limit, total) ? [credit] : [],
    );
    const unallocated = await readUnallocated(exceeded, tx);
    for (const { companyId, customerId, limit } of exceeded)
      if (limit) limit.unallocated = unallocated.get(`${companyId} ${customerId}`) ?? 0n;
    return credits;
  }

  find(ref: NameRef): CustomerCredit | null {
    return this.#byName.get(nameRefKey(ref)) ?? null;
  }

  /** The records whose exposure the planned invoices change. */
  changed(): { companyId: string; customerId: string; added: string }[] {
    return [...new Set(this.#byName.values())].flatMap(({ companyId, customerId, limit }) =>
      limit && limit.added !== 0n ? [{ companyId, customerId, added: fromUnits(limit.added) }] : [],
    );
  }
}

function exceedsLimit(limit: CreditLimit | null, total: bigint): boolean {
  return limit !== null && total > 0n && isAboveLimit(limit.exposure + total, limit.limit);
}

/** Whether outstanding less unallocated money exceeds a limit. It may be the same. */
export function isAboveLimit(exposure: bigint, limit: bigint): boolean {
  return exposure > limit;
}

/** SQL for `isAboveLimit`. */
export const aboveLimitSql = (exposure: string, limit: string) => `${exposure} > ${limit}`;

/** By `nameRefKey`. */
async function readCredits(
  refs: readonly NameRef[],
  tx: Transaction,
): Promise<Map<string, CustomerCredit>> {
  const rows = await query<CreditRow>(
    `SELECT n.company_id AS "companyId", n.name_key AS "nameKey", c.id AS "customerId",
       c.hold AS "isOnHold",
       c.credit_limit AS limit,
       e.exposure
     FROM unnest($1::uuid[], $2::text[]) AS wanted (company_id, name_key),
       ${NAME_OF_WANTED},
       ${lookUpOne('customers', 'c', 'company_id = n.company_id AND id = n.customer_id')}
       LEFT JOIN customer_exposures e ON e.company_id = c.company_id AND e.customer_id = c.id
     WHERE NOT c.archived AND (c.hold OR e.exposure IS NOT NULL)`,
    nameBind(refs),
    tx,
  );
  const byId = new Map<string, CustomerCredit>();
  const byName = new Map<string, CustomerCredit>();
  for (const row of rows) {
    const id = `${row.companyId} ${row.customerId}`;
    const credit = byId.get(id) ?? toCredit(row);
    byId.set(id, credit);
    byName.set(nameRefKey(row), credit);
  }
  return byName;
}

function toCredit({ companyId, customerId, isOnHold, limit, exposure }: CreditRow): CustomerCredit {
  const isLimited = limit !== null && exposure !== null;
  return {
    companyId,
    customerId,
    isOnHold,
    limit: isLimited
      ? { limit: toUnits(limit), exposure: toUnits(exposure), added: 0n, unallocated: null }
      : null,
  };
}

/** The refusal (customer_on_hold, then credit_limit_exceeded) of an invoice; null for neither. */
export function refuseCredit(
  { customerId, isOnHold, limit }: CustomerCredit,
  total: string,
): Problem | null {
  if (isOnHold) {
    const detail = 'This customer is on hold; nothing was written.';
    return new Problem('customer_on_hold', detail, { members: { customerId } });
  }
  const requested = toUnits(total);
  if (!limit || !exceedsLimit(limit, requested)) return null;
  const available = limit.limit - limit.exposure;
  const unallocated = limit.unallocated ?? 0n;
  const amounts = `${total} requested, ${fromUnits(available)} available`;
  const detail = `This exceeds the credit limit of the customer: ${amounts}. Nothing was written.`;
  return new Problem('credit_limit_exceeded', detail, {
    members: {
      customerId,
      creditLimit: toNumber(limit.limit),
      outstanding: toNumber(limit.exposure + unallocated),
      unallocated: toNumber(unallocated),
      requested: Number(total),
      available: toNumber(available),
    },
  });
}

const toNumber = (units: bigint) => Number(fromUnits(units));

/** Adds an accepted invoice to the exposure. */
export function addToExposure({ limit }: CustomerCredit, total: string): void {
  if (!limit) return;
  limit.exposure += toUnits(total);
  limit.added += toUnits(total);
}
