// One company's writes that are not queued wait for their company without a connection that others
// need, whether its row is locked or there are many of them.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Response } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import { type Browser, signedIn } from '../support/dashboard.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { fieldsOf } from '../support/html.js';
import { uploadFile } from '../support/imports.js';
import { lockCompany, makeTrader, postInvoice } from '../support/neighbours.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

const AT_ONCE = 20;
const LOCKED_MS = 4_000;
const LONG_MS = 30_000;
/** More than a busy machine takes, and less than a wait for the lock. */
const NOTICED_MS = 2_500;
/** On a slow host a write may also wait too long for those of others, or lose its connection. */
const HELD_UP =
  /, such as an import, holds up|changes (?:of your company )?are waiting|temporarily unavailable/u;
/** One in the company's turn, and one in that of companies whose rows stay locked. */
const MAX_LOCK_WAITS = 2;

interface Sender {
  readonly company: TestCompany;
  readonly browser: Browser;
  /** The token of the browser's forms. */
  readonly token: string;
  readonly itemId: string;
  readonly customerId: string;
  /** An undo has nothing to do for another import. */
  readonly importPath: string;
  readonly settings: Record<string, string>;
}

type Send = (sender: Sender, index: number) => Promise<Response>;

const form =
  (path: (sender: Sender) => string, fields: (index: number, sender: Sender) => object): Send =>
  (sender, index) =>
    sender.browser.send(path(sender), { token: sender.token, ...fields(index, sender) }, MAY_TELL);
const MAY_TELL = { mayTell: true };
const line = (index: number) => ({ 'items.0.name': `Line ${index}`, 'items.0.qty': '1' });

/** The kinds of writes that lock the company and are not queued. */
const WRITES: Readonly<Record<string, Send>> = {
  'creates a customer': ({ company }, index) => company.post('/customers', { name: `C ${index}` }),
  'creates customers': ({ company }, index) =>
    company.post('/customers/batch', { customers: [{ name: `A ${index}` }, { name: 'B' }] }),
  'changes a customer': ({ company, customerId }, index) =>
    company.patch(`/customers/${customerId}`, { note: `Note ${index}` }),
  'merges customers': ({ company, customerId }) =>
    company.post(`/customers/${customerId}/merge`, { customerId: randomUUID() }),
  'deletes a customer': ({ company, customerId }, index) =>
    company.delete(`/customers/${index === 0 ? customerId : randomUUID()}`),
  'changes an item': ({ company, itemId }, index) =>
    company.patch(`/inventory/${itemId}`, { unit: `unit ${index}` }),
  'saves a draft': form(
    () => '/invoices/new',
    index => ({ key: randomUUID(), do: 'save-draft', ...line(index) }),
  ),
  'saves the settings': form(
    () => '/settings',
    (index, { settings }) => ({ ...settings, name: `Company ${index}` }),
  ),
  'hides the first steps': form(
    () => '/overview/hide-first-steps',
    () => ({}),
  ),
  'creates a key': form(
    () => '/integrations/api-access/new',
    index => ({ once: randomUUID(), name: `Key ${index}`, access: 'read' }),
  ),
};

/** Those that lock other rows. */
const UNDISTURBED: Readonly<Record<string, Send>> = {
  'starts an import': form(
    ({ importPath }) => `${importPath}/start`,
    () => ({}),
  ),
  'undoes an import': form(
    ({ importPath }) => `${importPath}/undo`,
    () => ({}),
  ),
};

