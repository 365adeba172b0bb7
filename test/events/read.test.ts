// GET /events and GET /events/{sequence}.
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import type { Json } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { otherKey, readFeed } from '../support/feed.js';
import { issue } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { describeMode, makeProcesses } from '../support/suite.js';

const sequencesOf = ({ body }: { body: Json }) => body.events.map(({ sequence }: Json) => sequence);

async function makeCustomers(company: TestCompany, count: number): Promise<void> {
  const customers = Array.from({ length: count }, () => ({ name: `Customer ${uuidv7()}` }));
  const { status } = await company.post('/customers/batch', { customers });
  expect(status).to.equal(200);
}

describeMode('postgres', 'the feed of events', stack => {
  it('has nothing before the first write', async () => {
    const company = await makeCompany(stack());
    const empty = { events: [], after: 0, hasMore: false };
    for (const query of ['', '?after=0', '?after=last'])
      expect((await company.get(`/events${query}`)).body).to.deep.equal(empty);
  });

  it('is read page by page, from any position', async () => {
    const company = await makeCompany(stack());
    await makeCustomers(company, 5);
    const first = await company.get('/events?limit=2');
    expect(sequencesOf(first)).to.deep.equal([1, 2]);
    expect(first.body).to.include({ after: 2, hasMore: true });
    const last = await company.get('/events?after=2&limit=3');
    expect(sequencesOf(last)).to.deep.equal([3, 4, 5]);
    expect(last.body).to.include({ after: 5, hasMore: false });
    expect((await company.get('/events?after=5')).body).to.deep.equal({
      events: [],
      after: 5,
      hasMore: false,
    });
    expect((await company.get('/events?after=last')).body.after).to.equal(5);
    expect(await readFeed(company, 'limit=1')).to.deep.equal(await readFeed(company));
  });

  it('has the id, company, actor and time of each event', async () => {
    const company = await makeCompany(stack());
    const { createdAt } = await makeCustomer(company, { name: 'Ada' });
    const [event] = (await company.get('/events')).body.events;
    expect(event.id).to.equal(uuidv5('event/1', company.companyId));
    expect(event.companyId).to.equal(company.companyId);
    expect(event.actor).to.deep.equal({ kind: 'key', id: company.keyId });
    expect(event.timestamp >= createdAt).to.equal(true);
    expect((await company.get('/events/1')).body).to.deep.equal(event);
  });

  it('shows each client its own write at once, beside others', async () => {
    const company = await makeCompany(stack());
    const writeAndRead = async () => {
      for (let count = 0; count < 10; count += 1) {
        const { id } = await makeCustomer(company, { name: `Customer ${uuidv7()}` });
        const { events } = (await company.get('/events?limit=200')).body;
        expect(events.map(({ data }: Json) => data.id)).to.include(id);
      }
    };
    await Promise.all(Array.from({ length: 8 }, writeAndRead));
  });

  it('selects types and groups, and passes the others', async () => {
    const company = await makeCompany(stack());
    await makeCustomers(company, 3);
    await issue(company);
    const invoices = await company.get('/events?types=invoice.*,refund.recorded');
    expect(sequencesOf(invoices)).to.deep.equal([4]);
    const none = await company.get('/events?types=payment.*');
    expect(none.body).to.deep.equal({ events: [], after: 4, hasMore: false });
    expect(sequencesOf(await company.get('/events?types=*&limit=1'))).to.deep.equal([1]);
  });

  it('looks at about 5,000 events per request', async () => {
    const company = await makeCompany(stack());
    await issue(company);
    const { companyId } = company;
    // Rows as an import of 12,000 rows writes them.
    await stack().sql(
      `INSERT INTO feed
       SELECT $1, 1 + row * 1000, 2 + (row - 1) * 1000, now(), stubs.text
       FROM generate_series(1, 12) AS row,
         (
           SELECT json_agg(json_build_array('key.created', id, NULL, '{}'::json))::text AS text
           FROM generate_series(1, 1000) AS id
         ) stubs`,
      [companyId],
    );
    await stack().sql('UPDATE companies SET next_event_sequence = 12002 WHERE id = $1', [
      companyId,
    ]);
    await issue(company);
    let after = 1;
    const pages: number[] = [];
    for (let hasMore = true; hasMore; ) {
      const { body } = await company.get(`/events?types=invoice.created&after=${after}`);
      pages.push(body.events.length);
      ({ after, hasMore } = body);
    }
    expect(pages.slice(0, -1).every(count => count === 0)).to.equal(true);
    expect(pages.at(-1)).to.equal(1);
    expect(pages.length).to.be.within(2, 4);
    expect(after).to.equal(12_002);
  });

  it('refuses what is no position, type or number', async () => {
    const company = await makeCompany(stack());
    for (const query of [
      ...['after=-1', 'after=1.5', 'after=first', 'after=', 'limit=0', 'limit=x'],
      ...['types=', 'types=invoice', 'types=invoice.*,', 'types=invoice.created,none.*'],
      ...['wait=-1', 'wait=x'],
    ]) {
      const { status, body } = await company.get(`/events?${query}`);
      expect([status, body.code], query).to.deep.equal([400, 'invalid_parameter']);
    }
    const beyond = await company.get('/events?after=1');
    expect([beyond.status, beyond.body.code]).to.deep.equal([400, 'invalid_cursor']);
    for (const sequence of ['1', '0', 'x', '99999999999999999999'])
      expect((await company.get(`/events/${sequence}`)).status, sequence).to.equal(404);
  });

  it('says which event is the oldest after others have expired', async () => {
    const company = await makeCompany(stack());
    for (let count = 0; count < 3; count += 1) await makeCustomers(company, 2);
    await stack().sql('DELETE FROM feed WHERE company_id = $1 AND last_sequence <= 4', [
      company.companyId,
    ]);
    for (const path of ['?after=0', '?after=3', '/4']) {
      const { status, body } = await company.get(`/events${path}`);
      expect(status, path).to.equal(410);
      expect(body).to.include({ code: 'events_expired', oldest: 5 });
    }
    expect(sequencesOf(await company.get('/events?after=4'))).to.deep.equal([5, 6]);
    expect(sequencesOf(await company.get('/events'))).to.deep.equal([5, 6]);
    await stack().sql('DELETE FROM feed WHERE company_id = $1', [company.companyId]);
    expect((await company.get('/events?after=5')).body.oldest).to.equal(7);
    expect((await company.get('/events')).body).to.deep.equal({
      events: [],
      after: 6,
      hasMore: false,
    });
  });

  it('leaves out the lists of a long event, and GET /events/{sequence} has them', async () => {
    const company = await makeCompany(stack());
    const items = Array.from({ length: 250 }, (_, at) => ({
      name: `A line with a longer name ${at}`,
      qty: 1,
      price: 1,
    }));
    const invoice = await issue(company, { items });
    const [event] = (await company.get('/events')).body.events;
    expect(event).to.include({ partial: true });
    expect(event.data).to.deep.equal({ ...invoice, items: null });
    expect((await company.get('/events/1')).body.data).to.deep.equal(invoice);
  });

  it('needs the scope events:read', async () => {
    const company = await makeCompany(stack());
    const key = await otherKey(stack(), company, ['invoices:read', 'webhooks:write']);
    for (const path of ['/events', '/events/1']) {
      const { status, body } = await company.get(path, { key });
      expect([status, body.requiredScope]).to.deep.equal([403, 'events:read']);
    }
  });

  it('shows no event of another company', async () => {
    const [company, other] = [await makeCompany(stack()), await makeCompany(stack())];
    await makeCustomers(company, 2);
    await makeCustomers(other, 1);
    expect((await other.get('/events')).body.events).to.have.length(1);
    expect((await other.get('/events/2')).status).to.equal(404);
  });

  describe('with wait', () => {
    it('answers within a second of an event, of the types that it wants', async () => {
      const company = await makeCompany(stack());
      const waiting = company.get('/events?after=0&wait=20&types=invoice.*');
      await makeCustomers(company, 2);
      const invoice = await issue(company);
      const issued = performance.now();
      const { body } = await waiting;
      expect(performance.now() - issued).to.be.below(1_500);
      expect(body.events[0].data.id).to.equal(invoice.id);
      expect(body).to.include({ after: 3, hasMore: false });
    });

    it('answers without events at the end of the time', async () => {
      const company = await makeCompany(stack());
      const begun = performance.now();
      const { body } = await company.get('/events?after=0&wait=1');
      expect(performance.now() - begun).to.be.at.least(990);
      expect(body).to.deep.equal({ events: [], after: 0, hasMore: false });
    });

    it('ignores it with after=last', async () => {
      const company = await makeCompany(stack());
      const begun = performance.now();
      await company.get('/events?after=last&wait=20');
      expect(performance.now() - begun).to.be.below(5_000);
    });

    it('answers the 21st waiting request of a company at once', async () => {
      const company = await makeCompany(stack());
      const waiting = Array.from({ length: 20 }, () => company.get('/events?after=0&wait=20'));
      await delay(300);
      const begun = performance.now();
      const extra = await company.get('/events?after=0&wait=20');
      expect(performance.now() - begun).to.be.below(5_000);
      expect(extra.body.events).to.deep.equal([]);
      await makeCustomers(company, 1);
      for (const { body } of await Promise.all(waiting)) expect(body.events).to.have.length(1);
    });

    it('ends when the process stops', async () => {
      const processes = await makeProcesses('postgres');
      const company = await makeCompany(processes);
      const waiting = company.get('/events?after=0&wait=20');
      await until('the request waits', async () => {
        const { text } = await company.get('/events?after=last');
        return text !== '';
      });
      await delay(300);
      const begun = performance.now();
      await processes.web.stop();
      expect((await waiting).body).to.deep.equal({ events: [], after: 0, hasMore: false });
      expect(performance.now() - begun).to.be.below(10_000);
    });
  });
});
