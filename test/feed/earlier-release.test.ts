// Processes of an earlier release know no events. The database refuses what they would write into a
// feed that has begun, as if it met a lock.
import { expect } from 'chai';
import pg from 'pg';
import { makeCompany, receive } from '../support/factories.js';
import { describeMode } from '../support/suite.js';

const COUNTERS = [
  'next_invoice_number',
  'next_entry_sequence',
  'stock_version',
  'customers_version',
];

describeMode('postgres', 'a process of an earlier release', stack => {
  /** Changes the counter as a process of this name. Resolves to the code of the error, or null. */
  async function change(name: string, companyId: string, sets: string): Promise<string | null> {
    const client = new pg.Client({
      connectionString: stack().databaseUrl,
      application_name: name,
    });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(`UPDATE companies SET ${sets} WHERE id = $1`, [companyId]);
      return null;
    } catch (error) {
      return (error as pg.DatabaseError).code ?? '';
    } finally {
      await client.end();
    }
  }

  for (const counter of COUNTERS) {
    const sets = `${counter} = ${counter} + 1`;

    it(`may change ${counter} until the feed of its company begins`, async () => {
      const company = await makeCompany(stack());
      expect(await change('tradepost-worker', company.companyId, sets)).to.equal(null);
      await receive(company, { name: 'Pump', delta: 1 });
      expect(await change('tradepost-worker', company.companyId, sets)).to.equal('55P03');
    });

    it(`is told from a write with events, and from an operator, by ${counter}`, async () => {
      const company = await makeCompany(stack());
      await receive(company, { name: 'Pump', delta: 1 });
      const withEvents = `${sets}, next_event_sequence = next_event_sequence + 1`;
      expect(await change('tradepost-web', company.companyId, withEvents)).to.equal(null);
      expect(await change('psql', company.companyId, sets)).to.equal(null);
    });
  }
});
