// Compares the records of customers with their JSON: columns, names, and which record a name has
// belonged to. They are rendered here and not in SQL, because the JSON and matchKey are TypeScript.

import type pg from 'pg';
import { nameKeys, parseCustomer, renderCustomer } from '../../customers/record.js';
import { IS_FORMER_KEY } from '../../customers/search-keys.js';
import { CUSTOMER, type StoredRow } from '../../customers/write.js';
import { readEachRow } from '../stored/read-rows.js';
import { checkRendered, type Rendered } from '../stored/rendered.js';
import type { Violation } from '../violation.js';

export const CUSTOMER_COLUMNS = "the columns of a customer's record equal its JSON";
export const CUSTOMER_BODIES = "the JSON of each version of a customer's record can be read";
export const STORED_CUSTOMER_NAMES = "a customer's record has its names, and a merged record none";
export const NAME_HISTORY = 'the versions of names are those of the records that had them';

const { company_id, id, ...DERIVED } = CUSTOMER;

/**
 * Every column but the key is derived from the JSON of the last version. Records whose search key
 * the scheduler has yet to write again are left out.
 */
const COLUMNS: Rendered<{ companyId: string; version: number; body: string }, StoredRow> = {
  name: CUSTOMER_COLUMNS,
  table: 'customers',
  key: { company_id, id } as typeof CUSTOMER,
  derived: DERIVED,
  source: `
    SELECT v.company_id AS "companyId", v.version, v.body
    FROM customers c
    JOIN customer_versions v
      ON v.company_id = c.company_id AND v.customer_id = c.id AND v.version = c.version
    WHERE NOT ${IS_FORMER_KEY}`,
  render: ({ companyId, version, body }) => ({ companyId, version, record: parseCustomer(body) }),
};

export const checkCustomerColumns = (client: pg.Client) => checkRendered(client, COLUMNS);

interface Version {
  readonly companyId: string;
  readonly customerId: string;
  readonly version: number;
  /** When it became valid, in milliseconds since 1970. */
  readonly at: number;
  readonly body: string | null;
  /** Of the version before. */
  readonly bodyBefore: string | null;
  /** The names that are stored now; null if the record has a later version. */
  readonly names: readonly string[] | null;
}

const milliseconds = (column: string) => `floor(extract(epoch FROM ${column}) * 1000)::float8`;

const VERSIONS = `
  SELECT v.company_id AS "companyId", v.customer_id AS "customerId", v.version,
    ${milliseconds('v.valid_from')} AS at, v.body,
    lag(v.body) OVER (PARTITION BY v.company_id, v.customer_id ORDER BY v.version) AS "bodyBefore",
    CASE WHEN c.version = v.version THEN ARRAY(
      SELECT n.name_key
      FROM customer_names n
      WHERE n.company_id = v.company_id AND n.customer_id = v.customer_id
    ) END AS names
  FROM customer_versions v
  LEFT JOIN customers c ON c.company_id = v.company_id AND c.id = v.customer_id
  ORDER BY v.company_id, v.valid_from, v.customer_id`;

interface NameChange {
  readonly companyId: string;
  readonly at: number;
  readonly nameKey: string;
  readonly customerId: string | null;
}

const NAME_CHANGES = `
  SELECT company_id AS "companyId", ${milliseconds('valid_from')} AS at,
    name_key AS "nameKey", customer_id AS "customerId"
  FROM customer_name_versions
  ORDER BY company_id, valid_from`;

/** Checks the JSON of all versions, the names that records have, and the history of names. */
export async function* checkCustomerVersions(client: pg.Client): AsyncGenerator<Violation> {
  const changes = momentsOf(readEachRow<NameChange>(client, NAME_CHANGES));
  let stored = await changes.next();
  for await (const versions of momentsOf(readEachRow<Version>(client, VERSIONS))) {
    const [first] = versions as [Version];
    for (const version of versions) yield* checkVersion(version);
    for (
      ;
      !stored.done && compareMoments(stored.value[0], first) < 0;
      stored = await changes.next()
    )
      yield* wrongNames(stored.value);
    const isSame = !stored.done && compareMoments(stored.value[0], first) === 0;
    yield* compareNames(versions, isSame ? stored.value : []);
    if (isSame) stored = await changes.next();
  }
  for (; !stored.done; stored = await changes.next()) yield* wrongNames(stored.value);
}

function* checkVersion({ companyId, customerId, at, version, names, ...bodies }: Version) {
  if (bodies.body === null) return;
  const record = readRecord(bodies.body);
  // Of the first version, both times are the same.
  const before = bodies.bodyBefore === null ? null : readRecord(bodies.bodyBefore);
  const isRight =
    record !== null &&
    renderCustomer(record) === bodies.body &&
    record.id === customerId &&
    record.updatedAt === new Date(at).toISOString() &&
    record.createdAt === (before?.createdAt ?? record.updatedAt);
  if (!isRight) yield { violation: CUSTOMER_BODIES, companyId, customerId, version };
  if (names === null) return;
  const expected = record ? nameKeys(record).sort() : [];
  if (JSON.stringify(expected) !== JSON.stringify([...names].sort()))
    yield { violation: STORED_CUSTOMER_NAMES, companyId, customerId };
}

/** Null if the JSON cannot be read. */
function readRecord(body: string) {
  try {
    const record = parseCustomer(body);
    nameKeys(record);
    renderCustomer(record);
    return record;
  } catch {
    return null;
  }
}

const keysOf = (body: string | null) => {
  const record = body === null ? null : readRecord(body);
  return record ? nameKeys(record) : [];
};

/** A name that passes from one record to another at the same time has one row. */
function* compareNames(versions: readonly Version[], stored: readonly NameChange[]) {
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  for (const { customerId, body, bodyBefore } of versions) {
    for (const key of keysOf(bodyBefore)) before.set(key, customerId);
    for (const key of keysOf(body)) after.set(key, customerId);
  }
  const moved = [...new Set([...before.keys(), ...after.keys()])].filter(
    key => before.get(key) !== after.get(key),
  );
  const expected = new Map(moved.map(key => [key, after.get(key) ?? null]));
  const [{ companyId, at }] = versions as [Version];
  for (const { nameKey, customerId } of stored) {
    if (expected.get(nameKey) !== customerId) yield nameViolation(companyId, at, customerId);
    expected.delete(nameKey);
  }
  for (const customerId of expected.values()) yield nameViolation(companyId, at, customerId);
}

function* wrongNames(changes: readonly NameChange[]) {
  for (const { companyId, at, customerId } of changes)
    yield nameViolation(companyId, at, customerId);
}

function nameViolation(companyId: string, at: number, customerId: string | null): Violation {
  return { violation: NAME_HISTORY, companyId, validFrom: new Date(at).toISOString(), customerId };
}

type Moment = Pick<Version, 'companyId' | 'at'>;

function compareMoments(a: Moment | undefined, b: Moment): number {
  if (!a) return -1;
  if (a.companyId !== b.companyId) return a.companyId < b.companyId ? -1 : 1;
  return a.at - b.at;
}

/** The rows of each company and time together. They are in this order. */
async function* momentsOf<Row extends Moment>(rows: AsyncGenerator<Row>): AsyncGenerator<Row[]> {
  let moment: Row[] = [];
  for await (const row of rows) {
    if (moment.length > 0 && compareMoments(moment[0], row) !== 0) {
      yield moment;
      moment = [];
    }
    moment.push(row);
  }
  if (moment.length > 0) yield moment;
}
