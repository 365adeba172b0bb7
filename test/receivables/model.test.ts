// Statements and receivables of random books, on random days, against a model. Each customer's
// balance is debits less credits and also what is outstanding less what is unallocated.
import { expect } from 'chai';
import { toUnits } from '../../src/platform/values/money.js';
import { createRandom } from '../faults/random.js';
import type { Json } from '../support/client.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { created, read } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { DAYS, dayOf, writeRandomBooks } from '../support/random-books.js';
import { describeMode } from '../support/suite.js';
import { casesOf } from '../support/tier.js';
import { AccountModel, type Figures } from './account-model.js';

const SEED = 20261126;
const DATES = casesOf(200);
/** The record Bob has three names. The others have no record. */
const NAMES = ['Ada', 'ADA  ', 'Bob', 'Bobby', 'Robert', 'Cy'];
const CUSTOMERS = ['Ada', 'Bob', 'Cy'];
const AGES = ['current', 'days1To30', 'days31To60', 'days61To90', 'over90'];
/** A page of any statement here. */
const WHOLE = 'from=1900-01-01&to=2100-12-31&limit=5000';

const customerOf = (name: string) => {
  const key = name.trim().toLowerCase();
  if (['bobby', 'robert'].includes(key)) return 'Bob';
  return `${key.charAt(0).toUpperCase()}${key.slice(1)}`;
};

const figuresOf = (row: Json | undefined): Figures => ({
  outstanding: toUnits(row?.outstanding ?? 0),
  ages: AGES.map(age => toUnits(row?.[age] ?? 0)),
  unallocated: toUnits(row?.unallocated ?? 0),
});

function expectAddsUp(row: Json): void {
  const { outstanding, ages, unallocated } = figuresOf(row);
  expect(ages.reduce((sum, each) => sum + each)).to.equal(outstanding);
  expect(toUnits(row.balance)).to.equal(outstanding - unallocated);
}

