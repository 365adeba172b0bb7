// A company with records of each kind, whose texts are all as long as permitted: hard to lay out.

import type Joi from 'joi';
import { MAX_KEY_NAME } from '../../src/api-keys/service.js';
import { customerRequest } from '../../src/customers/schema.js';
import { adjustmentRequest } from '../../src/inventory/schema.js';
import { invoiceRequest } from '../../src/invoices/schema.js';
import {
  creditNoteRequest,
  paymentRequest,
  refundRequest,
  reversalRequest,
  voidRequest,
} from '../../src/ledger/schema.js';
import { MAX_USER_NAME } from '../../src/users/model.js';
import type { Json, Response } from './client.js';
import { Browser, makeSession, makeUser } from './dashboard.js';
import { today } from './days.js';
import { addKey, changeCompany, makeCompany, type TestCompany } from './factories.js';
import { fieldsOf } from './html.js';
import { CUSTOMERS, importFile, uploadFile } from './imports.js';
import { created, issue } from './ledger.js';
import { filled, type TextOf } from './long-texts.js';
import { until } from './processes.js';
import type { Stack } from './suite.js';

/** Of companies, items and customers. */
const MAX_NAME = 255;
const TODAY = today();
/** The figures of a line with an item. */
const GOODS = { qty: 999, price: 1_999.9999, taxRate: 19, discount: { percent: 12.5 } };
const SERVICE = { qty: 1, sku: null };
const MONEY = { method: 'bank_transfer', date: TODAY };

/** Makes one record, with the longest text in each field that is not given. */
type Post = (path: string, schema: Joi.Schema, given: Json) => Promise<Json>;

export async function makeLongRecords(stack: Stack, textOf: TextOf) {
  const company = await makeCompany(stack);
  const people = await makePeople(stack, company, textOf);
  const browser = new Browser(stack.baseUrl, people.token);
  const post: Post = async (path, schema, given) =>
    created(await company.post(path, filled(schema, textOf, { customerNumber: null, ...given })));
  const delivery = await makeStock(post);
  const customers = await makeCustomers(post, textOf);
  const documents = await makeDocuments(post, company);
  const unknown = { date: TODAY, customerName: `No ${textOf(200)}`, items: [GOODS] };
  const name = (await post('/invoices', invoiceRequest, unknown)).customerName as string;
  await company.patch(`/customers/${customers.customer.id}`, { hold: true });
  const correctPath = `/inventory/deliveries/${delivery.id}/correct`;
  const correction = fieldsOf(await browser.get(correctPath));
  const supply = { supplier: textOf(MAX_NAME), arrivedOn: TODAY };
  await browser.post(correctPath, correctPath, {
    ...{ ...correction, ...supply, 'items.0.quantity': '1000' },
  });
  const lost = await post('/inventory/adjustments', adjustmentRequest, {
    reason: 'lost',
    items: [{ itemId: delivery.movements[0].itemId, name: null, sku: null, unit: null, delta: -1 }],
  });
  const imports = await makeImports(browser, textOf);
  await until(
    "the summary has this month's invoices",
    async () => (await company.get('/summary')).body.invoices.count === 3,
  );
  return {
    ...people,
    ...customers,
    ...documents,
    ...imports,
    webhookId: await addWebhook(company, textOf),
    delivery,
    lost,
    countPath: await countItem(browser, textOf),
    nameWithoutRecord: name,
    draftId: await saveDraft(browser, textOf),
  };
}

/** An endpoint whose host cannot be found, so nothing is sent to it. */
async function addWebhook(company: TestCompany, textOf: TextOf): Promise<string> {
  const url = `https://shop.invalid/${'hooks'.repeat(60)}`;
  const json = { url, types: ['*'], description: textOf(255) };
  const { body } = await company.post('/webhook-endpoints', json, { mayTell: true });
  return body.id;
}

async function makePeople(stack: Stack, { companyId }: TestCompany, textOf: TextOf) {
  const { userId } = await makeUser(stack, companyId, { operator: true });
  const person = { role: 'member', name: textOf(MAX_USER_NAME) } as const;
  const colleague = await makeUser(stack, companyId, person);
  const { keyId } = await addKey(stack, companyId);
  const keyName = textOf(MAX_KEY_NAME);
  await stack.sql('UPDATE api_keys SET name = $2 WHERE company_id = $1', [companyId, keyName]);
  await changeCompany(stack, { companyId }, { name: textOf(MAX_NAME) });
  const token = await makeSession(stack, companyId, userId);
  return { token, userId, colleagueId: colleague.userId, keyId };
}

/** Two deliveries, and the first one's items. */
function makeStock(post: Post): Promise<Json> {
  const prices = { unitCost: 2, unitPrice: 999_999.9999 };
  const pump = { ...prices, name: 'Pump', sku: null, unit: null };
  const goods = { ...prices, delta: 999_999.5, reorderPoint: 1_000_000 };
  return post('/inventory/adjustments', adjustmentRequest, {
    reason: 'received',
    items: [goods, { ...pump, delta: 4, reorderPoint: 5 }],
  });
}

