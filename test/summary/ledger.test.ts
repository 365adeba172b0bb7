// The members of GET /summary that follow from taxes and from the entries of the ledger.
import { expect } from 'chai';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { refreshSummary } from '../../src/summary/refresh.js';
import type { Json } from '../support/client.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { created, credit, issue, pay, read } from '../support/ledger.js';
import { describeMode, openForTests } from '../support/suite.js';
import { violationsOfCompany } from '../support/violations.js';

const MEMBERS = [
  'sales',
  'credited',
  'received',
  'refunded',
  'outstanding',
  'overdue',
  'unallocated',
  'receivables',
];
/** Receivables that are not yet due, and nothing else. */
const current = (total: number) => ({
  current: total,
  ...{ days1To30: 0, days31To60: 0, days61To90: 0, over90: 0 },
});

describeMode('postgres', 'the money of the summary', stack => {
  before(() => {
    openForTests(stack().databaseUrl, 4);
  });
  after(closeDatabase);

  const summaryAt = async ({ companyId }: TestCompany, at: string): Promise<Json> =>
    JSON.parse((await refreshSummary(companyId, new Date(at))) ?? 'null');
  const moneyAt = async (company: TestCompany, at: string): Promise<Json> => {
    const summary = await summaryAt(company, at);
    return Object.fromEntries(MEMBERS.map(name => [name, summary[name]]));
  };

  it('follows computedAt, and is zero for a new company', async () => {
    const summary = await summaryAt(await makeCompany(stack()), '2026-11-20T10:00:00Z');
    expect(Object.keys(summary).slice(-9)).to.deep.equal(['computedAt', ...MEMBERS]);
    expect(MEMBERS.map(name => summary[name])).to.deep.equal([
      { net: 0, tax: 0 },
      { count: 0, total: 0, net: 0, tax: 0 },
      { count: 0, total: 0 },
      { count: 0, total: 0 },
      { count: 0, total: 0 },
      { count: 0, total: 0 },
      { total: 0 },
      current(0),
    ]);
  });

  it("counts each month's entries by their own dates, and leaves what was invoiced", async () => {
    const company = await makeCompany(stack());
    const taxed = [{ name: 'Work', qty: 3, price: 33.35, taxRate: 19 }];
    const first = await issue(company, { date: '2026-11-10', items: taxed });
    const second = await issue(company, { date: '2026-11-11' });
    const wrong = await issue(company, { date: '2026-11-12', items: taxed });
    const paid = await pay(company, 150, [first], { date: '2026-11-20' });
    const bounced = await pay(company, 40, [second], { date: '2026-11-30' });
    await credit(company, first, {
      date: '2026-11-30',
      items: [{ line: 1, qty: 1 }],
    });
    const november = {
      sales: { net: 300.1, tax: 38.02 },
      credited: { count: 1, total: 39.69, net: 33.35, tax: 6.34 },
      received: { count: 2, total: 190 },
      refunded: { count: 0, total: 0 },
      outstanding: { count: 2, total: 179.06 },
      overdue: { count: 0, total: 0 },
      // The payment and the credit note each exceed what is due.
      unallocated: { total: 70.63 },
      receivables: current(179.06),
    };
    expect(await moneyAt(company, '2026-11-30T10:00:00Z')).to.deep.equal(november);
    const december = { date: '2026-12-01' };
    created(await company.post(`/payments/${bounced.id}/reversal`, december));
    created(await company.post('/refunds', { paymentId: paid.id, amount: 30.94, ...december }));
    created(await company.post(`/invoices/${wrong.id}/void`, december));
    expect(await moneyAt(company, '2026-12-31T10:00:00Z')).to.deep.equal({
      sales: { net: 0, tax: 0 },
      credited: { count: 1, total: 119.06, net: 100.05, tax: 19.01 },
      received: { count: -1, total: -40 },
      refunded: { count: 1, total: 30.94 },
      outstanding: { count: 1, total: 100 },
      overdue: { count: 0, total: 0 },
      unallocated: { total: 39.69 },
      receivables: current(100),
    });
    const { sales, credited, received, refunded } = november;
    const again = await summaryAt(company, '2026-11-30T10:00:00Z');
    expect(again).to.deep.include({ sales, credited, received, refunded });
    expect(again.invoices).to.deep.equal({ count: 3, total: 338.12, average: 112.71 });
  });

  it("makes invoices overdue at the company's midnight, without any write", async () => {
    const company = await makeCompany(stack(), { timeZone: 'Pacific/Auckland' });
    const due = { date: '2026-11-01', dueDate: '2026-11-20' };
    const partly = await issue(company, due);
    const settled = await issue(company, due);
    await issue(company, { ...due, dueDate: '2026-11-21' });
    await issue(company, { date: '2026-11-01' });
    await issue(company, { ...due, items: [{ name: 'Gift', qty: 1, price: 0 }] });
    await pay(company, 130, [settled, partly], { date: '2026-11-20' });
    const outstanding = { count: 3, total: 270 };
    const before = await summaryAt(company, '2026-11-20T10:59:59.999Z');
    const none = { count: 0, total: 0 };
    expect(before).to.deep.include({ outstanding, overdue: none, receivables: current(270) });
    const after = await summaryAt(company, '2026-11-20T11:00:00Z');
    expect(after).to.deep.include({
      ...{ outstanding, overdue: { count: 1, total: 70 } },
      receivables: { ...current(200), days1To30: 70 },
    });
    const nextDay = await summaryAt(company, '2026-11-21T11:00:00Z');
    expect(nextDay).to.deep.include({
      ...{ outstanding, overdue: { count: 2, total: 170 } },
      receivables: { ...current(100), days1To30: 170 },
    });
    const later = await summaryAt(company, '2026-12-20T11:00:00Z');
    expect(later.receivables).to.deep.equal({
      ...{ ...current(100), days1To30: 100, days31To60: 70 },
    });
  });

  it('equals the sums of the documents after any entries, rolled up in any steps', async () => {
    const company = await makeCompany(stack(), { timeZone: 'Asia/Kathmandu' });
    const at = '2026-11-25T12:00:00Z';
    for (let round = 0; round < 8; round += 1) {
      await Promise.all([makeEntries(company, round), moneyAt(company, at)]);
      const expected = await recount(company, '2026-11', '2026-11-25');
      expect(await moneyAt(company, at), `round ${round}`).to.deep.equal(expected);
      const { topCustomers, topItems } = await summaryAt(company, at);
      const tops = await recountTops(company, '2026-11');
      expect({ topCustomers, topItems }, `tops of round ${round}`).to.deep.equal(tops);
    }
    expect(await violationsOfCompany(stack(), company.companyId)).to.deep.equal([]);
  });
});

