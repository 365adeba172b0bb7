// The rows that the judge of customers reads. Times in milliseconds since the epoch: all are read
// from Postgres's clock while their company is locked.
import type { System } from '../system.js';
import type { RecordJson } from './changes.js';

interface OfCompany {
  readonly companyId: string;
}

/** A change of a record. */
export interface VersionRow extends OfCompany {
  readonly customerId: string;
  readonly version: number;
  readonly at: number;
  /** Null: the record was deleted. */
  readonly body: RecordJson | null;
}

/** A match key of a record, now. */
export interface NameRow extends OfCompany {
  readonly key: string;
  readonly customerId: string;
}

/** Which record a match key belonged to from then on; null: to none. */
export interface NameVersionRow extends OfCompany {
  readonly key: string;
  readonly at: number;
  readonly customerId: string | null;
}

/** An invoice, by number. */
export interface BilledRow extends OfCompany {
  readonly id: string;
  readonly number: number;
  readonly key: string;
  readonly total: number;
  readonly at: number;
}

/** An entry with the amount that it adds to the exposure of its customer, by sequence. */
export interface EntryRow extends OfCompany {
  readonly sequence: number;
  readonly key: string;
  readonly added: number;
  readonly at: number;
}

export interface ExposureRow extends OfCompany {
  readonly customerId: string;
  readonly exposure: number;
}

export interface CustomerRows {
  /** Companies that refuse invoices above a credit limit. */
  readonly refusing: ReadonlySet<string>;
  /** By record and version. */
  readonly versions: readonly VersionRow[];
  readonly names: readonly NameRow[];
  /** By time. */
  readonly nameVersions: readonly NameVersionRow[];
  readonly invoices: readonly BilledRow[];
  readonly entries: readonly EntryRow[];
  readonly exposures: readonly ExposureRow[];
  /** When each job was settled. */
  readonly settledAt: ReadonlyMap<string, number>;
}

const time = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

export async function readCustomerRows(
  system: System,
  companyIds: readonly string[],
): Promise<CustomerRows> {
  const read = <Row extends object>(columns: string, rest: string) =>
    system.query<Row>(
      `SELECT company_id AS "companyId", ${columns}
       FROM ${rest.replace('WHERE', 'WHERE company_id = ANY($1::uuid[]) AND')}`,
      [companyIds],
    );
  const [companies, versions, names, nameVersions, invoices, entries, exposures, jobs] =
    await Promise.all([
      system.query<{ id: string }>(
        `SELECT id FROM companies WHERE credit_limit_action = 'refuse' AND id = ANY($1::uuid[])`,
        [companyIds],
      ),
      read<VersionRow>(
        `customer_id AS "customerId", version, ${time('valid_from')} AS at, body::json`,
        'customer_versions WHERE true ORDER BY customer_id, version',
      ),
      read<NameRow>(`name_key AS key, customer_id AS "customerId"`, 'customer_names WHERE true'),
      read<NameVersionRow>(
        `name_key AS key, ${time('valid_from')} AS at, customer_id AS "customerId"`,
        'customer_name_versions WHERE true ORDER BY valid_from',
      ),
      read<BilledRow>(
        `id, number::float8, customer_key AS key, total::float8,
           ${time('created_at')} AS at`,
        'invoices WHERE true ORDER BY number',
      ),
      read<EntryRow>(
        `sequence::float8, customer_key AS key, ${time('created_at')} AS at,
           (CASE WHEN type IN ('payment', 'creditNote') THEN -amount ELSE amount END)::float8
             AS added`,
        `entries WHERE type <> 'allocation' ORDER BY sequence`,
      ),
      read<ExposureRow>(
        'customer_id AS "customerId", exposure::float8',
        'customer_exposures WHERE true',
      ),
      read<{ id: string; at: number }>(
        `id, ${time('finished_at')} AS at`,
        `jobs WHERE status <> 'queued'`,
      ),
    ]);
  return {
    refusing: new Set(companies.map(({ id }) => id)),
    ...{ versions, names, nameVersions, invoices, entries, exposures },
    settledAt: new Map(jobs.map(({ id, at }) => [id, at])),
  };
}
