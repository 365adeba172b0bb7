// The figures of GET /summary at chosen instants: invoices are created through the API, then the
// scheduler's own function computes the summary of that instant.
import { expect } from 'chai';
import { updateItem } from '../../src/inventory/service.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { refreshSummary } from '../../src/summary/refresh.js';
import type { Json } from '../support/client.js';
import {
  type CompanyOptions,
  makeCompany,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { describeMode, openForTests } from '../support/suite.js';

describeMode('postgres', 'the figures of the summary', stack => {
  before(() => {
    openForTests(stack().databaseUrl, 4);
  });
  after(closeDatabase);

  const summaryAt = async (company: TestCompany, at: string): Promise<Json> =>
    JSON.parse((await refreshSummary(company.companyId, new Date(at))) ?? 'null');

  /** A company with one invoice for each [date, amount, customer]. */
  const companyWith = async (
    invoices: readonly (readonly [date: string, amount: number, customer?: string])[],
    options: CompanyOptions = {},
  ): Promise<TestCompany> => {
    const company = await makeCompany(stack(), options);
    for (const [date, amount, customerName = 'Bright & Sons'] of invoices) {
      const { status } = await company.post('/invoices', {
        customerName,
        date,
        items: [{ name: 'Work', qty: 1, price: amount }],
      });
      expect(status).to.equal(201);
    }
    return company;
  };

  it('have the names and values of the contract', async () => {
    const company = await companyWith([
      ['2026-10-05', 100],
      ['2026-10-25', 40.5],
      ['2026-11-03', 120],
      ['2026-11-20', 30.25, 'Castle'],
    ]);
    await receive(company, { name: 'Pipe', delta: 4, unitCost: 2.5, reorderPoint: 4 });
    expect(await summaryAt(company, '2026-11-20T10:00:00.123Z')).to.deep.equal({
      period: { month: '2026-11', from: '2026-11-01', to: '2026-11-30', timezone: 'UTC' },
      currency: 'USD',
      invoices: { count: 2, total: 150.25, average: 75.13 },
      previous: { month: '2026-10', count: 2, total: 140.5, toSameDay: { count: 1, total: 100 } },
      change: { countPercent: 100, totalPercent: 50.3 },
      topCustomers: [
        { name: 'Bright & Sons', count: 1, total: 120 },
        { name: 'Castle', count: 1, total: 30.25 },
      ],
      topItems: [{ name: 'Work', qty: 2, total: 150.25 }],
      inventory: { items: 1, low: 1, outOfStock: 0, value: 10 },
      computedAt: '2026-11-20T10:00:00.123Z',
      sales: { net: 150.25, tax: 0 },
      credited: { count: 0, total: 0, net: 0, tax: 0 },
      received: { count: 0, total: 0 },
      refunded: { count: 0, total: 0 },
      outstanding: { count: 4, total: 290.75 },
      overdue: { count: 0, total: 0 },
      unallocated: { total: 0 },
      receivables: { current: 290.75, days1To30: 0, days31To60: 0, days61To90: 0, over90: 0 },
    });
  });

  it("take the month of the company's time zone at that instant", async () => {
    const months: [timeZone: string, at: string, month: string][] = [
      ['Pacific/Kiritimati', '2026-11-30T10:00:00Z', '2026-12'],
      ['America/Los_Angeles', '2026-11-30T10:00:00Z', '2026-11'],
      ['America/Los_Angeles', '2026-12-01T07:59:59Z', '2026-11'],
      // Daylight saving time ends later on this day, so midnight is still at UTC-4.
      ['America/New_York', '2026-11-01T03:59:59Z', '2026-10'],
      ['America/New_York', '2026-11-01T04:00:00Z', '2026-11'],
      // Midnight is an hour earlier in UTC during daylight saving time.
      ['Europe/Berlin', '2026-03-31T22:00:00Z', '2026-04'],
      ['Europe/Berlin', '2026-10-31T22:00:00Z', '2026-10'],
      ['Asia/Kathmandu', '2026-12-31T18:15:00Z', '2027-01'],
      ['UTC', '2026-12-31T23:59:59.999Z', '2026-12'],
    ];
    for (const [timeZone, at, month] of months) {
      const company = await companyWith([], { timeZone });
      expect((await summaryAt(company, at)).period, `${timeZone} ${at}`).to.include({
        month,
        timezone: timeZone,
      });
    }
  });

  it('count an invoice in the month of its date, even if the date is in the future', async () => {
    const company = await companyWith([
      ['2025-12-15', 1],
      ['2026-11-30', 2],
      ['2026-12-01', 4],
      ['2026-12-31', 8],
      ['2027-01-01', 16],
    ]);
    const december = await summaryAt(company, '2026-12-02T00:00:00Z');
    expect(december.invoices).to.include({ count: 2, total: 12 });
    expect(december.period).to.include({ from: '2026-12-01', to: '2026-12-31' });
    expect(december.previous).to.include({ month: '2026-11', count: 1, total: 2 });
    const january = await summaryAt(company, '2027-01-01T00:00:00Z');
    expect(january.invoices).to.include({ count: 1, total: 16 });
    expect(january.previous).to.include({ month: '2026-12', count: 2, total: 12 });
    expect(january.previous.toSameDay).to.deep.equal({ count: 1, total: 4 });
  });

  it('compare with last month up to the same day, or all of it if it is shorter', async () => {
    const company = await companyWith([
      ['2028-01-29', 1],
      ['2028-01-30', 2],
      ['2028-02-28', 4],
      ['2028-02-29', 8],
    ]);
    const toSameDay = async (at: string) => (await summaryAt(company, at)).previous.toSameDay;
    expect(await toSameDay('2028-02-28T12:00:00Z')).to.deep.equal({ count: 0, total: 0 });
    expect(await toSameDay('2028-02-29T12:00:00Z')).to.deep.equal({ count: 1, total: 1 });
    expect(await toSameDay('2028-03-28T12:00:00Z')).to.deep.equal({ count: 1, total: 4 });
    expect(await toSameDay('2028-03-29T12:00:00Z')).to.deep.equal({ count: 2, total: 12 });
    expect(await toSameDay('2028-03-31T12:00:00Z')).to.deep.equal({ count: 2, total: 12 });
    expect((await summaryAt(company, '2028-02-10T12:00:00Z')).period.to).to.equal('2028-02-29');
  });

  it('show change in percent with one decimal, or null without a comparison', async () => {
    const company = await companyWith([
      ['2026-10-01', 10],
      ['2026-10-02', 10],
      ['2026-10-03', 10],
      ['2026-11-01', 20.0],
    ]);
    expect((await summaryAt(company, '2026-11-30T00:00:00Z')).change).to.deep.equal({
      countPercent: -66.7,
      totalPercent: -33.3,
    });
    expect((await summaryAt(company, '2026-11-02T00:00:00Z')).change).to.deep.equal({
      countPercent: -50,
      totalPercent: 0,
    });
    expect((await summaryAt(company, '2026-10-31T00:00:00Z')).change).to.deep.equal({
      countPercent: null,
      totalPercent: null,
    });
    expect((await summaryAt(company, '2026-12-01T00:00:00Z')).change).to.deep.equal({
      countPercent: -100,
      totalPercent: -100,
    });
  });

  it("round the average half up to the currency's minor unit, null without invoices", async () => {
    const averages: [currency: string, amounts: number[], average: number | null][] = [
      ['USD', [0.01, 0.02], 0.02],
      ['USD', [0.01, 0.01, 0.02], 0.01],
      ['JPY', [1, 2], 2],
      ['KWD', [0.001, 0.002], 0.002],
      ['USD', [], null],
    ];
    for (const [currency, amounts, average] of averages) {
      const company = await companyWith(
        amounts.map(amount => ['2026-11-05', amount]),
        { currency },
      );
      const summary = await summaryAt(company, '2026-11-05T00:00:00Z');
      expect(summary.invoices.average, `${currency} ${amounts}`).to.equal(average);
      expect(summary.currency).to.equal(currency);
    }
  });

  it('list the five best customers by total, one entry for all spellings of a name', async () => {
    const company = await companyWith([
      ['2026-11-01', 50, 'ACME  Ltd'],
      ['2026-11-02', 60, 'acme ltd'],
      ...['A', 'B', 'C', 'D', 'E'].map((name, at) => ['2026-11-03', 10 + at, name] as const),
      ['2026-10-31', 999, 'Last month'],
    ]);
    expect((await summaryAt(company, '2026-11-05T00:00:00Z')).topCustomers).to.deep.equal([
      { name: 'acme ltd', count: 2, total: 110 },
      { name: 'E', count: 1, total: 14 },
      { name: 'D', count: 1, total: 13 },
      { name: 'C', count: 1, total: 12 },
      { name: 'B', count: 1, total: 11 },
    ]);
  });

  it('list the five best items by total, including lines that match no stock item', async () => {
    const company = await companyWith([]);
    await receive(
      company,
      { name: 'Copper Pipe', sku: 'CP', delta: 100 },
      { name: 'Valve', delta: 100 },
    );
    const line = (name: string, qty: number, price: number, sku?: string) => ({
      name,
      qty,
      price,
      sku,
    });
    const items = [
      line('copper  pipe', 2.5, 10),
      line('as agreed on the phone', 1, 10, 'CP'),
      line('Delivery', 1, 30),
      line('DELIVERY', 1, 10),
      line('Valve', 3, 0.5),
      ...['a', 'b', 'c'].map(name => line(name, 1, 5)),
    ];
    await company.post('/invoices', { customerName: 'Castle', date: '2026-11-02', items });
    expect((await summaryAt(company, '2026-11-05T00:00:00Z')).topItems).to.deep.equal([
      { name: 'Delivery', qty: 2, total: 40 },
      { name: 'Copper Pipe', qty: 3.5, total: 35 },
      { name: 'a', qty: 1, total: 5 },
      { name: 'b', qty: 1, total: 5 },
      { name: 'c', qty: 1, total: 5 },
    ]);
  });

  it("count and value the stock at cost, rounded to the currency's minor unit", async () => {
    const values: [currency: string, value: number][] = [
      ['USD', 1.01],
      ['JPY', 1],
      ['KWD', 1.005],
    ];
    for (const [currency, value] of values) {
      const company = await companyWith([], { currency, allowNegativeStock: true });
      await receive(
        company,
        { name: 'Worth it', delta: 3, unitCost: 0.335 },
        { name: 'Without a cost', delta: 5, reorderPoint: 5 },
        { name: 'None left', delta: 0, unitCost: 9 },
      );
      const { inventory } = await summaryAt(company, '2026-11-05T00:00:00Z');
      expect(inventory, currency).to.deep.equal({ items: 3, low: 2, outOfStock: 1, value });
    }
  });

  it('follow each change of the stock', async () => {
    const company = await companyWith([], { allowNegativeStock: true });
    const { companyId } = company;
    const sale = (qty: number) => ({
      customerName: 'Castle',
      date: '2026-11-02',
      items: [{ name: 'Pipe', qty, price: 1 }],
    });
    let archivedId = '';
    const changes: (readonly [what: string, change: () => Promise<unknown>])[] = [
      ['a new item', () => receive(company, { name: 'Pipe', delta: 2.5, unitCost: 0.3333 })],
      ['another one', () => receive(company, { name: 'Rod', delta: 0 }, { name: 'Bar', delta: 1 })],
      ['more and dearer', () => receive(company, { name: 'Pipe', delta: 1, unitCost: 7 })],
      ['low from now on', () => receive(company, { name: 'Pipe', delta: 0, reorderPoint: 9 })],
      [
        'twice in one request',
        () => receive(company, ...[1, 7].map(delta => ({ name: 'Pipe', delta }))),
      ],
      ['a sale', () => company.post('/invoices', sale(11))],
      ['the last one', () => company.post('/invoices', sale(0.5))],
      ['below zero', () => Promise.all([1, 2, 3].map(qty => company.post('/invoices', sale(qty))))],
      [
        'without a cost',
        async () => {
          const items: Json[] = (await company.get('/inventory')).body;
          const item = items.find(({ name }) => name === 'Pipe');
          await updateItem(companyId, item?.id, { reorderPoint: 0, unitCost: null }, null);
        },
      ],
      [
        'archived',
        async () => {
          const [id = ''] = await receive(company, { name: 'Old', delta: 0, unitCost: 2 });
          await updateItem(companyId, id, { archived: true, reorderPoint: 3 }, null);
          archivedId = id;
        },
      ],
      ['restored', () => updateItem(companyId, archivedId, { archived: false, unitCost: 7 }, null)],
    ];
    for (const [what, change] of changes) {
      await change();
      const [recounted] = await stack().sql(
        `SELECT count(*)::int AS items,
           (count(*) FILTER (WHERE low))::int AS low,
           (count(*) FILTER (WHERE on_hand <= 0))::int AS "outOfStock",
           round(COALESCE(sum(on_hand * unit_cost), 0), 2)::float AS value
         FROM items
         WHERE company_id = $1 AND NOT archived`,
        [companyId],
      );
      const { inventory } = await summaryAt(company, '2026-11-05T00:00:00Z');
      expect(inventory, what).to.deep.equal(recounted);
    }
  });

  it('count each invoice once, even if several processes refresh at once', async () => {
    const company = await companyWith([]);
    await summaryAt(company, '2026-11-05T00:00:00Z');
    const invoice = {
      customerName: 'Castle',
      date: '2026-11-02',
      items: [{ name: 'Work', qty: 1, price: 2 }],
    };
    for (let sold = 1; sold <= 5; sold += 1) {
      await company.post('/invoices', invoice);
      const refreshed = await Promise.all(
        Array.from({ length: 4 }, () => summaryAt(company, '2026-11-05T00:00:00Z')),
      );
      expect(refreshed.map(({ invoices }) => invoices.count)).to.deep.equal([
        sold,
        sold,
        sold,
        sold,
      ]);
    }
  });

  it('add only new invoices to the previous figures', async () => {
    const company = await companyWith([['2026-11-02', 1]]);
    await summaryAt(company, '2026-11-05T00:00:00Z');
    const move = (by: number) =>
      stack().sql('UPDATE daily_totals SET total = total + $2 WHERE company_id = $1', [
        company.companyId,
        by,
      ]);
    await move(1000);
    await company.post('/invoices', {
      customerName: 'Castle',
      date: '2026-11-02',
      items: [{ name: 'Work', qty: 1, price: 2 }],
    });
    const summary = await summaryAt(company, '2026-11-05T00:00:00Z');
    await move(-1000);
    expect(summary.invoices).to.include({ count: 2, total: 1003 });
  });
});
