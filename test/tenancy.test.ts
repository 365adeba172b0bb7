// Every route of the API, called with one company's key for another company's records. The routes
// come from the route table, their parameters and fields from the OpenAPI document. A new one is
// therefore tested too; if this file has no value for it, the test fails with a message.

import { expect } from 'chai';
import { v4 as uuidv4 } from 'uuid';
import { buildDocument } from '../src/api-docs/document.js';
import { apiSlices } from '../src/app.js';
import type { Submitter } from '../src/jobs/submit/submitter.js';
import type { Cursors } from '../src/platform/http/pagination.js';
import { type Json, type Response, send } from './support/client.js';
import { today } from './support/days.js';
import { addKey, makeCompany, receive, type TestCompany } from './support/factories.js';
import { until } from './support/processes.js';
import { describeMode, type Stack } from './support/suite.js';
import { makeEndpoint } from './support/webhooks.js';

const API = '/api/external';
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu;
const document: Json = buildDocument(undefined);

interface Route {
  readonly method: string;
  /** In the router's form: /invoices/:id. */
  readonly path: string;
  readonly operation: Json;
}

const routes: Route[] = apiSlices({} as Submitter, {} as Cursors).flatMap(router =>
  router.stack.flatMap(({ path, methods }) =>
    methods.map(method => {
      const item = document.paths[String(path).replaceAll(/:(\w+)/gu, '{$1}')];
      return {
        method,
        path: String(path),
        operation: item?.[method === 'HEAD' ? 'get' : method.toLowerCase()],
      };
    }),
  ),
);

/** A company's values, which no other company uses. */
interface Words {
  readonly name: string;
  readonly sku: string;
  readonly customerName: string;
  readonly reference: string;
  readonly itemId: string;
  readonly invoiceId: string;
  readonly paymentId: string;
  readonly creditNoteId: string;
  readonly customerId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly customerNumber: string;
  readonly taxId: string;
  readonly idempotencyKey: string;
  /** The key of a write that is not queued. */
  readonly directKey: string;
}

const wordsOf = (mark: string, ids: Partial<Words> = {}): Words => ({
  name: `Pump ${mark}`,
  sku: `SKU-${mark}`,
  customerName: `Customer ${mark}`,
  reference: `REF-${mark}`,
  customerNumber: `C-${mark}`,
  taxId: `DE${mark.toUpperCase()}`,
  idempotencyKey: `order-${mark}`,
  directKey: `customer-${mark}`,
  itemId: uuidv4(),
  invoiceId: uuidv4(),
  paymentId: uuidv4(),
  creditNoteId: uuidv4(),
  customerId: uuidv4(),
  endpointId: uuidv4(),
  url: `https://hooks.example/${mark}`,
  ...ids,
});

/** Endpoints whose body is an object with rows of several records. */
const REPORTS = ['/statements', '/receivables'];

/** A query parameter's value from another company's words; undefined for an unused parameter. */
function foreignValue(
  path: string,
  parameter: string,
  words: Words,
  cursor: string,
): string | undefined {
  const isCustomers = path === '/customers';
  const values: Record<string, string> = {
    limit: '1000',
    after: '0',
    types: '*',
    wait: '0',
    cursor,
    from: '1900-01-01',
    to: '2100-12-31',
    customerName: words.customerName,
    customerId: words.customerId,
    reference: words.reference,
    orderReference: words.reference,
    number: isCustomers ? 'C-00001' : 'INV-000001',
    status: path === '/emails' ? 'sent' : 'open',
    documentId: words.invoiceId,
    overdue: '1',
    dueFrom: '1900-01-01',
    dueTo: '2100-12-31',
    low: '1',
    archived: '1',
    q: isCustomers ? words.customerName : words.name,
    sku: words.sku,
    name: isCustomers ? words.customerName : words.name,
    invoiceId: words.invoiceId,
    externalId: words.reference,
    unallocated: '1',
    taxId: words.taxId,
    hold: '1',
    updatedSince: '1900-01-01T00:00:00Z',
  };
  return values[parameter];
}

