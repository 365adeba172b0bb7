// The overview's periods, links, order of urgency and first steps.
import { expect } from 'chai';
import { formatDay, formatMoney } from '../../src/dashboard/kit/ui/format.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { addDays, dayIn } from '../../src/platform/values/days.js';
import { refreshSummary } from '../../src/summary/refresh.js';
import type { Json } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import { signedIn } from '../support/dashboard.js';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../support/factories.js';
import { fieldsOf, textOf } from '../support/html.js';
import { created, credit, issue, pay, read } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { describeMode, openForTests } from '../support/suite.js';

const YEAR = new Date().getUTCFullYear();

/** The figures of the chart's table. */
function lines(text: string) {
  const cell = '<td class="end" data-value="([^"]*)"';
  const rows = text.matchAll(new RegExp(`<th scope="row".*?${cell}.*?${cell}`, 'gu'));
  return Array.from(rows, ([, current, previous]) => ({ current, previous }));
}

describeMode('postgres', 'the overview of other periods', stack => {
  let company: TestCompany;

  before(async () => {
    company = await makeCompany(stack());
    await receive(company, { name: 'Pump', delta: 100 });
    const invoices = [
      [`${YEAR - 2}-03-31`, 'Adler & Co', 'Pump', 10],
      [`${YEAR - 2}-04-01`, 'Adler & Co', 'Pump', 200],
      [`${YEAR - 2}-04-30`, 'Bright', 'Delivery', 3000.5],
      [`${YEAR - 2}-05-01`, 'Bright', 'Delivery', 40_000],
    ] as const;
    for (const [date, customerName, name, price] of invoices)
      await company.post(
        '/invoices',
        invoiceRequest({ date, customerName, items: [{ name, qty: 1, price }] }),
      );
    await until('the rollups have them', async () => {
      const rows = await stack().sql('SELECT FROM daily_totals WHERE company_id = $1', [
        company.companyId,
      ]);
      return rows.length === invoices.length;
    });
  });

  const shown = async (query: string) => {
    const { browser } = await signedIn(stack(), company.companyId);
    return browser.get(`/${query}`);
  };

  it('sums the chosen days and compares them with the days before', async () => {
    const page = await shown(`?from=${YEAR - 2}-04-01&to=${YEAR - 2}-04-30`);
    const text = textOf(page);
    expect(text).to.contain('$3,200.50').and.contain('$1,600.25').and.contain('+31,905.0%');
    expect(text).to.contain(': $10.00').and.contain('Net sales, excluding tax $3,200.50');
    expect(page.text).to.contain(`value="${YEAR - 2}-04-01"`);
    const days = lines(page.text);
    expect([days[0], days[28], days[29]]).to.deep.equal([
      { current: '200', previous: '0' },
      { current: '200', previous: '0' },
      { current: '3200.5', previous: '10' },
    ]);
  });

  it('shows a long period by month', async () => {
    const page = await shown(`?from=${YEAR - 2}-01-01&to=${YEAR - 1}-12-31`);
    expect(page.text).to.contain('Net sales since the start, excluding tax, by month');
    expect(textOf(page))
      .to.contain('$43,210.50')
      .and.contain(`May ${YEAR - 2} $43,210.50`)
      .and.contain(`December ${YEAR - 1} $43,210.50`);
  });

  it('links customers to their invoices of the period, and stock items to their page', async () => {
    const { text } = await shown(`?from=${YEAR - 2}-04-01&to=${YEAR - 2}-04-30`);
    const days = `from=${YEAR - 2}-04-01&amp;to=${YEAR - 2}-04-30`;
    expect(text).to.contain(`<a href="/invoices?q=Adler+%26+Co&amp;${days}">Adler &amp; Co</a>`);
    expect(text).to.match(/<a href="\/inventory\/[0-9a-f-]{36}">Pump<\/a>/u);
    expect(text).to.contain('<span class="top-name">Delivery</span>');
    const { browser } = await signedIn(stack(), company.companyId);
    const list = textOf(await browser.get(`/invoices?q=Adler+%26+Co&from=${YEAR - 2}-04-01`));
    expect(list).to.contain('$200.00').and.not.contain('$10.00');
  });

  it('has presets, and says which days it cannot show', async () => {
    for (const period of ['last-month', 'last-30-days', 'this-year']) {
      const page = await shown(`?period=${period}`);
      expect(page.text).to.match(
        new RegExp(`<a href="/\\?period=${period}" aria-current="page">`, 'u'),
      );
      expect(textOf(page)).to.contain('No sales in this period or the one before.');
    }
    const partial = textOf(await shown('?period=last-30-days'));
    expect(partial).to.contain('Customers and items are counted by month.');
    const wrong = await shown(`?from=${YEAR}-02-01&to=${YEAR}-01-01`);
    expect(wrong.status).to.equal(400);
    expect(textOf(wrong)).to.contain('The first day is after the last day.');
  });
});

