// GET /receivables: what customers owe by age.

import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Json } from '../support/client.js';
import { dayFromToday as day } from '../support/days.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { created, issue, pay, read } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const names = ({ customers }: Json) => customers.map(({ name }: Json) => name);

/** An invoice of 100 that is due so many days ago. */
const due = (company: TestCompany, customerName: string, days: number, more = {}) =>
  issue(company, { customerName, date: day(-days - 10), dueDate: day(-days), ...more });

describeMode('postgres', 'receivables', stack => {
  it('have a row per customer with the ages of what is due', async () => {
    const company = await makeCompany(stack());
    for (const days of [-1, 0, 1, 31, 61, 91]) await due(company, 'Ada', days);
    await issue(company, { customerName: 'ADA', date: day(-200) });
    await pay(company, 50, [], { customerName: 'Bob', date: day(0) });
    const paid = await issue(company, { customerName: 'Cy' });
    await pay(company, 100, [paid]);
    const { customers, totals, ...rest } = await read(company, '/receivables');
    expect(rest).to.deep.equal({ asOf: day(0), basis: 'dueDate', currency: 'USD' });
    const ages = { days1To30: 100, days31To60: 100, days61To90: 100, over90: 100 };
    const none = { days1To30: 0, days31To60: 0, days61To90: 0, over90: 0 };
    const plain = { customerId: null, creditLimit: null, hold: false };
    expect(customers).to.deep.equal([
      {
        ...{ ...plain, name: 'Ada', outstanding: 700, current: 300, ...ages },
        ...{ unallocated: 0, balance: 700 },
      },
      { ...plain, name: 'Bob', outstanding: 0, current: 0, ...none, unallocated: 50, balance: -50 },
    ]);
    const sums = { outstanding: 700, current: 300, ...ages, unallocated: 50, balance: 650 };
    expect(totals).to.deep.equal(sums);
  });

  it('count from the date of the invoice with basis=date', async () => {
    const company = await makeCompany(stack());
    await issue(company, { customerName: 'Ada', date: day(-40), dueDate: day(40) });
    const byDate = await read(company, '/receivables?basis=date&overdue=1');
    expect(byDate.basis).to.equal('date');
    expect(byDate.customers[0]).to.include({ current: 0, days31To60: 100 });
    const { totals } = await read(company, '/receivables');
    expect(totals).to.include({ current: 100, days31To60: 0 });
    expect(names(await read(company, '/receivables?overdue=1'))).to.deep.equal([]);
  });

  it('include later dates at present, and only earlier ones as of a day', async () => {
    const company = await makeCompany(stack());
    await issue(company, { customerName: 'Ada', date: day(5) });
    await pay(company, 30, [], { customerName: 'Ada', date: day(6) });
    const [now] = (await read(company, '/receivables')).customers;
    expect(now).to.include({ outstanding: 100, unallocated: 30 });
    expect(names(await read(company, `/receivables?asOf=${day(0)}`))).to.deep.equal([]);
    const { asOf, customers } = await read(company, `/receivables?asOf=${day(5)}`);
    expect([asOf, customers[0].outstanding, customers[0].unallocated]).to.deep.equal([
      ...[day(5), 100, 0],
    ]);
  });

  it('show a write at once, however many have been read before', async () => {
    const company = await makeCompany(stack());
    const outstanding = async () => (await read(company, '/receivables')).totals.outstanding;
    expect(await outstanding()).to.equal(0);
    for (let count = 1; count < 6; count += 1) {
      const invoice = await due(company, 'Ada', 1);
      expect(await outstanding()).to.equal(count * 60 + 40);
      await pay(company, 40, [invoice]);
      expect(await outstanding()).to.equal(count * 60);
    }
  });

  it('roll up what a read finds, if it is much', async () => {
    const company = await makeCompany(stack());
    await read(company, '/receivables');
    const invoice = {
      customerName: 'Ada',
      date: day(-3),
      items: [{ name: 'W', qty: 1, price: 1 }],
    };
    const invoices = Array.from({ length: 100 }, () => invoice);
    const batches = Array.from({ length: 7 }, () => company.post('/invoices/batch', { invoices }));
    await Promise.all(batches);
    const [one] = (await read(company, '/invoices?limit=1')) as unknown as Json[];
    await pay(company, 0.4, [one]);
    const { totals } = await read(company, '/receivables');
    expect(totals.outstanding).to.equal(699.6);
    const [{ sum } = { sum: null }] = await stack().sql(
      'SELECT sum(due)::float AS sum FROM invoice_dues WHERE company_id = $1',
      [company.companyId],
    );
    // At most 500 new invoices and entries are left to the sweep.
    expect(sum).to.be.at.least(200);
  });

  it('and statements are of one moment while invoices are issued and paid', async () => {
    const company = await makeCompany(stack());
    const write = async () => {
      for (let count = 0; count < 8; count += 1) {
        const invoice = await due(company, 'Ada', 1);
        await pay(company, 70, [invoice], { date: day(0) });
      }
    };
    const check = async () => {
      for (let count = 0; count < 12; count += 1) {
        const { totals, customers } = await read(company, '/receivables');
        expect(totals.outstanding % 30).to.be.oneOf([0, 10, 20]);
        expect(customers.reduce((sum: number, { balance }: Json) => sum + balance, 0)).to.equal(
          totals.balance,
        );
        const { status, body } = await company.get('/statements?customerName=Ada&from=2020-01-01');
        if (status === 404) continue;
        const last = body.entries.at(-1)?.balance ?? body.opening;
        expect([last, body.ageing.balance]).to.deep.equal([body.closing, body.closing]);
      }
    };
    await Promise.all([write(), write(), write(), check(), check()]);
    const { totals } = await read(company, '/receivables');
    expect(totals).to.include({ outstanding: 24 * 30, unallocated: 0, balance: 24 * 30 });
  });

  it('are built once by many first reads while invoices are issued and paid', async () => {
    const company = await makeCompany(stack());
    for (const name of ['Ada', 'Bob']) await due(company, name, 1);
    const write = async () => {
      for (let count = 0; count < 6; count += 1)
        await pay(company, 70, [await due(company, 'Ada', 1)], { date: day(0) });
    };
    await Promise.all([
      ...Array.from({ length: 8 }, () => read(company, '/receivables')),
      ...[write(), write()],
    ]);
    const { totals } = await read(company, '/receivables');
    expect(totals).to.include({ outstanding: 2 * 100 + 12 * 30, unallocated: 0 });
  });

  it('sum up the names of a record, and filter by it', async () => {
    const company = await makeCompany(stack());
    for (const name of ['Bob', 'Robert', 'Ada']) await due(company, name, 1);
    const body = { name: 'Bob', aliases: ['Robert'], creditLimit: 150.5, hold: false };
    const { id } = created(await company.post('/customers', body));
    const all = await read(company, '/receivables?sort=name');
    expect(names(all)).to.deep.equal(['Ada', 'Bob']);
    expect(all.customers[1]).to.include({ customerId: id, creditLimit: 150.5, outstanding: 200 });
    const one = await read(company, `/receivables?customerId=${id}`);
    expect(one.customers).to.deep.equal([all.customers[1]]);
    expect(one.totals.outstanding).to.equal(200);
    const none = await read(company, `/receivables?customerId=${uuidv7()}`);
    expect([none.customers, none.totals.balance]).to.deep.equal([[], 0]);
  });

  it('spell a name without a record as its newest invoice or payment does', async () => {
    const company = await makeCompany(stack());
    const spelledAs = async () => {
      const { customer } = await read(company, '/statements?customerName=ada');
      const listed = names(await read(company, '/receivables'));
      expect(listed).to.deep.equal([customer.name]);
      return customer.name;
    };
    await pay(company, 1, [], { customerName: 'ada', date: day(-5) });
    await issue(company, { customerName: 'ADA', date: day(-4) });
    expect(await spelledAs()).to.equal('ADA');
    await pay(company, 1, [], { customerName: 'Ada', date: day(-4) });
    expect(await spelledAs()).to.equal('Ada');
    await issue(company, { customerName: 'aDA', date: day(-6) });
    expect(await spelledAs()).to.equal('Ada');
  });

  it('list who is over the limit by the balance', async () => {
    const company = await makeCompany(stack());
    const limits = { Above: 99.99, Exact: 100, Covered: 80 };
    for (const [name, creditLimit] of Object.entries(limits)) {
      created(await company.post('/customers', { name, creditLimit }));
      await due(company, name, 1);
    }
    await due(company, 'Without a record', 1);
    await pay(company, 20, [], { customerName: 'Covered', date: day(0) });
    expect(names(await read(company, '/receivables?overLimit=1'))).to.deep.equal(['Above']);
    expect(names(await read(company, `/receivables?overLimit=1&asOf=${day(-1)}`))).to.deep.equal([
      ...['Above', 'Covered'],
    ]);
  });

  it('are sorted by the largest amount, or by code point of the match key', async () => {
    const company = await makeCompany(stack());
    const items = (price: number) => [{ name: 'Work', qty: 1, price }];
    for (const [name, price] of Object.entries({ Zoe: 9, éva: 1_000, adam: 20, Bea: 20 }))
      await due(company, name, 1, { items: items(price) });
    expect(names(await read(company, '/receivables'))).to.deep.equal(['éva', 'adam', 'Bea', 'Zoe']);
    const byName = await read(company, '/receivables?sort=name');
    expect(names(byName)).to.deep.equal(['adam', 'Bea', 'Zoe', 'éva']);
  });

  it('are a CSV file with the same rows', async () => {
    const company = await makeCompany(stack());
    await due(company, '=Ada', 1);
    const { id } = created(await company.post('/customers', { name: 'Bob', creditLimit: 5 }));
    await due(company, 'Bob', 40);
    const { text } = await company.get('/receivables?format=csv&sort=name');
    expect(text.split('\r\n')).to.deep.equal([
      '\ufeff"customerId","name","creditLimit","hold","outstanding","current","days1To30",' +
        '"days31To60","days61To90","over90","unallocated","balance"',
      `,"'=Ada",,"false",100,0,100,0,0,0,0,100`,
      `"${id}","Bob",5,"false",100,0,0,100,0,0,0,100`,
      '',
    ]);
  });

  it('refuse invalid parameters', async () => {
    const company = await makeCompany(stack());
    for (const query of [
      ...['asOf=2026-02-30', 'basis=x', 'customerId=7', 'overdue=2', 'sort=x', 'format=xml'],
      ...['limit=0', 'format=csv&limit=5', 'cursor=x', 'from=2026-01-01'],
    ]) {
      const { status } = await company.get(`/receivables?${query}`);
      expect(status, query).to.equal(400);
    }
  });
});
