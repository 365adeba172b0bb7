// GET /statements: the lines and the open items of one customer.

import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { v7 as uuidv7 } from 'uuid';
import type { Json } from '../support/client.js';
import { changeCompany, makeCompany, type TestCompany } from '../support/factories.js';
import { created, credit, issue, pay, read } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

/** An invoice that is paid in excess, credited and partly refunded. */
async function keepAccount(company: TestCompany): Promise<Json> {
  const ada = { customerName: 'Ada', date: '2026-11-02', dueDate: '2026-11-09' };
  const invoice = await issue(company, { ...ada, reference: '=SO-1' });
  const payment = await pay(company, 130, [invoice], { date: '2026-11-05', reference: 'T-1' });
  const note = await credit(company, invoice, { date: '2026-11-06' });
  const body = { paymentId: payment.id, amount: 30, date: '2026-11-07' };
  const refund = created(await company.post('/refunds', body));
  return { invoice, payment, note, refund };
}

const parameterOf = ({ code, parameter }: Json) => `${code} ${parameter}`;

describeMode('postgres', 'a statement of account', stack => {
  it('has the lines of the period, each with the balance after it', async () => {
    const company = await makeCompany(stack());
    const { payment, note, refund } = await keepAccount(company);
    const path = '/statements?customerName=%20ADA&from=2026-11-03&to=2026-11-30';
    const none = { number: null, reference: null, orderReference: null, dueDate: null };
    expect(await read(company, path)).to.deep.equal({
      type: 'activity',
      customer: { id: null, number: null, name: 'Ada' },
      currency: 'USD',
      from: '2026-11-03',
      to: '2026-11-30',
      opening: 100,
      entries: [
        {
          ...{ date: '2026-11-05', type: 'payment', id: payment.id, ...none, reference: 'T-1' },
          ...{ debit: null, credit: 130, balance: -30 },
        },
        {
          ...{ date: '2026-11-06', type: 'creditNote', id: note.id, ...none, number: note.number },
          ...{ debit: null, credit: 100, balance: -130 },
        },
        {
          ...{ date: '2026-11-07', type: 'refund', id: refund.id, ...none },
          ...{ debit: 30, credit: null, balance: -100 },
        },
      ],
      closing: -100,
      ageing: {
        ...{ outstanding: 0, current: 0, days1To30: 0, days31To60: 0, days61To90: 0, over90: 0 },
        ...{ unallocated: 100, balance: -100 },
      },
    });
  });

  it('has a reversal with its payment and its effective date', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, { customerName: 'Ada', date: '2026-11-20' });
    const { id } = await pay(company, 100, [invoice], { date: '2026-11-10' });
    created(await company.post(`/payments/${id}/reversal`, { date: '2026-11-12' }));
    const { entries } = await read(company, '/statements?customerName=Ada&to=2026-11-30');
    expect(entries.map(({ date, type, id: of }: Json) => [date, type, of])).to.deep.equal([
      ['2026-11-10', 'payment', id],
      ['2026-11-20', 'invoice', invoice.id],
      ['2026-11-20', 'reversal', id],
    ]);
  });

  it('is by default that of the month up to today', async () => {
    const company = await makeCompany(stack(), { timeZone: 'Pacific/Kiritimati' });
    await issue(company, { customerName: 'Ada', date: '2026-01-01' });
    const { from, to, opening } = await read(company, '/statements?customerName=ada');
    const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
    expect(to).to.equal(today);
    expect(from).to.equal(`${today.slice(0, 7)}-01`);
    expect(opening).to.equal(100);
  });

  it('lists the open items at the end of a day', async () => {
    const company = await makeCompany(stack());
    const { invoice, note } = await keepAccount(company);
    const open = (to: string) => read(company, `/statements?customerName=Ada&type=open&to=${to}`);
    const { id, number } = invoice;
    const before = await open('2026-11-04');
    expect(before).to.deep.include({ type: 'open', currency: 'USD', asOf: '2026-11-04' });
    expect(before.invoices).to.deep.equal([
      {
        ...{ id, number, date: '2026-11-02', dueDate: '2026-11-09' },
        ...{ reference: '=SO-1', orderReference: null },
        ...{ total: 100, due: 100, daysOverdue: 0 },
      },
    ]);
    expect(before.credits).to.deep.equal([]);
    const after = await open('2026-11-30');
    expect(after.invoices).to.deep.equal([]);
    const item = { type: 'creditNote', id: note.id, number: note.number, date: '2026-11-06' };
    expect(after.credits).to.deep.equal([{ ...item, unallocated: 100 }]);
  });

  it('counts the days after the due date, from the day after it', async () => {
    const company = await makeCompany(stack());
    await issue(company, { customerName: 'Ada', date: '2026-06-01', dueDate: '2026-06-30' });
    const ageOn = async (to: string) => {
      const page = await read(company, `/statements?customerName=Ada&type=open&to=${to}`);
      const { outstanding, unallocated, balance, ...ages } = page.ageing;
      expect([outstanding, unallocated, balance]).to.deep.equal([100, 0, 100]);
      const [age] = Object.entries(ages).find(([, due]) => due === 100) ?? [];
      return [page.invoices[0].daysOverdue, age];
    };
    expect(await ageOn('2026-06-30')).to.deep.equal([0, 'current']);
    expect(await ageOn('2026-07-01')).to.deep.equal([1, 'days1To30']);
    expect(await ageOn('2026-07-30')).to.deep.equal([30, 'days1To30']);
    expect(await ageOn('2026-07-31')).to.deep.equal([31, 'days31To60']);
    expect(await ageOn('2026-08-29')).to.deep.equal([60, 'days31To60']);
    expect(await ageOn('2026-08-30')).to.deep.equal([61, 'days61To90']);
    expect(await ageOn('2026-09-28')).to.deep.equal([90, 'days61To90']);
    expect(await ageOn('2026-09-29')).to.deep.equal([91, 'over90']);
  });

  it('is that of a record by its id, by an alias and after a merge', async () => {
    const company = await makeCompany(stack());
    for (const customerName of ['Ada', 'Ada Ltd', 'Adda'])
      await issue(company, { customerName, date: '2026-11-20' });
    const body = { name: 'Ada', aliases: ['Ada Ltd'], number: 'K-1' };
    const record = created(await company.post('/customers', body));
    const wrong = created(await company.post('/customers', { name: 'Adda' }));
    const ada = { id: record.id, number: 'K-1', name: 'Ada' };
    const of = (query: string) => read(company, `/statements?${query}&to=2026-11-30`);
    expect(await of(`customerId=${record.id}`)).to.deep.include({ customer: ada, closing: 200 });
    expect(await of('customerName=ada%20ltd')).to.deep.include({ customer: ada, closing: 200 });
    expect(await of('customerName=adda')).to.deep.include({ closing: 100 });
    const merge = await company.post(`/customers/${record.id}/merge`, { customerId: wrong.id });
    expect(merge.status).to.equal(200);
    for (const query of [`customerId=${wrong.id}`, 'customerName=Adda'])
      expect(await of(query)).to.deep.include({ customer: ada, closing: 300 });
  });

  it('of a record without any invoice is empty, and of an unknown customer 404', async () => {
    const company = await makeCompany(stack());
    const other = await makeCompany(stack());
    const { id } = created(await company.post('/customers', { name: 'New' }));
    const { entries, closing } = await read(company, `/statements?customerId=${id}`);
    expect([entries, closing]).to.deep.equal([[], 0]);
    await issue(other, { customerName: 'Ada' });
    for (const query of [`customerId=${uuidv7()}`, 'customerName=Ada'])
      expect((await company.get(`/statements?${query}`)).status).to.equal(404);
    expect((await other.get(`/statements?customerId=${id}`)).status).to.equal(404);
  });

  it('refuses parameters that do not belong together', async () => {
    const company = await makeCompany(stack());
    const id = uuidv7();
    const refusal = async (query: string) => {
      const { status, body } = await company.get(`/statements?${query}`);
      expect(status, query).to.equal(400);
      return parameterOf(body);
    };
    const invalid = 'invalid_parameter';
    expect(await refusal('')).to.equal(`${invalid} customerId`);
    expect(await refusal(`customerId=${id}&customerName=Ada`)).to.equal(`${invalid} customerId`);
    expect(await refusal('customerId=1')).to.equal(`${invalid} customerId`);
    const ada = 'customerName=Ada';
    expect(await refusal(`${ada}&from=2026-11-02&to=2026-11-01`)).to.equal(`${invalid} from`);
    expect(await refusal(`${ada}&from=2100-12-31`)).to.equal(`${invalid} from`);
    expect(await refusal(`${ada}&type=open&from=2026-11-01`)).to.equal(`${invalid} from`);
    expect(await refusal(`${ada}&type=all`)).to.equal(`${invalid} type`);
    expect(await refusal(`${ada}&format=csv&limit=10`)).to.equal(`${invalid} limit`);
    expect(await refusal(`${ada}&format=csv&cursor=x`)).to.equal(`${invalid} cursor`);
    expect(await refusal(`${ada}&asOf=2026-11-01`)).to.equal('unknown_parameter asOf');
  });

  it('refuses the cursor of another customer', async () => {
    const company = await makeCompany(stack());
    for (const customerName of ['Ada', 'Ada', 'Bob']) await issue(company, { customerName });
    const { headers } = await company.get('/statements?customerName=Ada&limit=1&to=2026-12-31');
    const cursor = /cursor=([^&>]+)/u.exec(String(headers.link))?.[1];
    const { body } = await company.get(`/statements?customerName=Bob&cursor=${cursor}`);
    expect(body.code).to.equal('invalid_cursor');
  });

  it('needs the scopes of invoices and of payments', async () => {
    for (const scopes of [['invoices:read'], ['payments:read'], ['customers:read']]) {
      const company = await makeCompany(stack(), { scopes });
      for (const path of ['/statements?customerName=Ada', '/receivables']) {
        const { status, body } = await company.get(path);
        expect([status, body.code]).to.deep.equal([403, 'insufficient_scope']);
      }
    }
    const company = await makeCompany(stack(), { scopes: ['invoices:read', 'payments:read'] });
    await read(company, '/receivables');
  });
});

