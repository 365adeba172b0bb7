// A young database keeps its plans in step with its growth.
import { expect } from 'chai';
import { invoiceRequest, makeCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { makeStack } from '../support/suite.js';

describe('a table that grows', () => {
  it('is analyzed within seconds, so that foreign keys are checked by one row and not by all of a company', async function () {
    this.timeout(40_000);
    const stack = await makeStack('postgres');
    const company = await makeCompany(stack);
    const createMany = async (count: number) => {
      const answers = await Promise.all(
        Array.from({ length: count }, () => company.post('/invoices', invoiceRequest())),
      );
      expect(answers.filter(({ status }) => status !== 201)).to.have.length(0);
    };
    const analyzed = async (table: string) => {
      const [row] = await stack.sql<{ times: string }>(
        'SELECT analyze_count AS times FROM pg_stat_user_tables WHERE relname = $1',
        [table],
      );
      return Number(row?.times);
    };
    const rowsRead = async () => {
      const [row] = await stack.sql<{ rows: string }>(
        `SELECT sum(idx_tup_read) + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname = 'invoices') AS rows
         FROM pg_stat_user_indexes WHERE relname = 'invoices'`,
      );
      return Number(row?.rows);
    };
    await createMany(270);
    await createMany(270);
    await until(
      'the tables are analyzed',
      async () => (await analyzed('invoices')) > 0 && (await analyzed('invoice_lines')) > 0,
      15_000,
    );
    const before = await rowsRead();
    await createMany(100);
    await until('the figures of the last statement are in', async () => (await rowsRead()) > before, 5_000);
    expect((await rowsRead()) - before).to.be.below(100 * 20);
  });
});