async function makeCustomers(post: Post, textOf: TextOf) {
  const address = { country: 'GB' };
  const email = `${textOf(64).replaceAll(/\W/gu, '-')}@${'w'.repeat(60)}.example`;
  const record = { address, deliveryAddress: address, email, emailCc: [email], language: 'de' };
  const customer = await post('/customers', customerRequest, {
    ...{ ...record, taxId: 'W'.repeat(20), electronicAddress: { scheme: '9930' } },
    ...{ aliases: [`Alias ${textOf(240)}`], creditLimit: 1, tax: { rate: 0, category: 'E' } },
  });
  const other = await post('/customers', customerRequest, {
    ...{ ...record, name: 'Pier', number: 'P-1', externalId: 'P-1', taxId: null },
  });
  return { customer, other };
}

/** Every kind of entry, and an invoice with taxes, discounts and entries of all kinds. */
async function makeDocuments(post: Post, company: TestCompany) {
  const wide = await post('/invoices', invoiceRequest, {
    ...{ date: TODAY, items: [{ ...SERVICE, price: 1 }] },
  });
  const invoice = await issue(company, { date: TODAY });
  const pay = (amount: number, externalId: string, given: Json = {}) =>
    post('/payments', paymentRequest, { ...MONEY, amount, externalId, ...given });
  const paid = await pay(120, 'first', { customerName: null, invoices: [numberOf(invoice)] });
  const extended = await post('/invoices', invoiceRequest, {
    ...{ date: '2026-01-01', dueDate: '2026-01-02', deliveryDate: '2026-01-01' },
    items: [
      GOODS,
      { ...SERVICE, price: 1_000_000, taxRate: 7.125 },
      { ...SERVICE, price: 10, taxRate: 0, taxCategory: 'E' },
    ],
    discount: { amount: 5 },
  });
  await pay(20, 'second', { customerName: null, invoices: [numberOf(extended)] });
  const free = await post('/payments', paymentRequest, { ...MONEY, amount: 20 });
  await post('/refunds', refundRequest, { ...MONEY, paymentId: free.id, amount: 1 });
  const bounced = await pay(1, 'third');
  await post(`/payments/${bounced.id}/reversal`, reversalRequest, { date: TODAY });
  const voided = await issue(company, { date: '2026-01-01' });
  await post(`/invoices/${voided.id}/void`, voidRequest, {});
  const credited = await post('/credit-notes', creditNoteRequest, {
    ...{ invoiceId: extended.id, date: TODAY, reason: 'order_change', restock: true },
    items: [
      { line: 1, qty: 10 },
      { line: 2, amount: 1 },
    ],
  });
  return { wide, invoice, extended, paid, free, bounced, voided, credited };
}

function numberOf({ number }: Json): Json {
  return { number };
}

/** The addresses of imports that are previewed, unclear and done. */
async function makeImports(browser: Browser, textOf: TextOf) {
  const name = textOf(200);
  const file = { name: `${name}.csv`, content: `name,count,color\nPump,4,\n"${name}",x,red` };
  const preview = await uploadFile(browser, file);
  const unclear = await uploadFile(browser, { content: `"${name}",Preis\nPump,2` });
  const started = await importFile(browser, file);
  const content = `name,email\nA,"${textOf(255)}"\nB,b@b.example`;
  const uploaded = await uploadFile(browser, { ...CUSTOMERS, content, key: KEY });
  return {
    previewPath: locationOf(preview),
    unclearPath: locationOf(unclear),
    importPath: locationOf(started),
    customerImportPath: locationOf(uploaded),
  };
}

function locationOf({ headers }: Response): string {
  return String(headers.location);
}
const KEY = '01a204eb-24c4-7003-90e4-d93560bc8f89';

/** Starts a count sheet with an item, and returns its address. */
async function countItem(browser: Browser, textOf: TextOf): Promise<string> {
  const counts = '/inventory/counts';
  const path = locationOf(await browser.post(counts, counts, { key: KEY, name: textOf(100) }));
  const line = { key: KEY, item: 'Pump', quantity: '123456789.1234' };
  locationOf(await browser.post(path, path, line));
  return path;
}

/** Saves a draft and returns its id. */
async function saveDraft(browser: Browser, textOf: TextOf): Promise<string> {
  const path = '/invoices/new';
  const saved = await browser.post(path, path, {
    ...{ do: 'save-draft', customerName: textOf(255), date: '2026-01-01', note: textOf(1000) },
    ...{ reference: textOf(100), orderReference: textOf(100), 'items.0.sku': textOf(64) },
    ...{ 'items.0.name': textOf(255), 'items.0.qty': '1', 'items.0.price': '999999999.99' },
  });
  return new URLSearchParams(String(saved.headers.location).split('?')[1]).get('draft') ?? '';
}
