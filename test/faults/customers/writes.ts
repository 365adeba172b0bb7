// Seeded changes of customers' records: limits, holds, names, merges and deletions. Each sets the
// note of the record to its key, so that the versions tell which change they are.
import type { Random } from '../random.js';
import type { CustomerTarget } from '../targets.js';
import type { Change, ChangeType } from './changes.js';

/** The names that invoices and payments have from the start. */
export const MAIN_NAMES = ['Customer 1', 'Customer 2', 'Customer 3', 'Customer 4'];
/** The notes of the first records begin with it. */
export const FIRST_MARK = 'main-';
/** Merges of two of these per company: each one leaves the load with fewer customers. */
const MAIN_MERGES = 1;
const BATCH_MAX = 4;
const TURNS = [
  ...['limit', 'limit', 'limit', 'limit', 'hold', 'hold', 'rename', 'archive'],
  ...['create', 'create', 'create', 'taken', 'batch', 'batch'],
  ...['merge', 'merge', 'merge', 'delete'],
] as const;

export interface Choice extends Pick<Change, 'path' | 'body'> {
  readonly type: ChangeType;
}

/** A change of one of these records. One of the first records is among them. */
export function chooseChange(
  key: string,
  customers: readonly CustomerTarget[],
  random: Random,
): Choice {
  const mains = customers.filter(isMain);
  const branches = customers.filter(customer => !isMain(customer));
  const { id, name } = random.pick(random.next() < 0.5 ? mains : customers);
  const patch = (fields: object): Choice => ({
    ...{ type: 'patch', path: `/customers/${id}`, body: { ...fields, note: key } },
  });
  switch (random.pick(TURNS)) {
    case 'limit':
      return patch({ creditLimit: limit(random) });
    case 'hold':
      return patch({ hold: random.next() < 0.3 });
    case 'rename':
      return patch({ name: `${name} aka ${key}` });
    case 'archive':
      return patch({ archived: random.next() < 0.5 });
    case 'taken':
      return { type: 'create', path: '/customers', body: { name, note: key } };
    case 'batch':
      return batch(key, customers, random);
    case 'delete':
      if (branches.length === 0) return patch({ hold: false });
      return { type: 'delete', path: `/customers/${random.pick(branches).id}`, body: null };
    case 'merge':
      return merge(mains, branches, random) ?? patch({ creditLimit: limit(random) });
    default:
      return { type: 'create', path: '/customers', body: branch(key, random) };
  }
}

const isMain = ({ name }: CustomerTarget) => MAIN_NAMES.includes(name);

/** Each company's first records. */
export function firstRecords(random: Random): object[] {
  return MAIN_NAMES.map((name, index) => ({
    ...{ name, externalId: `main-${index}`, note: `${FIRST_MARK}${index}` },
    ...(index === 0 ? {} : { creditLimit: limit(random), termsDays: index * 10 }),
  }));
}

/** None, one that refuses everything, or one that some invoices of a run reach. */
function limit(random: Random): number | null {
  return random.pick([null, 0, ...[20_000, 60_000, 60_000, 200_000, 200_000, 500_000]]);
}

/** A customer whose records will be merged. */
function branch(key: string, random: Random): Record<string, unknown> {
  const terms = random.next() < 0.3 ? { termsDays: random.between(0, 14) } : {};
  const limited = random.next() < 0.5 ? { creditLimit: limit(random) } : {};
  return { name: `Branch ${key}`, externalId: `X-${key}`, note: key, ...terms, ...limited };
}

/** New and known customers, of which one may be there twice. */
function batch(key: string, customers: readonly CustomerTarget[], random: Random): Choice {
  const sent = Array.from({ length: random.between(1, BATCH_MAX) }, (_, index) => {
    const note = `${key}/${index}`;
    if (random.next() < 0.3) return branch(note, random);
    const { name, externalId } = random.pick(customers);
    const by = externalId !== null && random.next() < 0.5 ? { externalId, name } : { name };
    const hold = random.next() < 0.2 ? { hold: random.next() < 0.3 } : {};
    return { ...by, creditLimit: limit(random), note, ...hold };
  });
  const body = { customers: sent, onExisting: 'update' };
  return { type: 'batch', path: '/customers/batch', body };
}

/** A branch into any record, rarely one of the first records into another. */
function merge(
  mains: readonly CustomerTarget[],
  branches: readonly CustomerTarget[],
  random: Random,
): Choice | null {
  const isRare = mains.length > MAIN_NAMES.length - MAIN_MERGES && random.next() < 0.1;
  const others = isRare ? mains : branches;
  if (others.length === 0) return null;
  const into = random.pick(isRare ? mains : [...mains, ...branches]);
  const { id } = random.pick(others);
  return { type: 'merge', path: `/customers/${into.id}/merge`, body: { customerId: id } };
}