describeMode('postgres', 'a statement as CSV', stack => {
  const rowsOf = (text: string) =>
    parse(text, { bom: true, columns: true, record_delimiter: '\r\n' }) as Json[];

  it('has the lines between the opening and the closing balance', async () => {
    const company = await makeCompany(stack());
    await keepAccount(company);
    const path = '/statements?customerName=Ada&from=2026-11-01&to=2026-11-30';
    const { opening, entries, closing } = await read(company, path);
    const { headers, text } = await company.get(`${path}&format=csv`);
    expect(headers['content-type']).to.match(/^text\/csv; charset=utf-8/u);
    expect(text.startsWith('\ufeff"date","type","id","number"')).to.equal(true);
    expect(text).to.contain(`"'=SO-1"`);
    const cell = (value: unknown) => String(value ?? '');
    const balance = { id: '', number: '', reference: '', dueDate: '', debit: '', credit: '' };
    expect(rowsOf(text)).to.deep.equal([
      { ...balance, date: '2026-11-01', type: 'opening', balance: cell(opening) },
      ...entries.map((line: Json) => ({
        ...Object.fromEntries(
          Object.entries(line)
            .filter(([name]) => name !== 'orderReference')
            .map(([name, value]) => [name, cell(value)]),
        ),
        reference: line.reference === '=SO-1' ? "'=SO-1" : cell(line.reference),
      })),
      { ...balance, date: '2026-11-30', type: 'closing', balance: cell(closing) },
    ]);
  });

  it('has all lines of an account with several pages', async () => {
    const company = await makeCompany(stack());
    await issue(company, { customerName: 'Ada', date: '2026-11-01' });
    await stack().sql(
      `INSERT INTO entries (company_id, id, submission_id, sequence, type, date,
         effective_date, currency, customer_name, customer_key, amount, unallocated, body,
         created_at)
       SELECT $1, gen_random_uuid(), gen_random_uuid(), n, 'payment',
         '2026-11-02'::date + (n / 500), '2026-11-02'::date + (n / 500),
         'USD', 'Ada', 'ada', 0.01, 0.01, '{}', now()
       FROM generate_series(1, 12000) n`,
      [company.companyId],
    );
    await changeCompany(stack(), company, { nextEntrySequence: 12001 });
    const path = '/statements?customerName=Ada&from=2026-11-01&to=2026-12-31&format=csv';
    const rows = rowsOf((await company.get(path)).text);
    expect(rows).to.have.length(12_003);
    expect(rows.at(-1)).to.include({ type: 'closing', balance: '-20' });
    expect(rows.at(-2)).to.include({ type: 'payment', balance: '-20' });
    expect(new Set(rows.map(({ balance }) => balance)).size).to.equal(12_001);
  });

  it('has the open items', async () => {
    const company = await makeCompany(stack());
    const { invoice, note } = await keepAccount(company);
    const later = await issue(company, { customerName: 'Ada', date: '2026-11-10' });
    const path = '/statements?customerName=Ada&type=open&to=2026-11-30&format=csv';
    const { text } = await company.get(path);
    expect(text.split('\r\n')).to.deep.equal([
      '\ufeff"type","id","number","date","dueDate","reference","total","due","daysOverdue",' +
        '"unallocated"',
      `"invoice","${later.id}","${later.number}","2026-11-10",,,100,100,,`,
      `"creditNote","${note.id}","${note.number}","2026-11-06",,,,,,100`,
      '',
    ]);
    expect(text).not.to.contain(invoice.id);
  });

  it('needs an Accept header that allows it', async () => {
    const company = await makeCompany(stack());
    await issue(company, { customerName: 'Ada' });
    const get = (accept: string, format: string) =>
      company.get(`/statements?customerName=Ada&format=${format}`, { headers: { accept } });
    for (const accept of ['text/csv', 'text/*', '*/*', 'application/json;q=0.1, text/csv'])
      expect((await get(accept, 'csv')).status, accept).to.equal(200);
    for (const accept of ['application/json', 'text/csv;q=0', 'text/html']) {
      const { status, body } = await get(accept, 'csv');
      expect([status, body.code], accept).to.deep.equal([406, 'not_acceptable']);
    }
    expect((await get('text/csv', 'json')).status).to.equal(406);
  });
});
