// A company with at least one row in each table, made over HTTP as its users and clients would. Of
// what only time or a failure brings, such as a job that waits, it adds the row by SQL.

import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { registerSecret } from './canary.js';
import type { Response } from './client.js';
import { makeCustomer } from './customers.js';
import { type Browser, signedIn } from './dashboard.js';
import { dayFromToday } from './days.js';
import { makeCompany, receive, type TestCompany } from './factories.js';
import { fieldsOf, textOf } from './html.js';
import { CUSTOMERS, importFile, undoImport, untilImported, uploadFile } from './imports.js';
import { created, credit, issue, keepBooks, pay } from './ledger.js';
import { pngOf } from './pictures.js';
import { until } from './processes.js';
import { startReceiver } from './receiver.js';
import type { Stack } from './suite.js';
import { addWaitingJob, untilSettled } from './waiting-job.js';
import { makeEndpoint } from './webhooks.js';

const KEYS = '/integrations/api-access';
const MEMBERS = '/settings/members';
const DELIVERY = { name: 'Müller pump', delta: 2, unitCost: 3.5 };

/** Makes the company and waits until everything that is derived from its rows is up to date. */
export async function makeCompleteCompany(stack: Stack): Promise<TestCompany> {
  const company = await makeCompany(stack);
  const { browser } = await signedIn(stack, company.companyId, { name: 'Ada' });
  await keepMembers(browser, stack, company);
  await keepKeys(browser);
  await keepStock(browser, company);
  await keepCustomers(browser, company);
  await keepSettings(browser);
  await keepProfile(browser);
  await keepDocuments(company);
  await keepEmails(browser, company);
  await keepWebhooks(company);
  await keepJobs(stack, company);
  await keepDraft(browser);
  await company.get('/receivables');
  await stack.sql(
    `INSERT INTO audit_violations (company_id, violation, count, offender, found_at)
     VALUES ($1, 'an old finding', 1, '{}', now())`,
    [company.companyId],
  );
  await stack.sql(
    `INSERT INTO kept_keys (company_id, kind, id, key, folded)
     VALUES ($1, 'customerNumber', gen_random_uuid(), U&'k\\200b1', 'k1')`,
    [company.companyId],
  );
  await stack.sql("INSERT INTO process_metrics VALUES ('worker', '{}', now())");
  await untilDerived(stack, company);
  return company;
}

function isDone(response: Response, ...statuses: number[]): Response {
  expect(statuses, textOf(response)).to.include(response.status);
  return response;
}

/** The form has the action only after a record has a credit limit. */
async function keepSettings(browser: Browser): Promise<void> {
  const settings = fieldsOf(await browser.get('/settings')) as Record<string, string>;
  const changed = { ...settings, creditLimitAction: 'refuse', termsDays: '30' };
  isDone(await browser.post('/settings', '/settings', changed), 303);
}

/** Three versions, of which the second has a logo. The name's first change makes two. */
async function keepProfile(browser: Browser): Promise<void> {
  const path = '/settings/documents';
  const settings = fieldsOf(await browser.get('/settings')) as Record<string, string>;
  isDone(await browser.post('/settings', '/settings', { ...settings, name: 'Renamed' }), 303);
  const logo = { name: 'logo.png', content: await pngOf(4, 2, [9, 90, 160]) };
  isDone(await browser.upload(path, `${path}/logo`, {}, logo), 303);
}

async function keepMembers(browser: Browser, stack: Stack, company: TestCompany): Promise<void> {
  const invitation = { once: uuidv7(), role: 'readonly', name: 'Eve', email: 'eve@example.org' };
  const invited = await browser.post(MEMBERS, `${MEMBERS}/invitations`, invitation);
  const { user } = await signedIn(stack, company.companyId, { role: 'member' });
  const reset = await browser.post(MEMBERS, `${MEMBERS}/${user.userId}/reset-link`, {});
  for (const { text } of [invited, reset])
    registerSecret(/\/(?:invitations|reset-password)\/([\w-]{43})</u.exec(text)?.[1] ?? '');
}

