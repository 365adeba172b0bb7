// The top lists of the summary, and of any months: net of credit notes.
import { expect } from 'chai';
import {
  closeDatabase,
  inTransaction,
  openDatabase,
  query,
} from '../../src/platform/db/connection.js';
import { COMMAND_LIMITS } from '../../src/platform/db/limits.js';
import { listTopCustomers, listTopItems } from '../../src/summary/ranges.js';
import { refreshSummary } from '../../src/summary/refresh.js';
import { rollUpEntries } from '../../src/summary/roll-up-entries.js';
import type { Json } from '../support/client.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { created, credit, issue } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';
import { violationsOfCompany } from '../support/violations.js';

describeMode('postgres', 'the top lists', stack => {
  before(() => {
    openDatabase({
      url: stack().databaseUrl,
      poolMax: 4,
      name: 'test',
      limits: COMMAND_LIMITS,
    });
  });
  after(closeDatabase);

  /** The tops of a month: [name, count, total] and [name, qty, total]. */
  const topsOf = async ({ companyId }: TestCompany, month: string) => {
    const body = await refreshSummary(companyId, new Date(`${month}-15T12:00:00Z`));
    const { topCustomers, topItems } = JSON.parse(body ?? 'null') as Json;
    return {
      customers: topCustomers.map(({ name, count, total }: Json) => [name, count, total]),
      items: topItems.map(({ name, qty, total }: Json) => [name, qty, total]),
    };
  };
  const line = (name: string, qty: number, price: number) => ({ name, qty, price });
  const voided = async (company: TestCompany, { id }: Json, date: string) =>
    created(await company.post(`/invoices/${id}/void`, { date }));

  it('subtract returned goods and their money, with tax for customers only', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pump', delta: 100 });
    const taxed = { ...line('Pump', 10, 100), taxRate: 19, discount: { percent: 10 } };
    const invoice = await issue(company, { date: '2026-11-02', items: [taxed] });
    await credit(company, invoice, { items: [{ line: 1, qty: 3, restock: true }] });
    expect(await topsOf(company, '2026-11')).to.deep.equal({
      customers: [['Bright & Sons', 1, 749.7]],
      items: [['Pump', 7, 630]],
    });
  });

  it('subtract the money of a price reduction, and leave the goods sold', async () => {
    const company = await makeCompany(stack());
    const items = [line('Paint', 4, 50), line('Delivery', 1, 20)];
    const invoice = await issue(company, { date: '2026-11-02', items });
    await credit(company, invoice, { items: [{ line: 1, amount: 30.5 }] });
    expect((await topsOf(company, '2026-11')).items).to.deep.equal([
      ['Paint', 4, 169.5],
      ['Delivery', 1, 20],
    ]);
    // The goods come back, for what they still cost.
    await credit(company, invoice, { items: [{ line: 1, qty: 4 }] });
    expect((await topsOf(company, '2026-11')).items).to.deep.equal([['Delivery', 1, 20]]);
  });

  it('leave out an invoice that was voided in its month', async () => {
    const company = await makeCompany(stack());
    await issue(company, { date: '2026-11-02', customerName: 'Castle', items: [line('A', 1, 5)] });
    const wrong = await issue(company, { date: '2026-11-02', items: [line('B', 9, 9)] });
    await voided(company, wrong, '2026-11-30');
    expect(await topsOf(company, '2026-11')).to.deep.equal({
      customers: [['Castle', 1, 5]],
      items: [['A', 1, 5]],
    });
  });

  it('subtract in the month of the credit note, and cancel over both months', async () => {
    const company = await makeCompany(stack());
    const { companyId } = company;
    const early = await issue(company, { date: '2026-10-31', items: [line('A', 2, 50)] });
    const other = { date: '2026-10-05', customerName: 'Castle', items: [line('B', 1, 30)] };
    const partly = await issue(company, other);
    await voided(company, early, '2026-11-01');
    await credit(company, partly, { date: '2026-11-02', items: [{ line: 1, amount: 10 }] });
    const october = {
      customers: [
        ['Bright & Sons', 1, 100],
        ['Castle', 1, 30],
      ],
      items: [
        ['A', 2, 100],
        ['B', 1, 30],
      ],
    };
    expect(await topsOf(company, '2026-10')).to.deep.equal(october);
    expect(await topsOf(company, '2026-11')).to.deep.equal({ customers: [], items: [] });
    const both = { from: '2026-10-01', to: '2026-11-30' };
    expect(await listTopCustomers(companyId, both)).to.deep.equal([
      { name: 'Castle', count: '1', total: '20' },
    ]);
    expect(await listTopItems(companyId, both)).to.deep.equal([
      { name: 'B', qty: '1', total: '20' },
    ]);
    // A later sale in that month starts from below zero.
    await issue(company, { ...other, date: '2026-11-03', items: [line('B', 1, 12)] });
    expect(await topsOf(company, '2026-11')).to.deep.equal({
      customers: [['Castle', 1, 2]],
      items: [['B', 1, 2]],
    });
    expect(await violationsOfCompany(stack(), companyId)).to.deep.equal([]);
  });

  it('leave out an item of which more came back than was sold, whatever its money', async () => {
    const company = await makeCompany(stack());
    const cheap = await issue(company, { date: '2026-10-31', items: [line('A', 5, 1)] });
    await issue(company, { date: '2026-11-02', items: [line('A', 2, 100), line('Free', 3, 0)] });
    await credit(company, cheap, { items: [{ line: 1, qty: 3 }] });
    const tops = await topsOf(company, '2026-11');
    expect(tops).to.deep.equal({ customers: [['Bright & Sons', 1, 197]], items: [] });
    const months = { from: '2026-10-01', to: '2026-11-30' };
    expect(await listTopItems(company.companyId, months)).to.deep.equal([
      { name: 'A', qty: '4', total: '202' },
    ]);
    // It takes none of the five places either.
    const others = ['B', 'C', 'D', 'E', 'F'].map(name => line(name, 1, 2));
    await issue(company, { date: '2026-11-03', items: [line('A', 0.5, 100), ...others] });
    const { items } = await topsOf(company, '2026-11');
    expect(items.map(([name]: Json) => name)).to.deep.equal(['B', 'C', 'D', 'E', 'F']);
  });

  it('let the sixth move up, and order equal totals by their key', async () => {
    const company = await makeCompany(stack());
    const names = ['g', 'f', 'e', 'd', 'c', 'b', 'a'];
    const items = names.map(name => line(name, 1, name === 'g' ? 70 : 10));
    const invoice = await issue(company, { date: '2026-11-02', items });
    const shown = async () => (await topsOf(company, '2026-11')).items.map(([name]: Json) => name);
    expect(await shown()).to.deep.equal(['g', 'a', 'b', 'c', 'd']);
    await credit(company, invoice, { items: [{ line: 1, amount: 69 }] });
    expect(await shown()).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
    await credit(company, invoice, {
      items: [
        { line: 6, amount: 1 },
        { line: 7, qty: 1 },
      ],
    });
    expect(await shown()).to.deep.equal(['c', 'd', 'e', 'f', 'b']);
    expect(await violationsOfCompany(stack(), company.companyId)).to.deep.equal([]);
  });

  it('subtract each credit note once, even if several processes refresh at once', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, { date: '2026-11-02', items: [line('A', 9, 10)] });
    for (let left = 8; left > 4; left -= 1) {
      await credit(company, invoice, { items: [{ line: 1, qty: 1 }] });
      const refreshed = await Promise.all([1, 2, 3].map(() => topsOf(company, '2026-11')));
      for (const { items } of refreshed) expect(items).to.deep.equal([['A', left, left * 10]]);
    }
  });

  it('subtract the credit notes that an earlier release rolled up', async () => {
    const company = await makeCompany(stack());
    const { companyId } = company;
    const items = [line('A', 9, 10), line('B', 1, 80), line('Free', 1, 0)];
    const invoice = await issue(company, { date: '2026-11-02', items });
    const wrong = await issue(company, { date: '2026-11-02', items });
    await topsOf(company, '2026-11');
    await inTransaction(async tx => {
      // Until the end, no sweep rolls up the credit notes.
      await query('SELECT FROM summaries WHERE company_id = $1 FOR UPDATE', [companyId], tx);
      await credit(company, invoice, { items: [{ line: 1, qty: 2 }] });
      await voided(company, wrong, '2026-11-25');
      await rollUpEntries([{ companyId, above: 0n, upTo: 2n }], tx);
      await query(
        'UPDATE summaries SET credit_sequence = -1 WHERE company_id = $1',
        [companyId],
        tx,
      );
      await query(
        `UPDATE monthly_tops SET items = items || 'name:free'::text WHERE company_id = $1`,
        [companyId],
        tx,
      );
    });
    expect(await violationsOfCompany(stack(), companyId)).to.deep.equal([]);
    expect(await topsOf(company, '2026-11')).to.deep.equal({
      customers: [['Bright & Sons', 2, 150]],
      items: [
        ['B', 1, 80],
        ['A', 7, 70],
      ],
    });
    expect(await violationsOfCompany(stack(), companyId)).to.deep.equal([]);
  });
});
