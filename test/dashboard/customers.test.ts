// The records of customers in the dashboard: the list, the form, the history, the merge, and the
// names that have no record.
import { expect } from 'chai';
import type { Role } from '../../src/users/roles.js';
import type { Json } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import { type Browser, formErrors, makeSignedIn } from '../support/dashboard.js';
import { makeCompany } from '../support/factories.js';
import { fieldsOf, rowsOf, textOf } from '../support/html.js';
import { issue, pay } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const FULL = {
  number: 'K-7',
  name: 'Harbour Ltd',
  legalName: 'Harbour Trading Limited',
  aliases: ['Harbor', 'The “Harbour”'],
  externalId: 'crm-7',
  email: 'ap@harbour.example',
  emailCc: ['boss@harbour.example', 'cc@harbour.example'],
  phone: '+49 421 1',
  contactName: 'Ann',
  address: {
    ...{ line1: '1 Quay', line2: 'Gate', line3: null, city: 'Bremen' },
    ...{ postalCode: '28195', region: null, country: 'DE' },
  },
  deliveryAddress: {
    ...{ line1: 'Gate 4', line2: null, line3: null, city: null },
    ...{ postalCode: null, region: 'HB', country: 'FR' },
  },
  taxId: 'DE123456789',
  registrationId: 'HRB 1',
  electronicAddress: { scheme: '9930', id: 'DE123456789' },
  buyerReference: 'PO team',
  language: 'de',
  termsDays: 30,
  tax: { rate: 0, category: 'E', reason: 'Exempt' },
  creditLimit: 1000.5,
  hold: true,
  note: 'Pays\nlate',
};

/** The fields of the form on a page, without the boxes that are not checked. */
async function formOn(browser: Browser, page: string): Promise<Record<string, string>> {
  return fieldsOf(await browser.get(page)) as Record<string, string>;
}