describeMode('postgres', 'the money on the overview', stack => {
  before(() => {
    openForTests(stack().databaseUrl, 2);
  });
  after(closeDatabase);

  /** Waits until the rollups have all invoices and entries. */
  const refreshed = (company: TestCompany) =>
    until('the rollups have all', async () => {
      const [row] = await stack().sql(
        `SELECT (s.watermark, s.entry_sequence, s.credit_sequence)
           = (c.next_invoice_number - 1, c.next_entry_sequence - 1, c.next_entry_sequence - 1)
           AS "hasAll"
         FROM summaries s JOIN companies c ON c.id = s.company_id
         WHERE s.company_id = $1`,
        [company.companyId],
      );
      return row?.hasAll === true;
    });
  const tilesOf = ({ text }: { text: string }) =>
    [...text.matchAll(/<section class="tile[^"]*" aria-label=.*?<\/section>/gu)].map(([tile]) =>
      textOf({ text: tile }).trim(),
    );

  it('leads to one list of unallocated money, whose sum is the same', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    const unallocated = async () => textOf(await browser.get('/payments?unallocated=1'));
    expect(await unallocated()).to.contain('No unallocated money');
    const invoice = await issue(company, { customerName: 'Park View' });
    const payment = await pay(company, 150.5, [invoice], { reference: 'RF-77' });
    await pay(company, 31.2, [], { customerName: 'Ada', date: '2026-11-23' });
    const all = await credit(company, invoice, { items: [{ line: 1, amount: 99.99 }] });
    expect(await read(company, '/payments')).to.have.length(2);
    await until('the summary has all', async () => {
      const { body } = await company.get('/summary');
      return body.unallocated.total === 181.69;
    });
    const overview = await browser.get('/');
    expect(textOf(overview)).to.contain('Unallocated now $181.69');
    expect(overview.text).to.contain('href="/payments?unallocated=1"');
    const page = await browser.get('/payments?unallocated=1');
    expect(textOf(page)).to.contain('1–3 of 3 · Unallocated $181.69');
    const rows = [...page.text.matchAll(/<tr role="row">(.*?)<\/tr>/gu)].map(([text]) =>
      textOf({ text }).trim(),
    );
    expect(rows).to.deep.equal([
      'Customer Date ↓ Kind Number or reference Amount Unallocated',
      'Park View Nov 25 , 2026 Credit note CN-000001 $99.99 $99.99',
      'Park View Nov 24 , 2026 Payment RF-77 $150.50 $50.50',
      'Ada Nov 23 , 2026 Payment $31.20 $31.20',
    ]);
    expect(page.text).to.contain(`href="/credit-notes/${all.id}"`);
    expect(page.text).to.contain(`href="/payments/${payment.id}"`);
    // Without a header that says Status or Reference, if no row has one.
    const found = textOf(await browser.get('/payments?unallocated=1&q=ada'));
    expect(found).to.contain('1 of 1 · Unallocated $31.20').and.not.contain('Park View');
    expect(found).to.not.contain('Number or reference Amount');
    const { browser: other } = await signedIn(stack(), (await makeCompany(stack())).companyId);
    expect(textOf(await other.get('/payments?unallocated=1'))).to.contain('No unallocated money');
  });

  it('is that of the API: due now, received and credited in the period', async () => {
    const company = await makeCompany(stack());
    const [from, to] = [`${YEAR - 2}-03-01`, `${YEAR - 2}-03-31`];
    const items = [{ name: 'Work', qty: 10, price: 1000, taxRate: 19 }];
    const dated = { date: from, items };
    const overdue = await issue(company, { ...dated, dueDate: to });
    const open = await issue(company, dated);
    await pay(company, 1000.5, [overdue], { date: to });
    const bounced = await pay(company, 5, [overdue], { date: `${YEAR - 2}-02-28` });
    created(await company.post(`/payments/${bounced.id}/reversal`, { date: from }));
    const early = { customerName: open.customerName, date: `${YEAR - 2}-04-01` };
    const { id } = await pay(company, 70, [], early);
    created(await company.post('/refunds', { paymentId: id, amount: 20, date: to }));
    await credit(company, open, { date: from, items: [{ line: 1, amount: 100 }] });
    await refreshed(company);
    const { outstanding, unallocated, ...summary } = (await company.get('/summary')).body;
    expect([outstanding.total, summary.overdue.total, unallocated.total]).to.deep.equal([
      22_680.5, 10_899.5, 50,
    ]);
    const { browser } = await signedIn(stack(), company.companyId);
    const page = await browser.get(`/?from=${from}&to=${to}`);
    expect(tilesOf(page).slice(0, 4)).to.deep.equal([
      'Outstanding now $22,680.50 2 invoices · $10,899.50 overdue ' +
        'Not due yet $11,781.00 1 invoice 1–30 days overdue $0.00 0 invoices ' +
        '31–60 days overdue $0.00 0 invoices 61–90 days overdue $0.00 0 invoices ' +
        'Over 90 days overdue $10,899.50 1 invoice',
      'Received $995.50 1 payment, 1 reversed, $20.00 refunded',
      'Credited $119.00 1 credit note',
      'Unallocated now $50.00 Money that no invoice has',
    ]);
    expect(page.text).to.contain('<a href="/receivables">Outstanding now</a>');
    expect(textOf(page)).to.contain('Net sales, excluding tax $19,900.00');
    expect(textOf(page)).to.contain('$23,800.00 invoiced − $119.00 credited − $3,781.00 tax');
  });

  it('is net of credit notes by their own dates, and of tax', async () => {
    const company = await makeCompany(stack());
    const march = (day: string) => `${YEAR - 2}-03-${day}`;
    const sell = (date: string, price: number) =>
      issue(company, { date, items: [{ name: 'Work', qty: 1, price, taxRate: 10 }] });
    const early = await sell(`${YEAR - 2}-02-10`, 500);
    const partly = await sell(`${YEAR - 2}-02-11`, 90);
    const wrong = await sell(march('02'), 700);
    await sell(march('03'), 210.5);
    await sell(march('20'), 1000);
    for (const { id } of [early, wrong])
      created(await company.post(`/invoices/${id}/void`, { date: march('05') }));
    await credit(company, partly, { date: march('28'), items: [{ line: 1, amount: 20 }] });
    const body = await refreshSummary(company.companyId, new Date(march('31')));
    const { invoices, credited, sales, previous } = JSON.parse(body ?? '') as Json;
    const { browser } = await signedIn(stack(), company.companyId);
    const page = await browser.get(`/?from=${march('01')}&to=${march('31')}`);
    const money = (amount: number) => formatMoney(amount.toFixed(2), 'USD');
    const tax = sales.tax - credited.tax;
    const net = invoices.total - credited.total - tax;
    expect(textOf(page))
      .to.contain(`Net sales, excluding tax ${money(net)}`)
      .and.contain(
        `${money(invoices.total)} invoiced − ${money(credited.total)} credited − ${money(tax)} tax`,
      )
      .and.contain(`: ${money(previous.total / 1.1)}`);
    expect(tilesOf(page).slice(2, 6)).to.deep.equal([
      `Credited ${money(credited.total)} 3 credit notes`,
      'Unallocated now $0.00 Money that no invoice has',
      // Of three invoices and two voids, one of which is of an earlier invoice.
      `Invoices 1 ${invoices.count} issued − 2 voided · −50.0% ${previous.count} in ` +
        `${formatDay(addDays(march('01'), -31))} – ${formatDay(addDays(march('01'), -1))}`,
      `Average invoice ${money(net)} Net sales per invoice, excluding tax`,
    ]);
    const days = lines(page.text).map(({ current }) => Number(current));
    expect([1, 2, 4, 27, 30].map(day => days[day])).to.deep.equal([
      700,
      910.5,
      -289.5,
      690.5,
      Number(net.toFixed(2)),
    ]);
  });

  it('shows the ages of the API, each with the list of exactly those invoices', async () => {
    const company = await makeCompany(stack(), { timeZone: 'Pacific/Kiritimati' });
    const today = dayIn('Pacific/Kiritimati', new Date());
    const dueIn = async (days: number | null, price: number) => {
      const dueDate = days === null ? {} : { dueDate: addDays(today, days) };
      const items = [{ name: 'Work', qty: 1, price }];
      return issue(company, { date: addDays(today, -200), items, ...dueDate });
    };
    const due = [
      [null, 0.1],
      [0, 0.2],
      [9, 0.4],
      [-1, 1.1],
      [-30, 2.2],
      [-31, 10.01],
      [-60, 20.02],
      [-61, 100.5],
      [-90, 200.5],
      [-91, 400.5],
      [-200, 0],
    ] as const;
    for (const [days, price] of due) await dueIn(days, price);
    await pay(company, 7, [await dueIn(-40, 7)], { date: today });
    await refreshed(company);
    const { browser } = await signedIn(stack(), company.companyId);
    const page = await browser.get('/');
    expect(tilesOf(page)[0]).to.equal(
      'Outstanding now $735.53 10 invoices · $734.83 overdue Not due yet $0.70 3 invoices ' +
        '1–30 days overdue $3.30 2 invoices 31–60 days overdue $30.03 2 invoices ' +
        '61–90 days overdue $301.00 2 invoices Over 90 days overdue $400.50 1 invoice',
    );
    const { outstanding, overdue, receivables } = (await company.get('/summary')).body;
    expect([outstanding, overdue]).to.deep.equal([
      { count: 10, total: 735.53 },
      { count: 7, total: 734.83 },
    ]);
    const overdueAges = { days1To30: 3.3, days31To60: 30.03, days61To90: 301, over90: 400.5 };
    const ages = { current: 0.7, ...overdueAges };
    expect(receivables).to.deep.equal(ages);
    expect((await company.get('/receivables')).body.totals).to.include(ages);
    const lists = {
      current: ['$0.10', '$0.20', '$0.40'],
      days1To30: ['$1.10', '$2.20'],
      days31To60: ['$10.01', '$20.02'],
      days61To90: ['$100.50', '$200.50'],
      over90: ['$400.50'],
    };
    for (const age of Object.keys(lists))
      expect(page.text).to.contain(`<a href="/invoices?overdue=${age}">`);
    const former = {
      none: lists.current,
      '1-30': lists.days1To30,
      '31-60': lists.days31To60,
      'over-60': [...lists.days61To90, ...lists.over90],
    };
    for (const [age, totals] of Object.entries({ ...lists, ...former })) {
      const { text } = await browser.get(`/invoices?overdue=${age}`);
      const rows = text.split('<tr').filter(row => row.includes('>INV-'));
      const shown = rows.map(row => /\$[\d.,]+/u.exec(textOf({ text: row }))?.[0]);
      expect(shown.toSorted(), age).to.deep.equal(totals);
    }
  });
});