describeMode('postgres', 'statements and receivables of random books', stack => {
  let company: TestCompany;
  let model: AccountModel;
  const random = createRandom(SEED, 'days');
  const randomDay = () => dayOf(random.between(-5, DAYS + 100));
  const statement = (customer: string, query: string) =>
    read(company, `/statements?customerName=${customer}&${query}`);

  before(async function () {
    this.timeout(120_000);
    company = await makeCompany(stack());
    // The figures exist before the books, so that every write is rolled up into them.
    await read(company, '/receivables');
    const options = { seed: SEED, invoices: 80, requests: 300, names: NAMES };
    const books = await writeRandomBooks(company, options);
    model = new AccountModel(books, customerOf);
    created(await company.post('/customers', { name: 'Bob', aliases: ['Robert', 'Bobby'] }));
  });

  it('list every line with its balance', async () => {
    for (const customer of CUSTOMERS) {
      const { entries, opening, closing } = await statement(customer, WHOLE);
      expect(opening).to.equal(0);
      let balance = 0n;
      const expected = (model.lines.get(customer) ?? []).map(({ date, type, id, debit }) => {
        balance += debit;
        return { date, type, id, debit: String(debit), balance: String(balance) };
      });
      expect(expected.length).to.be.above(15);
      expect(
        entries.map((line: Json) => ({
          date: line.date,
          type: line.type,
          id: line.id,
          debit: String(toUnits(line.debit ?? 0) - toUnits(line.credit ?? 0)),
          balance: String(toUnits(line.balance)),
        })),
      ).to.deep.equal(expected);
      expect(toUnits(closing)).to.equal(balance);
    }
  });

  it('agree with the model on random days', async () => {
    for (let date = 0; date < DATES; date += 1) {
      const day = randomDay();
      const basis = date % 2 === 0 ? 'dueDate' : 'date';
      const report = await read(company, `/receivables?asOf=${day}&basis=${basis}`);
      const rows = new Map<string, Json>(
        report.customers.map((row: Json) => [customerOf(row.name), row]),
      );
      for (const customer of CUSTOMERS) {
        const row = rows.get(customer);
        const expected = model.figures(customer, day, basis);
        expect(figuresOf(row), `${customer} on ${day}`).to.deep.equal(expected);
        if (row) expectAddsUp(row);
        const { outstanding, unallocated } = expected;
        expect(model.balance(customer, day)).to.equal(outstanding - unallocated);
      }
      expectAddsUp(report.totals);
      const customer = random.pick(CUSTOMERS);
      const page = await statement(customer, `from=${day}&to=${day}`);
      const expected = model.figures(customer, day);
      expect(figuresOf(page.ageing), `${customer} on ${day}`).to.deep.equal(expected);
      expect(toUnits(page.closing)).to.equal(model.balance(customer, day));
      const last = page.entries.at(-1)?.balance ?? page.opening;
      expect(last).to.equal(page.closing);
    }
  });

  it('list the open items that the balance consists of', async () => {
    for (let date = 0; date < DATES / 4; date += 1) {
      const [day, customer] = [randomDay(), random.pick(CUSTOMERS)];
      const open = await statement(customer, `type=open&to=${day}`);
      const items = new Map<string, bigint>([
        ...open.invoices.map(({ id, due }: Json) => [id, toUnits(due)]),
        ...open.credits.map(({ id, unallocated }: Json) => [id, toUnits(unallocated)]),
      ]);
      expect(items, `${customer} on ${day}`).to.deep.equal(model.openItems(customer, day));
      const keys = open.invoices.map(({ dueDate, date: issued, number }: Json) =>
        [dueDate ?? '9999', issued, number].join(' '),
      );
      expect(keys).to.deep.equal([...keys].sort());
      for (const { dueDate, daysOverdue } of open.invoices)
        expect(daysOverdue).to.equal(
          dueDate && Math.max(0, (Date.parse(day) - Date.parse(dueDate)) / 86_400_000),
        );
    }
  });

  it('have pages that together are the whole', async () => {
    const follow = async (path: string, rowsOf: (page: Json) => Json[]) => {
      const rows: Json[] = [];
      const pages: Json[] = [];
      for (let next: string | undefined = path; next; ) {
        const { body, headers } = await company.get(next);
        pages.push(body);
        rows.push(...rowsOf(body));
        const link = /<[^>]*?(\/(?:statements|receivables)\?[^>]*)>/u.exec(String(headers.link));
        next = link?.[1];
      }
      return { rows, pages };
    };
    for (const customer of CUSTOMERS) {
      const path = `/statements?customerName=${customer}&from=${dayOf(10)}&to=${dayOf(400)}`;
      const whole = await read(company, path);
      const { rows, pages } = await follow(`${path}&limit=7`, ({ entries }) => entries);
      expect(rows).to.deep.equal(whole.entries);
      let balance = whole.opening;
      for (const page of pages) {
        expect(page.opening).to.equal(balance);
        expect([page.closing, page.ageing]).to.deep.equal([whole.closing, whole.ageing]);
        balance = page.entries.at(-1).balance;
      }
      const open = `/statements?customerName=${customer}&type=open&to=${dayOf(60)}`;
      const all = await read(company, open);
      const items = ({ invoices, credits }: Json) => [...invoices, ...credits];
      expect((await follow(`${open}&limit=3`, items)).rows).to.deep.equal(items(all));
    }
    for (const sort of ['outstanding', 'name']) {
      const path = `/receivables?asOf=${dayOf(80)}&sort=${sort}`;
      const all = await read(company, path);
      const { rows, pages } = await follow(`${path}&limit=1`, ({ customers }) => customers);
      expect(rows).to.deep.equal(all.customers);
      expect(rows).to.have.length(3);
      for (const { totals } of pages) expect(totals).to.deep.equal(all.totals);
    }
  });

  it('add up in the totals, and at present agree with the summary', async () => {
    const { customers, totals } = await read(company, '/receivables');
    for (const figure of ['outstanding', ...AGES, 'unallocated', 'balance'])
      expect(toUnits(totals[figure])).to.equal(
        customers.reduce((sum: bigint, row: Json) => sum + toUnits(row[figure]), 0n),
      );
    await until('the summary shows the last entry', async () => {
      const { outstanding, unallocated } = await read(company, '/summary');
      return outstanding.total === totals.outstanding && unallocated.total === totals.unallocated;
    });
  });

  it('are the same if their figures are built later', async () => {
    const reads = () =>
      Promise.all([
        read(company, '/receivables'),
        read(company, `/receivables?asOf=${dayOf(50)}`),
        statement('Bob', `type=open&to=${dayOf(70)}`),
      ]);
    const before = await reads();
    await stack().sql('DELETE FROM invoice_dues WHERE company_id = $1', [company.companyId]);
    await stack().sql('DELETE FROM receivable_progress WHERE company_id = $1', [company.companyId]);
    expect(await reads()).to.deep.equal(before);
  });
});