async function keepKeys(browser: Browser): Promise<void> {
  const form = { once: uuidv7(), name: 'Shop', access: 'all' };
  const path = `${KEYS}/new`;
  isDone(await browser.post(path, path, form, { mayTell: true }), 200);
}

/** Items with details, former names and stock, deliveries with a correction, a count, imports. */
async function keepStock(browser: Browser, company: TestCompany): Promise<void> {
  const details = { reorderPoint: 50, unitCost: 2, unitPrice: 3.4, unit: 'pc' };
  const [pumpId] = await receive(
    company,
    { name: 'Pump', sku: 'P-1', delta: 40, ...details },
    { name: 'Hose', delta: 4 },
    { name: 'Old', delta: 0 },
  );
  await company.patch(`/inventory/${pumpId}`, { name: DELIVERY.name });
  const { body: items } = await company.get('/inventory?q=old');
  expect((await company.patch(`/inventory/${items[0].id}`, { archived: true })).status).to.equal(
    200,
  );
  const delivery = { reason: 'received', reference: 'DN-1', note: 'Late', items: [DELIVERY] };
  const { id } = created(await company.post('/inventory/adjustments', delivery));
  const path = `/inventory/deliveries/${id}/correct`;
  const fields = fieldsOf(await browser.get(path)) as Record<string, string>;
  const correction = { supplier: 'Pier', arrivedOn: dayFromToday(-10), 'items.0.quantity': '1' };
  isDone(await browser.post(path, path, { ...fields, ...correction }), 303);
  const receiving = '/inventory/receive';
  const supply = { reference: 'DN-2', supplier: 'Quay', arrivedOn: dayFromToday(-9), do: 'send' };
  const line = { 'items.0.item': 'Hose', 'items.0.quantity': '1' };
  isDone(await browser.post(receiving, receiving, { key: uuidv7(), ...supply, ...line }), 303);
  const sheet = String(
    isDone(
      await browser.post('/inventory/counts', '/inventory/counts', { key: uuidv7(), name: 'Hall' }),
      303,
    ).headers.location,
  );
  const counted = { key: uuidv7(), item: 'Hose', quantity: '4' };
  isDone(await browser.post(sheet, sheet, counted), 303);

  const content = 'sku,name,count,unitPrice\nP-1,,9,4\n,Valve,3,5\n,Bad,x,1';
  const done = String((await importFile(browser, { content })).headers.location);
  await untilImported(browser, done);
  const undone = String(
    (await importFile(browser, { content: 'name,count\nHose,7' })).headers.location,
  );
  await untilImported(browser, undone);
  await undoImport(browser, undone);
  isDone(await uploadFile(browser, { content: 'sku,name,count\nP-9,Preview,1' }), 303);
}

const ADDRESS = {
  ...{ line1: '1 Quay', line2: 'Gate 4', line3: 'Hall 2', city: 'Bremen' },
  ...{ postalCode: '28195', region: 'HB', country: 'DE' },
};
/** A record with a value in each field. */
const RECORD = {
  ...{ number: 'N-7', name: 'Bräuer Ltd', legalName: 'Bräuer Limited', aliases: ['Bräuer'] },
  ...{ externalId: 'c-7', email: 'ap@example.org', emailCc: ['cc@example.org'] },
  ...{ phone: '+49 1', contactName: 'Ann', address: ADDRESS, deliveryAddress: ADDRESS },
  ...{ taxId: 'DE123456789', registrationId: 'HRB 1', buyerReference: '04011000' },
  electronicAddress: { scheme: '9930', id: 'DE123456789' },
  ...{ language: 'de', termsDays: 14, tax: { rate: 0, category: 'E', reason: 'Exempt' } },
  ...{ creditLimit: 9_999.5, hold: false, note: 'Ring twice' },
};

