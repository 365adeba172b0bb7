// Drafts of invoices over HTTP: saving a form as it is, opening, issuing and deleting it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { formatDay } from '../../src/dashboard/kit/ui/format.js';
import type { Response } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import { type Browser, formErrors, signedIn } from '../support/dashboard.js';
import { dayFromToday, today } from '../support/days.js';
import { invoiceRequest, makeCompany, receive } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { ROOT, until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';
import { addWaitingJob } from '../support/waiting-job.js';

const FORM = '/invoices/new';
const LIST = '/invoices/drafts';
const line = (index: number, name: string, qty: string, price: string) => ({
  [`items.${index}.name`]: name,
  [`items.${index}.qty`]: qty,
  [`items.${index}.price`]: price,
});
const locationOf = ({ headers }: Response) => String(headers.location);

describeMode('postgres', 'a draft of an invoice', stack => {
  const arrange = async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pump', delta: 5, sku: 'P-1' });
    const { browser, user } = await signedIn(stack(), company.companyId, { role: 'member' });
    const save = (fields: Record<string, string>) =>
      browser.post(FORM, FORM, { key: uuidv7(), do: 'save-draft', ...fields });
    const drafts = async () =>
      (await browser.get(LIST)).text.match(/href="\/invoices\/new\?draft=/gu)?.length ?? 0;
    const invoices = async () => (await company.get('/invoices')).body.length;
    return { company, browser, user, save, drafts, invoices };
  };
  /** The fields of the form with the draft, as a browser sends them. */
  const open = async (browser: Browser, path: string) =>
    fieldsOf(await browser.get(path)) as Record<string, string>;
  /** Sends the form as `open` returned it, with changes. */
  const send = (browser: Browser, fields: Record<string, string>, changes = {}) => {
    const { do: _, ...form } = fields;
    return browser.send(FORM, { ...form, ...changes });
  };

  it('has what was typed, however invalid, and opens with it', async () => {
    const { browser, user, save, invoices } = await arrange();
    const typed = {
      customerName: 'A & “B”',
      date: '2026-02-30',
      note: 'Line one\r\nLine two',
      discount: 'ten',
      ...line(0, '', '1,x', ''),
      ...line(4, 'Pump', '2', '1.50'),
      'items.4.discount': '10%',
    };
    const saved = await save(typed);
    expect([saved.status, locationOf(saved)]).to.match(
      /303,\/invoices\/new\?draft=[0-9a-f-]{36}$/u,
    );
    const page = await browser.get(locationOf(saved));
    expect(textOf(page)).to.contain('Draft saved.').and.contain('Draft invoice');
    expect(fieldsOf(page)).to.include({
      customerName: 'A & “B”',
      date: '2026-02-30',
      discount: 'ten',
      note: 'Line one\r\nLine two',
      'items.0.qty': '1,x',
      'items.1.name': 'Pump',
      'items.1.discount': '10%',
      draftVersion: '1',
    });
    expect(formErrors(page)).to.deep.equal({});
    const list = textOf(await browser.get(LIST));
    expect(list).to.contain('A &amp; “B”').and.contain(user.email).and.contain('–');
    expect(await invoices()).to.equal(0);
  });

  it('is listed with its date and total, and counted beside the invoices', async () => {
    const { browser, save } = await arrange();
    expect(textOf(await browser.get('/invoices'))).to.not.contain('Drafts');
    expect(textOf(await browser.get(LIST))).to.contain('No drafts');
    await save({});
    await save({ customerName: 'Bright', date: today(), ...line(0, 'Pump', '3', '1.5') });
    const list = textOf(await browser.get(LIST));
    const day = formatDay(today()).replace(',', ' ,');
    expect(list).to.match(new RegExp(`Bright ${day} .* \\$4\\.50 .*No customer yet`, 'u'));
    expect(textOf(await browser.get('/invoices'))).to.contain('Drafts (2)');
  });

  it('is one draft when its form is sent twice, and two when the form changed', async () => {
    const { save, drafts } = await arrange();
    const form = { key: uuidv7(), customerName: 'Twice' };
    const [first, second] = await Promise.all([save(form), save(form)]);
    expect(locationOf(first)).to.equal(locationOf(second));
    expect(await drafts()).to.equal(1);
    const other = await save({ ...form, customerName: 'Another' });
    expect(locationOf(other)).to.not.equal(locationOf(first));
    expect(await drafts()).to.equal(2);
  });

  it('is updated by the next save of its form', async () => {
    const { browser, save, drafts } = await arrange();
    const path = locationOf(await save({ customerName: 'First' }));
    const form = await open(browser, path);
    const again = await send(browser, form, { do: 'save-draft', customerName: 'Second' });
    expect(locationOf(again)).to.equal(path);
    expect((await open(browser, path)).customerName).to.equal('Second');
    // A repeated save changes nothing.
    const repeated = await send(browser, form, { do: 'save-draft', customerName: 'Second' });
    expect(locationOf(repeated)).to.equal(path);
    expect((await open(browser, path)).draftVersion).to.equal('2');
    expect(await drafts()).to.equal(1);
  });

  it('tells the second of two people that it changed, and keeps their input', async () => {
    const { company, browser, user, save } = await arrange();
    const path = locationOf(await save({ customerName: 'Both', ...line(0, 'Pump', '1', '1') }));
    const { browser: colleague } = await signedIn(stack(), company.companyId);
    const [mine, theirs] = [await open(browser, path), await open(colleague, path)];
    await send(browser, mine, { do: 'save-draft', note: 'Mine' });
    for (const button of [{ do: 'save-draft' }, { date: today() }]) {
      const refused = await send(colleague, theirs, { ...button, note: 'Theirs' });
      expect(refused.status).to.equal(422);
      expect(formErrors(refused)['']).to.contain(`${user.email} changed this draft`);
      expect(fieldsOf(refused)).to.include({ note: 'Theirs', draftVersion: '2' });
    }
    expect((await open(browser, path)).note).to.equal('Mine');
    const refused = await send(colleague, theirs, { do: 'save-draft', note: 'Theirs' });
    const replaced = fieldsOf(refused) as Record<string, string>;
    await send(colleague, replaced, { do: 'save-draft' });
    expect(await open(browser, path)).to.include({ note: 'Theirs', draftVersion: '3' });
  });

  it('becomes one invoice and is gone, even if issued by several people at once', async () => {
    const { company, browser, save, drafts, invoices } = await arrange();
    const path = locationOf(
      await save({ customerName: 'Race', date: today(), ...line(0, 'Pump', '2', '1.5') }),
    );
    const people = await Promise.all([1, 2, 3].map(() => signedIn(stack(), company.companyId)));
    const forms = await Promise.all(people.map(person => open(person.browser, path)));
    expect(new Set(forms.map(({ key }) => key)).size, 'each form has its own key').to.equal(3);
    // On a busy machine an answer may lead to the page of a job. The same form then asks again.
    const settle = async (person: Browser, form: Record<string, string>): Promise<Response> => {
      let answer: Response | undefined;
      await until('the form is settled', async () => {
        answer = await send(person, form);
        return answer.status !== 303 || /^\/invoices\/[\da-f-]{36}/u.test(locationOf(answer));
      });
      return answer as Response;
    };
    const answers = await Promise.all(
      people.map((person, index) => settle(person.browser, forms[index] ?? {})),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 422, 422]);
    expect([await invoices(), await drafts()]).to.deep.equal([1, 0]);
    expect((await company.get('/inventory')).body[0].onHand).to.equal(3);
    expect((await browser.get(path)).status).to.equal(404);
    const [refused] = answers.filter(({ status }) => status === 422);
    expect(formErrors(refused as Response)['']).to.contain('issued or deleted in the meantime');
    expect(fieldsOf(refused as Response)).to.not.have.property('draft');
    // A form that was sent twice leads to its invoice.
    const winner = answers.findIndex(({ status }) => status === 303);
    const repeated = await send(people[winner]?.browser ?? browser, forms[winner] ?? {});
    expect(locationOf(repeated)).to.equal(locationOf(answers[winner] as Response));
    expect(await invoices()).to.equal(1);
  });

  it('remains if its invoice is refused, at once or later', async () => {
    const { company, browser, save, drafts, invoices } = await arrange();
    const path = locationOf(
      await save({ customerName: 'Short', date: today(), ...line(0, 'Pump', '6', '1') }),
    );
    const form = await open(browser, path);
    const refused = await send(browser, form);
    expect(formErrors(refused)).to.include({ 'items-0-qty': 'Only 5 on hand.' });
    expect(await drafts()).to.equal(1);
    const draft = { id: form.draft, version: 1 };
    const job = await addWaitingJob(stack(), company, 'invoice.create', {
      ...invoiceRequest({ date: today(), items: [{ name: 'Pump', qty: 6, price: 1 }] }),
      draft,
    });
    await job.release();
    const later = await browser.get(`/invoices/new?job=${job.id}`);
    expect(formErrors(later)).to.include({ 'items-0-qty': 'Only 5 on hand.' });
    const corrected = fieldsOf(later) as Record<string, string>;
    expect(corrected).to.include({ draft: form.draft, draftVersion: '1' });
    expect((await send(browser, corrected, { 'items.0.qty': '5' })).status).to.equal(303);
    expect([await invoices(), await drafts()]).to.deep.equal([1, 0]);
  });

  it('remains if its customer is on hold, and the form says so', async () => {
    const { company, browser, save, drafts, invoices } = await arrange();
    await makeCustomer(company, { name: 'Acme', hold: true });
    const typed = { customerName: 'ACME', date: today(), ...line(0, 'Work', '1', '10') };
    const saved = await save(typed);
    const refused = await send(browser, await open(browser, locationOf(saved)));
    expect(refused.status).to.equal(422);
    expect(textOf(refused)).to.contain(' is on hold.');
    expect(fieldsOf(refused)).to.include({ customerName: 'Acme', 'items.0.name': 'Work' });
    expect([await drafts(), await invoices()]).to.deep.equal([1, 0]);
  });

  it('is issued once by two jobs of one batch', async () => {
    const { company, browser, save, drafts, invoices } = await arrange();
    const path = locationOf(await save({ customerName: 'Batch' }));
    const { draft: id } = await open(browser, path);
    const payload = { ...invoiceRequest(), draft: { id, version: 1 } };
    const jobs = await Promise.all(
      [1, 2].map(() => addWaitingJob(stack(), company, 'invoice.create', payload)),
    );
    await stack().sql(
      "UPDATE jobs SET run_at = now() WHERE company_id = $1 AND status = 'queued'",
      [company.companyId],
    );
    const statuses = async () =>
      Promise.all(jobs.map(async job => (await company.get(`/jobs/${job.id}`)).body.status));
    await until('both are settled', async () => !(await statuses()).includes('queued'));
    expect((await statuses()).sort()).to.deep.equal(['failed', 'succeeded']);
    expect([await invoices(), await drafts()]).to.deep.equal([1, 0]);
  });

  it('is deleted after a confirmation, but not if it changed since', async () => {
    const { browser, save, drafts } = await arrange();
    const path = locationOf(await save({ customerName: 'Doomed' }));
    const form = await open(browser, path);
    const confirm = `${LIST}/${form.draft}/delete`;
    expect(textOf(await browser.get(path))).to.contain('Delete draft');
    const asked = await browser.get(confirm);
    expect(textOf(asked)).to.contain('Doomed');
    const { version = '' } = fieldsOf(asked);
    await send(browser, form, { do: 'save-draft', customerName: 'Spared' });
    const refused = await browser.post(confirm, confirm, { version });
    expect([refused.status, formErrors(refused)['']]).to.match(/422,The draft was changed/u);
    expect(await drafts()).to.equal(1);
    const deleted = await browser.post(confirm, confirm, { version: '2' });
    expect(locationOf(deleted)).to.equal(LIST);
    expect(await drafts()).to.equal(0);
    expect((await browser.get(confirm)).status).to.equal(404);
  });

  it('starts from the form of a duplicate, too', async () => {
    const { company, browser, drafts } = await arrange();
    const { body } = await company.post('/invoices', invoiceRequest());
    const copy = await open(browser, `/invoices/new?copy=${body.id}`);
    const saved = await send(browser, copy, { do: 'save-draft' });
    expect((await open(browser, locationOf(saved))).customerName).to.equal('Bright & Sons');
    expect(await drafts()).to.equal(1);
  });

  it('is not found for another company, which can neither save, issue nor delete it', async () => {
    const { browser, save, drafts } = await arrange();
    const path = locationOf(
      await save({ customerName: 'Mine', date: today(), ...line(0, 'Delivery', '1', '1') }),
    );
    const form = await open(browser, path);
    const other = await arrange();
    const own = await open(other.browser, FORM);
    const foreign = { ...form, token: own.token ?? '', key: own.key ?? '' };
    for (const address of [path, `${LIST}/${form.draft}/delete`, `${FORM}?draft=${uuidv7()}`])
      expect((await other.browser.get(address)).status, address).to.equal(404);
    for (const button of [{ do: 'save-draft' }, { key: uuidv7() }]) {
      const refused = await send(other.browser, foreign, { ...button, customerName: 'Theirs' });
      expect(refused.status).to.equal(422);
    }
    const deleted = await other.browser.post(LIST, `${LIST}/${form.draft}/delete`, {
      token: own.token ?? '',
      version: '1',
    });
    expect(deleted.status).to.equal(404);
    expect([await other.drafts(), await other.invoices()]).to.deep.equal([0, 0]);
    expect(textOf(await other.browser.get(LIST))).to.not.contain('Mine');
    expect((await open(browser, path)).customerName).to.equal('Mine');
    expect(await drafts()).to.equal(1);
    // A form of another company may name the same id for a draft of its own.
    await other.save({ key: form.draft ?? '', customerName: 'Same id' });
    expect([await other.drafts(), await drafts()]).to.deep.equal([1, 1]);
  });

  it('has a short number that no other draft gets, before and after it was issued', async () => {
    const { company, browser, save } = await arrange();
    const path = locationOf(await save({ customerName: 'First', ...line(0, 'Pump', '1', '1') }));
    expect(textOf(await browser.get(path))).to.contain('Draft invoice D-1');
    const issued = await send(browser, await open(browser, path), { date: today() });
    expect(issued.status, textOf(issued)).to.equal(303);
    await save({ customerName: 'Second' });
    expect(textOf(await browser.get(LIST))).to.match(/D-2 Second/u);
    // A process of the release before saves drafts without a number.
    const { companyId } = company;
    await stack().sql('UPDATE invoice_drafts SET number = NULL WHERE company_id = $1', [companyId]);
    const unnumbered = /invoices\/new\?draft=[0-9a-f-]{36}/u.exec((await browser.get(LIST)).text);
    const form = await open(browser, `/${unnumbered?.[0]}`);
    await send(browser, form, { do: 'save-draft', note: 'Changed' });
    expect(textOf(await browser.get(LIST))).to.match(/D-3 Second/u);
  });

  it('of the release before gets its number from the upgrade', async () => {
    const { company, browser, save } = await arrange();
    for (const customerName of ['First', 'Second']) await save({ customerName });
    await stack().sql('UPDATE invoice_drafts SET number = NULL WHERE company_id = $1', [
      company.companyId,
    ]);
    const file = readFileSync(join(ROOT, 'src/migrations/0032-draft-numbers.sql'), 'utf8');
    const [, fill = ''] = file.split('-- step: repeat');
    const isOpen = async () =>
      (await stack().sql('SELECT FROM invoice_drafts WHERE number IS NULL LIMIT 1')).length > 0;
    while (await isOpen()) await stack().sql(fill);
    await save({ customerName: 'Third' });
    expect(textOf(await browser.get(LIST))).to.match(/D-5 Third .*D-4 Second .*D-3 First/u);
  });

  it('of an earlier day proposes today, and keeps the days to its due date', async () => {
    const { company, browser, save } = await arrange();
    const late = { date: '2026-01-10', dueDate: '2026-01-24' };
    const path = locationOf(await save({ customerName: 'Late', ...late }));
    expect(await open(browser, path)).to.include(late);
    await stack().sql(
      `UPDATE invoice_drafts SET saved_at = saved_at - interval '3 days' WHERE company_id = $1`,
      [company.companyId],
    );
    const page = await browser.get(path);
    expect(textOf(page)).to.contain('The draft is of Jan 10, 2026. Today is proposed instead.');
    expect(fieldsOf(page)).to.include({ date: today(), dueDate: dayFromToday(14) });
  });

  it('prints as a pro forma, with what was typed', async () => {
    const { browser, save } = await arrange();
    const path = locationOf(
      await save({
        ...{ customerName: 'Quay', date: today(), note: 'Until Friday', orderReference: 'PO-7' },
        ...{ ...line(0, 'Pump', '2', '10'), 'items.0.taxRate': '10' },
        ...line(1, 'Advice', 'some', '5'),
      }),
    );
    const [, id] = path.split('=');
    const print = await browser.get(`/invoices/drafts/${id}/print`);
    const text = textOf(print);
    expect(text).to.contain('Pro forma D-1').and.contain('This is not an invoice.');
    expect(text).to.match(/Bill to Quay .*Your order PO-7 .*Pump 2 10 \$20\.00 Advice some 5/u);
    expect(text).to.match(/Total \$22\.00 .*Until Friday/u);
    expect((await browser.get(path)).text).to.contain(`href="/invoices/drafts/${id}/print"`);
  });

  it('is refused beyond 500 drafts, with the input', async () => {
    const { company, save, drafts } = await arrange();
    await stack().sql(
      `INSERT INTO invoice_drafts (company_id, id, fields, customer_name, currency, created_by,
         saved_by)
       SELECT $1, gen_random_uuid(), '', '', 'USD', $2, $2
       FROM generate_series(1, 500)`,
      [company.companyId, JSON.stringify({ kind: 'user', id: uuidv7(), name: 'x' })],
    );
    const refused = await save({ customerName: 'One too many' });
    expect(refused.status).to.equal(422);
    expect(formErrors(refused)['']).to.contain('has 500 drafts');
    expect(fieldsOf(refused).customerName).to.equal('One too many');
    expect(await drafts()).to.equal(500);
  });
});
