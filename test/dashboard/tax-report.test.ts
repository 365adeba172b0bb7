// The tax report and the file of invoice lines, against figures that are computed from the API's
// JSON alone: books of random invoices, credit notes and voids in three months.

import { expect } from 'chai';
import { readCsvRows } from '../../src/platform/values/csv-reader.js';
import { addDays, firstDayOfMonth } from '../../src/platform/values/days.js';
import type { Json } from '../support/client.js';
import { type Browser, signedIn } from '../support/dashboard.js';
import { today } from '../support/days.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { created, credit, issue } from '../support/ledger.js';
import { addInvoices } from '../support/many-rows.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

const INVOICES = 40;
const RATES = [19, 7.7, 0.125, 0];

/** Numbers from 0 up to 1: the same in every run, so that a failure can be repeated. */
function makeRandom(seed: number) {
  let state = seed;
  return {
    next: () => {
      state = (state * 16_807) % 2_147_483_647;
      return state / 2_147_483_647;
    },
    below(end: number) {
      return Math.floor(this.next() * end);
    },
  };
}
type Random = ReturnType<typeof makeRandom>;

/** An amount in cents, which sums are exact in. */
const cents = (amount: unknown) => Math.round(Number(amount) * 100);

const TODAY = today();
/** A day of this month or of the two months before it. */
const dayOf = (random: Random) =>
  addDays(firstDayOfMonth(TODAY, -random.below(3)), random.below(28));
const laterThan = (date: string, random: Random) => addDays(date, random.below(40));

function lineOf(random: Random, tax: object): Json {
  const discounts = [{}, { discount: { percent: 12.5 } }, { discount: { amount: 0.01 } }];
  return {
    name: `Item ${random.below(9)}`,
    qty: (1 + random.below(4000)) / 1000,
    price: (100 + random.below(99_999)) / 1000,
    ...discounts[random.below(3)],
    ...tax,
  };
}

function invoiceOf(random: Random): Json {
  const untaxed = random.below(4) === 0;
  const items = Array.from({ length: 1 + random.below(5) }, () => {
    if (untaxed) return lineOf(random, {});
    if (random.below(5) === 0) return lineOf(random, { taxRate: 0, taxCategory: 'E' });
    return lineOf(random, { taxRate: RATES[random.below(RATES.length)] });
  });
  const discounts = [{}, { discount: { percent: 3.3333 } }, { discount: { amount: 0.05 } }];
  return {
    date: dayOf(random),
    customerName: `Customer ${random.below(3)}`,
    items,
    ...discounts[random.below(3)],
    ...(items.some(({ taxCategory }) => taxCategory === 'E') ? { taxReason: 'Training' } : {}),
  };
}

/** Issues random invoices; voids some, and credits others by quantity, by amount or in full. */
async function makeBooks(company: TestCompany, random: Random): Promise<void> {
  for (let count = 0; count < INVOICES; count += 1) {
    const invoice = await issue(company, invoiceOf(random));
    const date = laterThan(invoice.date, random);
    const [first] = invoice.items;
    const half = Math.floor(first.qty * 5_000) / 10_000;
    switch (random.below(5)) {
      case 0:
        created(await company.post(`/invoices/${invoice.id}/void`, { date }));
        break;
      case 1:
        await credit(company, invoice, { date, items: [{ line: 1, qty: half, restock: false }] });
        await credit(company, invoice, { date: laterThan(date, random) });
        break;
      case 2:
        if (first.amount < 0.05) break;
        await credit(company, invoice, { date, items: [{ line: 1, amount: 0.05 }] });
        await credit(company, invoice, {
          date: laterThan(date, random),
          items: invoice.items.map(({ qty }: Json, index: number) => ({
            line: index + 1,
            qty: Math.ceil(qty * 3_000) / 10_000,
            restock: false,
          })),
        });
    }
  }
}

async function listAll(company: TestCompany, path: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let next: string | undefined = `${path}?limit=100`; next !== undefined; ) {
    const { status, body, headers } = await company.get(next);
    expect(status).to.equal(200);
    found.push(...body);
    next = /<[^>]*\/api\/external([^>]*)>; rel="next"/u.exec(String(headers.link ?? ''))?.[1];
  }
  return found;
}

const keyOf = (category: string | null, rate: unknown) =>
  category === null ? 'none' : `${category} ${rate}`;

