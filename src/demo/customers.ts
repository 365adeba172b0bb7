// The demo company's records of customers, from customers.jsonl. Some of its customers have none.
import { readFileSync } from 'node:fs';
import type { Actor } from '../companies/actor.js';
import { createCustomers, mergeCustomers, updateCustomer } from '../customer-records/service.js';
import type { StoredResponse } from '../jobs/stored-responses.js';

/** The compiler does not copy this file. */
const FILE = new URL('../../../src/demo/customers.jsonl', import.meta.url);

const DUPLICATE = { name: 'Bright and Sons', of: 'Bright & Sons' };
const ON_HOLD = 'Lopez Obras';

/**
 * Creates the records; then merges a duplicate and puts a customer on hold. The keys and the patch
 * make this safe to repeat.
 */
export async function writeDemoCustomers(
  companyId: string,
  changedBy: Actor | null,
): Promise<void> {
  const requests: unknown[] = readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const call = { companyId, changedBy };
  const created = await createCustomers({ ...call, idempotencyKey: 'demo-customers' }, requests);
  const ids = new Map(created.map(recordOf).map(({ id, name }) => [name, id]));
  const body = { customerId: ids.get(DUPLICATE.name) };
  const merge = { ...call, body, idempotencyKey: 'demo-merge' };
  recordOf(await mergeCustomers(ids.get(DUPLICATE.of) ?? '', merge));
  const patch = { hold: true, note: 'On hold until the overdue invoices are paid.' };
  await updateCustomer({ ...call, body: patch }, ids.get(ON_HOLD) ?? '');
}

function recordOf(response: StoredResponse): { readonly id: string; readonly name: string } {
  if ('problem' in response) throw new Error(JSON.stringify(response.problem));
  return JSON.parse(response.body);
}