/** Bodies of each write with these words. Every field of the write's schema is in one of them. */
const BODIES: Record<string, (words: Words) => Json[]> = {
  'POST /invoices': ({ name, sku, customerName, customerId, customerNumber, reference }) => [
    { customerName, date: '2026-11-20', reference, items: [{ name, qty: 1, price: 1 }] },
    { customerId, date: '2026-11-20', ignoreCredit: true, items: [{ name, qty: 1, price: 1 }] },
    { customerName, date: '2026-11-20', items: [{ name, sku, qty: 1, price: 1 }] },
    invoiceWithEveryField(customerName, reference, name),
    { customerNumber, date: '2026-11-20', items: [{ name, qty: 1, price: 1 }] },
    { customerName, date: '2026-11-20', send: true, items: [{ name, qty: 1, price: 1 }] },
  ],
  'POST /invoices/batch': ({ name, sku, customerName, customerId, customerNumber, reference }) => [
    {
      invoices: [
        invoiceWithEveryField(customerName, reference, name),
        { customerId, date: '2026-11-20', ignoreCredit: true, items: [{ name, qty: 1, price: 1 }] },
        { customerName, date: '2026-11-20', items: [{ name, sku, qty: 1, price: 1 }] },
        { customerNumber, date: '2026-11-20', items: [{ name, qty: 1, price: 1 }] },
        { customerName, date: '2026-11-20', send: true, items: [{ name, qty: 1, price: 1 }] },
      ],
    },
  ],
  'PATCH /inventory/:id': ({ name, sku }) => [
    {
      name,
      sku,
      unit: 'pc',
      reorderPoint: 1,
      unitCost: 1,
      unitPrice: 1,
      archived: false,
    },
  ],
  'POST /inventory/adjustments': ({ name, sku, itemId, reference }) => {
    const details = { expectedOnHand: 7, reorderPoint: 3, unitCost: 9, unitPrice: 9, unit: 'box' };
    const refs = [{ name }, { sku, name: `${name} too` }, { sku }, { itemId }];
    return ['lost', 'correction', 'count'].flatMap(reason =>
      refs.map((ref, at) => {
        const change = reason === 'count' ? { count: 0 } : { delta: -1 };
        return {
          reason,
          reference,
          note: 'x',
          items: [{ ...ref, ...change, ...(at % 2 ? details : {}) }],
        };
      }),
    );
  },
};

/** Bodies of the ledger's writes. */
const DATED = { date: '2026-11-24' };
Object.assign(BODIES, {
  'POST /payments': ({ customerName, customerId, customerNumber, reference, invoiceId }) => [
    { ...DATED, amount: 1, customerName, reference, note: reference },
    { ...DATED, amount: 1, customerId },
    { ...DATED, amount: 1, customerNumber },
    {
      ...DATED,
      amount: 1,
      method: 'cash',
      externalId: uuidv4(),
      invoices: [{ invoiceId, amount: 1 }, { number: 'INV-999999' }],
    },
  ],
  'POST /payments/:id/reversal': ({ reference }) => [{ ...DATED, reason: reference }],
  'POST /allocations': ({ paymentId, creditNoteId, invoiceId }) => [
    { paymentId, invoices: [{ invoiceId, amount: 1 }], ...DATED },
    { creditNoteId, invoices: [{ number: 'INV-999999' }] },
  ],
  'POST /refunds': ({ paymentId, creditNoteId, reference }) => [
    {
      ...DATED,
      paymentId,
      amount: 1,
      method: 'cash',
      reference,
      note: reference,
      externalId: reference,
    },
    { ...DATED, creditNoteId, amount: 1 },
  ],
  'POST /credit-notes': ({ invoiceId, reference }) => [
    {
      ...DATED,
      invoiceId,
      reason: 'price',
      restock: false,
      reference,
      note: reference,
      items: [
        { line: 1, qty: 1, restock: true },
        { line: 1, amount: 1 },
      ],
    },
  ],
  'POST /invoices/:id/void': ({ reference }) => [
    { ...DATED, restock: false, reason: reference, note: reference },
  ],
} satisfies typeof BODIES);

/** Bodies of the e-mails of documents. */
const EMAIL = { to: ['a@b.example'], cc: ['c@b.example'], subject: 'x', message: 'x' };
Object.assign(BODIES, {
  'POST /emails': ({ invoiceId, creditNoteId }) => [
    { ...EMAIL, invoiceId, attach: ['pdf', 'ubl'] },
    { ...EMAIL, creditNoteId },
  ],
} satisfies typeof BODIES);

