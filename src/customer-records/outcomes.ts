// The outcomes of requests that create, update or merge records. Each validates the body and may
// throw a Problem before it changes a record.

import { MERGED_PARTS, withStoredParts } from '../companies/parties/party-fields.js';
import { type CustomerRecord, customerJson, renderCustomer } from '../customers/record.js';
import {
  type CustomerPatch,
  type CustomerRequest,
  customerMerge,
  customerRequest,
  customerUpdate,
} from '../customers/schema.js';
import type { Outcome } from '../jobs/stored-responses.js';
import { API } from '../platform/api-path.js';
import { notFound, Problem } from '../platform/errors.js';
import { fieldError, validationFailed } from '../platform/field-errors.js';
import type { SchemaOf } from '../platform/http/input/typed-schema.js';
import { validateBody } from '../platform/http/input/validate.js';
import { MAX_FIELD_ERRORS } from '../platform/problem-document.js';
import type { CustomerChanges } from './changes/changes.js';
import { checkCustomer } from './checks.js';
import { codeOf, textOf, uniqueFieldsOf, uuidOf } from './identify.js';
import { createRecord, mergeRecords, patchRecord, takenErrors } from './plan.js';

/**
 * Validates the body of a record that has the id, if there is one yet. Throws Problem
 * `validation_failed`, also with the values that other records have.
 */
export async function validCustomer<Body>(
  schema: SchemaOf<Body | undefined>,
  body: unknown,
  changes: CustomerChanges,
  id: string | undefined,
  maxErrors = MAX_FIELD_ERRORS,
): Promise<Body> {
  try {
    const more = (checked: unknown) => checkCustomer(checked, changes.company);
    return validateBody<Body>(schema, body, more, maxErrors);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const taken = await takenErrors(changes, id, uniqueFieldsOf(body));
    const { errors = [], errorsOmitted = 0 } = error.details;
    const all = [...errors, ...taken];
    throw validationFailed(all.slice(0, maxErrors), all.length + errorsOmitted);
  }
}

/** Creates a record. */
export async function createOutcome(
  changes: CustomerChanges,
  body: unknown,
  maxErrors = MAX_FIELD_ERRORS,
): Promise<Outcome> {
  const request = await validCustomer<CustomerRequest>(
    customerRequest,
    body,
    changes,
    undefined,
    maxErrors,
  );
  const record = await createRecord(changes, request);
  return {
    status: 201,
    body: recordText(changes, record),
    location: `${API}/customers/${record.id}`,
  };
}

/** Updates the record with the external id, else with the name; without one, creates it. */
export async function updateOrCreate(
  changes: CustomerChanges,
  body: unknown,
  maxErrors: number,
): Promise<Outcome> {
  const { externalId, name } = (body ?? {}) as { readonly [field: string]: unknown };
  const [byExternalId] = codeOf(externalId).flatMap(text => changes.withExternalId(text) ?? []);
  const [byName] = textOf(name).flatMap(text => changes.withName(text) ?? []);
  const found = byExternalId ?? byName;
  const record = found === undefined ? undefined : await changes.remaining(found);
  if (!record) return createOutcome(changes, body, maxErrors);
  const { name: newName, ...update } = await validCustomer<CustomerPatch>(
    customerUpdate,
    withStoredParts(MERGED_PARTS, record, body),
    changes,
    record.id,
    maxErrors,
  );
  if (record.archived)
    throw new Problem('invalid_state', `${record.name} is archived. Restore the record first.`, {
      members: { existingId: record.id },
    });
  // The external id of a merged record finds the record that remains, which keeps its own.
  const { externalId: _found, ...others } = update;
  const isMerged = byExternalId !== undefined && byExternalId !== record.id;
  const patch = {
    ...(isMerged ? others : update),
    ...(byExternalId !== undefined && newName !== undefined ? { name: newName } : {}),
  };
  return { status: 200, body: recordText(changes, await patchRecord(changes, record, patch)) };
}

/** Merges the record that the body names into the one with this id. */
export async function mergeOutcome(
  changes: CustomerChanges,
  id: string,
  body: unknown,
): Promise<Outcome> {
  const record = changes.record(id);
  if (!record) throw notFound('customer');
  const sent = (body ?? {}) as { readonly customerId?: unknown };
  const [otherId] = uuidOf(sent.customerId);
  const other = otherId === undefined ? undefined : changes.record(otherId);
  const isUnknown = otherId !== undefined && !other;
  const unknown = isUnknown ? [fieldError(['customerId'], 'unknown_customer')] : [];
  validateBody(customerMerge, body, () => unknown);
  if (!other) throw new Error('a merge without another record is valid');
  return { status: 200, body: recordText(changes, await mergeRecords(changes, record, other)) };
}

/** The record's JSON text. */
export function recordText(changes: CustomerChanges, record: CustomerRecord): string {
  return customerJson(renderCustomer(record), changes.company.currency);
}