/** Records with several versions, merged and deleted ones, stored responses, and imports. */
async function keepCustomers(browser: Browser, company: TestCompany): Promise<void> {
  const record = await makeCustomer(company, RECORD);
  const tower = await makeCustomer(company, { name: 'Tower', aliases: ['Spire'] });
  const moat = await makeCustomer(company, { name: 'Moat' });
  for (const patch of [{ aliases: ['Brauer'] }, { aliases: ['Brauer', 'Bräuer'], hold: false }])
    expect((await company.patch(`/customers/${record.id}`, patch)).status).to.equal(200);
  await company.post(`/customers/${record.id}/merge`, { customerId: tower.id });
  expect((await company.delete(`/customers/${moat.id}`)).status).to.equal(204);
  const keyed = { headers: { 'idempotency-key': randomUUID() } };
  const response = await company.post('/customers', { name: 'Harbour' }, keyed);
  expect(response.status, response.text).to.equal(201);
  const content = 'name,termsDays\nGate,7\nGate,x\nBräuer Ltd,14';
  const started = isDone(await importFile(browser, { ...CUSTOMERS, content }), 303);
  await untilImported(browser, String(started.headers.location));
  const preview = 'External ID,number,name\nx-1,N-9,Wall';
  isDone(await uploadFile(browser, { ...CUSTOMERS, content: preview }), 303);
}

/** Invoices with every field, and every kind of entry with each of its texts. */
async function keepDocuments(company: TestCompany): Promise<void> {
  await keepBooks(company);
  const texts = { reference: 'PO-é', note: 'Thanks' };
  const transfer = { ...texts, method: 'bank_transfer' };
  const invoice = await issue(company, {
    ...{ ...texts, customerName: 'Bräuer Ltd', orderReference: 'Ö-1', deliveryDate: '2026-11-19' },
    ...{ dueDate: '2026-12-20', discount: { percent: 10 } },
    items: [
      { sku: 'P-1', qty: 2, price: 10, taxRate: 19, discount: { amount: 1 } },
      { name: 'Déjà vu', qty: 1, price: 5, taxRate: 7 },
    ],
  });
  await issue(company, { customerName: 'Late', date: '2026-01-02', dueDate: '2026-01-30' });
  const other = await issue(company, { customerName: 'Bräuer', reference: 'second' });
  const payment = await pay(company, 60, [invoice], { ...transfer, externalId: 'T-1' });
  await credit(company, other, { ...texts, items: [{ line: 1, qty: 1 }] });
  const refund = { ...transfer, paymentId: payment.id, amount: 2.5, date: '2026-11-26' };
  created(await company.post('/refunds', { ...refund, externalId: 'R-1' }));
  const part = { paymentId: payment.id, invoices: [{ invoiceId: other.id, amount: 5 }] };
  created(await company.post('/allocations', part));
  const bounced = await pay(company, 1, [other], { ...transfer, externalId: 'T-2' });
  const reversal = { date: '2026-11-26', reason: 'No cover' };
  created(await company.post(`/payments/${bounced.id}/reversal`, reversal));
  const wrong = await issue(company, { customerName: 'Bräuer' });
  created(await company.post(`/invoices/${wrong.id}/void`, { reason: 'Twice', note: 'Sorry' }));
}

/** One with two attachments, one with an Idempotency-Key, and one that came with its invoice. */
async function keepEmails(browser: Browser, company: TestCompany): Promise<void> {
  const path = '/settings/documents';
  const settings = fieldsOf(await browser.get(path)) as Record<string, string>;
  const seller = { 'address.country': 'DE', 'address.city': 'Bremen', taxId: 'DE123456789' };
  isDone(await browser.post(path, path, { ...settings, ...seller }), 303);
  const items = [{ name: 'Repair', qty: 1, price: 50, taxRate: 19 }];
  const invoice = await issue(company, { customerName: 'Bräuer Ltd', items });
  const cc = ['cc@example.org'];
  const texts = {
    subject: 'The invoice of your repair in November',
    message: 'Hello Ann,\n\nsee it.',
  };
  const email = { invoiceId: invoice.id, to: ['ap@example.org'], cc, ...texts };
  isDone(await company.post('/emails', { ...email, attach: ['pdf', 'ubl'] }), 202);
  const keyed = { headers: { 'idempotency-key': randomUUID() } };
  const short = { invoiceId: invoice.id, to: ['a@b.de'], subject: 'x', message: 'x' };
  isDone(await company.post('/emails', short, keyed), 202);
  await issue(company, { customerName: 'Bräuer Ltd', send: true });
  await until('the e-mails are sent', async () => {
    const { body } = await company.get('/emails?status=sent');
    return body.length === 3;
  });
}

