// The endpoints of customers with requests that succeed and that are refused.
import type { Json } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import type { TestCompany } from '../support/factories.js';
import type { Endpoint } from './statuses.test.js';

/** Records that the requests name. */
export interface Customers {
  readonly owing: Json;
  readonly duplicate: Json;
  /** To be deleted. */
  readonly unused: Json;
}

export async function makeCustomers(company: TestCompany, invoice: Json): Promise<Customers> {
  const [owing, duplicate, unused] = [
    await makeCustomer(company, { name: invoice.customerName }),
    await makeCustomer(company, { name: 'Castle Ltd' }),
    await makeCustomer(company, { name: 'Stone Ltd' }),
  ];
  return { owing, duplicate, unused };
}

export function customerReads({ owing }: Customers): Endpoint[] {
  const template = '/customers/{id}';
  return [
    { method: 'GET', template: '/customers', path: '/customers' },
    { method: 'GET', template, path: `/customers/${owing.id}` },
  ];
}

export function customerPosts({ owing, duplicate }: Customers): Endpoint[] {
  const post = (template: string, body: Json): Endpoint => ({
    method: 'POST',
    template,
    path: template.replace('{id}', owing.id),
    body,
  });
  return [
    post('/customers', { name: 'Harbour Hotel' }),
    post('/customers/batch', { customers: [{ name: 'Mill House' }] }),
    post('/customers/{id}/merge', { customerId: duplicate.id }),
  ];
}

export function customerUpdate({ owing }: Customers): Endpoint {
  const template = '/customers/{id}';
  return { method: 'PATCH', template, path: `/customers/${owing.id}`, body: { termsDays: 30 } };
}

export function customerDelete({ unused }: Customers): Endpoint {
  return { method: 'DELETE', template: '/customers/{id}', path: `/customers/${unused.id}` };
}
