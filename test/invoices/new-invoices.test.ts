// The steps in which new invoices are rolled up and audited are bounded by size, whatever they
// hold.
import { expect } from 'chai';
import { readNewInvoices } from '../../src/invoices/issued/new-invoices.js';
import {
  closeDatabase,
  inTransaction,
  type Transaction,
} from '../../src/platform/db/connection.js';
import { stepRanges } from '../../src/rollups/progress.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { describeMode, openForTests } from '../support/suite.js';

const MIB = 1024 * 1024;

describeMode('postgres', 'a step of new invoices', stack => {
  before(() => {
    openForTests(stack().databaseUrl, 1);
  });
  after(closeDatabase);

  const insert = (company: TestCompany, number: number, bytes: number, tx: Transaction) =>
    tx.client.query(
      `INSERT INTO invoices (
         company_id, id, submission_id, number, number_prefix, customer_name, customer_key,
         date, currency, total, body, created_at
       ) VALUES (
         $1, gen_random_uuid(), gen_random_uuid(), $2, 'INV-', 'Castle', 'castle',
         '2026-11-20', 'USD', 1, repeat('x', $3), now()
       )`,
      [company.companyId, number, bytes],
    );

  /** The numbers that each step reads of each company, until all are read. */
  async function stepsOf(sizes: readonly (readonly number[])[]): Promise<string[][]> {
    const companies = await Promise.all(sizes.map(() => makeCompany(stack())));
    const steps: string[][] = [];
    const rollBack = new Error('roll back');
    await inTransaction(async tx => {
      for (const [index, company] of companies.entries())
        for (const [position, bytes] of (sizes[index] ?? []).entries())
          await insert(company, position + 1, bytes, tx);
      let progress = companies.map(({ companyId }, index) => ({
        companyId,
        done: '0',
        last: String(sizes[index]?.length),
      }));
      while (progress.some(({ done, last }) => done !== last)) {
        const { invoices, read } = await readNewInvoices(stepRanges(progress), tx);
        const indexOf = (id: string) => companies.findIndex(({ companyId }) => companyId === id);
        steps.push(invoices.map(({ companyId, number }) => `${indexOf(companyId)}/${number}`));
        progress = progress.map((each, index) => ({ ...each, done: String(read[index]?.upTo) }));
      }
      throw rollBack;
    }).catch(error => {
      if (error !== rollBack) throw error;
    });
    return steps;
  }

  it('ends when its JSON is 4 MiB long, and the next one goes on there', async () => {
    expect(await stepsOf([[3 * MIB, 3 * MIB, MIB], [MIB, 1], [5 * MIB]])).to.deep.equal([
      ['0/1', '0/2'],
      ['0/3', '1/1', '1/2', '2/1'],
    ]);
  });

  it('has at least one invoice', async () => {
    expect(await stepsOf([[5 * MIB, 5 * MIB]])).to.deep.equal([['0/1'], ['0/2']]);
  });

  it('ends after 4,000 invoices', async () => {
    const small = Array.from({ length: 2_200 }, () => 2);
    expect((await stepsOf([small, small])).map(({ length }) => length)).to.deep.equal([4000, 400]);
  });
});