/** The net amounts and the tax of a document in cents, by category and rate. */
function taxesOf({ taxes, subtotal }: Json): { key: string; net: number; tax: number }[] {
  if (taxes.length === 0) return [{ key: 'none', net: cents(subtotal), tax: 0 }];
  return taxes.map(({ category, rate, base, amount }: Json) => ({
    key: keyOf(category, rate),
    net: cents(base),
    tax: cents(amount),
  }));
}

/** By month and tax: net and tax of invoices, of credit notes, and the difference, in cents. */
type Report = Map<string, number[]>;

function expectedReport(invoices: readonly Json[], notes: readonly Json[]): Report {
  const report: Report = new Map();
  const add = (key: string, figures: number[]) => {
    const sums = report.get(key) ?? [0, 0, 0, 0, 0, 0];
    report.set(
      key,
      sums.map((sum, index) => sum + (figures[index] ?? 0)),
    );
  };
  for (const [documents, sign] of [
    [invoices, 1],
    [notes, -1],
  ] as const)
    for (const document of documents)
      for (const { key, net, tax } of taxesOf(document)) {
        if (net === 0 && tax === 0) continue;
        const month = document.date.slice(0, 7);
        const own = sign === 1 ? [net, tax, 0, 0] : [0, 0, net, tax];
        for (const row of [`${month} ${key}`, `${month} Total`, 'Total Total'])
          add(row, [...own, sign * net, sign * tax]);
      }
  return report;
}

const csvOf = async (browser: Browser, path: string): Promise<string[][]> => {
  const { status, text } = await browser.get(path);
  expect(status).to.equal(200);
  const rows = readCsvRows(text, { separator: ',', maxRows: 100_000 });
  return rows.map(({ cells }) => [...cells]);
};

async function readReport(browser: Browser, path: string): Promise<Report> {
  const [, ...rows] = await csvOf(browser, path);
  return new Map(
    rows.map(([month = '', name, category = '', rate, ...figures]) => {
      const key = name === 'Total' ? 'Total' : keyOf(category === '' ? null : category, rate);
      return [`${month} ${key}`, figures.slice(0, 6).map(cents)];
    }),
  );
}

