// Imports and exports of customers in the dashboard: the preview, the rows, and the file that comes
// back unchanged.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Role } from '../../src/users/roles.js';
import type { Json } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import { type Browser, makeSignedIn, signedIn } from '../support/dashboard.js';
import { changeCompany, makeCompany, type TestCompany } from '../support/factories.js';
import { rowsOf, textOf } from '../support/html.js';
import { untilImported } from '../support/imports.js';
import { issue } from '../support/ledger.js';
import { launch, PROCESS_SCRIPTS } from '../support/processes.js';
import { describeMode, makeStack, startForTests } from '../support/suite.js';

const FORM = '/customers/import';
const ADDRESS = {
  ...{ line1: '=1 Quay', line2: '-', line3: null, city: 'Bremen' },
  ...{ postalCode: '028195', region: null, country: 'DE' },
};
const FULL = {
  number: '-7',
  name: "'=Harbour; Ltd, “A”",
  legalName: 'Harbour Trading Limited',
  aliases: ['-', 'The | Harbour; A, B', '@Harbor'],
  externalId: '007',
  email: 'ap@harbour.example',
  emailCc: ['boss@harbour.example', 'cc@harbour.example'],
  phone: '+49 421 1',
  contactName: 'Ann',
  address: ADDRESS,
  deliveryAddress: { ...ADDRESS, line1: 'Gate 4' },
  taxId: 'DE123456789',
  registrationId: 'HRB 1',
  electronicAddress: { scheme: '9930', id: 'DE123456789' },
  buyerReference: '04011000-12345-34',
  language: 'de',
  termsDays: 30,
  tax: { rate: 7.5, category: 'S' },
  creditLimit: 1000.5,
  hold: true,
  note: '-\nlate',
};

async function upload(
  browser: Browser,
  content: string,
  { key = randomUUID(), decimals = '' } = {},
): Promise<string> {
  const fields = { key, decimals };
  const uploaded = await browser.upload(FORM, FORM, fields, { name: 'customers.csv', content });
  expect(uploaded.status, textOf(uploaded)).to.equal(303);
  return String(uploaded.headers.location);
}

/** Uploads a file, starts its import and waits for the end. Returns its page. */
async function importFile(browser: Browser, content: string): Promise<string> {
  const path = await upload(browser, content);
  const started = await browser.post(path, `${path}/start`, {});
  expect(started.status, textOf(started)).to.equal(303);
  await untilImported(browser, path);
  return textOf(await browser.get(path));
}