describeMode('postgres', 'customers in the dashboard', stack => {
  const arrange = (role: Role = 'owner') => makeSignedIn(stack(), { role });

  it('are added with the fields of a form', async () => {
    const { company, browser } = await arrange();
    const path = '/customers/new';
    expect((await browser.get(path)).text).to.match(/<input[^>]* name="name"[^>]* autofocus/u);
    const added = await browser.post(path, path, {
      ...{ name: ' Harbour  Ltd ', aliases: 'Harbor\r\n\r\nHarbour', emailCc: 'a@b.example' },
      ...{ 'address.line1': '1 Quay', 'address.country': 'DE', termsDays: '14' },
      ...{ creditLimit: '1.000,50', 'tax.rate': '7,5', hold: 'true', taxId: 'de 12.34' },
    });
    expect(added.status, added.text).to.equal(303);
    const [customer] = (await company.get('/customers')).body;
    expect(added.headers.location).to.equal(`/customers/${customer.id}`);
    expect(customer).to.deep.include({
      ...{ name: 'Harbour  Ltd', number: 'C-00001', aliases: ['Harbor', 'Harbour'] },
      ...{ emailCc: ['a@b.example'], termsDays: 14, creditLimit: 1000.5, tax: { rate: 7.5 } },
      ...{ hold: true, taxId: 'DE1234', deliveryAddress: null, externalId: null },
    });
    expect(customer.address).to.include({ line1: '1 Quay', city: null, country: 'DE' });
  });

  it('are added with numbers that have a sign, of the company’s currency alone', async () => {
    const { company, browser } = await arrange();
    const path = '/customers/new';
    const signed = { creditLimit: '$1,000.50', 'tax.rate': '19 %' };
    expect((await browser.post(path, path, { name: 'Quay', ...signed })).status).to.equal(303);
    const [customer] = (await company.get('/customers')).body;
    expect(customer).to.deep.include({ creditLimit: 1000.5, tax: { rate: 19 } });
    const refused = await browser.post(path, path, {
      ...{ name: 'Pier', creditLimit: '€5', termsDays: '$30', 'tax.rate': '$19' },
    });
    expect(Object.keys(formErrors(refused))).to.have.members([
      '',
      'creditLimit',
      'termsDays',
      'tax-rate',
    ]);
    const doubtful = await browser.post(path, path, { name: 'Pier', creditLimit: '$1,250' });
    expect(formErrors(doubtful).creditLimit).to.equal(
      'This could mean two numbers. Enter 1250 or 1.250.',
    );
  });

  it('are added with texts that were copied from a table', async () => {
    const { company, browser } = await arrange();
    const path = '/customers/new';
    const copied = { name: 'Quay\tLtd\t', phone: '555\t0100', note: 'Calls:\tlate\nTwice' };
    const added = await browser.post(path, path, { ...copied, aliases: 'Pier\tLtd\t' });
    expect(added.status, added.text).to.equal(303);
    const [customer] = (await company.get('/customers')).body;
    expect(customer).to.deep.include({
      ...{ name: 'Quay Ltd', aliases: ['Pier Ltd'], note: 'Calls: late\nTwice' },
    });
    expect(customer.phone.replaceAll(' ', '')).to.equal('5550100');
  });

  it('are added once, however often a form is sent', async () => {
    const { company, browser } = await arrange();
    const path = '/customers/new';
    const fields = { ...(await formOn(browser, path)), name: 'Quay' };
    const sent = await Promise.all([browser.send(path, fields), browser.send(path, fields)]);
    expect(sent.map(({ status }) => status)).to.deep.equal([303, 303]);
    expect(sent[0]?.headers.location).to.equal(sent[1]?.headers.location);
    const other = await browser.send(path, { ...fields, name: 'Pier' });
    expect([other.status, textOf(other).includes('already submitted')]).to.deep.equal([422, true]);
    expect((await company.get('/customers')).body).to.have.length(1);
  });

  it('are refused with the errors at their fields and all input', async () => {
    const { company, browser } = await arrange();
    const harbour = await makeCustomer(company, { name: 'Harbour', number: '7' });
    const path = '/customers/new';
    const refused = await browser.post(path, path, {
      ...{ name: '', email: 'nobody', emailCc: 'a@b.example\nwrong', termsDays: 'soon' },
      ...{ 'address.city': 'Bremen', creditLimit: '-1', 'tax.reason': 'Exempt' },
      ...{ 'electronicAddress.id': '12', taxId: '?' },
    });
    expect(refused.status).to.equal(422);
    expect(formErrors(refused)).to.deep.equal({
      '': 'Check the highlighted fields.',
      name: 'Required.',
      email: 'Must be an e-mail address.',
      emailCc: 'Line 2: Must be an e-mail address.',
      termsDays: 'Enter a whole number, such as 30.',
      'address-country': 'Required.',
      creditLimit: 'Must be at least 0.',
      'tax-rate': 'Required.',
      'electronicAddress-scheme': 'Required.',
      taxId: 'Must be 2 to 20 letters A to Z and digits.',
    });
    expect(refused.text).to.contain('a@b.example\nwrong').and.contain('value="Bremen"');
    const both = await browser.post(path, path, { name: 'harbour', termsDays: '3 weeks' });
    expect(formErrors(both)).to.deep.equal({
      '': 'Check the highlighted fields.',
      name: 'Another record has this name.',
      termsDays: 'Enter a whole number, such as 30.',
    });
    expect(both.text).to.contain(`href="/customers/${harbour.id}"`);
    const taken = await browser.post(path, path, { name: 'harbour', number: '7' });
    expect(formErrors(taken)).to.include({
      name: 'Another record has this name.',
      number: 'Another record has this number.',
    });
    expect(taken.text).to.contain(`href="/customers/${harbour.id}"`);
    expect((await company.get('/customers')).body).to.have.length(1);
  });

  it('stay as they are if the form is saved as it was opened', async () => {
    const { company, browser } = await arrange();
    const customer = await makeCustomer(company, FULL);
    const path = `/customers/${customer.id}/edit`;
    const fields = await formOn(browser, path);
    // Browsers send the ends of lines as CRLF.
    const sent = Object.fromEntries(
      Object.entries(fields).map(([name, text]) => [name, text.replaceAll('\n', '\r\n')]),
    );
    expect((await browser.send(path, sent)).status).to.equal(303);
    expect((await company.get(`/customers/${customer.id}`)).body).to.deep.equal(customer);
  });

  it('are changed only in the fields that were changed since the form was opened', async () => {
    const { company, browser } = await arrange();
    const { id } = await makeCustomer(company, FULL);
    const path = `/customers/${id}/edit`;
    const { hold: _unchecked, ...fields } = await formOn(browser, path);
    await company.patch(`/customers/${id}`, { phone: '1', termsDays: 60 });
    const changes = { 'address.line2': '', 'deliveryAddress.country': '', note: '', aliases: '' };
    const delivery = { 'deliveryAddress.line1': '', 'deliveryAddress.region': '' };
    const saved = await browser.send(path, { ...fields, ...changes, ...delivery });
    expect(saved.status, saved.text).to.equal(303);
    const { body } = await company.get(`/customers/${id}`);
    expect(body).to.deep.include({
      ...{ phone: '1', termsDays: 60, hold: false, deliveryAddress: null, note: null },
      ...{ aliases: [], tax: FULL.tax, address: { ...FULL.address, line2: null } },
    });
    const empty = { name: '', number: '', 'address.country': '', 'electronicAddress.id': '' };
    const cleared = await browser.send(path, { ...fields, ...empty });
    expect(formErrors(cleared)).to.include({ name: 'Required.', number: 'Required.' });
    expect(formErrors(cleared)).to.include({
      'address-country': 'Required.',
      'electronicAddress-id': 'Required.',
    });
  });

  it('keep the parts of an address that another person changed meanwhile', async () => {
    const { company, browser } = await arrange();
    const { id } = await makeCustomer(company, FULL);
    const path = `/customers/${id}/edit`;
    const fields = await formOn(browser, path);
    const first = { 'address.line1': '2 Pier', 'address.postalCode': '20095' };
    await browser.send(path, { ...fields, ...first, 'electronicAddress.scheme': '0204' });
    const second = { 'address.city': 'Hamburg', 'electronicAddress.id': '991-1' };
    const saved = await browser.send(path, { ...fields, ...second });
    expect(saved.status, saved.text).to.equal(303);
    expect((await company.get(`/customers/${id}`)).body).to.deep.include({
      address: { ...FULL.address, line1: '2 Pier', postalCode: '20095', city: 'Hamburg' },
      electronicAddress: { scheme: '0204', id: '991-1' },
    });
  });

  it('keep an address that another person changed meanwhile, unless only a part is', async () => {
    const { company, browser } = await arrange();
    const { id } = await makeCustomer(company, FULL);
    const path = `/customers/${id}/edit`;
    const fields = await formOn(browser, path);
    const cleared = Object.fromEntries(
      Object.keys(fields)
        .filter(name => name.startsWith('address.'))
        .map(name => [name, '']),
    );
    await company.patch(`/customers/${id}`, { address: { line1: '2 Pier' } });
    const refused = await browser.send(path, { ...fields, ...cleared });
    expect(formErrors(refused)['']).to.equal(
      'The address of this customer has changed since the page was opened. ' +
        'Open the page again and change it there.',
    );
    expect((await company.get(`/customers/${id}`)).body.address.line1).to.equal('2 Pier');
    const now = await formOn(browser, path);
    expect((await browser.send(path, { ...now, ...cleared })).status).to.equal(303);
    expect((await company.get(`/customers/${id}`)).body.address).to.equal(null);
    expect((await browser.send(path, { ...now, ...cleared })).status).to.equal(303);
  });

  it('keep an alias that invoices have, with the error at its field', async () => {
    const { company, browser } = await arrange();
    const { id } = await makeCustomer(company, { name: 'Quay', aliases: ['Pier', 'Dock'] });
    await issue(company, { customerName: 'Pier' });
    const path = `/customers/${id}/edit`;
    const fields = await formOn(browser, path);
    const refused = await browser.send(path, { ...fields, aliases: 'Dock' });
    expect(formErrors(refused)).to.deep.equal({
      '': 'Check the highlighted fields.',
      aliases: 'Invoices or payments have the name Pier, so the customer must keep it.',
    });
  });

  it('keep a tax that another person changed meanwhile in another part', async () => {
    const { company, browser } = await arrange();
    const { id } = await makeCustomer(company, FULL);
    const path = `/customers/${id}/edit`;
    const fields = await formOn(browser, path);
    const tax = { rate: 19, category: 'S' };
    await company.patch(`/customers/${id}`, { tax });
    const refused = await browser.send(path, { ...fields, 'tax.reason': 'Charity' });
    expect(formErrors(refused)).to.deep.equal({
      '':
        'The tax of this customer has changed since the page was opened. ' +
        'Open the page again and change it there.',
    });
    expect((await company.get(`/customers/${id}`)).body.tax).to.deep.include(tax);
    const other = await browser.send(path, { ...fields, phone: '2' });
    expect(other.status, other.text).to.equal(303);
  });

  it('are listed with what they owe by all of their names', async () => {
    const { company, browser } = await arrange();
    const { id } = await makeCustomer(company, {
      name: 'Quay',
      aliases: ['Pier'],
      creditLimit: 100,
    });
    await makeCustomer(company, { name: 'Anchor', hold: true });
    await makeCustomer(company, { name: 'Dock', email: 'dock@b.example' });
    const items = [{ name: 'Advice', qty: 1, price: 70 }];
    const late = { date: '2026-01-01', dueDate: '2026-01-31', items };
    await issue(company, { ...late, customerName: 'quay' });
    await issue(company, { ...late, dueDate: '2099-01-31', customerName: 'PIER' });
    await issue(company, { ...late, customerName: 'Dock' });
    await pay(company, 20, [], { customerName: 'Pier' });
    const all = await browser.get('/customers');
    expect(rowsOf(all)).to.deep.equal([
      'Anchor C-00002 On hold $0.00',
      'Dock C-00003 dock@b.example $70.00 overdue $70.00',
      'Quay C-00001 Over limit $100.00 $70.00 overdue $140.00',
    ]);
    expect(all.text).to.contain(`href="/customers/${id}"`);
    expect(rowsOf(await browser.get('/customers?hold=1'))).to.have.length(1);
    expect(rowsOf(await browser.get('/customers?q=DOCK%40'))).to.have.length(1);
    expect(rowsOf(await browser.get('/customers?q=pier'))).to.have.length(1);
    expect((await browser.get('/customers?archived=1')).text).to.contain('No customer is archived');
  });

  it('are archived without debts, restored, and deleted while no name is in use', async () => {
    const { company, browser } = await arrange();
    const { id } = await makeCustomer(company, { name: 'Quay' });
    const invoice = await issue(company, { customerName: 'Quay' });
    const act = (action: string) => browser.post('/account', `/customers/${id}/${action}`, {});
    const early = await act('archive');
    expect([early.status, textOf(early)]).to.satisfy(
      ([status, text]: [number, string]) =>
        status === 422 && text.includes('is not archived') && text.includes('Outstanding: $'),
    );
    await pay(company, Number(invoice.total), [invoice], { customerName: 'Quay' });
    expect((await act('archive')).status).to.equal(303);
    expect((await company.get(`/customers/${id}`)).body.archived).to.equal(true);
    expect((await act('restore')).status).to.equal(303);
    expect((await company.get(`/customers/${id}`)).body.archived).to.equal(false);
    const used = await act('delete');
    expect([used.status, textOf(used)]).to.satisfy(
      ([status, text]: [number, string]) =>
        status === 422 && text.includes('Quay has invoices or payments.'),
    );
    const unused = await makeCustomer(company, { name: 'Pier' });
    const path = `/customers/${unused.id}/delete`;
    expect((await browser.get(path)).text).to.contain('Delete customer</button>');
    expect((await browser.post(path, path, {})).headers.location).to.equal('/customers');
    expect((await company.get(`/customers/${unused.id}`)).status).to.equal(404);
  });

  it('have a history that says who changed which field', async () => {
    const { company, browser, user } = await arrange();
    const { id } = await makeCustomer(company, { name: 'Quay', termsDays: 14 });
    const path = `/customers/${id}/edit`;
    const fields = await formOn(browser, path);
    const changes = { name: 'Quay Ltd', termsDays: '', 'address.country': 'DE', hold: 'true' };
    await browser.send(path, { ...fields, ...changes });
    const page = textOf(await browser.get(`/customers/${id}/history`));
    const [newest = '', oldest = ''] = page.split('Test key');
    expect(newest).to.contain(user.email).and.contain('Name Quay Quay Ltd');
    expect(newest).to.contain('Other names Quay').and.contain('Payment terms (days) 14');
    expect(newest).to.contain('Country Germany').and.contain('On hold Yes');
    expect(oldest).to.contain('Customer Created').and.contain('Number C-00001');
    expect(oldest).to.not.contain('Germany');
  });

  it('are merged after both records were shown side by side', async () => {
    const { company, browser } = await arrange();
    const { id } = await makeCustomer(company, { name: 'Quay', email: 'q@b.example' });
    const other = await makeCustomer(company, { name: 'Pier', email: 'p@b.example' });
    const path = `/customers/${id}/merge`;
    expect((await browser.get(path)).text)
      .to.contain(`href="${path}?with=${other.id}"`)
      .and.not.contain(`with=${id}"`);
    const page = await browser.get(`${path}?with=${other.id}`);
    expect(textOf(page)).to.contain('Name Quay Pier').and.contain('E-mail q@b.example p@b.example');
    const fields = fieldsOf(page) as Record<string, string>;
    for (const _twice of [1, 2])
      expect((await browser.send(path, fields)).headers.location).to.equal(`/customers/${id}`);
    expect((await company.get(`/customers/${id}`)).body).to.deep.include({
      ...{ email: 'q@b.example', aliases: ['Pier'] },
    });
    const itself = await browser.post(path, path, { customerId: id });
    expect([itself.status, textOf(itself)]).to.satisfy(
      ([status, text]: [number, string]) => status === 422 && text.includes('with itself'),
    );
  });

  describe('that are merged while their forms are open', () => {
    const forms = async () => {
      const { company, browser } = await arrange();
      const kept = await makeCustomer(company, { name: 'Quay', hold: true });
      const gone = await makeCustomer(company, { name: 'Pier' });
      const other = await makeCustomer(company, { name: 'Dock' });
      const path = (action: string) => `/customers/${gone.id}/${action}`;
      const opened = {
        edit: await formOn(browser, path('edit')),
        delete: await formOn(browser, path('delete')),
        merge: await formOn(browser, `${path('merge')}?with=${other.id}`),
      };
      const mergeGone = { customerId: gone.id };
      await company.post(`/customers/${kept.id}/merge`, mergeGone);
      const records = async () =>
        Promise.all(
          ['/customers', '/customers?archived=1'].map(async list => (await company.get(list)).body),
        );
      return { company, browser, kept, gone, other, path, opened, records };
    };

    it('change neither record, and say which one remains', async () => {
      const { browser, kept, gone, other, path, opened, records } = await forms();
      const before = await records();
      const refusal = 'The record of Pier was merged into Quay.';
      const typed = { ...opened.edit, name: 'Pier Ltd', phone: '0421 7' };
      for (const [action, fields] of [
        ['edit', typed],
        ['delete', opened.delete],
        ['merge', opened.merge],
        ['archive', { token: opened.edit.token ?? '' }],
        ['restore', { token: opened.edit.token ?? '' }],
      ] as const) {
        const refused = await browser.send(path(action), fields);
        expect([refused.status, textOf(refused).includes(refusal)], action).to.deep.equal([
          422,
          true,
        ]);
        expect(await records(), action).to.deep.equal(before);
        if (action === 'archive' || action === 'restore') continue;
        expect(refused.text, action)
          .to.contain(`href="/customers/${kept.id}">Open the remaining customer`)
          .and.contain(`action="${path(action)}"`);
        const again = fieldsOf(refused) as Record<string, string>;
        if (action === 'edit') expect(again).to.include({ name: 'Pier Ltd', phone: '0421 7' });
        if (action === 'merge') expect(again.customerId).to.equal(other.id);
        // A second click is refused, too.
        expect((await browser.send(path(action), again)).status, action).to.equal(422);
        expect(await records(), action).to.deep.equal(before);
      }
      // The same duplicate, merged from a page of the record that remains.
      const merge = `/customers/${other.id}/merge`;
      const refused = await browser.post('/account', merge, { customerId: gone.id });
      expect(textOf(refused)).to.contain(refusal);
      expect(fieldsOf(refused)).to.include({ customerId: gone.id });
    });

    it('are opened as those of the record that remains', async () => {
      const { browser, kept, other, path } = await forms();
      for (const page of ['edit', 'delete', 'merge', `merge?with=${other.id}`]) {
        const { status, headers } = await browser.get(path(page));
        expect([status, headers.location]).to.deep.equal([303, `/customers/${kept.id}/${page}`]);
      }
      const itself = await browser.get(`/customers/${kept.id}/merge?with=${kept.id}`);
      expect(textOf(itself)).to.contain('Choose the duplicate.');
    });
  });

  it('get records from the names that have none', async () => {
    const { company, browser } = await arrange();
    await makeCustomer(company, { name: 'Anchor', aliases: ['Dock'] });
    for (const customerName of ['Quay', 'QUAY', 'Dock', 'Pier & Co'])
      await issue(company, { customerName });
    await pay(company, 5, [], { customerName: 'Buoy' });
    const path = '/customers/names';
    const page = await browser.get(path);
    const names = [...page.text.matchAll(/name="names\[\]" value="([^"]*)"/gu)].map(([, n]) => n);
    expect(names).to.deep.equal(['Buoy', 'Pier &amp; Co', 'QUAY']);
    const { token = '', key = '' } = fieldsOf(page);
    const ticked = (...chosen: string[]) => {
      const pairs = chosen.map(name => ['names[]', name]);
      const raw = new URLSearchParams([['token', token], ['key', key], ...pairs]).toString();
      return browser.send(path, {}, { raw });
    };
    expect((await ticked()).status).to.equal(422);
    expect((await ticked(...Array(101).fill('A'))).status).to.equal(422);
    await makeCustomer(company, { name: 'Buoy' });
    expect((await ticked('QUAY', 'Pier & Co', 'Buoy')).status).to.equal(303);
    expect(textOf(await browser.get(path)))
      .to.contain('2 customers saved. Already saved: 1 name.')
      .and.contain('Every name is saved as a customer');
    const { body } = await company.get('/customers');
    expect(body.map(({ name }: Json) => name)).to.deep.equal([
      'Anchor',
      'Buoy',
      'Pier & Co',
      'QUAY',
    ]);
  });

  it('show the warehouse their names and nothing else', async () => {
    const { company, browser } = await arrange('warehouse');
    await issue(company, { customerName: 'Harbor' });
    const { id } = await makeCustomer(company, FULL);
    const page = await browser.get('/customers');
    expect(textOf(page)).to.contain('Harbour Ltd K-7');
    expect(page.text).to.not.match(/\$|ap@|DE123|On hold|Trading|crm-7/u);
    for (const text of ['DE123', 'ap@harbour', 'Harbor'])
      expect(textOf(await browser.get(`/customers?q=${text}`))).to.not.contain('K-7');
    expect((await browser.get('/customers?hold=1&q=harbour')).text).to.contain('K-7');
    expect((await browser.get(`/customers/${id}/history`)).status).to.equal(403);
  });

  it('of another company are not found', async () => {
    const { browser } = await arrange();
    const other = await makeCompany(stack());
    const { id } = await makeCustomer(other, { name: 'Quay' });
    for (const page of ['edit', 'history', 'merge', 'delete'])
      expect((await browser.get(`/customers/${id}/${page}`)).status, page).to.equal(404);
    for (const action of ['edit', 'archive', 'restore', 'delete', 'merge'])
      expect((await browser.post('/account', `/customers/${id}/${action}`, {})).status).to.equal(
        404,
      );
  });
});