describeMode('postgres', 'the tax report', stack => {
  const arrange = async (seed: number) => {
    const company = await makeCompany(stack());
    const random = makeRandom(seed);
    await makeBooks(company, random);
    const { browser } = await signedIn(stack(), company.companyId);
    const [invoices, notes] = [
      await listAll(company, '/invoices'),
      await listAll(company, '/credit-notes'),
    ];
    expect(invoices).to.have.length(INVOICES);
    expect(notes.length).to.be.above(10);
    return { company, browser, invoices, notes };
  };
  const monthAt = (later: number) => firstDayOfMonth(TODAY, later).slice(0, 7);
  const months = `from=${monthAt(-2)}&to=${monthAt(4)}`;

  it('equals the taxes of the invoices less those of the credit notes, by month', async () => {
    const { company, browser, invoices, notes } = await arrange(7);
    const expected = expectedReport(invoices, notes);
    const report = await readReport(browser, `/tax-report/export.csv?${months}`);
    expect(Object.fromEntries(report)).to.deep.equal(Object.fromEntries(expected));
    const month = TODAY.slice(0, 7);
    const page = await browser.get(`/tax-report?from=${month}&to=${month}`);
    const [net, tax] = (report.get(`${month} Total`) ?? []).slice(4);
    const money = (total = 0) =>
      (total / 100).toLocaleString('en', { style: 'currency', currency: 'USD' });
    expect(textOf(page).replaceAll('−', '-')).to.contain(`${money(net)} ${money(tax)}`);
    const inMonth = ({ date }: Json) => date.startsWith(month);
    let summary: Json;
    await until('the summary has all invoices and credit notes', async () => {
      summary = (await company.get('/summary')).body;
      return (
        summary.invoices.count === invoices.filter(inMonth).length &&
        summary.credited.count === notes.filter(inMonth).length
      );
    });
    const figures = [summary.sales, summary.credited].flatMap(each => [each.net, each.tax]);
    expect(figures.map(cents)).to.deep.equal((report.get(`${month} Total`) ?? []).slice(0, 4));
  });

  it('has a file of lines that add up to each document and to each tax', async () => {
    const { browser, invoices, notes } = await arrange(11);
    const [header = [], ...rows] = await csvOf(browser, '/invoices/lines.csv');
    const at = (row: readonly string[], heading: string) => row[header.indexOf(heading)] ?? '';
    const sums = new Map<string, number>();
    const add = (key: string, amount: number) => sums.set(key, (sums.get(key) ?? 0) + amount);
    for (const row of rows) {
      const key = keyOf(at(row, 'Tax category') || null, at(row, 'Tax rate'));
      const net = cents(at(row, 'Net amount'));
      add(at(row, 'Number'), net);
      add(`${at(row, 'Number')} ${key}`, net);
      expect(net).to.equal(cents(at(row, 'Amount')) - cents(at(row, 'Invoice discount')));
    }
    const expected = new Map<string, number>();
    for (const [documents, sign] of [
      [invoices, 1],
      [notes, -1],
    ] as const)
      for (const document of documents) {
        expected.set(document.number, sign * cents(document.subtotal));
        for (const { key, net } of taxesOf(document))
          expected.set(`${document.number} ${key}`, sign * net);
      }
    expect(Object.fromEntries(sums)).to.deep.equal(Object.fromEntries(expected));
    const lines = [...invoices, ...notes].flatMap(({ items }) => items);
    expect(rows).to.have.length(lines.length);
  });

  it('counts invoices without tax, damaged ones and those of an earlier release', async () => {
    const company = await makeCompany(stack(), { currency: 'KWD', timeZone: 'Asia/Kuwait' });
    const { browser } = await signedIn(stack(), company.companyId, { role: 'member' });
    const read = () => csvOf(browser, '/tax-report/export.csv?from=2026-10&to=2026-11');
    expect((await read()).slice(1)).to.deep.equal([
      ['Total', 'Total', '', '', '0', '0', '0', '0', '0', '0', 'KWD'],
    ]);
    expect(textOf(await browser.get('/tax-report?from=2026-10'))).to.contain(
      'No invoices or credit notes in these months',
    );
    const invoice = await issue(company, { date: '2026-10-31' });
    await issue(company, { date: '2026-11-01', items: [{ name: 'Gift', qty: 1, price: 0 }] });
    const damaged = await issue(company, { date: '2026-11-30' });
    created(await company.post(`/invoices/${invoice.id}/void`, { date: '2026-11-01' }));
    const expected = [
      ['2026-10', 'No tax', '', '', '100', '0', '0', '0', '100', '0', 'KWD'],
      ['2026-10', 'Total', '', '', '100', '0', '0', '0', '100', '0', 'KWD'],
      ['2026-11', 'No tax', '', '', '100', '0', '100', '0', '0', '0', 'KWD'],
      ['2026-11', 'Total', '', '', '100', '0', '100', '0', '0', '0', 'KWD'],
      ['Total', 'Total', '', '', '200', '0', '100', '0', '100', '0', 'KWD'],
    ];
    expect((await read()).slice(1)).to.deep.equal(expected);
    // As after the migration, when no document is rolled up.
    await stack().sql(
      `BEGIN;
       SET LOCAL session_replication_role = replica;
       UPDATE invoices SET body = replace(body, '"taxes"', '"x"') WHERE id = '${damaged.id}';
       DELETE FROM tax_totals WHERE company_id = '${company.companyId}';
       DELETE FROM tax_progress WHERE company_id = '${company.companyId}';
       COMMIT`,
      [],
    );
    expect((await read()).slice(1)).to.deep.equal(expected);
    await addInvoices(stack(), company, 20_000);
    const refused = await browser.get('/tax-report');
    expect([200, 503]).to.contain(refused.status);
    await until('the sweep has rolled up the others', async () => {
      const { status, text } = await browser.get('/tax-report/export.csv?from=2020-01&to=2026-12');
      return status === 200 && text.includes('"Total","Total",,,370200,0,100,0,370100,0,"KWD"');
    });
  });

  it('names its months in the address, by default those of this quarter', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    const quarter = firstDayOfMonth(TODAY, -((Number(TODAY.slice(5, 7)) - 1) % 3)).slice(0, 7);
    const page = await browser.get('/tax-report');
    expect(fieldsOf(page).from).to.equal(quarter);
    expect(fieldsOf(page).to).to.equal(firstDayOfMonth(`${quarter}-01`, 2).slice(0, 7));
    expect(fieldsOf(await browser.get('/tax-report?to=2024-02')).from).to.equal('2024-02');
    expect((await browser.get('/tax-report?from=2024-02')).text).to.contain(
      'href="/invoices/lines.csv?from=2024-02-01&amp;to=2024-02-29"',
    );
    for (const query of [
      'from=2026-13',
      'from=x',
      'from=2026-12&to=2026-11',
      'from=2001-01&to=2026-01',
    ])
      expect((await browser.get(`/tax-report?${query}`)).status, query).to.equal(400);
  });
});