describeMode('postgres', 'low stock on the overview', stack => {
  it('has the smallest share of the reorder point first, and offers to receive it', async () => {
    const company = await makeCompany(stack());
    const [first] = await receive(
      company,
      { name: 'Z empty', delta: 0, reorderPoint: 5 },
      { name: 'A half', delta: 50, reorderPoint: 100 },
      { name: 'B at its point', delta: 3, reorderPoint: 3 },
      { name: 'C untracked', delta: 0 },
      { name: 'D a tenth', delta: 1, reorderPoint: 10 },
      { name: 'E plenty', delta: 100, reorderPoint: 10 },
    );
    const { browser } = await signedIn(stack(), company.companyId);
    const { text } = await browser.get('/');
    const names = [...text.matchAll(/Receive<span class="unseen"> ([^<]+)</gu)].map(
      ([, name]) => name,
    );
    expect(names).to.deep.equal([
      'Z empty',
      'C untracked',
      'D a tenth',
      'A half',
      'B at its point',
    ]);
    const href = new RegExp(`<a href="(/inventory/[^"]*${first}[^"]*)">Receive`, 'u').exec(
      text,
    )?.[1];
    expect((await browser.get(href ?? '')).status).to.equal(200);
  });
});

describeMode('postgres', 'the first steps', stack => {
  const steps = ({ text }: { text: string }) => {
    const list = /class="panel first-steps">[\s\S]*?<\/section>/u.exec(text)?.[0] ?? '';
    return {
      isShown: list !== '',
      done: [...list.matchAll(/Done: <\/span>([^<]+)/gu)].map(([, title]) => title),
      canHide: list.includes('>Hide<'),
    };
  };

  it('are ticked one by one, stay until done, and an owner then hides them', async () => {
    const company = await makeCompany(stack());
    const { browser } = await signedIn(stack(), company.companyId);
    expect(steps(await browser.get('/'))).to.deep.equal({
      isShown: true,
      done: ['Create an API key'],
      canHide: false,
    });
    // Saving the settings as they are is a decision, too.
    const unchanged = fieldsOf(await browser.get('/settings')) as Record<string, string>;
    await browser.post('/settings', '/settings', unchanged);
    expect(steps(await browser.get('/')).done).to.deep.equal([
      'Set your tax rate and payment terms',
      'Create an API key',
    ]);
    const address = { 'address.line1': 'Quay 1', 'address.city': 'Dover', 'address.country': 'GB' };
    await browser.post('/settings/documents', '/settings/documents', address);
    await makeCustomer(company, { name: 'Adler' });
    await receive(company, { name: 'Pump', delta: 1 });
    expect(steps(await browser.get('/'))).to.deep.equal({
      isShown: true,
      done: [
        'Set your tax rate and payment terms',
        'Enter your company’s address',
        'Add your customers',
        'Add an item',
        'Create an API key',
      ],
      canHide: false,
    });
    const member = (await signedIn(stack(), company.companyId, { role: 'member' })).browser;
    expect(steps(await member.get('/')).done, 'what a member may do').to.deep.equal([
      'Add your customers',
      'Add an item',
    ]);
    await company.post('/invoices', invoiceRequest());
    expect(steps(await browser.get('/'))).to.deep.equal({
      isShown: true,
      done: [
        'Set your tax rate and payment terms',
        'Enter your company’s address',
        'Add your customers',
        'Add an item',
        'Create an invoice',
        'Create an API key',
        'Invite a teammate',
      ],
      canHide: true,
    });
    expect(steps(await member.get('/')).isShown).to.equal(false);
    const { status } = await member.post('/', '/overview/hide-first-steps', {});
    expect(status).to.equal(403);
    await browser.post('/', '/overview/hide-first-steps', {});
    expect(steps(await browser.get('/')).isShown).to.equal(false);
  });
});
