// Records of customers, and what the database stores of their credit.
import { expect } from 'chai';
import { updateSettings } from '../../src/customer-records/settings.js';
import type { Json } from './client.js';
import { addKey, type TestCompany } from './factories.js';
import type { Stack } from './suite.js';

/** Creates a record. */
export async function makeCustomer(company: TestCompany, body: object): Promise<Json> {
  const response = await company.post('/customers', body);
  expect(response.status, response.text).to.equal(201);
  return response.body;
}

export async function changeCustomer(
  company: TestCompany,
  { id }: Json,
  patch: object,
): Promise<Json> {
  const response = await company.patch(`/customers/${id}`, patch);
  expect(response.status, response.text).to.equal(200);
  return response.body;
}

/** Makes the company refuse invoices above a credit limit. The process's database must be open. */
export async function refuseAboveLimits({ companyId }: TestCompany): Promise<void> {
  await updateSettings(companyId, { creditLimitAction: 'refuse' });
}

/** A key whose first request reads the company's settings as they are now. */
export async function freshKey(
  stack: Pick<Stack, 'sql'>,
  { companyId }: TestCompany,
  scopes?: readonly string[],
): Promise<{ key: string }> {
  const { key } = await addKey(stack, companyId, scopes);
  return { key };
}

/** Outstanding less unallocated of each record with a row, recounted and as stored, by name. */
export async function exposures(
  stack: Pick<Stack, 'sql'>,
  { companyId }: TestCompany,
): Promise<Record<string, number>> {
  const rows = await stack.sql<{ name: string; stored: string; recounted: string }>(
    `SELECT c.name, e.exposure AS stored,
       (
         SELECT COALESCE(sum(i.total - i.paid - i.credited), 0)
         FROM customer_names n
         JOIN invoices i ON i.company_id = n.company_id AND i.customer_key = n.name_key
         WHERE n.company_id = c.company_id AND n.customer_id = c.id
       ) - (
         SELECT COALESCE(sum(s.unallocated), 0)
         FROM customer_names n
         JOIN entries s ON s.company_id = n.company_id AND s.customer_key = n.name_key
         WHERE n.company_id = c.company_id AND n.customer_id = c.id
       ) AS recounted
     FROM customer_exposures e
     JOIN customers c ON c.company_id = e.company_id AND c.id = e.customer_id
     WHERE e.company_id = $1`,
    [companyId],
  );
  for (const { name, stored, recounted } of rows)
    expect(Number(stored), name).to.equal(Number(recounted));
  return Object.fromEntries(rows.map(({ name, stored }) => [name, Number(stored)]));
}
