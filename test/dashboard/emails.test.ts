// The pages that send documents by e-mail. E-mails go to files, as with npm start.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Json } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import { type Browser, signedIn } from '../support/dashboard.js';
import { today } from '../support/days.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { credit, issue } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

const SETTINGS = '/settings/documents';
const FAILED = '/emails/failed';
const CUSTOMER = { name: 'Castle', email: 'ap@castle.example', emailCc: ['cc@castle.example'] };
const SELLER = { 'address.city': 'Bremen', 'address.country': 'DE', taxId: 'DE123456789' };

describeMode('postgres', 'e-mails in the dashboard', stack => {
  let company: TestCompany;
  let browser: Browser;
  beforeEach(async () => {
    company = await makeCompany(stack());
    ({ browser } = await signedIn(stack(), company.companyId, { name: 'Ada' }));
    await makeCustomer(company, CUSTOMER);
  });

  const enterSeller = async (more: object = {}) => {
    const fields = fieldsOf(await browser.get(SETTINGS)) as Record<string, string>;
    const saved = await browser.post(SETTINGS, SETTINGS, { ...fields, ...SELLER, ...more });
    expect(saved.status, textOf(saved)).to.equal(303);
  };
  const listed = async (): Promise<Json[]> => (await company.get('/emails')).body;
  const send = async (path: string, more: object = {}) => {
    const fields = fieldsOf(await browser.get(path)) as Record<string, string>;
    return browser.post(path, path, { ...fields, ...more });
  };
  const untilSent = () =>
    until('all are sent', async () => (await listed()).every(({ status }) => status === 'sent'));

  it('start with the addresses of the record and a text, and are listed on the page', async () => {
    await enterSeller();
    const invoice = await issue(company, { customerName: 'Castle' });
    const page = `/invoices/${invoice.id}`;
    expect((await browser.get(page)).text).to.include(`href="${page}/send"`);
    const fields = fieldsOf(await browser.get(`${page}/send`));
    expect(fields).to.deep.include({ to: 'ap@castle.example', cc: 'cc@castle.example' });
    expect(fields.subject).to.equal(`Invoice ${invoice.number} from Test company`);
    const sent = await send(`${page}/send`, { to: 'ann@castle.example\nap@castle.example' });
    expect(sent.headers.location, textOf(sent)).to.equal(page);
    const [email] = await listed();
    expect(email.to).to.deep.equal(['ann@castle.example', 'ap@castle.example']);
    await untilSent();
    const file = join(stack().env.DATA_DIR ?? '', 'mail', `${email.id}.eml`);
    expect(await readFile(file, 'utf8')).to.include(`Subject: Invoice ${invoice.number}`);
    const shown = textOf(await browser.get(page));
    expect(shown).to.include('ann@castle.example, ap@castle.example, cc@castle.example Sent');
    expect(shown).to.include('Ada');
    const again = fieldsOf(await browser.get(`${page}/send?email=${email.id}`));
    expect(again.to).to.equal('ann@castle.example\nap@castle.example');
  });

  it('are sent once for one form', async () => {
    await enterSeller();
    const invoice = await issue(company, { customerName: 'Castle' });
    const path = `/invoices/${invoice.id}/send`;
    const fields = fieldsOf(await browser.get(path)) as Record<string, string>;
    for (let count = 0; count < 2; count += 1)
      expect((await browser.post(path, path, fields)).status).to.equal(303);
    expect(await listed()).to.have.lengthOf(1);
  });

  it('have credit notes, too, with an e-invoice if the data allow it', async () => {
    await enterSeller();
    const note = await credit(company, await issue(company, { customerName: 'Castle' }));
    const path = `/credit-notes/${note.id}/send`;
    const refused = await send(path, { ubl: 'true' });
    expect(refused.status).to.equal(409);
    expect(textOf(refused)).to.include('This document can’t be made yet');
    expect((await send(path)).status).to.equal(303);
    expect((await listed())[0]).to.include({ type: 'creditNote', number: note.number });
  });

  it('name what is wrong with an address, and what the company’s data lack', async () => {
    const invoice = await issue(company, { customerName: 'Castle' });
    const path = `/invoices/${invoice.id}/send`;
    const incomplete = await send(path);
    expect(incomplete.status).to.equal(409);
    expect(incomplete.text).to.include(`href="${SETTINGS}"`);
    const wrong = await send(path, { to: 'ann@castle.example\nann' });
    expect(wrong.status).to.equal(422);
    expect(textOf(wrong)).to.include('Line 2: Must be one e-mail address');
    expect(await listed()).to.deep.equal([]);
  });

  it('send an invoice with its form, also one that was a draft', async () => {
    await enterSeller({ emailCopy: 'archive@example.org' });
    const form = '/invoices/new';
    const line = { 'items.0.name': 'Pipe', 'items.0.qty': '2', 'items.0.price': '1.50' };
    const fields = { key: uuidv7(), customerName: 'Castle', date: today(), ...line };
    const created = await browser.post(form, form, { ...fields, do: 'create-and-send' });
    expect(created.status, textOf(created)).to.equal(303);
    await browser.post(form, form, { ...fields, key: uuidv7(), do: 'save-draft' });
    const [draft] = await stack().sql<{ id: string }>(
      'SELECT id FROM invoice_drafts WHERE company_id = $1',
      [company.companyId],
    );
    const open = `${form}?draft=${draft?.id}`;
    const drafted = fieldsOf(await browser.get(open)) as Record<string, string>;
    const issued = await browser.post(open, form, { ...drafted, do: 'create-and-send' });
    expect(issued.status, textOf(issued)).to.equal(303);
    expect(await listed()).to.have.lengthOf(2);
    const unknown = { ...fields, key: uuidv7(), customerName: 'Moat', do: 'create-and-send' };
    const refused = await browser.post(form, form, unknown);
    expect(refused.status).to.equal(422);
    expect(textOf(refused)).to.include('no e-mail address');
  });

  it('are marked in the lists and the overview after a failure, until the next one', async () => {
    // Without the seller's address, the document cannot be made.
    const sent = await company.post('/invoices', {
      ...{ customerName: 'Castle', date: today(), send: true },
      items: [{ name: 'Pipe', qty: 1, price: 5 }],
    });
    expect(sent.status, sent.text).to.equal(201);
    const { id, number } = sent.body;
    await issue(company, { customerName: 'Castle' });
    await until('it failed', async () => (await listed())[0]?.status === 'failed');
    const mark = `href="/invoices/${id}#e-mails"`;
    const list = await browser.get('/invoices');
    expect(list.text.split('#e-mails')).to.have.lengthOf(2);
    // A phone leaves out cells with a plain badge in them.
    expect(list.text)
      .to.include(mark)
      .and.match(/<div><span class="badge plain">Open/u);
    expect(textOf(list)).to.include('E-mail failed');
    expect((await browser.get(`/invoices/${id}`)).text).to.include('id="e-mails"');
    const overview = await browser.get('/');
    expect(overview.text).to.include(`href="${FAILED}"`);
    expect(textOf(overview)).to.include('1 e-mail failed');
    const failed = await browser.get(FAILED);
    expect(failed.text).to.include(mark);
    expect(textOf(failed)).to.include(number).and.include('A document needs your address.');

    await enterSeller();
    expect((await send(`/invoices/${id}/send`)).status).to.equal(303);
    expect((await browser.get('/invoices')).text).to.not.include('#e-mails');
    expect(textOf(await browser.get('/'))).to.not.include('failed');
    expect(textOf(await browser.get(FAILED))).to.include('No e-mails failed');
  });

  it('are marked in the list of credit notes, and no longer counted after a month', async () => {
    await enterSeller();
    const note = await credit(company, await issue(company, { customerName: 'Castle' }));
    expect((await send(`/credit-notes/${note.id}/send`)).status).to.equal(303);
    await untilSent();
    const fail = (age: string) =>
      stack().sql(
        `UPDATE emails
         SET status = 'failed', sent_at = NULL, created_at = now() - $2::interval
         WHERE company_id = $1`,
        [company.companyId, age],
      );
    await fail('29 days');
    const mark = `href="/credit-notes/${note.id}#e-mails"`;
    expect((await browser.get('/credit-notes')).text).to.include(mark);
    expect((await browser.get(FAILED)).text).to.include(mark);
    await fail('31 days');
    expect((await browser.get('/credit-notes')).text).to.include(mark);
    expect((await browser.get(FAILED)).text).to.not.include(mark);
    expect(textOf(await browser.get('/'))).to.not.include('failed');
  });

  it('are no longer marked on a void invoice, and never shown to Warehouse', async () => {
    const { body: invoice } = await company.post('/invoices', {
      ...{ customerName: 'Castle', date: today(), send: true },
      items: [{ name: 'Pipe', qty: 1, price: 5 }],
    });
    await until('it failed', async () => (await listed())[0]?.status === 'failed');
    const { browser: packer } = await signedIn(stack(), company.companyId, { role: 'warehouse' });
    expect((await packer.get('/')).text).to.not.include(FAILED);
    expect((await packer.get(FAILED)).status).to.equal(403);
    expect((await browser.get('/')).text).to.include(FAILED);
    const path = `/invoices/${invoice.id}/void`;
    const fields = fieldsOf(await browser.get(path)) as Record<string, string>;
    const voided = await browser.post(path, path, { ...fields, confirmation: invoice.number });
    expect(voided.status, textOf(voided)).to.equal(303);
    const form = await browser.get(`/invoices/${invoice.id}/send`);
    expect([form.status, form.headers.location]).to.deep.equal([303, `/invoices/${invoice.id}`]);
    expect(textOf(await browser.get(`/invoices/${invoice.id}`))).to.include(
      'The invoice is void, so it is not sent.',
    );
    expect((await browser.get('/')).text).to.not.include(FAILED);
    expect((await browser.get('/invoices')).text).to.not.include('#e-mails');
  });

  it('are hidden from roles that may not send, and refused to them', async () => {
    await enterSeller();
    const invoice = await issue(company, { customerName: 'Castle' });
    const page = `/invoices/${invoice.id}`;
    const { browser: reader } = await signedIn(stack(), company.companyId, { role: 'readonly' });
    expect((await reader.get(page)).text).to.not.include(`${page}/send`);
    expect((await reader.get(`${page}/send`)).status).to.equal(403);
  });
});
