// The search over everything, and the searches of the lists, over HTTP.
import { expect } from 'chai';
import { Browser, makeSignedIn } from '../support/dashboard.js';
import { receive, type TestCompany } from '../support/factories.js';
import { linkOf, textOf } from '../support/html.js';
import { credit, issue, pay, untilTextsStored } from '../support/ledger.js';
import { addInvoices } from '../support/many-rows.js';
import { lockRows } from '../support/neighbours.js';
import { describeMode } from '../support/suite.js';

const PATHS = ['/invoices', '/payments', '/credit-notes', '/inventory'] as const;

describeMode('postgres', 'the search', stack => {
  /** The text of the first cells of each list on a page, by the path of the kind. */
  const linksOn = (text: string) =>
    Object.fromEntries(
      PATHS.map(path => [
        path,
        [
          ...text.matchAll(new RegExp(`class="row-link" href="${path}/[^"/]+">(.*?)</a>`, 'gu')),
        ].map(([, name = '']) => name.replaceAll(/<[^>]*>/gu, '')),
      ]),
    );
  const search = async (browser: Browser, q: string) =>
    linksOn((await browser.get(`/search?${new URLSearchParams({ q })}`)).text);
  const inList = async (browser: Browser, path: (typeof PATHS)[number], q: string) =>
    linksOn((await browser.get(`${path}?${new URLSearchParams({ q })}`)).text)[path];
  const arrange = () => makeSignedIn(stack());

  /** Two invoices, two payments, a credit note and two items. */
  const fill = async (company: TestCompany) => {
    await receive(
      company,
      { name: 'Kügelhahn ½"', sku: 'HS-006', delta: 50, unitPrice: 7.84 },
      { name: 'Crème brûlée', sku: 'CB_1', delta: 5 },
    );
    const first = await issue(company, {
      customerName: 'Hotel zur Brücke',
      reference: 'Straße 7',
      orderReference: 'PO-1359',
      items: [
        { name: 'Kügelhahn ½"', sku: 'HS-006', qty: 10, price: 7.84 },
        { name: 'Anfahrt, 50 % früher', qty: 1, price: 19 },
      ],
    });
    const second = await issue(company, {
      customerName: 'Other customer',
      items: [{ name: 'Consulting', qty: 1, price: 1234.5 }],
    });
    await pay(company, 40, [first], { reference: 'RF18-XY', externalId: 'ch_3Nabc' });
    await pay(company, 60.5, [second]);
    await credit(company, second, { items: [{ line: 1, amount: 12.25 }] });
  };

  it('says what can be searched, and what was found', async () => {
    const { company, browser } = await arrange();
    const empty = await browser.get('/search');
    expect(textOf(empty)).to.contain('Search by number, customer, phone, contact, city, reference');
    expect(empty.text).to.contain('action="/search"').and.contain('id="search-everything"');
    await fill(company);
    const nothing = textOf(await browser.get('/search?q=%3Cb%3Enothing%25'));
    expect(nothing).to.contain('Nothing matches “&lt;b>nothing%”').and.contain('exact amount');
    expect(textOf(await browser.get('/search?q=br%C3%BCcke'))).to.contain('Hotel zur Brücke');
    expect((await browser.get('/search?q=%01%02')).status).to.equal(200);
    expect((await browser.get(`/search?q=${'æ'.repeat(400)}`)).status).to.equal(200);
  });

  it('finds by every field, before and after the texts are stored', async () => {
    const { company, browser } = await arrange();
    await fill(company);
    const check = async (when: string) => {
      const expectFound = async (
        q: string,
        [invoices, payments, notes, items]: readonly (readonly string[])[],
      ) => {
        const found = { invoices, payments, notes, items };
        const read = await search(browser, q);
        expect(
          {
            invoices: read['/invoices'],
            payments: read['/payments'],
            notes: read['/credit-notes'],
            items: read['/inventory'],
          },
          `${q} ${when}`,
        ).to.deep.equal(found);
        for (const [index, path] of PATHS.entries())
          expect(await inList(browser, path, q), `${path} ${q} ${when}`).to.deep.equal(
            [invoices, payments, notes, items][index],
          );
      };
      const [one, two, note] = ['INV-000001', 'INV-000002', 'CN-000001'];
      const [hotel, other] = ['Hotel zur Brücke', 'Other customer'];
      const [valve, creme] = ['Kügelhahn ½&quot;', 'Crème brûlée'];
      for (const q of ['inv-1', 'INV-000001']) await expectFound(q, [[one], [hotel], [], []]);
      for (const q of ['brucke', 'BRÜCKE', 'zur bru'])
        await expectFound(q, [[one], [hotel], [], []]);
      for (const q of ['strasse', 'STRASSE 7', 'Straße', 'po-1359', '1359', 'anfahrt', '% fruher'])
        await expectFound(q, [[one], [], [], []]);
      for (const q of ['97.40', '97,40', '$97.40', '97.4 USD'])
        await expectFound(q, [[one], [], [], []]);
      await expectFound('consulting', [[two], [], [note], []]);
      for (const q of ['1,234.50', '1.234,50', '1234.5']) await expectFound(q, [[two], [], [], []]);
      for (const q of ['kugelhahn', 'hs-006']) await expectFound(q, [[one], [], [], [valve]]);
      for (const q of ['rf18', 'ch_3n', '40', '40.00']) await expectFound(q, [[], [hotel], [], []]);
      for (const q of ['12.25', 'cn-1', 'CN-000001']) await expectFound(q, [[], [], [note], []]);
      for (const q of ['creme brulee', 'brulee creme', 'CB_1'])
        await expectFound(q, [[], [], [], [creme]]);
      await expectFound('other', [[two], [other], [note], []]);
      for (const q of ['b1', '9%', '97', '7.4', '\\', 'cb%1', 'ch%3n'])
        await expectFound(q, [[], [], [], []]);
    };
    await check('at once');
    await untilTextsStored(stack(), company);
    await check('when stored');
  });

  it('lists the exact number first, and links to all others', async () => {
    const { company, browser } = await arrange();
    await receive(
      company,
      ...Array.from({ length: 12 }, (_, index) => ({ name: `Pipe 7-${index}`, delta: 1 })),
      { name: 'Zinc', sku: '7', delta: 1 },
    );
    await issue(company, { date: '2020-01-01', items: [{ name: 'Old', qty: 1, price: 1 }] });
    for (let count = 0; count < 13; count += 1)
      await issue(company, { customerName: 'Customer 1', reference: 'Order 7' });
    const page = await browser.get('/search?q=1');
    expect(linksOn(page.text)['/invoices']).to.have.length(10);
    expect(linksOn(page.text)['/invoices']?.[0], 'the oldest').to.equal('INV-000001');
    expect(page.text).to.contain('href="/invoices?q=1"');
    expect(textOf(page)).to.contain('All 14 invoices');
    const items = await browser.get('/search?q=7');
    expect(linksOn(items.text)['/inventory']?.[0], 'by SKU').to.equal('Zinc');
    expect(textOf(items)).to.contain('More items');
    expect(linksOn(items.text)['/invoices']?.[0]).to.equal('INV-000007');
  });

  it('finds nothing of another company', async () => {
    const [own, other] = [await arrange(), await arrange()];
    await fill(other.company);
    const invoice = await issue(own.company, { customerName: 'Own' });
    await pay(own.company, 1, [invoice]);
    const check = async () => {
      for (const q of ['1', '12', '97.40', 'brucke', 'po-1359', 'hs-006', 'rf18', '12.25', 'e']) {
        const { text } = await own.browser.get(`/search?q=${q}`);
        expect(text, q).to.not.match(/Brücke|Other customer|CN-0|Crème|Kügelhahn|INV-000002/u);
        // Their rows have the numbers of own ones.
        if (q.length > 2) expect(text, q).to.contain('Nothing matches');
      }
    };
    await check();
    await untilTextsStored(stack(), other.company);
    await check();
  });

  it('stores the texts of invoices and entries that an earlier release has rolled up', async () => {
    const { company, browser } = await arrange();
    await fill(company);
    await untilTextsStored(stack(), company);
    // Those of the entries are replaced.
    await stack().sql(`DELETE FROM search_texts WHERE company_id = $1 AND kind = 'invoices'`, [
      company.companyId,
    ]);
    await stack().sql(
      `UPDATE summaries SET texts_number = 0, texts_sequence = 0 WHERE company_id = $1`,
      [company.companyId],
    );
    // The sweep looks for missing texts once a company has written.
    await issue(company);
    await untilTextsStored(stack(), company);
    expect((await search(browser, 'po-1359'))['/invoices']).to.deep.equal(['INV-000001']);
    expect((await search(browser, 'rf18'))['/payments']).to.deep.equal(['Hotel zur Brücke']);
  });

  it('says so if too many rows have no text yet', async () => {
    const { company, browser } = await arrange();
    const { companyId } = company;
    await stack().sql('INSERT INTO summaries (company_id) VALUES ($1)', [companyId]);
    // The sweep skips a company whose summary is locked.
    const unlock = await lockRows(
      stack(),
      'SELECT 1 FROM summaries WHERE company_id = $1 FOR UPDATE',
      companyId,
    );
    await addInvoices(stack(), company, 2_001);
    const page = await browser.get('/search?q=po-17');
    await unlock();
    expect(textOf(page)).to.contain('Try again in a few minutes.').and.contain('INV-000018');
    await untilTextsStored(stack(), company);
    expect(textOf(await browser.get('/search?q=po-17'))).to.not.contain('Try again');
  });

  it('reads a page of a text that most of many invoices contain, and exports all', async () => {
    const { company, browser } = await arrange();
    await addInvoices(stack(), company, 12_000, ' ü');
    await untilTextsStored(stack(), company);
    const numbers = (text: string) => linksOn(text)['/invoices'];
    const all = await browser.get('/invoices');
    for (const q of ['delivery', '18.50', 'customer']) {
      const found = await browser.get(`/invoices?q=${q}`);
      expect(numbers(found.text), q).to.deep.equal(numbers(all.text));
      expect(textOf(found), q).to.contain('1–50 of more than 10,000');
    }
    for (const q of ['delivery', 'po-1']) {
      const everywhere = await browser.get(`/search?q=${q}`);
      const listed = numbers((await browser.get(`/invoices?q=${q}`)).text)?.slice(0, 10);
      expect(numbers(everywhere.text), q).to.deep.equal(listed);
      expect(textOf(everywhere), q).to.contain('More invoices');
    }
    const oldest = await browser.get('/invoices?q=customer+1&order=oldest');
    expect(numbers(oldest.text)).to.have.length(50);
    const file = await browser.get('/invoices/export.csv?q=delivery&status=open');
    expect(file.text.split('\r\n').filter(Boolean)).to.have.length(12_001);
    // Of many rows that are found, none is void.
    const none = await browser.get('/invoices?q=delivery&status=void');
    expect(textOf(none)).to.contain('No matching invoices');
  });

  it('finds the page of a common text that none of the newest invoices contains', async () => {
    const { company, browser } = await arrange();
    await addInvoices(stack(), company, 10_100);
    const batch = Array.from({ length: 100 }, () => ({
      customerName: 'New one',
      date: '2026-11-25',
      items: [{ name: 'Advice', qty: 1, price: 1 }],
    }));
    await Promise.all(
      Array.from({ length: 7 }, () => company.post('/invoices/batch', { invoices: batch })),
    );
    await untilTextsStored(stack(), company);
    const all = linksOn((await browser.get('/invoices?to=2026-11-20')).text)['/invoices'];
    const found = await browser.get('/invoices?q=delivery');
    expect(linksOn(found.text)['/invoices']).to.deep.equal(all);
    expect(textOf(found)).to.contain('1–50 of more than 10,000');
    const next = linkOf(found, 'next');
    const second = await browser.get(next);
    expect(linksOn(second.text)['/invoices']).to.have.length(50).and.not.include(all?.at(-1));
  });

  it('continues a list that it has searched, and exports what it found', async () => {
    const { company, browser } = await arrange();
    const invoice = await issue(company, { customerName: 'Ärzte' });
    for (let count = 1; count <= 52; count += 1)
      await pay(company, 1, [invoice], { reference: `Rate ${count}` });
    await untilTextsStored(stack(), company);
    const first = await browser.get('/payments?q=rate');
    expect(textOf(first)).to.contain('1–50 of 52');
    const next = linkOf(first, 'next');
    const last = await browser.get(next);
    expect(linksOn(last.text)['/payments']).to.have.length(2);
    expect(textOf(last)).to.contain('51–52 of 52').and.contain('Rate 1 ');
    for (const [q, rows] of [
      // Each word may be in any text: 5, 15, 25, 35, 45 and 50 to 52.
      ['rate 5', 8],
      ['arzte', 52],
      ['stranger', 0],
    ] as const) {
      const file = await browser.get(`/payments/export.csv?q=${q}`);
      expect(file.text.split('\r\n').filter(Boolean), q).to.have.length(rows + 1);
    }
  });

  it('is not open to visitors', async () => {
    const { status, headers } = await new Browser(stack().baseUrl).get('/search?q=1');
    expect(status).to.equal(303);
    expect(headers.location).to.match(/^\/sign-in/u);
  });
});
