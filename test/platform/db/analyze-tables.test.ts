// Tables that grow fast are analyzed soon, so that plans match their size.
import { expect } from 'chai';
import { invoiceRequest, makeCompany } from '../../support/factories.js';
import { until } from '../../support/processes.js';
import { makeStack } from '../../support/suite.js';

describe('a growing table', () => {
  it('is analyzed by the scheduler before autovacuum would do it', async () => {
    const stack = await makeStack('postgres');
    // On a slow host autovacuum may come first and leave the scheduler nothing to do.
    for (const table of ['invoices', 'jobs'])
      await stack.sql(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    const company = await makeCompany(stack);
    const answers = await Promise.all(
      Array.from({ length: 400 }, () => company.post('/invoices', invoiceRequest())),
    );
    expect(answers.filter(({ status }) => status !== 201)).to.have.length(0);
    const analyzed = async (table: string) => {
      const [row] = await stack.sql<{ times: string }>(
        'SELECT analyze_count AS times FROM pg_stat_user_tables WHERE relname = $1',
        [table],
      );
      return Number(row?.times);
    };
    await until(
      'both tables are analyzed',
      async () => (await analyzed('invoices')) > 0 && (await analyzed('jobs')) > 0,
    );
    expect(await analyzed('companies')).to.equal(0);
    await until('the scheduler logs it', async () =>
      stack.web.output().includes('analyzed tables that have grown'),
    );
  });
});
