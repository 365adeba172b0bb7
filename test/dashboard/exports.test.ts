// Invoices and movements as CSV files: their contents, and that a large one is produced as fast as
// its reader takes it and ends with its reader.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import pg from 'pg';
import { Browser, makeSignedIn, signedIn } from '../support/dashboard.js';
import {
  type CompanyOptions,
  invoiceRequest,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { fieldsOf } from '../support/html.js';
import { credit } from '../support/ledger.js';
import { addInvoices, addMovements } from '../support/many-rows.js';
import { until } from '../support/processes.js';
import { describeMode, startForTests } from '../support/suite.js';
import { casesOf } from '../support/tier.js';

/** Together more than the buffers of a connection hold. */
const MANY = 20_000;
const LONG = ' and Daughters'.repeat(16);
const MOVEMENTS = casesOf(100_000);
/** Far below what the rows of the whole file take as objects. */
const MAX_GROWTH_MB = 120;

describeMode('postgres', 'exports', stack => {
  const arrange = (options: CompanyOptions = {}) => makeSignedIn(stack(), options);
  const create = (company: TestCompany, overrides: Record<string, unknown>) =>
    company.post('/invoices', invoiceRequest(overrides));
  const TIME = /"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"/gu;
  const rowsOf = (text: string) => text.replace('\ufeff', '').split('\r\n').slice(0, -1);

  it('have the invoices of the list with its filters, without executable formulas', async () => {
    const { company, browser } = await arrange({ currency: 'KWD' });
    await create(company, {
      customerName: '=cmd|"x"',
      date: '2026-11-01',
      reference: '+1',
      dueDate: '2026-11-30',
    });
    const items = [{ name: 'Taxed', qty: 1, price: 18.5, taxRate: 10 }];
    await create(company, { customerName: 'Idem', date: '2026-11-03', items, orderReference: '7' });
    await create(company, { customerName: 'Idem', date: '2026-12-01' });
    const { status, headers, text } = await browser.get('/invoices/export.csv?to=2026-11-30');
    expect([status, headers['content-type'], headers['cache-control']]).to.deep.equal([
      200,
      'text/csv; charset=utf-8; header=present',
      'no-store',
    ]);
    expect(headers['content-disposition']).to.match(
      /^attachment; filename="invoices-until-2026-11-30\.csv"$/u,
    );
    expect(text.replaceAll(TIME, '"time"')).to.equal(
      '\ufeff"Number","Date","Customer","Reference","Status","Currency","Total",' +
        '"Created","Created by","Due date","Paid","Credited","Due",' +
        '"Subtotal","Tax","Order number","Settled on"\r\n' +
        '"INV-000002","2026-11-03","Idem",,"open","KWD",20.35,"time","Test key",,0,0,20.35,' +
        '18.5,1.85,"7",\r\n' +
        '"INV-000001","2026-11-01","\'=cmd|""x""","\'+1","open","KWD",18.5,"time","Test key",' +
        '"2026-11-30",0,0,18.5,18.5,0,,\r\n',
    );
    const found = await browser.get('/invoices/export.csv?q=idem&from=2026-12-01');
    expect(rowsOf(found.text).slice(1).join()).to.match(/^"INV-000003"/u);
    expect((await browser.get('/invoices/export.csv?from=never')).status).to.equal(400);
    const page = await browser.get('/invoices?q=idem&from=2026-12-01');
    for (const file of ['export', 'lines'])
      expect(page.text).to.contain(`href="/invoices/${file}.csv?q=idem&amp;from=2026-12-01"`);
  });

  it('have the filters of their list in their names', async () => {
    const { browser } = await arrange();
    const day = /-\d{4}-\d{2}-\d{2}\.csv$/u;
    for (const [address, name] of [
      ['/invoices/export.csv?status=paid', 'invoices-paid'],
      ['/invoices/lines.csv?partlyPaid=1&order=oldest', 'invoices-lines-partly-paid'],
      ['/invoices/export.csv?overdue=days31To60', 'invoices-days-31-to-60'],
      ['/customers/export.csv?q=adler+%26+S%C3%B6hne', 'customers-adler-S-hne'],
      ['/customers/export.csv?hold=1&q=%E5%8C%97', 'customers-hold-search'],
      ['/payments/export.csv?unallocated=1', 'payments-unallocated'],
      ['/receivables/export.csv?overLimit=1&basis=date', 'receivables-over-limit-by-invoice-date'],
      ['/invoices/export.csv', 'invoices'],
    ] as const) {
      const { headers } = await browser.get(address);
      const file = /filename="([^"]+)"/u.exec(String(headers['content-disposition']))?.[1] ?? '';
      expect(file.replace(day, ''), address).to.equal(name);
    }
    const { headers } = await browser.get('/invoices/export.csv?status=void&from=2026-10-01');
    expect(headers['content-disposition']).to.contain('"invoices-void-2026-10-01-on.csv"');
  });

  it('have the lines of invoices and credit notes, after all discounts', async () => {
    const { company, browser } = await arrange();
    await receive(company, { name: 'Pipe', sku: '=P', delta: 10 });
    const items = [
      { name: 'pipe', qty: 3, price: 0.335, taxRate: 19, discount: { percent: 10 } },
      { name: '@Work', qty: 1, price: 10, taxRate: 19 },
      { name: 'Training', qty: 1, price: 10, taxRate: 0, taxCategory: 'E' },
    ];
    const { body: invoice } = await create(company, {
      ...{ customerName: '+Idem', date: '2026-11-03', items, orderReference: '-7' },
      ...{ discount: { amount: 1 }, taxReason: 'School' },
    });
    await credit(company, invoice, {
      date: '2026-12-01',
      items: [
        { line: 1, qty: 2, restock: true },
        { line: 3, amount: 4 },
      ],
    });
    const file = await browser.get('/invoices/lines.csv');
    expect(file.headers['content-disposition']).to.contain('filename="invoices-lines-20');
    const rows = rowsOf(file.text);
    const own = `"INV-000001","2026-11-03",,"'+Idem","'-7"`;
    const note = `"Credit note","CN-000001","2026-12-01","INV-000001","'+Idem","'-7"`;
    expect(rows).to.deep.equal([
      '"Document type","Number","Date","Credited invoice","Customer","Order number",' +
        '"Line","Item","SKU","Quantity","Unit price","Line discount","Amount",' +
        '"Invoice discount","Net amount","Tax category","Tax rate","Currency","Status"',
      `"Invoice",${own},1,"pipe","'=P",3,0.335,0.1,0.91,0.04,0.87,"S",19,"USD","open"`,
      `"Invoice",${own},2,"'@Work",,1,10,0,10,0.48,9.52,"S",19,"USD","open"`,
      `"Invoice",${own},3,"Training",,1,10,0,10,0.48,9.52,"E",0,"USD","open"`,
      `${note},1,"pipe","'=P",-2,0.335,,-0.61,-0.03,-0.58,"S",19,"USD",`,
      `${note},3,"Training",,,,,-4,-0.19,-3.81,"E",0,"USD",`,
    ]);
    const typesIn = async (query: string) =>
      rowsOf((await browser.get(`/invoices/lines.csv?${query}`)).text)
        .slice(1)
        .map(row => row.split(',')[0]);
    expect(await typesIn('from=2026-12-01')).to.deep.equal(['"Credit note"', '"Credit note"']);
    expect(await typesIn('to=2026-11-30&q=idem')).to.deep.equal(Array(3).fill('"Invoice"'));
    expect(await typesIn('status=paid')).to.deep.equal([]);
    expect(await typesIn('q=other')).to.deep.equal([]);
    const { browser: other } = await arrange();
    expect(rowsOf((await other.get('/invoices/lines.csv')).text)).to.have.length(1);
  });

  it('have semicolons and decimal commas if the company chose them', async () => {
    const { company, browser } = await arrange();
    const { browser: owner } = await signedIn(stack(), company.companyId);
    const fields = fieldsOf(await owner.get('/settings')) as Record<string, string>;
    expect(fields.csvFormat).to.equal('comma');
    const chosen = { ...fields, csvFormat: 'semicolon' };
    expect((await owner.post('/settings', '/settings', chosen)).status).to.equal(303);
    const refused = await owner.post('/settings', '/settings', { ...fields, csvFormat: 'tab' });
    expect(refused.status).to.equal(422);
    const items = [{ name: '=1;2', qty: 1.5, price: 18.5, taxRate: 10 }];
    const { body: invoice } = await create(company, { date: '2026-11-03', items });
    await receive(company, { name: 'Bolt', delta: 0.5 });
    await credit(company, invoice, { date: '2026-11-04' });
    const last = async (path: string) => rowsOf((await browser.get(path)).text).at(-1);
    expect(await last('/invoices/export.csv'))
      .to.contain(';"USD";30,53;')
      .and.contain(';27,75;');
    expect(await last('/invoices/lines.csv')).to.contain(`1;"'=1;2";;-1,5;18,5;;-27,75;0;-27,75;`);
    expect(await last('/credit-notes/export.csv')).to.contain('"USD";27,75;2,78;30,53;');
    expect(await last('/inventory/movements.csv')).to.contain('"received";0,5;0,5;');
    expect(await last('/tax-report/export.csv?from=2026-11&to=2026-11')).to.equal(
      '"Total";"Total";;;27,75;2,78;27,75;2,78;0;0;"USD"',
    );
  });

  it("have an item's movements, or those of all items, with sources and people", async () => {
    const { company, browser, user } = await arrange();
    const [pipe = ''] = await receive(
      company,
      { name: 'Pipe', sku: '-P', delta: 10, unit: 'm' },
      { name: 'Valve', delta: 4 },
    );
    await create(company, { items: [{ name: 'pipe', qty: 2.5, price: 1 }] });
    const key = '0192d3a4-5b6c-7d8e-9f00-112233445566';
    await browser.post(`/inventory/${pipe}`, `/inventory/${pipe}/adjust`, {
      key,
      how: 'take',
      quantity: '1',
      takeReason: 'lost',
      expectedOnHand: '7.5',
      note: '@home',
    });
    const own = await browser.get(`/inventory/${pipe}/movements.csv`);
    expect(own.headers['content-disposition']).to.contain('filename="movements--P-');
    const rows = rowsOf(own.text).map(row => row.replace(TIME, '"time"'));
    expect(rows).to.deep.equal([
      '"Item","SKU","Created","Kind","Change","On hand after","Unit","Invoice","Credit note",' +
        '"Reference","Note","Created by","Supplier","Arrived"',
      '"Pipe","\'-P","time","received",10,10,"m",,,,,"Test key",,',
      '"Pipe","\'-P","time","sale",-2.5,7.5,"m","INV-000001",,,,"Test key",,',
      `"Pipe","'-P","time","lost",-1,6.5,"m",,,,"'@home","${user.email}",,`,
    ]);
    const all = await browser.get('/inventory/movements.csv');
    expect(rowsOf(all.text)).to.have.length(5);
    expect(all.text).to.contain('"Valve"');
    const { browser: other } = await arrange();
    expect(rowsOf((await other.get('/inventory/movements.csv')).text)).to.have.length(1);
    expect((await other.get(`/inventory/${pipe}/movements.csv`)).status).to.equal(404);
  });

  /** Starts a download without reading it: the first bytes stay in its buffers. */
  const startDownload = (browser: Browser, path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const sent = request(`${stack().baseUrl}${path}`, {
        headers: { cookie, accept: 'text/html', 'accept-encoding': 'identity' },
        agent: false,
      });
      sent.on('response', resolve);
      sent.on('error', reject);
      sent.end();
    });
  /** The company has a file that is too long to be sent without its reader. */
  const expectOneAtATime = async (browser: Browser) => {
    const stalled = await startDownload(browser, '/invoices/export.csv');
    const waiting = Array.from({ length: 5 }, () => browser.get('/inventory/export.csv'));
    const refused = await Promise.race(waiting);
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '10']);
    expect(refused.text).to.contain('downloading a file already');
    const { browser: other } = await arrange();
    expect((await other.get('/invoices/export.csv')).status).to.equal(200);
    stalled.destroy();
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.sort()).to.deep.equal([200, 200, 200, 200, 429]);
    for (let round = 0; round < 3; round += 1)
      expect((await browser.request('HEAD', '/invoices/export.csv', {})).status).to.equal(200);
  };
  const megabytesOf = (pid: number) =>
    Number(/VmRSS:\s+(\d+) kB/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

  /** A company with many invoices, filled once. */
  let large: Awaited<ReturnType<typeof arrange>>;
  before(async () => {
    large = await arrange();
    await addInvoices(stack(), large.company, MANY, LONG);
  });

  it('of many rows are read as fast as the reader takes them, and end with it', async () => {
    const { company, browser } = large;
    const download = await startDownload(browser, '/invoices/export.csv');
    // It is the last in the file, so the file has it only if the end was not read yet.
    const late = await create(company, { customerName: 'Late Ltd', date: '1990-01-01' });
    expect(late.status).to.equal(201);
    let [count, final, rest] = [0, '', ''];
    for await (const chunk of download.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop() ?? '';
      count += lines.length;
      final = lines.at(-1) ?? final;
    }
    expect(count).to.equal(1 + MANY + 1);
    expect(final).to.contain('Late Ltd');
    await expectOneAtATime(browser);
  });

  it('wait for a page that cannot be read at once', async () => {
    const { browser } = large;
    const download = await startDownload(browser, '/invoices/export.csv');
    const locker = new pg.Client({ connectionString: stack().databaseUrl });
    await locker.connect();
    try {
      await locker.query('BEGIN');
      await locker.query('LOCK TABLE invoices IN ACCESS EXCLUSIVE MODE');
      let text = '';
      const end = once(download.setEncoding('utf8'), 'end');
      download.on('data', (chunk: string) => {
        text += chunk;
      });
      const attempts = new Set<string>();
      await until(
        'the page was refused, and is read again',
        async () => {
          const waiting = await stack().sql<{ since: string }>(
            `SELECT query_start::text AS since
           FROM pg_stat_activity
           WHERE wait_event_type = 'Lock' AND query LIKE '%"isMatch"%'`,
          );
          for (const { since } of waiting) attempts.add(since);
          return attempts.size > 1;
        },
        20_000,
      );
      await locker.query('COMMIT');
      await end;
      expect(rowsOf(text).filter(row => row.includes(LONG))).to.have.length(MANY);
    } finally {
      await locker.end();
    }
  });

  it('read movements page by page, too', async () => {
    const { company, browser } = await arrange();
    const [id = ''] = await receive(company, { name: 'Bolt', delta: 1 });
    await addMovements(stack(), company, id, MOVEMENTS);
    // A process of its own: the audit of so many rows takes memory in that of a shared stack.
    const web = await startForTests('web', stack().env);
    const apart = new Browser(`http://127.0.0.1:${web.port}`, browser.cookies.get('session'));
    expect((await apart.get('/')).status).to.equal(200);
    const before = megabytesOf(web.pid);
    const { text } = await apart.get(`/inventory/${id}/movements.csv`);
    const rows = rowsOf(text);
    expect(rows).to.have.length(1 + 1 + MOVEMENTS);
    expect(rows.at(-1)).to.contain(`"received",1,${MOVEMENTS + 1},`);
    expect(megabytesOf(web.pid) - before).to.be.below(MAX_GROWTH_MB);
  });
});
