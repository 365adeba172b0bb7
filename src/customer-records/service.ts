// Creating and changing records of customers. Each use case is one transaction that locks the
// company first, so a read that follows it sees it, and no two of them contradict each other.
import type { Actor } from '../companies/actor.js';
import { MERGED_PARTS, withStoredParts } from '../companies/parties/party-fields.js';
import { inCompanyTransaction } from '../companies/write-turns.js';
import { type CustomerPatch, customerPatch } from '../customers/schema.js';
import {
  findResponses,
  type KeyedRequest,
  type Outcome,
  type StoredResponse,
  storeResponses,
  toResponse,
} from '../jobs/stored-responses.js';
import { API } from '../platform/api-path.js';
import { Slices } from '../platform/async/slices.js';
import { notFound, Problem } from '../platform/errors.js';
import { MAX_FIELD_ERRORS } from '../platform/problem-document.js';
import { CustomerChanges } from './changes/changes.js';
import type { Wanted } from './changes/read.js';
import { prepareBalances } from './exposures.js';
import { uuidOf, wantedBy } from './identify.js';
import {
  createOutcome,
  mergeOutcome,
  recordText,
  updateOrCreate,
  validCustomer,
} from './outcomes.js';
import { deleteRecord, patchRecord } from './plan.js';

/** The company and the author of a change. */
export interface CustomersCall {
  readonly companyId: string;
  readonly changedBy: Actor | null;
  readonly idempotencyKey?: string | undefined;
}

/** A request that creates or merges a record. */
export interface CustomerCall extends CustomersCall {
  /** The body as received. */
  readonly body: unknown;
}

/** POST /customers. */
export async function createCustomer(call: CustomerCall): Promise<StoredResponse> {
  const { companyId, changedBy, body } = call;
  const path = `${API}/customers`;
  const [response] = await decideOnce({ companyId, changedBy, wanted: wantedBy([body]) }, [
    {
      request: keyed(call, path),
      path,
      decide: (changes, max) => createOutcome(changes, body, max),
    },
  ]);
  return response as StoredResponse;
}

/**
 * POST /customers/batch: a response for each customer. With an Idempotency-Key the n-th one has the
 * key `<key>/<n>`, from 0.
 */
export async function createCustomers(
  { companyId, changedBy, idempotencyKey }: CustomersCall,
  customers: readonly unknown[],
  onExisting: 'refuse' | 'update' = 'refuse',
): Promise<StoredResponse[]> {
  const path = `${API}/customers/batch`;
  const decideOn = onExisting === 'update' ? updateOrCreate : createOutcome;
  return decideOnce(
    { companyId, changedBy, wanted: wantedBy(customers) },
    customers.map((body, index) => ({
      path,
      request:
        idempotencyKey === undefined
          ? null
          : { key: `${idempotencyKey}/${index}`, path, body: { onExisting, customer: body } },
      decide: (changes, maxErrors) => decideOn(changes, body, maxErrors),
    })),
  );
}

/** POST /customers/{id}/merge. */
export async function mergeCustomers(id: string, call: CustomerCall): Promise<StoredResponse> {
  const { companyId, changedBy, body } = call;
  const path = `${API}/customers/${id}/merge`;
  const { customerId } = (body ?? {}) as { readonly customerId?: unknown };
  const ids = [id, ...uuidOf(customerId)];
  const [response] = await decideOnce({ companyId, changedBy, wanted: { ids } }, [
    { request: keyed(call, path), path, decide: changes => mergeOutcome(changes, id, body) },
  ]);
  return response as StoredResponse;
}

/**
 * Applies a patch and returns the record's JSON text; one that changes nothing writes nothing.
 * `checkCurrent` gets the JSON text before the change and may throw. Throws Problem `not_found`,
 * `validation_failed`, `already_exists` or `invalid_state`.
 */
export async function updateCustomer(
  { companyId, changedBy, body }: Omit<CustomerCall, 'idempotencyKey'>,
  id: string,
  checkCurrent: (body: string) => void = () => undefined,
): Promise<string> {
  const { archived } = (body ?? {}) as { readonly archived?: unknown };
  await prepareBalances(companyId, archived === true);
  return inCompanyTransaction(companyId, async tx => {
    const named = wantedBy([body]);
    const changes = await CustomerChanges.open(companyId, { ...named, ids: [id] }, changedBy, tx);
    const record = changes.record(id);
    const whole = record ? withStoredParts(MERGED_PARTS, record, body) : body;
    const patch = await validCustomer<CustomerPatch>(customerPatch, whole, changes, id);
    if (!record) throw notFound('customer');
    checkCurrent(recordText(changes, record));
    const changed = await patchRecord(changes, record, patch);
    await changes.write();
    return recordText(changes, changed);
  });
}

/** Deletes a record. Throws Problem `not_found` or `invalid_state`. */
export function deleteCustomer(
  companyId: string,
  id: string,
  changedBy: Actor | null,
): Promise<void> {
  return inCompanyTransaction(companyId, async tx => {
    const changes = await CustomerChanges.open(companyId, { ids: [id] }, changedBy, tx);
    const record = changes.record(id);
    if (!record) throw notFound('customer');
    await deleteRecord(changes, record);
    await changes.write();
  });
}

function keyed({ idempotencyKey, body }: CustomerCall, path: string): KeyedRequest | null {
  return idempotencyKey === undefined ? null : { key: idempotencyKey, path, body };
}

interface Decidable {
  readonly request: KeyedRequest | null;
  readonly path: string;
  /** May throw a Problem before it changes a record, with at most this many field errors. */
  readonly decide: (changes: CustomerChanges, maxErrors: number) => Promise<Outcome>;
}

/**
 * Decides on each request that has no stored response, in order and in one transaction. Resolves to
 * the responses; a refusal does not affect the others.
 */
async function decideOnce(
  change: { companyId: string; changedBy: Actor | null; wanted: Wanted },
  entries: readonly Decidable[],
): Promise<StoredResponse[]> {
  const { companyId, changedBy, wanted } = change;
  await prepareBalances(companyId);
  return inCompanyTransaction(companyId, async tx => {
    const changes = await CustomerChanges.open(companyId, wanted, changedBy, tx);
    const requests = entries.map(({ request }) => request);
    const stored = await findResponses(companyId, requests, tx);
    const responses: StoredResponse[] = [];
    let errorsLeft = MAX_FIELD_ERRORS;
    const slices = new Slices();
    for (const [index, { path, decide }] of entries.entries()) {
      await slices.pause();
      const outcome = stored[index] ?? (await outcomeOf(() => decide(changes, errorsLeft)));
      if ('refusal' in outcome) errorsLeft -= outcome.refusal.details.errors?.length ?? 0;
      responses.push('isReplayed' in outcome ? outcome : toResponse(outcome, path));
    }
    await changes.write();
    await storeResponses(companyId, requests, responses, tx);
    return responses;
  });
}

async function outcomeOf(decide: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof Problem) return { refusal: error };
    throw error;
  }
}
