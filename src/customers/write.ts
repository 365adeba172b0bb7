// Writes changed records of a company, their versions and names.
import type { Actor } from '../companies/actor.js';
import { NewEvents } from '../feed/append.js';
import type { NewEvent } from '../feed/stubs.js';
import { textArray } from '../platform/db/arrays.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { arraysOf, type Columns, insertRows, unnest } from '../platform/db/rows.js';
import { codeKey, matchKey } from '../platform/values/text.js';
import { type CustomerRecord, nameKeys, renderCustomer, searchKey } from './record.js';

export interface CustomerVersion {
  readonly id: string;
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null: deleted. */
  readonly record: CustomerRecord | null;
  /** Of a deleted record: the data of its event. */
  readonly deleted?: Pick<CustomerRecord, 'id' | 'number' | 'name'>;
}

export interface ChangedRows {
  readonly companyId: string;
  readonly changedBy: Actor | null;
  readonly currency: string;
  /** The sequence of the first event: each version has one. */
  readonly nextEvent: string;
  readonly nextNumber: bigint;
  readonly changedAt: number;
  readonly versions: readonly CustomerVersion[];
  /** Null: the match key belongs to no record any more. */
  readonly nameChanges: readonly {
    readonly key: string;
    readonly at: number;
    readonly customerId: string | null;
  }[];
  readonly records: readonly ChangedRecord[];
}

interface ChangedRecord {
  readonly before: CustomerRecord | null;
  readonly after: CustomerRecord | null;
  readonly version: number;
}

export async function writeChanges(changes: ChangedRows, tx: Transaction): Promise<void> {
  const { companyId, changedBy, versions, nameChanges, records } = changes;
  const stored = records.flatMap(({ after, version }) =>
    after ? [{ companyId, version, record: after }] : [],
  );
  const deleted = records.flatMap(({ before, after }) => (before && !after ? [before.id] : []));
  const author = changedBy && JSON.stringify(changedBy);
  await Promise.all([
    removeNames(companyId, records, tx),
    // Before others get their numbers.
    deleteRecords(companyId, deleted, tx),
    stored.length > 0 ? query(STORE, arraysOf(CUSTOMER, stored), tx) : null,
    insertRows(
      'customer_names',
      NAME,
      stored.flatMap(({ record }) =>
        nameKeys(record).map(key => ({ companyId, key, customerId: record.id })),
      ),
      tx,
    ),
    insertRows(
      'customer_versions',
      VERSION,
      versions.map(version => ({ ...version, companyId, author })),
      tx,
    ),
    insertRows(
      'customer_name_versions',
      NAME_VERSION,
      nameChanges.map(change => ({ ...change, companyId })),
      tx,
    ),
    updateCompany(changes, tx),
    appendVersions(changes, tx),
  ]);
}

/** The event of each version. A record's JSON has the currency of its company. */
async function appendVersions(changes: ChangedRows, tx: Transaction): Promise<void> {
  const { companyId, changedBy: actor, currency, nextEvent, versions } = changes;
  const events = new NewEvents();
  for (const { id: subjectId, version, deleted } of versions) {
    const type = version === 1 ? 'customer.created' : 'customer.updated';
    const event: NewEvent = deleted
      ? { type: 'customer.deleted', subjectId, actor, data: deleted }
      : { type, subjectId, actor, data: [version, currency] };
    events.add(companyId, event);
  }
  await events.append(() => nextEvent, tx);
}

export interface StoredRow {
  readonly companyId: string;
  readonly version: number;
  readonly record: CustomerRecord;
}

/** The row of a record, each of whose columns repeats a part of its JSON. */
export const CUSTOMER: Columns<StoredRow> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  id: ['uuid', ({ record }) => record.id],
  number: ['text', ({ record }) => record.number],
  number_key: ['text', ({ record }) => matchKey(record.number)],
  name: ['text', ({ record }) => record.name],
  name_key: ['text', ({ record }) => matchKey(record.name)],
  external_id: ['text', ({ record }) => record.externalId && codeKey(record.externalId)],
  tax_id: ['text', ({ record }) => record.taxId],
  terms_days: ['int', ({ record }) => record.termsDays],
  tax: ['json', ({ record }) => record.tax && JSON.stringify(record.tax)],
  credit_limit: ['numeric', ({ record }) => record.creditLimit],
  hold: ['boolean', ({ record }) => record.hold],
  archived: ['boolean', ({ record }) => record.archived],
  merged_into: ['uuid', ({ record }) => record.mergedInto],
  version: ['int', ({ version }) => version],
  created_at: ['timestamptz', ({ record }) => record.createdAt],
  updated_at: ['timestamptz', ({ record }) => record.updatedAt],
  search_key: ['text', ({ record }) => searchKey(record)],
};