/** An endpoint that was tested and has got an event. */
async function keepWebhooks(company: TestCompany): Promise<void> {
  const receiver = await startReceiver();
  const { path } = await makeEndpoint(company, receiver.url, { description: 'Shop' });
  isDone(await company.post(`${path}/test`, {}), 200);
  isDone(await company.post('/customers', { name: 'Webhook Ltd' }), 201);
  await until('a delivery', async () => {
    const { body } = await company.get(`${path}/deliveries?status=succeeded`);
    return body.length > 0;
  });
  // Later events are not delivered, so that nothing changes while the rows are damaged.
  isDone(await company.patch(path, { status: 'paused' }), 200);
}

/** Jobs that were answered with a 202: one succeeded, one refused, one waits and one failed. */
async function keepJobs(stack: Stack, company: TestCompany): Promise<void> {
  const later = { headers: { prefer: 'respond-async' } };
  for (const qty of [1, 999]) {
    const items = [{ name: 'Hose', qty, price: 1 }];
    const body = { customerName: 'Later', date: '2026-11-20', items };
    const accepted = await company.post('/invoices', body, later);
    expect(accepted.status, accepted.text).to.equal(202);
    await untilSettled(company, accepted.body.id);
  }
  const payload = { customerName: 'Ada', items: [{ name: 'Hose', qty: 1, price: 1 }] };
  await addWaitingJob(stack, company, 'invoice.create', payload);
  await (await addWaitingJob(stack, company, 'invoice.create', payload)).fail();
}

async function keepDraft(browser: Browser): Promise<void> {
  const path = '/invoices/new';
  const fields = { customerName: 'Bräuer Ltd', date: '2026-11-20' };
  const line = { 'items.0.name': 'Pipe', 'items.0.qty': '2', 'items.0.price': '1.50' };
  const draft = { key: uuidv7(), do: 'save-draft', ...fields, ...line };
  isDone(await browser.post(path, path, draft), 303);
}

async function untilDerived({ sql }: Stack, { companyId }: TestCompany): Promise<void> {
  await until('everything is derived', async () => {
    const [row] = await sql<{ isDone: boolean }>(
      `SELECT (s.watermark, s.texts_number, t.watermark, r.watermark, a.number, o.invoice_number)
           = (i, i, i, i, i, i)
         AND (s.entry_sequence, s.texts_sequence, s.credit_sequence) = (e, e, e)
         AND (t.entry_sequence, r.entry_sequence, a.entry_sequence, a.credit_sequence)
           = (e, e, e, e)
         AND (a.event_sequence, a.announced_number, a.announced_entry)
           = (c.next_event_sequence - 1, i, e)
         AND (s.stock_version, a.stock_version) = (c.stock_version, c.stock_version)
         AND s.body IS NOT NULL AND s.currency = c.currency AND s.time_zone = c.time_zone
         AS "isDone"
       FROM companies c
       JOIN summaries s ON s.company_id = c.id
       JOIN tax_progress t ON t.company_id = c.id
       JOIN receivable_progress r ON r.company_id = c.id
       JOIN audits a ON a.company_id = c.id
       JOIN overdue_progress o ON o.company_id = c.id,
         LATERAL (SELECT c.next_invoice_number - 1, c.next_entry_sequence - 1) last (i, e)
       WHERE c.id = $1`,
      [companyId],
    );
    return row?.isDone === true;
  });
}