describeMode('postgres', 'an import of customers', stack => {
  const arrange = (role: Role = 'owner') => makeSignedIn(stack(), { role });
  const byName = async (company: TestCompany, name: string) =>
    (await company.get(`/customers?${new URLSearchParams({ name })}`)).body[0];

  it('is of the user who starts it, with that user’s permissions', async () => {
    const { company, browser: owner } = await arrange();
    const { browser: member, user } = await signedIn(stack(), company.companyId, {
      role: 'member',
    });
    const held = await makeCustomer(company, { name: 'Quay', hold: true });
    const path = await upload(owner, 'name,hold,phone\nQuay,no,\nPier,yes,\nTower,,1');
    await member.post(path, `${path}/start`, {});
    await untilImported(owner, path);
    const page = textOf(await owner.get(path));
    expect(page.match(/Only an owner can put a customer on hold or release it/gu)).to.have.length(
      2,
    );
    expect(page).to.contain(`Started by ${user.email}`);
    expect((await company.get(`/customers/${held.id}`)).body.hold).to.equal(true);
    expect(await byName(company, 'Pier')).to.equal(undefined);
    const tower = await byName(company, 'Tower');
    const history = textOf(await owner.get(`/customers/${tower.id}/history`));
    expect(history).to.contain(user.email);
  });

  for (const format of ['comma', 'semicolon']) {
    it(`of an unedited export with a ${format} changes nothing`, async () => {
      const { company, browser } = await arrange();
      await changeCompany(stack(), company, { csvFormat: format });
      await makeCustomer(company, FULL);
      await makeCustomer(company, { name: 'Quay' });
      const many = Array.from({ length: 100 }, (_, at) => `${at} ${'Ä'.repeat(250)}`);
      await makeCustomer(company, { name: 'Long', aliases: many, note: 'é'.repeat(2000) });
      const before = (await company.get('/customers')).body;
      const { text } = await browser.get('/customers/export.csv');
      expect(text.split('\r\n')[0]).to.contain('Address line 1').and.not.contain('addressLine1');
      expect(text.startsWith('\ufeff')).to.equal(true);
      const result = await importFile(browser, text);
      expect(result).to.contain('0 added, 0 changed, 3 unchanged, 0 rejected.');
      expect((await company.get('/customers')).body).to.deep.equal(before);
      // Into another company, the file makes the same records.
      const other = await arrange();
      await changeCompany(stack(), other.company, { csvFormat: format });
      expect(await importFile(other.browser, text)).to.contain('3 added, 0 changed');
      const copied = await other.browser.get('/customers/export.csv');
      expect(copied.text).to.equal(text);
    });
  }

  it('of an unedited export of archived and merged customers changes nothing', async () => {
    const { company, browser } = await arrange();
    const kept = await makeCustomer(company, { name: 'Quay', externalId: 'q', hold: true });
    const note = 'First line\nsecond line';
    const full = { ...FULL, aliases: [], hold: false, note };
    for (const gone of [
      await makeCustomer(company, full),
      await makeCustomer(company, { name: 'Pier', phone: '1' }),
    ])
      await company.post(`/customers/${kept.id}/merge`, { customerId: gone.id });
    const old = await makeCustomer(company, { name: 'Old' });
    await company.patch(`/customers/${old.id}`, { archived: true });
    const records = async () =>
      Promise.all(
        ['/customers', '/customers?archived=1'].map(async list => (await company.get(list)).body),
      );
    const before = await records();
    const { text } = await browser.get('/customers/export.csv?archived=1');
    for (const file of [text, text.replaceAll(/(?<!\r)\n/gu, '\r\n')]) {
      const path = await upload(browser, file);
      expect(textOf(await browser.get(path)))
        .to.contain('Unchanged rows 2')
        .and.contain('Rejected rows 1')
        .and.contain('Old is archived.');
      expect(await importFile(browser, file)).to.contain(
        '0 added, 0 changed, 2 unchanged, 1 rejected.',
      );
      expect(await records()).to.deep.equal(before);
    }
  });

  it('changes a remaining customer by what differs from the merged one', async () => {
    const { company, browser } = await arrange();
    const kept = await makeCustomer(company, { name: 'Quay', phone: '1', hold: true, note: 'N' });
    const gone = await makeCustomer(company, { name: 'Pier', externalId: 'p', phone: '2' });
    await company.post(`/customers/${kept.id}/merge`, { customerId: gone.id });
    const file =
      'number,externalId,name,phone,email,hold,note\n' +
      `${gone.number.toLowerCase()},p,PIER,2,p@b.example,no,-`;
    expect(await importFile(browser, file)).to.contain('0 added, 1 changed');
    expect((await company.get(`/customers/${kept.id}`)).body).to.deep.include({
      ...{ name: 'Quay', aliases: ['Pier'], number: kept.number, externalId: null },
      ...{ phone: '1', email: 'p@b.example', hold: true, note: null },
    });
  });

  it('shows in its preview no change of the number or name by which a row finds', async () => {
    const { company, browser } = await arrange();
    const kept = await makeCustomer(company, { name: 'Quay', number: 'VK', externalId: 'xk' });
    const gone = await makeCustomer(company, { name: 'Pier', number: 'VD', externalId: 'xd' });
    await company.post(`/customers/${kept.id}/merge`, { customerId: gone.id });
    for (const [file, shown] of [
      ['number,phone\nVD,1', 'Quay 2 Phone: 1 Changes customer'],
      ['externalId,phone\nxd,1', 'Quay 2 Phone: 1 Changes customer'],
      ['name,phone\nPier,1', 'Quay 2 Phone: 1 Changes customer'],
      ['name,number\nQuay,VD', 'Quay 2 Unchanged'],
      ['name,number\nQuay,VK2', 'Quay 2 Number: VK → VK2 Changes customer'],
    ] as const)
      expect(rowsOf(await browser.get(await upload(browser, file))), file).to.deep.equal([shown]);
  });

  it('finds records by external id, then number, then name, and adds the others', async () => {
    const { company, browser, user } = await arrange();
    await makeCustomer(company, { name: 'A', number: 'N-1', externalId: 'x-1' });
    await makeCustomer(company, { name: 'B', number: 'N-2', aliases: ['Bee'] });
    await makeCustomer(company, { name: 'C', number: 'N-3' });
    const result = await importFile(
      browser,
      [
        'External ID,number,name,phone',
        'x-1,N-9,A2,1',
        'x-2,n-2,B2,2',
        ',,BEE,3',
        'x-4,,C,4',
        ',,D,5',
        ',,d,6',
      ].join('\n'),
    );
    expect(result).to.contain('1 added, 5 changed, 0 unchanged, 0 rejected.');
    expect(await byName(company, 'A')).to.deep.include({
      ...{ name: 'A2', aliases: ['A'], number: 'N-9', externalId: 'x-1', phone: '1' },
    });
    expect(await byName(company, 'B')).to.deep.include({
      ...{ name: 'B2', aliases: ['Bee', 'B'], number: 'n-2', externalId: 'x-2', phone: '3' },
    });
    expect(await byName(company, 'C')).to.include({ number: 'N-3', externalId: 'x-4', phone: '4' });
    expect(await byName(company, 'D')).to.include({ number: 'C-00001', phone: '6' });
    const [version] = await stack().sql<{ by: Json }>(
      `SELECT changed_by AS by FROM customer_versions
       WHERE company_id = $1 ORDER BY valid_from DESC LIMIT 1`,
      [company.companyId],
    );
    expect(version?.by).to.include({ kind: 'user', id: user.userId });
  });

  it('leaves values of empty cells, clears those with a hyphen, changes single parts', async () => {
    const { company, browser } = await arrange();
    const { id } = await makeCustomer(company, FULL);
    const result = await importFile(
      browser,
      'number;phone;email;aliases;addressCity;addressLine1;taxRate;hold;deliveryLine1;' +
        'deliveryLine2;deliveryCity;deliveryPostalCode;deliveryCountry;Color\n' +
        "'-7;;-;-;Kiel;-;19;no;-;-;-;-;-;red",
    );
    expect(result).to.contain('0 added, 1 changed');
    expect((await company.get(`/customers/${id}`)).body).to.deep.include({
      ...{ phone: '+49 421 1', email: null, aliases: [], hold: false, deliveryAddress: null },
      ...{ tax: { rate: 19, category: 'S' }, address: { ...ADDRESS, line1: null, city: 'Kiel' } },
    });
  });

  it('rejects rows with the reason, and offers them as a file', async () => {
    const { company, browser } = await arrange();
    await makeCustomer(company, { name: 'A', aliases: ['Aye'], externalId: 'x-1' });
    const { id } = await makeCustomer(company, { name: 'Old' });
    await company.patch(`/customers/${id}`, { archived: true });
    await issue(company, { customerName: 'Aye' });
    const file = [
      'name,number,email,addressCity,aliases,termsDays,externalId',
      'B,,wrong,,,,',
      'C,,,Bremen,,,',
      'D,,,,a,,',
      'A,,,,-,,',
      'Old,,,,,3,',
      ',,x@b.example,,,,',
      'E,,,,,soon,',
      'F,1,,,,,x-1',
      'G,,,,,7,',
      ',N-9,,,,,',
    ].join('\n');
    const path = await upload(browser, file);
    expect(textOf(await browser.get(path)))
      .to.contain('Rejected rows 8')
      .and.contain('email “wrong”: Must be an e-mail address.');
    const result = await importFile(browser, file);
    expect(result).to.contain('1 added, 1 changed, 0 unchanged, 8 rejected.');
    for (const reason of [
      'addressCountry: Required.',
      'aliases “a”: Another record has this name.',
      'Invoices or payments have the name Aye, so the customer must keep it.',
      'Old is archived. Restore the record first.',
      'A name, number or externalId is required.',
      'name: No customer has this number or external ID. Add a name to create one.',
      'termsDays “soon”: Must be a number of days, such as 30 or Net 30.',
    ])
      expect(result).to.contain(reason);
    const left = await browser.get(`${path}/left.csv`);
    expect(left.text.split('\r\n')[0]).to.contain('"Line","Problem","name"');
  });

  it('of a Member changes no hold and no limit, as its preview says', async () => {
    const { company, browser } = await arrange('member');
    await makeCustomer(company, { name: 'A', phone: '1', creditLimit: 5 });
    const path = await upload(browser, 'name,phone,creditLimit\nA,2,5\nA,3,6\nB,,7\nC,4,');
    const reason = 'Only an owner can change a credit limit.';
    expect(textOf(await browser.get(path)))
      .to.contain('Phone: 1 → 2')
      .and.contain('Rejected rows 2')
      .and.contain(`creditLimit “6”: ${reason}`);
    expect((await browser.post(path, `${path}/start`, {})).status).to.equal(303);
    await untilImported(browser, path);
    expect(textOf(await browser.get(path)))
      .to.contain('1 added, 1 changed, 0 unchanged, 2 rejected.')
      .and.contain(`creditLimit “7”: ${reason}`);
  });

  it('is not started while a number could mean two', async () => {
    const { company, browser } = await arrange();
    const file = 'name,creditLimit\nQuay,1.250';
    const path = await upload(browser, file);
    expect(textOf(await browser.get(path))).to.contain('“1.250” could mean two numbers.');
    expect((await browser.post(path, `${path}/start`, {})).status).to.equal(422);
    const chosen = await upload(browser, file, { decimals: '.' });
    expect(textOf(await browser.get(chosen))).to.contain('Import 1 row');
    const other = await upload(browser, file, { decimals: ',' });
    expect(textOf(await browser.get(other))).to.contain('Credit limit: 1,250');
    expect((await company.get('/customers')).body).to.deep.equal([]);
  });

  it('is one import, however often its form is sent', async () => {
    const { browser } = await arrange();
    const key = randomUUID();
    const paths = await Promise.all([1, 2, 3].map(() => upload(browser, 'name\nQuay', { key })));
    expect(new Set(paths).size).to.equal(1);
    const [path = ''] = paths;
    for (const _twice of [1, 2])
      expect((await browser.post(path, `${path}/start`, {})).status).to.equal(303);
  });

  it('refuses what is no table of customers', async () => {
    const { browser } = await arrange();
    for (const [content, reason] of [
      ['', 'The file has no rows.'],
      ['name\n', 'The file has no rows.'],
      ['phone\n1', 'A name, number or externalId column is required.'],
      [`name\n${'A\n'.repeat(20_001)}`, 'more than 20000 rows'],
    ] as const) {
      const refused = await browser.upload(
        FORM,
        FORM,
        { key: randomUUID() },
        { name: 'a', content },
      );
      expect([refused.status, textOf(refused).includes(reason)], reason).to.deep.equal([422, true]);
    }
  });

  it('runs beside another one over the same customers, each row once', async () => {
    const { company, browser } = await arrange();
    const rows = (phone: number) =>
      `name,phone\n${Array.from({ length: 600 }, (_, at) => `Customer ${at},${phone}`).join('\n')}`;
    const results = await Promise.all([importFile(browser, rows(1)), importFile(browser, rows(2))]);
    const added = results.map(text => Number(/(\d+) added/u.exec(text)?.[1]));
    const changed = results.map(text => Number(/(\d+) changed/u.exec(text)?.[1]));
    expect(added.reduce((sum, count) => sum + count)).to.equal(600);
    expect(changed.reduce((sum, count) => sum + count)).to.equal(600);
    const [counted] = await stack().sql<{ records: number; numbers: number; versions: number }>(
      `SELECT (SELECT count(*)::int FROM customers WHERE company_id = $1) AS records,
         (SELECT count(DISTINCT number)::int FROM customers WHERE company_id = $1) AS numbers,
         (SELECT count(*)::int FROM customer_versions WHERE company_id = $1) AS versions`,
      [company.companyId],
    );
    expect(counted).to.deep.equal({ records: 600, numbers: 600, versions: 1200 });
  });

  it('of another company is not found', async () => {
    const { browser } = await arrange();
    const other = await arrange();
    const path = await upload(other.browser, 'name\nQuay');
    for (const page of ['', '/progress', '/left.csv'])
      expect((await browser.get(path + page)).status).to.equal(404);
    expect((await browser.post('/account', `${path}/start`, {})).status).to.equal(404);
  });
});

