// Events are retained for 30 days.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { deleteOldEvents } from '../../src/events/retention.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { createLog } from '../../src/platform/process/log.js';
import { deleteOldDeliveries } from '../../src/webhooks/log/retention.js';
import { makeCustomer } from '../support/customers.js';
import { makeCompany } from '../support/factories.js';
import { describeMode, openForTests } from '../support/suite.js';

describeMode('postgres', 'the retention of events', stack => {
  before(() => openForTests(stack().databaseUrl, 2));
  after(closeDatabase);

  it('deletes what is older than 30 days, and leaves no gap', async () => {
    const company = await makeCompany(stack());
    const { companyId } = company;
    for (const name of ['Ada', 'Bert', 'Cleo', 'Dora']) await makeCustomer(company, { name });
    const age = (sequence: number, days: number) =>
      stack().sql(
        `WITH old AS (
           DELETE FROM feed WHERE company_id = $1 AND last_sequence = $2 RETURNING *
         )
         INSERT INTO feed
         SELECT company_id, last_sequence, first_sequence, now() - $3 * interval '1 day', stubs
         FROM old`,
        [companyId, sequence, days],
      );
    await age(1, 31);
    await age(2, 29);
    // A clock that was set back.
    await age(3, 31);
    await deleteOldEvents(createLog('test', 'fatal'));
    expect((await company.get('/events?after=0')).body.oldest).to.equal(2);
    const { body } = await company.get('/events?after=1');
    expect(body.events.map(({ sequence }: { sequence: number }) => sequence)).to.deep.equal([
      2, 3, 4,
    ]);
    await age(2, 31);
    await deleteOldEvents(createLog('test', 'fatal'));
    expect((await company.get('/events?after=2')).body.code).to.equal('events_expired');
    expect((await company.get('/events?after=3')).body.events).to.have.length(1);
  });

  it('deletes the deliveries of such events, too, with their attempts', async () => {
    const { companyId } = await makeCompany(stack());
    const endpointId = uuidv7();
    for (const [sequence, days] of [
      [1, 31],
      [2, 29],
    ])
      await stack().sql(
        `WITH delivery AS (
           INSERT INTO webhook_deliveries (company_id, endpoint_id, sequence, event_id, type,
             event_at, status, attempts, scheduled_attempts, created_at)
           VALUES ($1, $2, $3, gen_random_uuid(), 'invoice.paid', now() - $4 * interval '1 day',
             'succeeded', 1, 1, now())
         )
         INSERT INTO webhook_attempts (company_id, endpoint_id, sequence, number, at, duration_ms,
           trigger, status, request_headers)
         VALUES ($1, $2, $3, 1, now(), 1, 'first', 200, '{}')`,
        [companyId, endpointId, sequence, days],
      );
    await deleteOldDeliveries(createLog('test', 'fatal'));
    for (const table of ['webhook_deliveries', 'webhook_attempts'])
      expect(
        await stack().sql(`SELECT sequence FROM ${table} WHERE endpoint_id = $1`, [endpointId]),
      ).to.deep.equal([{ sequence: '2' }]);
  });
});
