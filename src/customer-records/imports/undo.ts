// Undoes an import of customers in the transaction that claimed it: records that it changed become
// what they were, and those that it added are deleted. All or nothing: if one of them has changed
// since, or cannot go back, nothing is undone.
import { nameKeys, parseCustomer } from '../../customers/record.js';
import type { ImportClaim, UndoRefusal } from '../../imports/kind.js';
import { plainArray } from '../../platform/db/arrays.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import { lookUpOne } from '../../platform/db/sql.js';
import { Problem } from '../../platform/errors.js';
import { failPoint } from '../../platform/process/fail-point.js';
import { CustomerChanges } from '../changes/changes.js';
import { restoreRecord } from '../plan.js';

/** Records per statement. */
const RECORDS_PER_STEP = 1_000;
/** Obstacles that a refusal names. */
const MAX_NAMED = 10;

/** A record that keeps an import from being undone. */
export interface CustomerObstacle {
  readonly customerId: string;
  readonly name: string;
  /** A sentence, if the record has not changed since but cannot go back. */
  readonly reason: string | null;
}

/**
 * Records the versions that a chunk made, before and after. `positions` are those of the rows that
 * changed each record last. Requires the company's lock.
 */
export async function recordVersions(
  { companyId, id }: ImportClaim,
  changes: CustomerChanges,
  positions: ReadonlyMap<string, number>,
  tx: Transaction,
): Promise<void> {
  const versions = changes.changedVersions();
  if (versions.length === 0) return;
  await query(
    `INSERT INTO customer_import_changes AS c (
       company_id, import_id, customer_id, version_before, version_after, position
     )
     SELECT $1, $2, *
     FROM unnest($3::uuid[], $4::int[], $5::int[], $6::int[])
     ON CONFLICT (company_id, import_id, customer_id) DO UPDATE
       SET version_after =
           CASE WHEN c.version_after = excluded.version_before THEN excluded.version_after END,
         position = excluded.position`,
    [
      companyId,
      id,
      plainArray(versions.map(version => version.id)),
      plainArray(versions.map(({ before }) => before)),
      plainArray(versions.map(({ after }) => after)),
      plainArray(versions.map(version => positions.get(version.id) ?? 0)),
    ],
    tx,
  );
}

interface ChangedCustomer {
  readonly id: string;
  readonly position: number;
  readonly isAdded: boolean;
  readonly hasChanged: boolean;
  /** The record's JSON before the import; null if the import added it. */
  readonly before: string | null;
  readonly name: string;
}

export async function undoCustomerImport(
  claimed: ImportClaim,
  tx: Transaction,
): Promise<UndoRefusal<CustomerObstacle> | null> {
  const changes = await CustomerChanges.open(claimed.companyId, {}, claimed.createdBy, tx);
  failPoint('locked');
  let blocked: Blocked[] = [];
  for (let last: number | null = null, isOver = false; !isOver; ) {
    const step: ChangedCustomer[] = await readChanged(claimed, last, tx);
    await changes.load({ ids: step.map(({ id }) => id) });
    blocked.push(...(await goBack(changes, step)));
    last = step.at(-1)?.position ?? null;
    isOver = step.length < RECORDS_PER_STEP;
  }
  // A record that went back later may have had a name or number of an earlier one.
  for (let count = 0; blocked.length !== count; ) {
    count = blocked.length;
    blocked = await goBack(
      changes,
      blocked.map(({ changed }) => changed),
    );
  }
  const obstacles = blocked.map(({ changed: { id: customerId, name }, reason }) => ({
    customerId,
    name,
    reason,
  }));
  if (obstacles.length > 0)
    return { total: obstacles.length, first: obstacles.slice(0, MAX_NAMED) };
  await changes.write();
  return null;
}

interface Blocked {
  readonly changed: ChangedCustomer;
  readonly reason: string | null;
}

/** Changes the records back. Returns those that cannot go back. */
async function goBack(
  changes: CustomerChanges,
  records: readonly ChangedCustomer[],
): Promise<Blocked[]> {
  const blocked: Blocked[] = [];
  const added = records.flatMap(({ id, isAdded }) => (isAdded && changes.record(id)) || []);
  const used = await changes.usedNames(added.flatMap(nameKeys));
  for (const changed of records) {
    const obstacle = await findObstacle(changes, changed, used);
    if (obstacle) blocked.push({ changed, ...obstacle });
  }
  return blocked;
}

/** Changes the record back, or returns why it cannot go back. */
async function findObstacle(
  changes: CustomerChanges,
  { id, isAdded, hasChanged, before }: ChangedCustomer,
  used: ReadonlySet<string>,
): Promise<Pick<CustomerObstacle, 'reason'> | null> {
  const record = changes.record(id);
  if (hasChanged || !record || (!isAdded && before === null)) return { reason: null };
  if (isAdded && nameKeys(record).some(key => used.has(key)))
    return { reason: 'Invoices or payments have its name.' };
  try {
    if (isAdded) changes.delete(id);
    else await restoreRecord(changes, record, parseCustomer(before ?? ''));
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { reason: error.details.errors?.[0]?.detail ?? error.message };
  }
}

/** The records that the import changed, from the last change back. */
function readChanged(
  { companyId, id }: ImportClaim,
  before: number | null,
  tx: Transaction,
): Promise<ChangedCustomer[]> {
  const at = (version: string) => `company_id = h.company_id
    AND customer_id = h.customer_id AND version = ${version}`;
  return query<ChangedCustomer>(
    `SELECT h.customer_id AS id, h.position,
       h.version_before = 0 AS "isAdded",
       c.version IS DISTINCT FROM h.version_after AS "hasChanged",
       earlier.body AS before,
       COALESCE(c.name, later.body::json ->> 'name', '') AS name
     FROM (
       SELECT *
       FROM customer_import_changes
       WHERE company_id = $1 AND import_id = $2 AND ($3::int IS NULL OR position < $3)
       ORDER BY position DESC
       LIMIT ${RECORDS_PER_STEP}
     ) h
     LEFT JOIN ${lookUpOne('customers', 'c', 'company_id = h.company_id AND id = h.customer_id')}
       ON true
     LEFT JOIN ${lookUpOne('customer_versions', 'earlier', at('h.version_before'))} ON true
     LEFT JOIN ${lookUpOne('customer_versions', 'later', at('h.version_after'))} ON true
     ORDER BY h.position DESC`,
    [companyId, id, before],
    tx,
  );
}