describeMode(
  'postgres',
  'an import of customers whose workers are killed',
  stack => {
    const ROWS = 1000;
    /** A worker that is killed at the second pass of a step. */
    const dyingWorker = (step: string) => {
      const env = { ...stack().env, NODE_ENV: 'test', FAIL_POINT: `kill:${step}:2` };
      return launch(PROCESS_SCRIPTS.worker, env, { name: 'dying worker' });
    };

    it('goes on after the last stored row, and writes each row once', async () => {
      const company = await makeCompany(stack());
      const { browser } = await signedIn(stack(), company.companyId, { role: 'member' });
      const rows = Array.from({ length: ROWS }, (_, at) => `Customer ${at},${at}`);
      const path = await upload(browser, `name,phone\n${rows.join('\n')}`);
      await browser.post(path, `${path}/start`, {});
      const counted = async () => {
        const [counts] = await stack().sql(
          `SELECT (SELECT count(*)::int FROM customers WHERE company_id = $1) AS records,
             (SELECT count(*)::int FROM customer_versions WHERE company_id = $1) AS versions,
             (SELECT count(DISTINCT number)::int FROM customers WHERE company_id = $1) AS numbers,
             (SELECT customer_count FROM companies WHERE id = $1) AS counter`,
          [company.companyId],
        );
        return counts;
      };
      // Before its second commit, and then after its own second one.
      for (const step of ['job-written', 'committed']) await dyingWorker(step).ended;
      expect(Object.values((await counted()) ?? {}), 'three chunks').to.deep.equal(
        Array(4).fill(750),
      );
      await startForTests('worker', stack().env);
      await untilImported(browser, path);
      expect(textOf(await browser.get(path))).to.contain('1,000 added');
      expect(Object.values((await counted()) ?? {})).to.deep.equal(Array(4).fill(ROWS));
    });
  },
  () => makeStack('postgres', ['web']),
);
