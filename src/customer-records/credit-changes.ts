// Holds and credit limits are changed by owners and by API keys only. Every change of records asks
// here, so no form leads around it: a change of the values, and whatever makes them apply to a name
// or not apply any more, such as a merge.
import type { Actor } from '../companies/actor.js';
import { type CustomerRecord, nameKeys } from '../customers/record.js';
import type { Transaction } from '../platform/db/connection.js';
import { Problem } from '../platform/errors.js';
import { fieldError, validationFailed } from '../platform/field-errors.js';
import { findUserRole } from '../users/members.js';
import { may } from '../users/roles.js';

/** The actor of changes, who may or may not change holds and limits. */
export interface ChangesCall {
  readonly companyId: string;
  readonly changedBy: Actor | null;
  readonly mayChangeCredit: boolean;
}

/** True for a key, which has the scope customers:write, and for changes without an actor. */
export async function mayActorChangeCredit(
  companyId: string,
  actor: Actor | null,
  tx?: Transaction,
): Promise<boolean> {
  if (actor?.kind !== 'user') return true;
  const role = await findUserRole(companyId, actor.id, tx);
  return role !== null && may(role, 'change-credit');
}

/**
 * Throws Problem `validation_failed` for a changed hold or limit, and `invalid_state` if a name
 * with either gets another one or none, or a record without them is merged into one with either. A
 * name without a record may be given to a record with them.
 */
export function refuseCreditChange(
  before: readonly CustomerRecord[],
  after: readonly CustomerRecord[],
): void {
  const known = new Map(before.map(record => [record.id, record]));
  const errors = after.flatMap(record => fieldErrors(known.get(record.id), record));
  if (errors.length > 0) throw validationFailed(errors);
  const [old, now] = [before, after].map(creditByName) as [Credits, Credits];
  const changed = [...old].find(([key, { credit }]) => now.get(key)?.credit !== credit)?.[1];
  const restored = after.find(record => known.get(record.id)?.archived && creditOf(record));
  const name = changed?.name ?? restored?.name ?? mergedWithCredit(known, after)?.name;
  if (name === undefined) return;
  const why = `${name} is on hold or has a credit limit`;
  throw new Problem('invalid_state', `${why}, so only an owner can do this. Ask an owner.`);
}

/** The record with a hold or a limit into which another one is merged. */
function mergedWithCredit(
  known: ReadonlyMap<string, CustomerRecord>,
  after: readonly CustomerRecord[],
): CustomerRecord | undefined {
  const merged = after.filter(({ id, mergedInto }) => known.get(id)?.mergedInto !== mergedInto);
  return after.find(
    record => creditOf(record) !== '' && merged.some(({ mergedInto }) => mergedInto === record.id),
  );
}

const NO_CREDIT = { hold: false, creditLimit: null };

function fieldErrors(before: CustomerRecord | undefined, after: CustomerRecord) {
  const { hold, creditLimit } = before ?? NO_CREDIT;
  return [
    ...(hold === after.hold ? [] : [fieldError(['hold'], 'invalid_value', ONLY_OWNERS.hold)]),
    ...(creditLimit === after.creditLimit
      ? []
      : [fieldError(['creditLimit'], 'invalid_value', ONLY_OWNERS.creditLimit)]),
  ];
}

const ONLY_OWNERS = {
  hold: 'Only an owner can put a customer on hold or release it. Ask an owner.',
  creditLimit: 'Only an owner can change a credit limit. Ask an owner.',
};

type Credits = Map<string, { readonly name: string; readonly credit: string }>;

/** The names of records with a hold or a limit, by match key. */
function creditByName(records: readonly CustomerRecord[]): Credits {
  return new Map(
    records.flatMap(record => {
      const credit = creditOf(record);
      return credit === '' ? [] : nameKeys(record).map(key => [key, { name: record.name, credit }]);
    }),
  );
}

/** Empty for a record with neither, and for one that is out of use. */
function creditOf({ archived, hold, creditLimit }: CustomerRecord): string {
  return archived || (!hold && creditLimit === null) ? '' : `${hold} ${creditLimit}`;
}
