// The holds and the credit limits that the invoices of a batch meet.
import { Credits, type CustomerCredit } from '../customers/credit.js';
import type { NameRef } from '../customers/names.js';
import type { WriteInput } from '../jobs/write-kind.js';
import type { Transaction } from '../platform/db/connection.js';
import { toUnits } from '../platform/values/money.js';
import { matchKey } from '../platform/values/text.js';
import { totalOf } from './rules.js';
import type { InvoiceRequest } from './schema.js';

type Input = WriteInput<InvoiceRequest>;

/**
 * Reads them, and what the refusals would show for the customers whose limit these invoices may
 * exceed together. Requires the locks of the companies.
 */
export async function readCredits(
  inputs: readonly Input[],
  currencyOf: (companyId: string) => string,
  tx: Transaction,
): Promise<Credits> {
  if (inputs.length === 0) return Credits.NONE;
  const credits = await Credits.read(inputs.map(customerOf), tx);
  const requested = new Map<CustomerCredit, bigint>();
  for (const input of inputs) {
    const credit = credits.find(customerOf(input));
    if (!credit?.limit) continue;
    const total = toUnits(totalOf(input.payload, currencyOf(input.companyId)));
    requested.set(credit, (requested.get(credit) ?? 0n) + total);
  }
  const exceeded = Array.from(requested).flatMap(([credit, total]) =>
    credit.limit && credit.limit.exposure + total > credit.limit.limit ? [credit] : [],
  );
  await credits.expectRefusals(exceeded, tx);
  return credits;
}

/** The folded name of an invoice's customer. */
export function customerOf({ companyId, payload }: Input): NameRef {
  return { companyId, nameKey: matchKey(payload.customerName) };
}
