// Changes of an endpoint, of its secrets and of its redeliveries while a worker delivers to it. The
// receiver holds a request until the change has been answered.
import { expect } from 'chai';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { registerSecret } from '../support/canary.js';
import type { Json } from '../support/client.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { type Receiver, startReceiver, verifyWebhook } from '../support/receiver.js';
import { describeMode, openForTests } from '../support/suite.js';
import { makeEndpoint, type TestEndpoint, writeEvents } from '../support/webhooks.js';

const EVENTS = 30;

describeMode('postgres', 'a change while a webhook is being delivered', stack => {
  let company: TestCompany;
  let receiver: Receiver;
  let endpoint: TestEndpoint;
  before(() => openForTests(stack().databaseUrl, 2));
  after(closeDatabase);
  beforeEach(async () => {
    company = await makeCompany(stack());
    receiver = await startReceiver();
    endpoint = await makeEndpoint(company, `${receiver.url}/first`);
  });

  /** The receiver answers nothing before the change has been answered, and then all at once. */
  const holding = () => {
    const release: (() => void)[] = [];
    let isHeld = true;
    receiver.answer = (_webhook, response) => {
      const answer = () => void response.writeHead(204).end();
      if (isHeld) release.push(answer);
      else answer();
    };
    /** Makes the change while requests are held, and returns their number. */
    return async (change: () => Promise<unknown>): Promise<number> => {
      await until('a request', async () => release.length > 0);
      await change();
      isHeld = false;
      for (const answer of release) answer();
      return release.length;
    };
  };
  const arrivedAt = (path: string) => receiver.received.filter(webhook => webhook.path === path);
  const untilPosition = (path: string, position: number) =>
    until('the position', async () => (await company.get(path)).body.position === position, 60_000);

  it('starts no attempt after it was paused', async () => {
    const during = holding();
    await writeEvents(company, EVENTS);
    const count = await during(() => company.patch(endpoint.path, { status: 'paused' }));
    // Events in flight are sent again. Had the worker gone on, others would have arrived twice.
    await company.patch(endpoint.path, { status: 'active' });
    await untilPosition(endpoint.path, EVENTS);
    expect(receiver.received).to.have.lengthOf.at.most(EVENTS + count);
  });

  it('sends nothing to a URL that it had', async () => {
    const url = `${receiver.url}/second`;
    const during = holding();
    await writeEvents(company, EVENTS);
    const count = await during(() => company.patch(endpoint.path, { url }));
    await untilPosition(endpoint.path, EVENTS);
    expect(arrivedAt('/first')).to.have.lengthOf(count);
    expect(arrivedAt('/second')).to.have.lengthOf(EVENTS);
  });

  it('sends nothing after it was deleted', async () => {
    const during = holding();
    await writeEvents(company, EVENTS);
    const count = await during(() => company.delete(endpoint.path));
    const other = await makeEndpoint(company, `${receiver.url}/second`, { after: 0 });
    await untilPosition(other.path, EVENTS);
    expect(arrivedAt('/first')).to.have.lengthOf(count);
  });

  for (const [overlapHours, signatures] of [
    [0, 1],
    [1, 2],
  ] as const)
    it(`signs with the secrets of a rotation with ${overlapHours} h of overlap`, async () => {
      let secret = '';
      const during = holding();
      await writeEvents(company, EVENTS);
      const count = await during(async () => {
        const path = `${endpoint.path}/rotate-secret`;
        const { body } = await company.post(path, { overlapHours }, { mayTell: true });
        ({ secret } = body);
        registerSecret(secret);
      });
      await untilPosition(endpoint.path, EVENTS);
      const later = receiver.received.slice(count);
      expect(later).to.have.lengthOf(EVENTS - count);
      for (const webhook of later) {
        verifyWebhook(webhook, secret);
        expect(String(webhook.headers['webhook-signature']).split(' ')).to.have.lengthOf(
          signatures,
        );
      }
    });

  it('sends an event again for each request, also for one during a redelivery', async () => {
    await writeEvents(company, 1);
    await untilPosition(endpoint.path, 1);
    const redeliver = () => company.post(`${endpoint.path}/deliveries/1/redeliver`, {});
    const during = holding();
    await redeliver();
    await during(redeliver);
    const triggers = async (): Promise<string[]> => {
      const { body } = await company.get(`${endpoint.path}/deliveries/1`);
      return body.attempts.map(({ trigger }: Json) => trigger);
    };
    await until('both attempts', async () => (await triggers()).length === 3);
    expect(await triggers()).to.deep.equal(['first', 'manual', 'manual']);
  });
});
