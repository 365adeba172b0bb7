// E-mails while workers are killed, stopped, or more than one.
import { expect } from 'chai';
import { changeProfile } from '../../src/companies/profile/service.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { issue } from '../support/ledger.js';
import { headerOf, type MailServer, startMailServer } from '../support/mail-server.js';
import { until } from '../support/processes.js';
import { makeStores, openForTests, type Stack, startForTests } from '../support/suite.js';

const ADDRESS = { line1: '1 Quay', city: 'Bremen', postalCode: '28195', country: 'DE' };
const TO = ['ann@example.org'];

describe('e-mails of several workers', () => {
  let mail: MailServer;
  let stack: Stack;
  let owner: TestCompany;
  let invoiceId: string;
  before(async () => {
    const stores = await makeStores('postgres');
    mail = await startMailServer();
    const env = { ...stores.env, MAIL_URL: mail.url, MAIL_FROM: 'invoices@shop.example' };
    // The invoices need a worker; this one sends no e-mails.
    const web = await startForTests(['web', 'scheduler'], env);
    stack = { ...stores, env, web, baseUrl: `http://127.0.0.1:${web.port}` };
    openForTests(stores.databaseUrl, 4);
    owner = await makeCompany(stack);
    await changeProfile(owner.companyId, { address: ADDRESS }, null);
    const worker = await startForTests('worker', env);
    invoiceId = (await issue(owner, { customerName: 'Castle' })).id;
    await worker.stop();
  });
  after(closeDatabase);
  beforeEach(() => {
    mail.answers = {};
    mail.received.splice(0);
    mail.arrived.splice(0);
  });

  const worker = (settings: Record<string, string> = {}) =>
    startForTests('worker', { ...stack.env, ...settings });
  const send = async (): Promise<string> => {
    const response = await owner.post('/emails', { invoiceId, to: TO });
    expect(response.status, response.text).to.equal(202);
    return response.body.id;
  };
  const statusOf = async (id: string) => (await owner.get(`/emails/${id}`)).body;
  const endLeases = () => stack.sql('UPDATE emails SET leased_until = clock_timestamp()');

  it('go out again under their Message-ID if a worker dies after the server accepted', async () => {
    const dying = await worker({ FAIL_POINT: 'kill:mail-delivered:1' });
    const id = await send();
    await until('the message has arrived', async () => mail.received.length === 1);
    await dying.stop().catch(() => undefined);
    expect(await statusOf(id)).to.deep.include({ status: 'queued', attempts: 1 });
    const other = await worker();
    await endLeases();
    await until('it is sent', async () => (await statusOf(id)).status === 'sent');
    expect(await statusOf(id)).to.deep.include({ attempts: 2, error: null });
    const ids = mail.received.map(message => headerOf(message, 'Message-ID'));
    expect(ids).to.deep.equal([`<${id}@shop.example>`, `<${id}@shop.example>`]);
    await other.stop();
  });

  it('have the outcome of the worker that took them over from a stopped one', async () => {
    const stopped = await worker({ FAIL_POINT: 'stop:mail-delivered:1' });
    const id = await send();
    await until('the message has arrived', async () => mail.received.length === 1);
    mail.answers = { data: '554 looks like spam' };
    const other = await worker();
    await endLeases();
    await until('it has failed', async () => (await statusOf(id)).status === 'failed');
    process.kill(stopped.pid, 'SIGCONT');
    await until('the first worker has lost it', async () =>
      stopped.output().includes('lease lost'),
    );
    expect(await statusOf(id)).to.deep.include({ status: 'failed', attempts: 2 });
    await Promise.all([stopped.stop(), other.stop()]);
  });

  it('are each sent once by two workers', async () => {
    const ids: string[] = [];
    // A company's documents are rendered one after the other.
    for (let count = 0; count < 20; count += 1) ids.push(await send());
    const workers = await Promise.all([worker(), worker()]);
    await until('all are sent', async () => mail.received.length >= ids.length);
    for (const id of ids)
      await until('it is sent', async () => (await statusOf(id)).status === 'sent');
    const arrived = mail.received.map(message => headerOf(message, 'Message-ID'));
    expect(arrived.sort()).to.deep.equal(ids.map(id => `<${id}@shop.example>`).sort());
    await Promise.all(workers.map(each => each.stop()));
  });

  it('wait while a worker stops, and are not sent twice', async () => {
    mail.answers = { data: 'hang' };
    const stopping = await worker();
    const id = await send();
    await until('the message has arrived', async () => mail.arrived.length === 1);
    await stopping.stop();
    const { status, error } = await statusOf(id);
    expect([status, error?.code]).to.deep.equal(['queued', 'smtp_unreachable']);
    expect(stopping.output()).to.include('"outcome":"postponed"').and.to.include('"cause":');
    expect(stopping.output(), 'addresses in the log').to.not.include(TO[0]);
  });
});
