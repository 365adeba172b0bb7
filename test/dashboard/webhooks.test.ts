// Integrations → Webhooks: an owner adds, tests, pauses, repeats, rotates and deletes an endpoint.
import { expect } from 'chai';
import { registerSecret } from '../support/canary.js';
import { type Browser, signedIn } from '../support/dashboard.js';
import { invoiceRequest, makeCompany, type TestCompany } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { until } from '../support/processes.js';
import { answerWith, type Receiver, startReceiver, verifyWebhook } from '../support/receiver.js';
import { describeMode } from '../support/suite.js';

const WEBHOOKS = '/integrations/webhooks';
const SECRET = /whsec_[A-Za-z\d+/]{43}=/u;

describeMode('postgres', 'the pages of webhooks', stack => {
  let company: TestCompany;
  let browser: Browser;
  let receiver: Receiver;
  beforeEach(async () => {
    company = await makeCompany(stack());
    ({ browser } = await signedIn(stack(), company.companyId));
    receiver = await startReceiver();
  });

  const add = async (fields: Record<string, string> = {}) => {
    const form = { url: receiver.url, types: '*', ...fields };
    const path = `${WEBHOOKS}/new`;
    return browser.post(path, path, form, { mayTell: true });
  };
  const idOf = async (): Promise<string> => (await company.get('/webhook-endpoints')).body[0].id;

  it('show the secret once, and refuse the same address', async () => {
    const added = await add({ description: 'Shop' });
    const [secret = ''] = SECRET.exec(textOf(added)) ?? [];
    expect(secret).to.match(SECRET);
    registerSecret(secret);
    const list = await browser.get(WEBHOOKS);
    expect(textOf(list)).to.contain('Shop').and.contain('Active');
    expect(textOf(await add())).to.contain('Another endpoint has this URL.');
    expect(textOf(await add({ url: 'http://192.0.2.1/' }))).to.contain('Must begin with https://');
    expect(textOf(await add({ url: 'https://a.example/', types: 'nothing' }))).to.contain(
      'There is no such type of event.',
    );
    expect(textOf(await add({ types: 'nothing' })))
      .to.contain('Another endpoint has this URL.')
      .and.contain('There is no such type of event.');
    await browser.post(`${WEBHOOKS}/${await idOf()}`, `${WEBHOOKS}/${await idOf()}/test`, {});
    const [webhook] = receiver.received;
    if (webhook) verifyWebhook(webhook, secret);
    expect(receiver.received).to.have.lengthOf(1);
  });

  it('show each attempt, and repeat a delivery', async () => {
    receiver.answer = answerWith(200, { 'x-trace': 'abc' }, 'thanks');
    await add();
    const path = `${WEBHOOKS}/${await idOf()}`;
    await company.post('/invoices', invoiceRequest());
    await until('a delivery', async () =>
      textOf(await browser.get(path)).includes('invoice.created'),
    );
    const attempt = textOf(await browser.get(`${path}/delivery?sequence=1`));
    expect(attempt).to.contain('x-trace: abc').and.contain('thanks').and.contain('webhook-id');
    const page = `${path}/delivery?sequence=1`;
    await browser.post(page, `${path}/redeliver-one`, { sequence: '1' });
    await until('the redelivery', async () => receiver.received.length === 2);
    const repeated = await browser.post(path, `${path}/redeliver`, { since: '2026-01-01' });
    expect(repeated.status).to.equal(303);
    expect((await browser.get(`${path}/delivery?sequence=99`)).status).to.equal(404);
  });

  it('pause, resume, rotate and delete', async () => {
    await add();
    const path = `${WEBHOOKS}/${await idOf()}`;
    await browser.post(path, `${path}/pause`, {});
    expect(textOf(await browser.get(path))).to.contain('Paused');
    await browser.post(path, `${path}/resume`, {});
    expect(textOf(await browser.get(path))).to.contain('Active');
    const rotated = await browser.post(
      path,
      `${path}/rotate`,
      { overlapHours: '24' },
      {
        mayTell: true,
      },
    );
    expect(textOf(rotated)).to.match(SECRET);
    const refused = await browser.post(path, `${path}/delete`, { confirmation: 'no' });
    expect(textOf(refused)).to.contain('Enter the word: delete');
    await browser.post(path, `${path}/delete`, { confirmation: 'delete' });
    expect((await browser.get(path)).status).to.equal(404);
  });

  it('tell owners of an endpoint that is failing or disabled', async () => {
    receiver.answer = answerWith(410);
    await add();
    const path = `${WEBHOOKS}/${await idOf()}`;
    await company.post('/invoices', invoiceRequest());
    await until('a notice', async () => textOf(await browser.get(path)).includes('is disabled'));
    expect(textOf(await browser.get('/'))).to.contain('is disabled');
    const { browser: other } = await signedIn(stack(), company.companyId, { role: 'member' });
    expect(textOf(await other.get('/'))).not.to.contain('is disabled');
  });
});
