// Calls of the endpoints of documents, and what they need to succeed.
import { changeProfile } from '../../src/companies/profile/service.js';
import type { Json } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import type { TestCompany } from '../support/factories.js';
import { credit, issue } from '../support/ledger.js';
import type { Endpoint } from './statuses.test.js';

const CUSTOMER = 'Castle';
const ADDRESS = { line1: '1 Quay', city: 'Bremen', postalCode: '28195', country: 'DE' };

/** The documents of an invoice and of its credit note. */
export async function documentReads(company: TestCompany): Promise<Endpoint[]> {
  const items = [{ name: 'Repair', qty: 2, price: 50, taxRate: 19 }];
  const invoice = await issue(company, { customerName: CUSTOMER, items });
  const note = await credit(company, invoice, { items: [{ line: 1, qty: 1 }] });
  const reads = (template: string, { id }: Json, forms: readonly string[]) =>
    forms.map(form => ({
      method: 'GET' as const,
      template: `${template}/${form}`,
      path: `${template.replace('{id}', id)}/${form}`,
    }));
  return [
    ...reads('/invoices/{id}', invoice, ['pdf', 'ubl', 'cii', 'delivery-note']),
    ...reads('/credit-notes/{id}', note, ['pdf', 'ubl', 'cii']),
  ];
}

/** The e-mail of an invoice. */
export function emailPost({ id }: Json): Endpoint {
  const body = { invoiceId: id, to: ['ann@example.org'] };
  return { method: 'POST', template: '/emails', path: '/emails', body };
}

export function emailReads({ id }: Json): Endpoint[] {
  const template = '/emails/{id}';
  return [
    { method: 'GET', template: '/emails', path: '/emails' },
    { method: 'GET', template, path: `/emails/${id}` },
  ];
}

/** Enters the addresses and the tax number, without which there are no documents. */
export async function completeDocuments(company: TestCompany): Promise<void> {
  await changeProfile(company.companyId, { address: ADDRESS, taxId: 'DE123456789' }, null);
  await makeCustomer(company, { name: CUSTOMER, address: ADDRESS });
}