/** A few documents with amounts and dates that differ by round; some of the money is left. */
async function makeEntries(company: TestCompany, round: number): Promise<void> {
  const cents = (round * 37) % 100;
  const items = [
    { name: 'Work', qty: 2 + (round % 3), price: 40 + cents / 100, taxRate: 19 },
    { name: 'Travel', qty: 1, price: 12.34, taxRate: 7 },
  ];
  const dated = { date: '2026-11-02', dueDate: `2026-11-${20 + round}`, items };
  const [first, second, third, fourth, wrong] = (await Promise.all([
    issue(company, dated),
    issue(company, { ...dated, dueDate: '2026-11-24' }),
    issue(company, { date: '2026-10-31', items }),
    issue(company, { ...dated, discount: { percent: 12.5 } }),
    issue(company, dated),
  ])) as [Json, Json, Json, Json, Json];
  const month = round % 3 === 0 ? '2026-12' : '2026-11';
  const [large, , bounced] = (await Promise.all([
    pay(company, 500, [first, second], { date: '2026-11-20' }),
    pay(company, 15.5 + round, [third], { date: `${month}-03` }),
    pay(company, 20, [fourth], { date: `${month}-01` }),
    credit(company, fourth, { date: '2026-11-30', items: [{ line: 2, amount: 5.55 }] }),
    credit(company, first, { date: `${month}-15`, items: [{ line: 1, qty: 1 }] }),
  ])) as Json[] as [Json, Json, Json];
  const rest = { paymentId: large.id, amount: 3.21, date: `${month}-20` };
  const moved = [
    { invoiceId: second.id, amount: -7 },
    { invoiceId: third.id, amount: 1.5 },
  ];
  const allocation = { paymentId: large.id, invoices: moved, date: '2026-11-22' };
  const responses = await Promise.all([
    company.post(`/payments/${bounced.id}/reversal`, { date: '2026-11-24' }),
    company.post('/refunds', rest),
    company.post('/allocations', allocation),
    company.post(`/invoices/${wrong.id}/void`, { date: `${month}-24` }),
  ]);
  responses.forEach(created);
}

