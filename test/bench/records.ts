// Customers' records, which the product makes before the first workload.
import { changeProfile } from '../../src/companies/profile/service.js';
import { updateSettings } from '../../src/customer-records/settings.js';
import { closeDatabase, openDatabase } from '../../src/platform/db/connection.js';
import { send } from '../support/client.js';
import { customerName } from './row-names.js';
import type { BenchCompany } from './world.js';

interface Records {
  /** Customers of each company, of which invoices name any. */
  readonly customers: number;
  /** The fields of each customer's record; null for customers without records. */
  readonly record: object | null;
}

const ADDRESS = { line1: 'Hafenstraße 1', postalCode: '28195', city: 'Bremen', country: 'DE' };

/** No invoice of a run exceeds the limit. */
export const RECORDS = {
  none: { customers: 500, record: null },
  terms: { customers: 10_000, record: { termsDays: 30 } },
  limits: { customers: 100, record: { creditLimit: 99_999_999_999.99 } },
  /** Invoices can be made as documents and sent. */
  emails: { customers: 500, record: { email: 'buyer@example.org', address: ADDRESS } },
} as const satisfies Record<string, Records>;
export type RecordsName = keyof typeof RECORDS;

const PER_REQUEST = 100;

/** Makes the records of all companies, and the settings that belong to them. */
export async function makeRecords(
  name: RecordsName,
  companies: readonly BenchCompany[],
  { databaseUrl, baseUrl }: { readonly databaseUrl: string; readonly baseUrl: string },
): Promise<void> {
  const { customers, record } = RECORDS[name];
  if (record === null) return;
  openDatabase({ url: databaseUrl, poolMax: 2, name: 'tradepost-bench' });
  for (const { companyId } of companies) {
    if (name === 'limits') await updateSettings(companyId, { creditLimitAction: 'refuse' });
    if (name === 'emails') await changeProfile(companyId, { address: ADDRESS }, null);
  }
  await closeDatabase();
  const names = Array.from({ length: customers }, (_, index) => customerName(index + 1));
  const make = async ({ key }: BenchCompany) => {
    for (let first = 0; first < customers; first += PER_REQUEST) {
      const sent = names.slice(first, first + PER_REQUEST).map(each => ({ name: each, ...record }));
      // Data that was kept has the records.
      const json = { customers: sent, onExisting: 'update' };
      const { status, body } = await send(baseUrl, 'POST', '/api/external/customers/batch', {
        key,
        json,
      });
      if (status !== 200 || body.results.some((each: { status: number }) => each.status > 201))
        throw new Error(`making the records failed: ${JSON.stringify(body).slice(0, 500)}`);
    }
  };
  await Promise.all(companies.map(make));
}
