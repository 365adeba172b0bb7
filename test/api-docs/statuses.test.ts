// Every documented status of every operation occurs here. The client checks each answer against the
// document, as in all tests.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { buildDocument } from '../../src/api-docs/document.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { type Json, type RequestOptions, send } from '../support/client.js';
import { addKey, invoiceRequest, makeCompany, receive } from '../support/factories.js';
import { inBothModes, openForTests } from '../support/suite.js';
import {
  customerDelete,
  customerPosts,
  customerReads,
  customerUpdate,
  makeCustomers,
} from './customer-endpoints.js';
import { completeDocuments, documentReads, emailPost, emailReads } from './document-endpoints.js';
import { ledgerReads, ledgerWrites, openBooks, refusedLedgerWrite } from './ledger-endpoints.js';
import { callWebhooks } from './webhook-endpoints.js';

const paths: Json = buildDocument(undefined).paths;
/** 304, defects and outages have their own tests. */
const NOT_HERE = ['304', '500', '503'];
const delivery = { reason: 'received', items: [{ name: 'Pump', delta: 1 }] };

export type Call = (endpoint: Endpoint, options?: RequestOptions, suffix?: string) => Promise<void>;

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly template: string;
  readonly path: string;
  readonly body?: Json;
}

const EVENT = { method: 'GET', template: '/events/{sequence}' } as const;
const EVENT_READS: readonly Endpoint[] = [
  { method: 'GET', template: '/events', path: '/events' },
  { ...EVENT, path: '/events/1' },
];

const STATEMENT = { method: 'GET', template: '/statements' } as const;

