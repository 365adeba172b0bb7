// A sweep compares its progress with the counters only after a company has written.
import { expect } from 'chai';
import { StaleCompanies } from '../../src/companies/stale-companies.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { makeCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { makeStores, openForTests } from '../support/suite.js';

describe('the companies that a sweep works on', () => {
  after(closeDatabase);

  it('are looked for once while no company writes, and found after a write', async () => {
    const stores = await makeStores('postgres');
    openForTests(stores.databaseUrl, 1);
    const { companyId } = await makeCompany({ ...stores, baseUrl: '' });
    await stores.sql('CREATE SEQUENCE looks');
    const stale = new StaleCompanies(
      `SELECT c.id AS "companyId"
       FROM (SELECT nextval('looks')) look
       LEFT JOIN companies c ON c.stock_version > 0
       WHERE c.id IS NOT NULL`,
    );
    for (let sweep = 0; sweep < 3; sweep += 1) expect(await stale.find()).to.deep.equal([]);
    expect(await stores.sql('SELECT last_value::int AS looks FROM looks')).to.deep.equal([
      { looks: 1 },
    ]);
    await stores.sql('UPDATE companies SET stock_version = 1');
    await until(
      'the company is found',
      async () => (await stale.find()).includes(companyId),
      10_000,
    );
    // Until nothing is found, each sweep looks again.
    expect(await stale.find()).to.deep.equal([companyId]);
  });
});