describeMode('postgres', 'writes of a company that are not queued', stack => {
  let sender: Sender;
  let other: TestCompany;
  let invoiceId: string;
  /** Ends the locks that a test made, if it has not. */
  const releases: (() => Promise<void>)[] = [];
  const releaseAll = () => Promise.all(releases.splice(0).map(release => release()));
  afterEach(releaseAll);
  before(async () => {
    [sender, other] = [await makeSender(), await makeTrader(stack())];
    invoiceId = (await postInvoice(other)).body.id;
  });

  const makeSender = async (): Promise<Sender> => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    const [itemId = ''] = await receive(company, { name: 'Pump', delta: 1 });
    const { id: customerId } = await makeCustomer(company, { name: 'Castle' });
    const uploaded = await uploadFile(browser, { content: 'name,delta\nPump,1' });
    const { token = '', ...settings } = fieldsOf(await browser.get('/settings'));
    const importPath = uploaded.headers.location ?? '';
    return {
      ...{ company, browser, token, itemId, customerId, importPath },
      settings: settings as Record<string, string>,
    };
  };

  /** How long reads and creates of the other company took, one after the other; sorted. */
  const timesOfOther = async (rounds: number): Promise<number[]> => {
    const requests = [
      () => other.get('/summary'),
      () => other.get(`/invoices/${invoiceId}`),
      () => other.get('/invoices?limit=5'),
      () => postInvoice(other),
    ];
    const times: number[] = [];
    for (let turn = 0; turn < rounds * requests.length; turn += 1) {
      const startedAt = performance.now();
      const { status } = (await requests[turn % requests.length]?.()) ?? {};
      times.push(performance.now() - startedAt);
      expect(status).to.be.oneOf([200, 201]);
    }
    return times.sort((a, b) => a - b);
  };
  const longestOfOther = async (rounds: number) => (await timesOfOther(rounds)).at(-1);
  /** Of 80 requests, a busy host may delay three. */
  const fourthLongestOfOther = async () => (await timesOfOther(20)).at(-4);

  /** The product's sessions that wait for a lock. */
  const lockWaits = async (): Promise<number> => {
    const rows = await stack().sql(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND application_name LIKE 'tradepost%'`,
    );
    return rows.length;
  };

  const expectAnswers = async (answers: readonly Promise<Response>[]): Promise<void> => {
    for (const { status, headers, text } of await Promise.all(answers)) {
      expect(status, text).to.be.oneOf([200, 201, 204, 303, 404, 409, 422, 503]);
      if (status !== 503) continue;
      expect(headers['retry-after']).to.equal('2');
      expect(text).to.match(HELD_UP);
    }
  };

  const lock = async (companyId: string, lockedMs = LOCKED_MS): Promise<void> => {
    const release = await lockCompany(stack(), companyId);
    const timer = setTimeout(release, lockedMs);
    releases.push(() => {
      clearTimeout(timer);
      return release();
    });
  };

  for (const [what, send] of Object.entries(WRITES)) {
    it(`hold up no other company while its row is locked and it ${what} many times`, async () => {
      await lock(sender.company.companyId);
      const answers = Array.from({ length: AT_ONCE }, (_, index) => send(sender, index));
      await until('it waits for the lock', async () => (await lockWaits()) > 0);
      expect(await longestOfOther(3)).to.be.below(NOTICED_MS);
      // None between two turns.
      expect(await lockWaits()).to.be.at.most(MAX_LOCK_WAITS);
      await releaseAll();
      await expectAnswers(answers);
    });
  }

  for (const [what, send] of Object.entries(UNDISTURBED)) {
    it(`do not wait for its locked row if it ${what}`, async () => {
      await lock(sender.company.companyId);
      const startedAt = performance.now();
      const { status, text } = await send(sender, 0);
      expect(status, text).to.be.oneOf([303, 404]);
      expect(performance.now() - startedAt).to.be.below(NOTICED_MS);
    });
  }

  it('hold up no other company while the rows of ten companies are locked', async () => {
    const makeChange = async () => {
      const company = await makeCompany(stack());
      const [itemId] = await receive(company, { name: 'Pump', delta: 1 });
      const change = (unit: number) => company.patch(`/inventory/${itemId}`, { unit: `${unit}` });
      return { company, change };
    };
    const locked = await Promise.all(Array.from({ length: 10 }, makeChange));
    const own = await makeChange();
    for (const { company } of locked) await lock(company.companyId, LONG_MS);
    const answers = locked.flatMap(({ change }) =>
      Array.from({ length: 10 }, (_, at) => change(at)),
    );
    // Each company waits for its lock once. Then they have one turn together.
    await until('they wait', async () => (await lockWaits()) > 1);
    await until('they are delayed', async () => (await lockWaits()) === 1);
    const startedAt = performance.now();
    expect((await own.change(1)).status).to.equal(200);
    expect(performance.now() - startedAt).to.be.below(NOTICED_MS);
    expect(await longestOfOther(3)).to.be.below(NOTICED_MS);
    // A company that was not delayed yet may have a turn of its own for a moment.
    await until('one waits at a time', async () => (await lockWaits()) <= 1, 2_000);
    await releaseAll();
    await expectAnswers(answers);
    for (const { change } of locked) expect((await change(99)).status).to.equal(200);
  });

  it('are answered with 503 and Retry-After if the lock is held for too long', async () => {
    const { company, browser, token, itemId, settings } = sender;
    releases.push(await lockCompany(stack(), company.companyId));
    const patch = () => company.patch(`/inventory/${itemId}`, { unit: 'm' });
    const save = () => browser.send('/settings', { token, ...settings, name: 'Renamed' });
    const [{ status, headers, body }, page] = await Promise.all([patch(), save()]);
    expect([status, body.code, headers['retry-after']]).to.deep.equal([
      503,
      'service_unavailable',
      '2',
    ]);
    expect(body.detail).to.contain(
      'Other work of your company, such as an import, holds up this change.',
    );
    expect([page.status, page.headers['retry-after']]).to.deep.equal([503, '2']);
    await releaseAll();
    expect((await patch()).status).to.equal(200);
  });

  it('have the turns of large bodies if they are batches of many names', async () => {
    const batchOf = (names: number) => ({
      customers: Array.from({ length: names / 50 }, () => ({
        name: '',
        aliases: Array(49).fill(''),
      })),
    });
    /** How many of more batches than may wait are refused for it. */
    const refusedOf = async (names: number) => {
      const answers = await Promise.all(
        Array.from({ length: 105 }, () => sender.company.post('/customers/batch', batchOf(names))),
      );
      return answers.filter(({ text }) => text.includes('Too many large requests are waiting.'));
    };
    expect(await refusedOf(500)).to.deep.equal([]);
    const refused = await refusedOf(550);
    expect(refused, 'one has its turn, and a hundred wait').to.have.length.above(0);
    expect([refused[0]?.status, refused[0]?.headers['retry-after']]).to.deep.equal([503, '2']);
  });

  it('hold up no other company while it sends hundreds of them at once', async () => {
    const aliases = (index: number) => Array.from({ length: 14 }, (_, at) => `${at} of ${index}`);
    const batches = Array.from({ length: 25 }, (_, batch) => ({
      customers: Array.from({ length: 100 }, (_, at) => ({
        name: `Customer ${batch * 100 + at}`,
        aliases: aliases(batch * 100 + at),
      })),
    }));
    const answers = [
      ...batches.map(batch => sender.company.post('/customers/batch', batch)),
      ...Array.from({ length: 150 }, (_, index) =>
        sender.company.patch(`/inventory/${sender.itemId}`, { unit: `unit ${index}` }),
      ),
    ];
    expect(await fourthLongestOfOther()).to.be.below(NOTICED_MS);
    const ends = await Promise.all(answers);
    for (const { status, headers } of ends) {
      expect(status).to.be.oneOf([200, 503]);
      if (status === 503) expect(headers['retry-after']).to.equal('2');
    }
    // How many have their turn within their time depends on the host.
    expect(ends.filter(({ status }) => status === 200)).to.have.length.above(0);
  });
});