inBothModes('the statuses of the OpenAPI document', stack => {
  before(() => openForTests(stack().databaseUrl, 2));
  after(closeDatabase);

  it('all occur, and no others', async () => {
    const company = await makeCompany(stack());
    const [pump = ''] = await receive(company, { name: 'Pump', delta: 1 });
    const { body: invoice } = await company.post('/invoices', invoiceRequest());
    const { body: job } = await company.post('/invoices', invoiceRequest(), {
      headers: { prefer: 'respond-async' },
    });
    const { key: powerless } = await addKey(stack(), company.companyId, []);
    const poor = await makeCompany(stack(), { rateLimit: 1 });
    await poor.get('/summary');

    const met = new Set<string>();
    const call = async (
      { method, template, path, body }: Endpoint,
      options: RequestOptions = {},
      suffix = '',
    ) => {
      const json = method !== 'GET' && options.raw === undefined ? { json: body } : {};
      const more = path.includes('?') ? suffix.replace('?', '&') : suffix;
      const url = `/api/external${path}${more}`;
      const { status } = await send(stack().baseUrl, method, url, {
        key: company.key,
        ...json,
        ...options,
      });
      met.add(`${method} ${template} ${status}`);
    };

    const reads: Endpoint[] = [
      { method: 'GET', template: '/summary', path: '/summary' },
      { method: 'GET', template: '/invoices', path: '/invoices' },
      { method: 'GET', template: '/invoices/{id}', path: `/invoices/${invoice.id}` },
      { method: 'GET', template: '/inventory', path: '/inventory' },
      { method: 'GET', template: '/inventory/{id}', path: `/inventory/${pump}` },
      {
        method: 'GET',
        template: '/inventory/{id}/movements',
        path: `/inventory/${pump}/movements`,
      },
      { method: 'GET', template: '/jobs/{id}', path: `/jobs/${job.id}` },
      { method: 'GET', template: '/openapi.json', path: '/openapi.json' },
      {
        ...STATEMENT,
        path: `/statements?customerName=${encodeURIComponent(invoice.customerName)}`,
      },
      { method: 'GET', template: '/receivables', path: '/receivables' },
      ...EVENT_READS,
    ];
    const writes: Endpoint[] = [
      { method: 'POST', template: '/invoices', path: '/invoices', body: invoiceRequest() },
      {
        method: 'POST',
        template: '/inventory/adjustments',
        path: '/inventory/adjustments',
        body: delivery,
      },
    ];
    const batch: Endpoint = {
      method: 'POST',
      template: '/invoices/batch',
      path: '/invoices/batch',
      body: { invoices: [invoiceRequest()] },
    };
    const update: Endpoint = {
      method: 'PATCH',
      template: '/inventory/{id}',
      path: `/inventory/${pump}`,
      body: { unit: 'pc' },
    };
    const books = await openBooks(company);
    const customers = await makeCustomers(company, books.invoice);
    const documents = await documentReads(company);
    reads.push(...ledgerReads(books), ...customerReads(customers), ...documents);
    const ledger = ledgerWrites(books);
    const posts = customerPosts(customers);
    const updates = [update, customerUpdate(customers)];
    const remove = customerDelete(customers);
    const callAsUsual = async (endpoint: Endpoint) => {
      await call(endpoint);
      await call(endpoint, {}, '?colour=red');
      await call(endpoint, { headers: { accept: 'text/html' } });
      if (endpoint.template === '/openapi.json') return;
      await call(endpoint, { headers: { authorization: 'Bearer other' } });
      await call(endpoint, { headers: { 'x-api-key': '' } });
      await call(endpoint, { key: powerless });
      await call(endpoint, { key: poor.key });
    };
    const email = emailPost(invoice);
    posts.push(email);
    for (const endpoint of [...reads, ...writes, batch, ...updates, ...ledger, ...posts, remove])
      await callAsUsual(endpoint);
    await completeDocuments(company);
    for (const endpoint of documents) await call(endpoint);
    const emails = emailReads((await company.post(email.path, email.body)).body);
    for (const endpoint of emails) await callAsUsual(endpoint);
    for (const endpoint of [...reads, ...emails]) {
      if (endpoint.template.includes('{id}'))
        await call({ ...endpoint, path: endpoint.template.replace('{id}', uuidv7()) });
    }
    await call({ ...STATEMENT, path: '/statements?customerName=Stranger' });
    await call({ ...EVENT, path: '/events/999999' });
    for (const endpoint of updates) {
      await call({ ...endpoint, path: endpoint.template.replace('{id}', uuidv7()) });
      // Neither an item with stock nor a customer who owes something can be archived.
      await call({ ...endpoint, body: { archived: true } });
      await call({ ...endpoint, body: { name: 1 } });
      await call(endpoint, { headers: { 'if-match': '"other"' } });
      await call(endpoint, { raw: Buffer.alloc(513 * 1024, ' ') });
      await call(endpoint, { raw: '{}', headers: { 'content-type': 'text/plain' } });
    }
    // A customer with invoices cannot be deleted; the other one has been.
    await call({ ...remove, path: `/customers/${customers.owing.id}` });
    await call(remove);
    for (const endpoint of [...writes, batch, ...ledger, ...posts]) {
      await call(endpoint, { headers: { prefer: 'respond-async' } });
      await call(endpoint, { raw: '{' });
      await call(endpoint, { raw: Buffer.alloc(513 * 1024, ' ') });
      await call(endpoint, {
        raw: 'a=1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      await call({ ...endpoint, body: { colour: 'red' } });
      await call(endpoint, { headers: { 'idempotency-key': endpoint.template } });
      await call(
        { ...endpoint, body: { ...endpoint.body, reference: 'other' } },
        { headers: { 'idempotency-key': endpoint.template } },
      );
      await call(endpoint, { headers: { 'idempotency-key': endpoint.template } });
    }
    await call({
      ...writes[0],
      body: invoiceRequest({ items: [{ name: 'Pump', qty: 999, price: 1 }] }),
    } as Endpoint);
    const conflict = {
      reason: 'correction',
      items: [{ name: 'Pump', delta: 1, expectedOnHand: 999 }],
    };
    await call({ ...writes[1], body: conflict } as Endpoint);

    for (const endpoint of [...ledger, ...posts]) {
      if (endpoint.template.includes('{id}'))
        await call({ ...endpoint, path: endpoint.template.replace('{id}', uuidv7()) });
      await call({ ...endpoint, ...refusedLedgerWrite(endpoint, books) });
    }

    // As if the first events had expired.
    await stack().sql('DELETE FROM feed WHERE company_id = $1 AND first_sequence < 4', [
      company.companyId,
    ]);
    for (const endpoint of EVENT_READS) await call(endpoint, {}, '');
    await call({ method: 'GET', template: '/events', path: '/events?after=0' });

    await callWebhooks(stack(), company, call, callAsUsual);

    const documented = Object.entries<Json>(paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).flatMap(([method, { responses }]) =>
        Object.keys(responses)
          .filter(status => !NOT_HERE.includes(status))
          .map(status => `${method.toUpperCase()} ${path} ${status}`),
      ),
    );
    // Two lists of hundreds of lines would hide what differs.
    expect([...met].filter(status => !documented.includes(status))).to.be.empty;
    expect(documented.filter(status => !met.has(status))).to.be.empty;
  });

  it('apply to jobs of both kinds, succeeded and refused', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pump', delta: 1 });
    const tooMany = { ...delivery, reason: 'lost', items: [{ name: 'Pump', delta: -9 }] };
    const submitted = await Promise.all([
      company.post('/invoices', invoiceRequest(), { headers: { 'idempotency-key': 'a' } }),
      company.post('/inventory/adjustments', delivery, { headers: { 'idempotency-key': 'b' } }),
      company.post('/inventory/adjustments', tooMany, { headers: { 'idempotency-key': 'c' } }),
    ]);
    expect(submitted.map(({ status }) => status)).to.deep.equal([201, 201, 409]);
    const rows = await stack().sql<{ id: string }>('SELECT id FROM jobs WHERE company_id = $1', [
      company.companyId,
    ]);
    const jobs = await Promise.all(rows.map(({ id }) => company.get(`/jobs/${id}`)));
    expect(jobs.map(({ body }) => `${body.type} ${body.status}`)).to.have.members([
      'inventory.adjust succeeded',
      'inventory.adjust succeeded',
      'inventory.adjust failed',
      'invoice.create succeeded',
    ]);
  });
});
