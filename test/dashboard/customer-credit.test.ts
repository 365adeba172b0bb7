// Holds and credit limits: every door of the dashboard that changes whom they refuse asks for the
// same permission, which owners have. API keys have their scope.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Json, Response } from '../support/client.js';
import { changeCustomer, makeCustomer } from '../support/customers.js';
import { type Browser, signedIn } from '../support/dashboard.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { CUSTOMERS, importFile, untilImported } from '../support/imports.js';
import { describeMode } from '../support/suite.js';

interface Door {
  readonly company: TestCompany;
  readonly browser: Browser;
  /** On hold, with a limit. */
  readonly held: Json;
  readonly free: Json;
}

type Open = (door: Door) => Promise<Response>;

const save =
  (change: Record<string, string>): Open =>
  async ({ browser, held }) => {
    const path = `/customers/${held.id}/edit`;
    const fields = fieldsOf(await browser.get(path)) as Record<string, string>;
    return browser.send(path, { ...fields, ...change });
  };

const mergeInto =
  (remaining: 'held' | 'free', ended: 'held' | 'free'): Open =>
  ({ browser, [remaining]: record, [ended]: other }) => {
    const path = `/customers/${record.id}/merge`;
    const fields = { key: randomUUID(), customerId: other.id };
    return browser.post(`${path}?with=${other.id}`, path, fields);
  };

const DOORS: Readonly<Record<string, Open>> = {
  'releases a hold': save({ hold: 'false' }),
  'raises a limit': save({ creditLimit: '99999' }),
  'drops a limit': save({ creditLimit: '' }),
  'sets a limit on a new customer': ({ browser }) =>
    browser.post('/customers/new', '/customers/new', {
      ...{ key: randomUUID(), name: 'Buoy', creditLimit: '5' },
    }),
  'adds a customer on hold': ({ browser }) =>
    browser.post('/customers/new', '/customers/new', {
      ...{ key: randomUUID(), name: 'Buoy', hold: 'true' },
    }),
  'takes a name from a customer on hold': save({ aliases: '' }),
  'archives a customer on hold': ({ browser, held: { id } }) =>
    browser.post(`/customers/${id}/edit`, `/customers/${id}/archive`, {}),
  'restores a customer on hold': async ({ company, browser, held }) => {
    await changeCustomer(company, held, { archived: true });
    return browser.post(`/customers/${held.id}/edit`, `/customers/${held.id}/restore`, {});
  },
  'deletes a customer on hold': ({ browser, held: { id } }) =>
    browser.post(`/customers/${id}/delete`, `/customers/${id}/delete`, {}),
  'merges a customer on hold into another': mergeInto('free', 'held'),
  'merges another customer into one on hold': mergeInto('held', 'free'),
};

const REFUSALS = [
  'Only an owner can change a credit limit. Ask an owner.',
  'Only an owner can put a customer on hold or release it. Ask an owner.',
  'Quay is on hold or has a credit limit, so only an owner can do this. Ask an owner.',
];

describeMode('postgres', 'a hold and a credit limit', stack => {
  const arrange = async (role: 'owner' | 'member'): Promise<Door> => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId, { role });
    const credit = { hold: true, creditLimit: 100.5 };
    const held = await makeCustomer(company, { name: 'Quay', aliases: ['Pier'], ...credit });
    const free = await makeCustomer(company, { name: 'Mole' });
    return { company, browser, held, free };
  };
  const records = async ({ company }: Door) => [
    ...(await company.get('/customers')).body,
    ...(await company.get('/customers?archived=1')).body,
  ];

  for (const [what, open] of Object.entries(DOORS)) {
    it(`is an owner’s: a member never ${what}`, async () => {
      const members = await arrange('member');
      const before = await records(members);
      const refused = await open(members);
      expect(refused.status, textOf(refused)).to.equal(422);
      expect(REFUSALS.some(sentence => textOf(refused).includes(sentence))).to.equal(true);
      const after = await records(members);
      const changes = (list: Json[]) =>
        list.map(({ id, hold, creditLimit, aliases }) => ({ id, hold, creditLimit, aliases }));
      expect(changes(after)).to.have.deep.members(changes(before));
      const owners = await arrange('owner');
      expect((await open(owners)).status, 'an owner').to.equal(303);
    });
  }

  it('does not keep a member from the rest of a customer on hold', async () => {
    const door = await arrange('member');
    const { browser, held, company } = door;
    const page = await browser.get(`/customers/${held.id}/edit`);
    expect(textOf(page)).to.contain('Credit limit: $100.50 · On hold. Only an owner can change');
    const saved = await save({ phone: '+1 555', aliases: 'Pier\nJetty' })(door);
    expect(saved.status, textOf(saved)).to.equal(303);
    expect((await company.get(`/customers/${held.id}`)).body).to.deep.include({
      ...{ phone: '+1 555', aliases: ['Pier', 'Jetty'], hold: true, creditLimit: 100.5 },
    });
    const added = await browser.get('/customers/new');
    expect(added.text).not.to.match(/name="(?:hold|creditLimit)"[^>]*type="(?:text|checkbox)"/u);
  });

  for (const role of ['member', 'owner'] as const) {
    it(`in a file of ${role === 'owner' ? 'an owner is' : 'a member is not'} changed`, async () => {
      const { company, browser, held } = await arrange(role);
      const content = 'name,phone,creditLimit,hold\nQuay,,99999,\nMole,+49,,\nPier,,,false\n';
      const { headers } = await importFile(browser, { ...CUSTOMERS, content });
      const path = String(headers.location);
      await untilImported(browser, path);
      const { hold, creditLimit } = (await company.get(`/customers/${held.id}`)).body;
      const page = textOf(await browser.get(path));
      if (role === 'owner') expect([hold, creditLimit]).to.deep.equal([false, 99999]);
      else {
        expect([hold, creditLimit]).to.deep.equal([true, 100.5]);
        expect(page).to.contain('Only an owner can change a credit limit');
        expect(page).to.contain('Only an owner can put a customer on hold');
      }
      const mole = (await company.get('/customers?name=Mole')).body[0];
      expect(mole.phone, 'the other rows').to.equal('+49');
    });
  }
});
