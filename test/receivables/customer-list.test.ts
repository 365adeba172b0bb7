// The list of customers has the same figures in the order of names, which adds up only the rows of
// a page, as in that of a figure, which adds up all customers.
import { expect } from 'chai';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { listOwingCustomers, type OwingFilter } from '../../src/receivables/customer-list.js';
import { changeCustomer, makeCustomer } from '../support/customers.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { issue, pay } from '../support/ledger.js';
import { describeMode, openForTests } from '../support/suite.js';

const SCOPES = [
  ...['invoices:read', 'invoices:write', 'payments:read', 'payments:write'],
  ...['customers:read', 'customers:write'],
];
/** Several pages. */
const LIMIT = 2;

describeMode('postgres', 'the list of what customers owe', stack => {
  before(() => {
    openForTests(stack().databaseUrl, 4);
  });
  after(closeDatabase);

  const owe = (company: TestCompany, customerName: string, price: number, dueDate: string) =>
    issue(company, {
      ...{ customerName, date: '2026-09-01', dueDate },
      items: [{ name: 'Advice', qty: 1, price }],
    });
  const filter = (more: Partial<OwingFilter>): OwingFilter => ({
    ...{ hold: false, archived: false, sort: 'name' },
    ...more,
  });
  const walk = async ({ companyId }: TestCompany, names: Map<string, string>, by: OwingFilter) => {
    const rows: string[] = [];
    const sums = new Set<string>();
    for (let after: string[] | null | undefined; after !== null; ) {
      const page = await listOwingCustomers(companyId, by, LIMIT, after);
      expect(page.before).to.equal(rows.length);
      sums.add(`${page.total}: ${page.sums.outstanding}, ${page.sums.overdue} overdue`);
      for (const { id, owed } of page.rows)
        rows.push(`${names.get(id)} ${owed.outstanding} ${owed.overdue} ${owed.unallocated}`);
      after = page.next;
    }
    return { rows, sums: [...sums] };
  };

  it('is equal by name and by figure, on every page', async () => {
    const company = await makeCompany(stack(), { scopes: SCOPES });
    const names = new Map<string, string>();
    for (const name of ['Abbey', 'Castle', 'Dairy', 'Mill', 'Quarry']) {
      const more = name === 'Castle' ? { aliases: ['Fort', 'Keep'] } : {};
      const { id } = await makeCustomer(company, { name, ...more });
      names.set(id, name);
    }
    const castle = await owe(company, 'Castle', 150, '2026-10-20');
    await owe(company, 'Fort', 20.5, '2099-01-01');
    await owe(company, 'Mill', 300, '2026-10-01');
    await owe(company, 'Stranger', 7, '2026-10-01');
    const [quarry = ''] = [...names].find(([, name]) => name === 'Quarry') ?? [];
    await changeCustomer(company, { id: quarry }, { archived: true });
    await owe(company, 'Quarry', 1000, '2026-10-01');
    const first = ['Abbey 0 0 0', 'Castle 170.5 150 0', 'Dairy 0 0 0', 'Mill 300 300 0'];
    expect(await walk(company, names, filter({}))).to.deep.equal({
      rows: first,
      sums: ['4: 470.5, 450 overdue'],
    });
    // Too new to be rolled up.
    await owe(company, 'Keep', 4, '2026-10-20');
    await owe(company, 'Abbey', 1, '2026-10-20');
    await pay(company, 30, [castle]);
    await pay(company, 12, [], { customerName: 'Fort', invoices: undefined });
    const rows = ['Abbey 1 1 0', 'Castle 144.5 124 12', 'Dairy 0 0 0', 'Mill 300 300 0'];
    const sums = ['4: 445.5, 425 overdue'];
    expect(await walk(company, names, filter({}))).to.deep.equal({ rows, sums });
    for (const sort of ['outstanding', 'overdue'] as const) {
      const sorted = await walk(company, names, filter({ sort }));
      expect({ ...sorted, rows: sorted.rows.toSorted() }).to.deep.equal({ rows, sums });
    }
    expect(await walk(company, names, filter({ overdue: true }))).to.deep.equal({
      rows: rows.filter(row => !row.startsWith('Dairy')),
      sums: ['3: 445.5, 425 overdue'],
    });
    expect(await walk(company, names, filter({ q: 'fort' }))).to.deep.equal({
      rows: ['Castle 144.5 124 12'],
      sums: ['1: 144.5, 124 overdue'],
    });
    expect(await walk(company, names, filter({ archived: true }))).to.deep.equal({
      rows: ['Quarry 1000 1000 0'],
      sums: ['1: 1000, 1000 overdue'],
    });
  });
});