const KEY = ['company_id', 'id'];
const STORE = `
  INSERT INTO customers (${Object.keys(CUSTOMER).join(', ')})
  SELECT *
  FROM ${unnest(CUSTOMER)}
  ON CONFLICT (${KEY.join(', ')}) DO UPDATE
    SET ${Object.keys(CUSTOMER)
      .filter(column => !KEY.includes(column))
      .map(column => `${column} = excluded.${column}`)
      .join(', ')}`;

const NAME: Columns<{ companyId: string; key: string; customerId: string }> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  name_key: ['text', ({ key }) => key],
  customer_id: ['uuid', ({ customerId }) => customerId],
};

const VERSION: Columns<CustomerVersion & { companyId: string; author: string | null }> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  customer_id: ['uuid', ({ id }) => id],
  version: ['int', ({ version }) => version],
  valid_from: ['timestamptz', ({ at }) => new Date(at).toISOString()],
  changed_by: ['json', ({ author }) => author],
  body: ['text', ({ record }) => record && renderCustomer(record)],
};

const NAME_VERSION: Columns<{
  companyId: string;
  key: string;
  at: number;
  customerId: string | null;
}> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  name_key: ['text', ({ key }) => key],
  valid_from: ['timestamptz', ({ at }) => new Date(at).toISOString()],
  customer_id: ['uuid', ({ customerId }) => customerId],
};

/** All names of the changed records: those that they keep are inserted again. */
async function removeNames(
  companyId: string,
  records: readonly ChangedRecord[],
  tx: Transaction,
): Promise<void> {
  const keys = records.flatMap(({ before }) => (before ? nameKeys(before) : []));
  if (keys.length === 0) return;
  await query(
    'DELETE FROM customer_names WHERE company_id = $1 AND name_key = ANY($2::text[])',
    [companyId, textArray(keys)],
    tx,
  );
}

async function deleteRecords(
  companyId: string,
  ids: readonly string[],
  tx: Transaction,
): Promise<void> {
  if (ids.length === 0) return;
  await Promise.all([
    query(
      'DELETE FROM customer_exposures WHERE company_id = $1 AND customer_id = ANY($2::uuid[])',
      [companyId, ids],
      tx,
    ),
    query(
      'DELETE FROM customers WHERE company_id = $1 AND id = ANY($2::uuid[])',
      [companyId, ids],
      tx,
    ),
  ]);
}

/** The figures of companies, and which records count in them. */
const FIGURES: Readonly<Record<string, (record: CustomerRecord) => boolean>> = {
  customer_count: () => true,
  customers_with_terms: ({ termsDays, tax }) => termsDays !== null || tax !== null,
  customers_on_hold: ({ hold }) => hold,
  customers_with_limit: ({ creditLimit }) => creditLimit !== null,
};

async function updateCompany(
  { companyId, nextNumber, changedAt, versions, records }: ChangedRows,
  tx: Transaction,
): Promise<void> {
  const count = (record: CustomerRecord | null, counts: (record: CustomerRecord) => boolean) =>
    record && !record.archived && counts(record) ? 1 : 0;
  const changes = Object.values(FIGURES).map(counts =>
    records.reduce(
      (sum, { before, after }) => sum + count(after, counts) - count(before, counts),
      0,
    ),
  );
  const sums = Object.keys(FIGURES).map((column, index) => `${column} = ${column} + $${index + 5}`);
  await query(
    `UPDATE companies
     SET next_customer_number = $2, customers_changed_at = $3,
       customers_version = customers_version + 1,
       next_event_sequence = next_event_sequence + $4,
       ${sums.join(', ')}
     WHERE id = $1`,
    [
      ...[companyId, String(nextNumber), new Date(changedAt).toISOString(), versions.length],
      ...changes,
    ],
    tx,
  );
}
