// A company may change its currency while writes wait for a worker. They were checked with the
// former currency, so they are refused.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Json, Response } from '../support/client.js';
import { signedIn } from '../support/dashboard.js';
import { invoiceRequest, makeCompany, type TestCompany } from '../support/factories.js';
import { creditNote, payment } from '../support/ledger.js';
import { type RunningProcess, until } from '../support/processes.js';
import { makeStores, type Stores, startForTests } from '../support/suite.js';
import { addWaitingJob, untilSettled } from '../support/waiting-job.js';

const ASYNC = { prefer: 'respond-async' };
const DISCOUNTED = invoiceRequest({ discount: { amount: 0.5 } });
const PAYMENT = { amount: 10.55, date: '2026-11-24', customerName: 'Castle' };
const REFUSED = ['failed', 409, 'invalid_state'];
/** Web reads a change of the settings within a second. */
const SETTINGS_MS = 5_000;

describe('writes that wait while the company changes its currency', () => {
  let stack: Stores & { readonly baseUrl: string };
  let worker: RunningProcess | undefined;
  before(async () => {
    const stores = await makeStores('postgres');
    const web = await startForTests('web', stores.env);
    stack = { ...stores, baseUrl: `http://127.0.0.1:${web.port}` };
  });
  afterEach(() => worker?.stop());

  const startWorker = async () => {
    worker = await startForTests('worker', stack.env);
  };

  const useYen = ({ companyId }: TestCompany) =>
    stack.sql(`UPDATE companies SET currency = 'JPY' WHERE id = $1`, [companyId]);

  /** Waits for all jobs of the company: their status and the problem's. */
  async function settled(company: TestCompany, accepted: readonly Response[]) {
    const jobs: Json[] = [];
    for (const { status, body } of accepted) {
      expect(status, JSON.stringify(body)).to.equal(202);
      jobs.push(await untilSettled(company, body.id));
    }
    return jobs;
  }
  const outcomeOf = ({ status, error }: Json) =>
    error === null ? [status] : [status, error.status, error.code];

  it('are refused, and say so again to the same Idempotency-Key', async () => {
    const company = await makeCompany(stack);
    const other = { id: uuidv7() };
    const requests: readonly [path: string, body: Json][] = [
      ['/invoices', DISCOUNTED],
      ['/payments', PAYMENT],
      ['/credit-notes', creditNote(other, { items: [{ line: 1, amount: 0.55 }] })],
      ['/allocations', { paymentId: other.id, invoices: [{ invoiceId: other.id, amount: 0.55 }] }],
      ['/refunds', { paymentId: other.id, amount: 0.55, date: '2026-11-24' }],
      ['/payments', payment(10, [other])],
    ];
    const send = ([path, body]: (typeof requests)[number], at: number, prefer: string) =>
      company.post(path, body, { headers: { prefer, 'idempotency-key': `k-${at}` } });
    const accepted = await Promise.all(
      requests.map((request, at) => send(request, at, ASYNC.prefer)),
    );
    const batch = await company.post(
      '/invoices/batch',
      { invoices: [invoiceRequest(), DISCOUNTED] },
      { headers: ASYNC },
    );
    const unchanged = await makeCompany(stack);
    const written = await unchanged.post('/payments', PAYMENT, { headers: ASYNC });
    await useYen(company);
    await startWorker();
    const inBatch = batch.body.results.map(({ job }: Json) => ({ status: 202, body: job }));
    const jobs = await settled(company, [...accepted, ...inBatch]);
    expect(jobs.map(outcomeOf)).to.deep.equal(jobs.map(() => REFUSED));
    expect(jobs).to.have.length(8);
    expect(jobs[0].error.detail).to.contain('from USD to JPY');
    expect((await settled(unchanged, [written])).map(outcomeOf)).to.deep.equal([['succeeded']]);

    // The others have decimals that yen do not have, so they do not reach a worker again.
    const at = requests.length - 1;
    const again = await send(requests[at] as (typeof requests)[number], at, 'wait=10');
    expect([again.status, again.body.code]).to.deep.equal([409, 'invalid_state']);
    expect(again.headers['idempotency-replayed']).to.equal('true');
    await until(
      'web reads the new currency',
      async () => (await company.post('/payments', { ...PAYMENT, amount: 10 })).status === 201,
      SETTINGS_MS,
    );
  });

  it('are refused when a form of the dashboard sent them', async () => {
    const company = await makeCompany(stack);
    const { browser } = await signedIn(stack, company.companyId);
    // The worker starts later.
    browser.waitsForWrites = false;
    const sent = await browser.post('/payments/new?customer=Castle', '/payments/new', {
      customerName: 'Castle',
      amount: '10.55',
      date: '2026-11-24',
      key: uuidv7(),
    });
    expect(sent.headers.location).to.match(/^\/payments\/jobs\//u);
    await useYen(company);
    await startWorker();
    let page = '';
    await until('the job is refused', async () => {
      page = (await browser.get(sent.headers.location ?? '')).text;
      return page.includes('was not recorded');
    });
    expect(page).to.contain('from USD to JPY');
  });

  it('are planned as before, or refused, if an earlier release queued them', async () => {
    const company = await makeCompany(stack);
    await startWorker();
    const jobs = [
      await addWaitingJob(stack, company, 'payment.record', { type: 'payment.record', ...PAYMENT }),
      await addWaitingJob(stack, company, 'invoice.create', DISCOUNTED),
      await addWaitingJob(stack, company, 'invoice.create', invoiceRequest()),
    ];
    await useYen(company);
    for (const job of jobs) await job.release();
    const outcomes = [];
    for (const { id } of jobs) outcomes.push(outcomeOf((await company.get(`/jobs/${id}`)).body));
    expect(outcomes).to.deep.equal([REFUSED, REFUSED, ['succeeded']]);
  });
});
