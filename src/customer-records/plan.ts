// Decides on new and changed records. A refusal changes none of them.

import { wholeAddress } from '../companies/parties/party.js';
import {
  type CustomerFields,
  type CustomerRecord,
  EMPTY_FIELDS,
  nameKeys,
} from '../customers/record.js';
import { type CustomerPatch, type CustomerRequest, MAX_ALIASES } from '../customers/schema.js';
import { type FieldError, Problem } from '../platform/errors.js';
import { fieldError } from '../platform/field-errors.js';
import { newId } from '../platform/values/ids.js';
import { matchKey } from '../platform/values/text.js';
import type { CustomerBalances } from '../receivables/dues/balances.js';
import type { CustomerChanges } from './changes/changes.js';

/** Creates a record. Throws Problem `already_exists`. */
export async function createRecord(
  changes: CustomerChanges,
  request: CustomerRequest,
): Promise<CustomerRecord> {
  const { currency: _companys, ...given } = request;
  const id = newId();
  const candidate = { ...EMPTY_FIELDS, ...withoutUndefined(given) };
  await refuseTaken(changes, id, { ...candidate, number: given.number ?? null });
  const number = given.number ?? (await changes.takeNumber());
  const [record] = changes.save({
    ...normalized({ ...candidate, number }),
    id,
    mergedInto: null,
    createdAt: '',
    updatedAt: '',
  });
  return record as CustomerRecord;
}

/**
 * Applies a valid patch; one that changes nothing stores nothing. Throws Problem `already_exists`,
 * or `invalid_state` for a merged record, for archiving a customer who owes something, for
 * removing an alias that an invoice or entry has, and for a rename that makes too many aliases.
 */
export async function patchRecord(
  changes: CustomerChanges,
  record: CustomerRecord,
  patch: CustomerPatch,
): Promise<CustomerRecord> {
  await refuseMerged(changes, record);
  const patched = applied(record, patch);
  await refuseTaken(changes, record.id, patched);
  const changed = normalized(keepOldName(record, patched));
  if (isSame(record, changed)) return record;
  await refuseRemoved(changes, record, changed);
  if (changed.archived && !record.archived) refuseOwing(await changes.balances(nameKeys(changed)));
  const [saved] = changes.save(changed);
  return saved as CustomerRecord;
}

/**
 * Makes a record what it was at an earlier version. Throws Problem `already_exists`, or
 * `invalid_state` if an invoice or entry has a name that it would lose.
 */
export async function restoreRecord(
  changes: CustomerChanges,
  record: CustomerRecord,
  earlier: CustomerRecord,
): Promise<void> {
  await refuseTaken(changes, record.id, earlier);
  await refuseRemoved(changes, record, earlier);
  changes.save(earlier);
}

/** The record of a merge that remains. Throws Problem `invalid_state`. */
export async function mergeRecords(
  changes: CustomerChanges,
  record: CustomerRecord,
  other: CustomerRecord,
): Promise<CustomerRecord> {
  if (other.id === record.id)
    throw new Problem('invalid_state', 'A record cannot be merged with itself.', {
      members: { customerId: record.id },
    });
  for (const each of [record, other]) {
    await refuseMerged(changes, each);
    if (each.archived)
      throw new Problem('invalid_state', `${each.name} is archived. Restore it first.`, {
        members: { customerId: each.id, archived: true },
      });
  }
  const aliases = [...record.aliases, other.name, ...other.aliases];
  if (aliases.length > MAX_ALIASES) throw tooManyAliases(aliases.length);
  const [, remaining] = changes.save(
    { ...other, aliases: [], archived: true, mergedInto: record.id },
    { ...record, aliases },
  );
  return remaining as CustomerRecord;
}

/**
 * Deletes a record and those that were merged into it. Throws Problem `invalid_state` if an invoice
 * or entry has one of its names.
 */
export async function deleteRecord(
  changes: CustomerChanges,
  record: CustomerRecord,
): Promise<void> {
  await refuseMerged(changes, record);
  const used = await changes.usedNames(nameKeys(record));
  if (used.size > 0) {
    const detail = `${record.name} has invoices or payments. Archive the record instead.`;
    const [counts, balances] = await Promise.all([
      changes.uses([...used]),
      changes.balances([...used]),
    ]);
    throw new Problem('invalid_state', detail, { members: { ...counts, ...figures(balances) } });
  }
  changes.delete(record.id, ...(await changes.readMerged(record.id)));
}

/** Throws Problem `invalid_state` for a merged record, with the name of the one that remains. */
async function refuseMerged(
  changes: CustomerChanges,
  { id, name, mergedInto }: CustomerRecord,
): Promise<void> {
  if (mergedInto === null) return;
  const into = (await changes.remaining(id))?.name ?? 'another one';
  throw new Problem('invalid_state', `The record of ${name} was merged into ${into}.`, {
    members: { customerId: id, mergedInto },
  });
}