/** Bodies of the writes of customers. */
Object.assign(BODIES, {
  'POST /customers': words => [customerWithEveryField(words), { name: words.name }],
  'POST /customers/batch': words => [
    { customers: [customerWithEveryField(words), { name: words.sku }], onExisting: 'update' },
  ],
  'PATCH /customers/:id': words => [{ ...customerWithEveryField(words), archived: false }],
  'DELETE /customers/:id': () => [undefined],
  'POST /customers/:id/merge': ({ customerId }) => [{ customerId }],
} satisfies typeof BODIES);

/** Bodies of the writes of webhooks, which need none where they have no fields. */
Object.assign(BODIES, {
  'POST /webhook-endpoints': ({ url, reference }) => [
    { url, types: ['*'], description: reference, ordered: true, after: 0 },
  ],
  'PATCH /webhook-endpoints/:id': ({ url, reference }) => [
    { url, types: ['*'], description: reference, ordered: true, after: 0, status: 'paused' },
  ],
  'DELETE /webhook-endpoints/:id': () => [undefined],
  'POST /webhook-endpoints/:id/rotate-secret': () => [{ overlapHours: 0 }],
  'POST /webhook-endpoints/:id/test': () => [{ type: 'invoice.created' }],
  'POST /webhook-endpoints/:id/redeliver': () => [
    { sequences: [1] },
    { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', only: 'all' },
  ],
  'POST /webhook-endpoints/:id/deliveries/:sequence/redeliver': () => [{}],
  'POST /webhook-endpoints/:id/deliveries/:sequence/skip': () => [{}],
} satisfies typeof BODIES);

function customerWithEveryField({ customerName, reference, taxId }: Words): Json {
  const [line1, line2, line3, city, region] = ['1', '2', '3', '4', '5'];
  const address = { line1, line2, line3, city, postalCode: '1', region, country: 'DE' };
  return {
    ...{ name: customerName, number: reference, externalId: reference, taxId },
    ...{ legalName: customerName, aliases: [`${customerName} too`], note: reference },
    ...{ email: 'a@b.example', emailCc: ['c@b.example'], phone: '1', contactName: reference },
    ...{ address, deliveryAddress: address, registrationId: reference },
    ...{ electronicAddress: { scheme: '0088', id: reference }, buyerReference: reference },
    ...{ language: 'de', termsDays: 1, tax: { rate: 0, category: 'E', reason: reference } },
    ...{ creditLimit: 1_000, hold: false, currency: 'USD' },
  };
}

/** Two records of the company, with its words. Resolves to the id of the first one. */
async function makeRecords(
  company: TestCompany,
  { customerName, reference, taxId, directKey }: Words,
): Promise<string> {
  const headers = { 'idempotency-key': directKey };
  const record = { name: customerName, externalId: reference, taxId };
  const first = await company.post('/customers', record, { headers });
  const second = await company.post('/customers', { name: `${customerName} 2`, hold: true });
  expect([first.status, second.status]).to.deep.equal([201, 201]);
  return first.body.id;
}

/** Two payments, credit notes and refunds of the company, with its words. */
async function keepBooks(
  company: TestCompany,
  { customerName, reference }: Words,
  invoiceId: string,
): Promise<Partial<Words>> {
  const post = async (path: string, body: object) => {
    const response = await company.post(path, { ...DATED, reference, ...body });
    expect(response.status, response.text).to.equal(201);
    return response.body.id;
  };
  await post('/payments', { amount: 1, customerName });
  const paymentId = await post('/payments', { amount: 9, customerName, externalId: reference });
  const note = { invoiceId, reason: 'price', items: [{ line: 1, amount: 0.1 }] };
  const creditNoteId = await post('/credit-notes', note);
  await post('/credit-notes', note);
  for (const amount of [1, 2]) await post('/refunds', { paymentId, amount });
  return { invoiceId, paymentId, creditNoteId };
}

/** Two e-mails of an invoice of the company. Resolves to the id of the first one. */
async function keepEmails(
  { sql }: Stack,
  { companyId }: TestCompany,
  invoiceId: string,
): Promise<string> {
  const ids = [uuidv4(), uuidv4()];
  await sql(
    `INSERT INTO emails (company_id, id, document_type, document_id, document_number, recipients,
       subject, message, attach, status, created_at, sent_at, due_at)
     SELECT $1, id, 'invoice', $3, 'INV-000001', '{"to":["a@b.example"],"cc":[]}', 'x', 'x',
       '["pdf"]', 'sent', now(), now(), NULL
     FROM unnest($2::uuid[]) AS id`,
    [companyId, ids, invoiceId],
  );
  return ids[0] ?? '';
}

function invoiceWithEveryField(customerName: string, reference: string, name: string): Json {
  const [percent, amount] = [{ percent: 5 }, { amount: 0.01, reason: reference }];
  const [dueDate, deliveryDate] = ['2026-12-20', '2026-11-24'];
  return {
    customerName,
    date: '2026-11-20',
    reference,
    dueDate,
    deliveryDate,
    discount: amount,
    orderReference: reference,
    note: reference,
    taxReason: reference,
    items: [{ name, qty: 1, price: 1, discount: percent, taxRate: 0, taxCategory: 'E' }],
  };
}

describeMode('postgres', 'every route', stack => {
  let theirs: TestCompany;
  let mine: TestCompany;
  let their: Words;
  let unused: Words;
  /** Every id and word of the other company. */
  let secrets: string[];
  let invoiceId: string;
  let jobId: string;
  let emailId: string;
  const cursors = new Map<string, string>();

  before(async () => {
    theirs = await makeCompany(stack());
    mine = await makeCompany(stack());
    const mark = uuidv4().slice(0, 8);
    const draft = wordsOf(mark);
    const [itemId = ''] = await receive(
      theirs,
      { name: draft.name, sku: draft.sku, delta: 7 },
      { name: `Rod ${mark}`, delta: 1 },
    );
    unused = wordsOf(uuidv4().slice(0, 8));
    const [invoice] = BODIES['POST /invoices']?.(draft) ?? [];
    const headers = { 'idempotency-key': draft.idempotencyKey };
    const { body } = await theirs.post('/invoices', invoice, { headers });
    const { body: job } = await theirs.post('/invoices', invoice, {
      headers: { prefer: 'respond-async' },
    });
    [invoiceId, jobId] = [body.id, job.id];
    const customerId = await makeRecords(theirs, draft);
    const books = await keepBooks(theirs, draft, invoiceId);
    const { id: endpointId } = await makeEndpoint(theirs, draft.url);
    // A worker would change its row.
    await stack().sql(
      "UPDATE webhook_endpoints SET status = 'paused', due_at = NULL WHERE id = $1",
      [endpointId],
    );
    their = wordsOf(mark, { itemId, customerId, endpointId, ...books });
    emailId = await keepEmails(stack(), theirs, invoiceId);
    const lists = ['/invoices', '/emails', '/inventory', '/payments', '/refunds', '/credit-notes'];
    for (const list of [...lists, '/customers']) {
      await until(`two pages of ${list}`, async () => {
        const link = String((await theirs.get(`${list}?limit=1`)).headers.link ?? '');
        cursors.set(
          list,
          new URL(/<([^>]*)>/u.exec(link)?.[1] ?? 'x:/', 'http://any').searchParams.get('cursor') ??
            '',
        );
        return cursors.get(list) !== '';
      });
    }
    await until('the summary is current', async () => {
      const behind = await stack().sql(
        `SELECT 1
         FROM companies
         LEFT JOIN summaries ON summaries.company_id = companies.id
         WHERE companies.id = $1
           AND (summaries.watermark, summaries.stock_version)
             IS DISTINCT FROM (companies.next_invoice_number - 1, companies.stock_version)
         UNION ALL
         SELECT 1 FROM jobs WHERE company_id = $1 AND status = 'queued'`,
        [theirs.companyId],
      );
      return behind.length === 0;
    });
    const rows = JSON.stringify(await rowsOf(stack(), theirs.companyId));
    const ids = rows.match(UUID) ?? [];
    secrets = [...new Set(ids), mark];
    expect(secrets).to.include.members([theirs.companyId, theirs.keyId, itemId, invoiceId, jobId]);
    expect(secrets).to.include(customerId);
  });

  /**
   * Sends a request with my key. The answer must not have a secret that the request did not have.
   */
  const ask = async (
    method: string,
    path: string,
    json?: Json,
    headers: Record<string, string> = {},
  ) => {
    const all = { 'x-request-id': 'same', ...headers };
    const options = { key: mine.key, headers: all, ...(json === undefined ? {} : { json }) };
    const answer = await send(stack().baseUrl, method, `${API}${path}`, options);
    const sent = `${decodeURIComponent(path)}${JSON.stringify(json ?? '')}`;
    const leaked = secrets.filter(secret => answer.text.includes(secret) && !sent.includes(secret));
    expect(leaked, `${method} ${path} ${answer.text}`).to.deep.equal([]);
    return answer;
  };
  /** An answer without the words of the request, to compare answers to different words. */
  const bare = ({ status, headers, text }: Response, words: object) => {
    const { date: _date, etag: _etag, ...rest } = headers;
    const same = Object.entries(rest).filter(([name]) => !/ratelimit|content-length/u.test(name));
    const body = Object.values(words)
      .reduce((all: string, word: string) => all.replaceAll(word, '…'), text)
      .replaceAll(UUID, '…');
    return { status, headers: Object.fromEntries(same), body };
  };
  const ownPath = ({ path }: Route): string => {
    const ids: Record<string, string> = {
      '/events/:sequence': '1',
      '/invoices/:id': invoiceId,
      '/jobs/:id': jobId,
      '/emails/:id': emailId,
      '/inventory/:id': their.itemId,
      '/inventory/:id/movements': their.itemId,
      '/invoices/:id/entries': invoiceId,
      '/invoices/:id/void': invoiceId,
      '/payments/:id': their.paymentId,
      '/payments/:id/reversal': their.paymentId,
      '/refunds/:id': their.paymentId,
      '/credit-notes/:id': their.creditNoteId,
      '/customers/:id': their.customerId,
      '/customers/:id/merge': their.customerId,
      '/webhook-endpoints/:id': their.endpointId,
    };
    const document = path.replace(/\/(?:pdf|ubl|cii|delivery-note)$/u, '');
    const parent = path.replace(/^(\/webhook-endpoints\/:id).*/u, '$1');
    const id = ids[path] ?? ids[document] ?? ids[parent];
    if (path.includes(':') && id === undefined) throw new Error(`add an id for ${path}`);
    return pathWith(path, id ?? '');
  };

  it('is in the OpenAPI document, with a parameter for each part of its path', () => {
    expect(routes).to.have.length.above(8);
    for (const { method, path, operation } of routes) {
      expect(operation, `${method} ${path}`).to.be.an('object');
      const ids = path.match(/:(?!sequence)\w+/gu) ?? [];
      expect(ids, 'this file asks for one id a path').to.have.length.below(2);
    }
  });

  it('requires a key before anything else', async () => {
    for (const route of routes) {
      const { status, body } = await send(stack().baseUrl, route.method, `${API}${ownPath(route)}`);
      expect(status, `${route.method} ${route.path}`).to.equal(401);
      if (route.method !== 'HEAD') expect(body.code).to.equal('missing_api_key');
    }
  });

  it('refuses a key without its scope and names that scope', async () => {
    const { key } = await addKey(stack(), theirs.companyId, []);
    for (const route of routes) {
      const { status, body } = await send(
        stack().baseUrl,
        route.method,
        `${API}${ownPath(route)}`,
        { key },
      );
      expect(status, `${route.method} ${route.path}`).to.equal(403);
      if (route.method === 'HEAD') continue;
      expect(body.code).to.equal('insufficient_scope');
      const documented = route.operation.security.flatMap((one: Record<string, string[]>) =>
        Object.values(one).flat(),
      );
      expect(documented, `${route.method} ${route.path}`).to.include(body.requiredScope);
    }
  });

  it("answers another company's id like one that does not exist", async () => {
    const uuids = secrets.filter(secret => secret.length === 36);
    const withId = routes.filter(({ path }) => path.includes(':'));
    expect(withId).to.have.length.above(3);
    for (const { method, path } of withId) {
      const missing = uuidv4();
      const body =
        method === 'GET' || method === 'HEAD'
          ? undefined
          : BODIES[`${method} ${path}`]?.(unused)[0];
      const at = (id: string) => ask(method, pathWith(path, id), body);
      const expected = bare(await at(missing), { missing });
      expect(expected.status, `${method} ${path}`).to.equal(404);
      for (const id of uuids)
        expect(bare(await at(id), { id }), `${method} ${path} ${id}`).to.deep.equal(expected);
    }
  });

  it("shows no other company's record for any parameter", async () => {
    for (const { method, path, operation } of routes) {
      if (path.includes(':') || method === 'POST' || REPORTS.includes(path)) continue;
      expect(await ask(method, path)).to.include({ status: 200 });
      const named = (operation.parameters ?? []).map((one: Json) =>
        one.$ref ? document.components.parameters[one.$ref.split('/').at(-1)] : one,
      );
      for (const { name } of named.filter((one: Json) => one.in === 'query')) {
        const value = foreignValue(path, name, their, cursors.get(path) ?? '');
        if (value === undefined) throw new Error(`add a value for ${name} of ${method} ${path}`);
        const answer = await ask(method, `${path}?${new URLSearchParams({ [name]: value })}`);
        if (name === 'cursor')
          expect([answer.status, method === 'HEAD' || answer.body.code]).to.deep.equal([
            400,
            method === 'HEAD' || 'invalid_cursor',
          ]);
        else
          expect(
            [answer.status, method === 'HEAD' || (answer.body.events ?? answer.body)],
            `${method} ${path} ${name}`,
          ).to.deep.equal([200, method === 'HEAD' || []]);
      }
    }
  });

  it("shows no other company's customer in a statement or in receivables", async () => {
    for (const { method, path } of routes.filter(each => REPORTS.includes(each.path))) {
      const queries = [
        { customerName: their.customerName },
        ...secrets.filter(secret => secret.length === 36).map(customerId => ({ customerId })),
      ];
      for (const query of queries) {
        if (path === '/receivables' && 'customerName' in query) continue;
        const answer = await ask(method, `${path}?${new URLSearchParams(query)}`);
        expect(answer.status).to.equal(path === '/receivables' ? 200 : 404);
        if (method === 'GET' && answer.status === 200)
          expect(answer.body.customers).to.deep.equal([]);
      }
      for (const format of ['json', 'csv'])
        await ask(method, `${path}?format=${format}&customerName=${their.customerName}`);
    }
  });

  it("neither writes nor reveals another company's record, whatever the body names", async () => {
    // The scheduler's own rows change until it has caught up.
    await until('their summary, tax totals and audit are current', async () => {
      const rows = await stack().sql(
        `SELECT
         FROM companies c
         JOIN summaries s ON s.company_id = c.id
         JOIN tax_progress t ON t.company_id = c.id
         JOIN audits a ON a.company_id = c.id
         WHERE c.id = $1
           AND s.stock_version = c.stock_version
           AND a.stock_version = c.stock_version
           AND c.next_invoice_number - 1
             = ALL (ARRAY[s.watermark, s.texts_number, t.watermark, a.number])
           AND c.next_entry_sequence - 1
             = ALL (ARRAY[
               s.entry_sequence, s.credit_sequence, s.texts_sequence,
               t.entry_sequence, a.entry_sequence, a.credit_sequence
             ])`,
        [theirs.companyId],
      );
      return rows.length === 1;
    });
    const before = await rowsOf(stack(), theirs.companyId);
    const writes = routes.filter(({ method }) => !['GET', 'HEAD'].includes(method));
    expect(writes).to.have.length.above(1);
    for (const { method, path, operation } of writes) {
      const bodies = BODIES[`${method} ${path}`];
      if (!bodies) throw new Error(`add bodies for ${method} ${path}`);
      const { schema = {} } = operation.requestBody?.content['application/json'] ?? {};
      const missed = fieldsOf(schema).filter(
        field => !bodies(their).some((body: Json) => fieldsIn(body).has(field)),
      );
      expect(missed, `fields of ${method} ${path} that no body of this test has`).to.deep.equal([]);
      const isCustomers = path.startsWith('/customers');
      const isWebhooks = path.startsWith('/webhook-endpoints');
      const at = ({ customerId, endpointId, itemId }: Words) =>
        pathWith(path, isCustomers ? customerId : isWebhooks ? endpointId : itemId);
      for (const [index, body] of bodies(their).entries()) {
        const foreign = await ask(method, at(their), body);
        const missing = await ask(method, at(unused), bodies(unused)[index]);
        expect(foreign.status, foreign.text).to.equal(missing.status);
        if (![200, 201].includes(foreign.status))
          expect(bare(foreign, their)).to.deep.equal(bare(missing, unused));
      }
      if (method !== 'POST') continue;
      const replay = await ask(method, path, bodies(their)[0], {
        'idempotency-key': isCustomers ? their.directKey : their.idempotencyKey,
      });
      expect(replay.headers).not.to.have.any.keys('idempotency-replayed');
    }
    expect(await rowsOf(stack(), theirs.companyId)).to.deep.equal(before);
  });

  it('answers each company with its own records even if their look-ups are batched', async () => {
    const rounds = Array.from({ length: 40 }, () => [theirs, mine]).flat();
    const invoices = await Promise.all(
      rounds.map(company => company.get(`/invoices/${invoiceId}`)),
    );
    expect(invoices.map(({ status }) => status)).to.deep.equal(
      rounds.map(company => (company === theirs ? 200 : 404)),
    );
    const date = today();
    await theirs.post('/invoices', {
      customerName: 'Theirs alone',
      date,
      items: [{ name: 'Delivery', qty: 1, price: 1 }],
    });
    await until('their summary includes it', async () =>
      (await theirs.get('/summary')).text.includes('Theirs alone'),
    );
    const summaries = await Promise.all(rounds.map(company => company.get('/summary')));
    expect(summaries.map(({ text }) => text.includes('Theirs alone'))).to.deep.equal(
      rounds.map(company => company === theirs),
    );
  });

  it('limits an unused time zone’s error to its own company', async () => {
    const [broken, healthy] = [await makeCompany(stack()), await makeCompany(stack())];
    const setZone = (zone: string) =>
      stack().sql('UPDATE companies SET time_zone = $2 WHERE id = $1', [broken.companyId, zone]);
    expect((await broken.get('/summary')).status).to.equal(200);
    await setZone('Nowhere/Else');
    try {
      await until('the summary fails', async () => (await broken.get('/summary')).status === 500);
      const rounds = Array.from({ length: 20 }, () => [broken, healthy]).flat();
      const answers = await Promise.all(rounds.map(company => company.get('/summary')));
      expect(answers.map(({ status }) => status)).to.deep.equal(
        rounds.map(company => (company === healthy ? 200 : 500)),
      );
    } finally {
      await setZone('UTC');
    }
  });
});

/** The path with the id, and the sequence 1 where it has one below the id. */
function pathWith(path: string, id: string): string {
  return path.replace(/:\w+/u, id).replace(':sequence', '1');
}

/** A company's rows in every table, without the columns that change with time. */
async function rowsOf(stack: Stack, companyId: string): Promise<Record<string, string[]>> {
  const tables = await stack.sql<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'company_id' ORDER BY 1`,
  );
  expect(tables).to.have.length.above(8);
  const found: Record<string, string[]> = {};
  for (const [name, column] of [
    ['companies', 'id'],
    ...tables.map(table => [table.name, 'company_id']),
  ]) {
    const rows = await stack.sql<{ row: string }>(
      `SELECT (to_jsonb(t) - '{last_used_at,body,computed_at,day}'::text[])::text AS row
       FROM ${name} t
       WHERE ${column} = $1
       ORDER BY 1`,
      [companyId],
    );
    found[String(name)] = rows.map(({ row }) => row);
  }
  return found;
}

/** A schema's field names, at any depth. */
function fieldsOf(schema: Json): string[] {
  const followed = schema.$ref
    ? document.components.schemas[schema.$ref.split('/').at(-1)]
    : schema;
  const parts = [
    ...[...(followed.allOf ?? []), ...(followed.anyOf ?? [])],
    ...(followed.items ? [followed.items] : []),
  ];
  return [
    ...Object.entries<Json>(followed.properties ?? {}).flatMap(([name, inner]) => [
      name,
      ...fieldsOf(inner),
    ]),
    ...parts.flatMap(fieldsOf),
  ];
}

function fieldsIn(body: Json): Set<string> {
  if (typeof body !== 'object' || body === null) return new Set();
  const names = Array.isArray(body) ? [] : Object.keys(body);
  return new Set([...names, ...Object.values(body).flatMap(inner => [...fieldsIn(inner)])]);
}
