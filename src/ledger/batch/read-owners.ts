// The customers' records of the names that the plans of a batch compare: all invoices of a payment
// or an allocation must be of one customer.
import { type NameRef, readOwners } from '../../customers/names/names.js';
import type { WriteInput } from '../../jobs/write-kind.js';
import type { Transaction } from '../../platform/db/connection.js';
import { matchKey } from '../../platform/values/text.js';
import { fundsIdOf, type LedgerPayload, recipientsOf } from '../payload.js';
import type { LedgerState } from '../rules/state.js';

type Input = WriteInput<LedgerPayload>;

/** Reads them into the state. Reads nothing unless a write has different names. */
export async function readComparedOwners(
  inputs: readonly Input[],
  state: LedgerState,
  tx: Transaction,
): Promise<void> {
  const refs = inputs.flatMap(({ companyId, payload }): NameRef[] => {
    if (!state.company(companyId).hasRecords) return [];
    const keys = comparedKeys({ companyId, payload }, state);
    return keys.size < 2 ? [] : Array.from(keys, nameKey => ({ companyId, nameKey }));
  });
  if (refs.length > 0) state.setOwners(await readOwners(refs, tx));
}

/** The match keys of the invoices that get money, of its source and of the request. */
function comparedKeys({ companyId, payload }: Input, state: LedgerState): Set<string> {
  const recipients = recipientsOf(payload);
  if (recipients.length === 0) return new Set();
  const fundsId = fundsIdOf(payload);
  const source = fundsId === null ? undefined : state.funds(companyId, fundsId);
  const name = payload.type === 'payment.record' ? payload.customerName : undefined;
  return new Set([
    ...recipients.flatMap(({ invoiceId, number }) =>
      invoiceId === undefined
        ? state.invoicesByNumber(companyId, number ?? '').map(each => each.customerKey)
        : (state.invoice(companyId, invoiceId)?.customerKey ?? []),
    ),
    ...(source ? [source.customerKey] : []),
    ...(name === undefined ? [] : [matchKey(name)]),
  ]);
}