function applied(record: CustomerRecord, patch: CustomerPatch): CustomerRecord {
  const { currency: _companys, ...given } = patch;
  const cleared = Object.entries(withoutUndefined(given)).map(([field, value]) => [
    field,
    value ?? (EMPTY_FIELDS as Readonly<Record<string, unknown>>)[field],
  ]);
  return { ...record, ...Object.fromEntries(cleared) };
}

/** A rename keeps the old name as an alias, unless both have one match key. */
function keepOldName(record: CustomerRecord, patched: CustomerRecord): CustomerRecord {
  const [oldKey, newKey] = [matchKey(record.name), matchKey(patched.name)];
  if (oldKey === newKey || patched.aliases.some(alias => matchKey(alias) === oldKey))
    return patched;
  const aliases = [...patched.aliases, record.name];
  const count = normalized({ ...patched, aliases }).aliases.length;
  if (count > MAX_ALIASES) throw tooManyAliases(count);
  return { ...patched, aliases };
}

/**
 * Aliases with the match key of the name or of an earlier alias are left out; addresses have all
 * parts.
 */
function normalized<Fields extends CustomerFields>(fields: Fields): Fields {
  const keys = new Set([matchKey(fields.name)]);
  const aliases = fields.aliases.filter(alias => {
    const key = matchKey(alias);
    return !keys.has(key) && keys.add(key);
  });
  const { address, deliveryAddress } = fields;
  return {
    ...fields,
    aliases,
    address: address && wholeAddress(address),
    deliveryAddress: deliveryAddress && wholeAddress(deliveryAddress),
  };
}

/** The values that only one record may have; null and undefined stand for none. */
export interface UniqueFields {
  readonly number?: string | null | undefined;
  readonly externalId?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly aliases: readonly (string | null)[];
}

/** An error for each value that another record has. */
export async function takenErrors(
  changes: CustomerChanges,
  id: string | undefined,
  { number, externalId, name, aliases }: UniqueFields,
): Promise<FieldError[]> {
  const taken = [
    { path: ['number'], label: 'number', by: number && changes.withNumber(number) },
    {
      path: ['externalId'],
      label: 'external id',
      by: externalId && changes.withExternalId(externalId),
    },
    { path: ['name'], label: 'name', by: name && changes.withName(name) },
    ...aliases.map((alias, index) => ({
      path: ['aliases', index],
      label: 'name',
      by: alias && changes.withName(alias),
    })),
  ];
  const errors: FieldError[] = [];
  for (const { path, label, by } of taken) {
    if (!by || by === id) continue;
    // A merged record's number and external id find the record that remains.
    const existingId = (await changes.remaining(by))?.id ?? by;
    const detail = `Another record has this ${label}.`;
    errors.push({ ...fieldError(path, 'already_exists', detail), existingId });
  }
  return errors;
}

/** Throws Problem `already_exists` with an error for each value that another record has. */
async function refuseTaken(
  changes: CustomerChanges,
  id: string,
  fields: UniqueFields,
): Promise<void> {
  const errors = await takenErrors(changes, id, fields);
  const [first] = errors;
  if (!first) return;
  throw new Problem('already_exists', first.detail, {
    members: { existingId: first.existingId },
    errors,
  });
}

async function refuseRemoved(
  changes: CustomerChanges,
  record: CustomerRecord,
  changed: CustomerRecord,
): Promise<void> {
  const kept = new Set(nameKeys(changed));
  const used = await changes.usedNames(nameKeys(record).filter(key => !kept.has(key)));
  if (used.size === 0) return;
  const name = [record.name, ...record.aliases].find(each => used.has(matchKey(each)));
  const detail = `Invoices or payments have the name ${name}, so the customer must keep it.`;
  throw new Problem('invalid_state', detail, {
    errors: [fieldError(['aliases'], 'invalid_state', detail)],
  });
}

function refuseOwing({ outstanding, unallocated }: CustomerBalances): void {
  if (Number(outstanding) === 0 && Number(unallocated) === 0) return;
  throw new Problem(
    'invalid_state',
    'Only a customer with nothing outstanding or unallocated can be archived.',
    { members: figures({ outstanding, unallocated }) },
  );
}

function figures({ outstanding, unallocated }: CustomerBalances) {
  return { outstanding: Number(outstanding), unallocated: Number(unallocated) };
}

function tooManyAliases(count: number): Problem {
  const detail = `A customer may have ${MAX_ALIASES} other names. This one would have ${count}.`;
  return new Problem('invalid_state', detail, {
    members: { aliases: count, maxAliases: MAX_ALIASES },
  });
}

function withoutUndefined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Fields;
}

function isSame(record: CustomerRecord, changed: CustomerRecord): boolean {
  return JSON.stringify(record) === JSON.stringify({ ...record, ...changed });
}
