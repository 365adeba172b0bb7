// Events are retained for 30 days.
import { expect } from 'chai';
import { deleteOldEvents } from '../../src/events/retention.js';
import { closeDatabase, openDatabase } from '../../src/platform/db/connection.js';
import { createLog } from '../../src/platform/process/log.js';
import { makeCustomer } from '../support/customers.js';
import { makeCompany } from '../support/factories.js';
import { describeMode } from '../support/suite.js';

describeMode('postgres', 'the retention of events', stack => {
  before(() => openDatabase({ url: stack().databaseUrl, poolMax: 2, name: 'test' }));
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
});