/** The figures from the documents that the API lists. */
async function recount(company: TestCompany, month: string, today: string): Promise<Json> {
  const all = async (path: string): Promise<Json[]> => {
    const page = await read(company, `${path}?limit=200`);
    expect(page).to.have.length.below(200);
    return page as unknown as Json[];
  };
  const [invoices, payments, refunds, notes] = (await Promise.all(
    ['/invoices', '/payments', '/refunds', '/credit-notes'].map(all),
  )) as [Json[], Json[], Json[], Json[]];
  const sum = (rows: Json[], member: string) =>
    Math.round(rows.reduce((total, row) => total + row[member] * 100, 0)) / 100;
  const totals = (rows: Json[], member: string) => ({
    count: rows.length,
    total: sum(rows, member),
  });
  const inMonth = (rows: Json[]) => rows.filter(({ date }) => date.startsWith(month));
  const received = inMonth(payments);
  // All payments are reversed in November.
  const reversed = payments.filter(({ status }) => status === 'reversed');
  const open = invoices.filter(({ amountDue }) => amountDue > 0);
  const credited = inMonth(notes);
  return {
    sales: { net: sum(inMonth(invoices), 'subtotal'), tax: sum(inMonth(invoices), 'taxTotal') },
    credited: {
      ...totals(credited, 'total'),
      net: sum(credited, 'subtotal'),
      tax: sum(credited, 'taxTotal'),
    },
    received: {
      count: received.length - reversed.length,
      total: Math.round((sum(received, 'amount') - sum(reversed, 'amount')) * 100) / 100,
    },
    refunded: totals(inMonth(refunds), 'amount'),
    outstanding: totals(open, 'amountDue'),
    overdue: totals(
      open.filter(({ dueDate }) => dueDate !== null && dueDate < today),
      'amountDue',
    ),
    unallocated: { total: sum([...payments, ...notes], 'unallocated') },
    receivables: agesOf(open, today),
  };
}

function agesOf(open: readonly Json[], today: string): Json {
  const cents = [0, 0, 0, 0, 0];
  for (const { dueDate, amountDue } of open) {
    const days = dueDate === null ? 0 : (Date.parse(today) - Date.parse(dueDate)) / 86_400_000;
    const age = days <= 0 ? 0 : Math.min(4, Math.ceil(days / 30));
    cents[age] = (cents[age] ?? 0) + Math.round(amountDue * 100);
  }
  return Object.fromEntries(
    Object.keys(current(0)).map((age, index) => [age, (cents[index] ?? 0) / 100]),
  );
}

/** The net figures of the only customer and of its items from the documents that the API lists. */
async function recountTops(company: TestCompany, month: string): Promise<Json> {
  const inMonth = async (path: string): Promise<Json[]> => {
    const page = (await read(company, `${path}?limit=200`)) as unknown as Json[];
    return page.filter(({ date }) => date.startsWith(month));
  };
  const [invoices, notes] = [await inMonth('/invoices'), await inMonth('/credit-notes')];
  const rounded = (value: number) => Math.round(value * 100) / 100;
  const sumOf = (rows: Json[], member: string) =>
    rows.reduce((sum, row) => sum + (row[member] ?? 0), 0);
  const net = (name: string, member: string) => {
    const [sold, credited] = [invoices, notes].map(documents =>
      sumOf(
        documents.flatMap(({ items }) => items).filter(item => item.name === name),
        member,
      ),
    ) as [number, number];
    return rounded(sold - credited);
  };
  const items = ['Work', 'Travel'].map(name => {
    return { name, qty: net(name, 'qty'), total: net(name, 'amount') };
  });
  const total = rounded(sumOf(invoices, 'total') - sumOf(notes, 'total'));
  return {
    topCustomers: [{ name: invoices[0]?.customerName, count: invoices.length, total }],
    topItems: items.toSorted((a, b) => b.total - a.total),
  };
}
