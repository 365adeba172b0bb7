// The settlement of an invoice, which entries change: its status and what is paid and credited, in
// every answer. Also the list's filters by these and by due dates.
import { expect } from 'chai';
import type { Json } from '../support/client.js';
import {
  changeCompany,
  invoiceRequest,
  makeCompany,
  type TestCompany,
} from '../support/factories.js';
import { created, credit, pay } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { describeMode, startForTests } from '../support/suite.js';

/** A page of the list is reused for a second. */
const REUSED_MS = 5_000;

async function create(company: TestCompany, overrides: Record<string, unknown>): Promise<Json> {
  const { status, body } = await company.post('/invoices', invoiceRequest(overrides));
  expect(status, JSON.stringify(body)).to.equal(201);
  return body;
}

/** The listed invoice numbers, without prefix and zeros. */
async function numbers(company: TestCompany, query: string): Promise<number[]> {
  const { status, body } = await company.get(`/invoices?${query}`);
  expect(status, JSON.stringify(body)).to.equal(200);
  return body.map(({ number }: Json) => Number(number.slice(4)));
}

/** The day in a time zone, some days from now. */
function dayIn(timeZone: string, days = 0): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return format.format(Date.now() + days * 86_400_000);
}

describeMode('postgres', "an invoice's settlement", stack => {
  it('changes its status, its amounts and its ETag, and nothing else', async () => {
    const company = await makeCompany(stack());
    const note = '"status":"open","amountPaid":1,\\"amountPaid\\":2\n}';
    const before = await create(company, { note, customerName: '"status":"open"' });
    const path = `/invoices/${before.id}`;
    const etag = (await company.get(path)).headers.etag;
    const first = await pay(company, 10.1, [before]);
    const partly = await company.get(path);
    expect(partly.body).to.deep.equal({ ...before, amountPaid: 10.1, amountDue: 8.4 });
    expect(partly.headers.etag).not.to.equal(etag);
    const second = await pay(company, 8.4, [before]);
    expect((await company.get(path)).body).to.deep.equal({
      ...before,
      status: 'paid',
      amountPaid: 18.5,
      amountDue: 0,
      settledOn: second.date,
    });
    for (const { id } of [first, second])
      created(await company.post(`/payments/${id}/reversal`, { date: '2026-11-30' }));
    const again = await company.get(path);
    expect([again.body, again.headers.etag]).to.deep.equal([before, etag]);
  });

  it('is kept when the spelling of the customer is corrected', async () => {
    const company = await makeCompany(stack());
    const invoice = await create(company, {});
    const { id } = invoice;
    await pay(company, 8.5, [invoice]);
    await credit(company, invoice, { items: [{ line: 1, amount: 0.5 }] });
    await stack().sql('UPDATE invoices SET customer_name = $2 WHERE id = $1', [id, 'Zoë "Ä"']);
    expect((await company.get(`/invoices/${id}`)).body).to.include({
      customerName: 'Zoë "Ä"',
      status: 'open',
      amountPaid: 8.5,
      amountCredited: 0.5,
      amountDue: 9.5,
    });
  });

  it('is shown at once by lists and single invoices, in every process', async () => {
    const web = await startForTests('web', stack().env);
    const company = await makeCompany(stack());
    const invoice = await create(company, {});
    const { id } = invoice;
    const urls = [stack().baseUrl, `http://127.0.0.1:${web.port}`];
    const read = async (path: string) =>
      Promise.all(
        urls.map(async url => {
          const headers = { 'x-api-key': company.key };
          return (await fetch(`${url}/api/external${path}`, { headers })).json() as Promise<Json>;
        }),
      );
    for (let paid = 1; paid <= 8; paid += 1) {
      await pay(company, 1, [invoice]);
      for (const [listed] of await read('/invoices')) expect(listed.amountPaid).to.equal(paid);
      for (const single of await read(`/invoices/${id}`)) expect(single.amountPaid).to.equal(paid);
      for (const open of await read('/invoices?status=open')) expect(open).to.have.length(1);
    }
    await pay(company, 10.5, [invoice]);
    for (const open of await read('/invoices?status=open')) expect(open).to.deep.equal([]);
    await web.stop();
  });
});

describeMode('postgres', 'the list of invoices by status and due date', stack => {
  it('filters by status and due dates, and together with the other filters', async () => {
    const company = await makeCompany(stack());
    const due = ['2026-11-20', '2026-12-01', '2026-12-31', null, '2027-01-15', '2026-12-01'];
    const made: Json[] = [];
    for (const dueDate of due) made.push(await create(company, { dueDate }));
    await pay(company, 18.5, made.slice(1, 2));
    created(await company.post(`/invoices/${made[3]?.id}/void`, {}));
    await pay(company, 1, made.slice(4, 5));
    const expected: [string, number[]][] = [
      ['status=open', [6, 5, 3, 1]],
      ['status=paid', [2]],
      ['status=void', [4]],
      ['dueFrom=2026-12-01', [6, 5, 3, 2]],
      ['dueTo=2026-12-01', [6, 2, 1]],
      ['dueFrom=2026-12-01&dueTo=2026-12-31', [6, 3, 2]],
      ['dueFrom=2026-12-01&dueTo=2026-12-31&status=open', [6, 3]],
      ['dueFrom=2027-01-16', []],
      ['status=open&number=INV-000002', []],
      ['status=open&customerName=bright%20%26%20sons&limit=2', [6, 5]],
      ['overdue=&status=paid', [2]],
    ];
    for (const [query, found] of expected)
      expect(await numbers(company, query), query).to.deep.equal(found);
    const { headers } = await company.get('/invoices?status=open&limit=2');
    const next = new URL(/^<([^>]+)>/u.exec(String(headers.link))?.[1] ?? '').search.slice(1);
    expect(await numbers(company, next)).to.deep.equal([3, 1]);
  });

  it('calls open invoices overdue on which something was due before today', async () => {
    const timeZone = 'Pacific/Kiritimati';
    const company = await makeCompany(stack(), { timeZone });
    const [yesterday, today] = [dayIn(timeZone, -1), dayIn(timeZone)];
    const date = '2020-01-01';
    const free = [{ name: 'Gift', qty: 1, price: 0 }];
    for (const request of [
      { dueDate: yesterday },
      { dueDate: today },
      { dueDate: null },
      { dueDate: yesterday, items: free },
      { dueDate: yesterday },
      { dueDate: '2020-01-01' },
    ])
      await create(company, { date, ...request });
    const { body } = await company.get('/invoices?number=INV-000005');
    await pay(company, 18.5, body);
    for (const flag of ['1', 'true'])
      expect(await numbers(company, `overdue=${flag}`)).to.deep.equal([6, 1]);
    for (const flag of ['0', 'false', ''])
      expect(await numbers(company, `overdue=${flag}`)).to.have.length(6);
    expect(await numbers(company, 'overdue=1&status=paid')).to.deep.equal([]);
    expect(await numbers(company, `overdue=1&dueFrom=${yesterday}`)).to.deep.equal([1]);
    // The same instant, and another day.
    await changeCompany(stack(), company, { timeZone: 'Pacific/Pago_Pago' });
    const shifted = dayIn('Pacific/Pago_Pago') <= yesterday ? [6] : [6, 1];
    await until(
      'the list follows the time zone',
      async () => String(await numbers(company, 'overdue=1')) === String(shifted),
      REUSED_MS,
    );
  });

  it('refuses other values with 400', async () => {
    const company = await makeCompany(stack());
    for (const query of [
      ...['status=', 'status=Open', 'status=draft', 'status=open,paid', 'overdue=2', 'overdue=yes'],
      ...['dueFrom=', 'dueFrom=2026-02-30', 'dueTo=today', 'status=open&status=paid'],
    ]) {
      const { status, body } = await company.get(`/invoices?${query}`);
      expect([status, body.code], query).to.deep.equal([400, 'invalid_parameter']);
    }
  });

  it('reads as many rows with few paid invoices as with many', async () => {
    const company = await makeCompany(stack());
    await create(company, { date: '2020-01-01', dueDate: '2020-01-31' });
    // As if 20,000 were paid: copies of the first one with later dates.
    await stack().sql(
      `INSERT INTO invoices (company_id, id, submission_id, number, number_prefix, status,
         customer_name, customer_key, date, currency, total, due_date, paid, settled_on, body,
         name_keys, created_at)
       SELECT company_id, gen_random_uuid(), gen_random_uuid(), number + n, number_prefix, 'paid',
         customer_name, customer_key, date + n % 700, currency, total, date + n % 700, total, date,
         body, name_keys, created_at
       FROM invoices, generate_series(1, 20000) n
       WHERE company_id = $1`,
      [company.companyId],
    );
    const fetched = async () => {
      const [row] = await stack().sql<{ rows: string }>(
        `SELECT pg_stat_get_tuples_fetched('invoices'::regclass)
           + pg_stat_get_tuples_returned('invoices'::regclass) AS rows`,
      );
      return Number(row?.rows);
    };
    const before = await fetched();
    for (const query of ['status=open', 'overdue=1', 'status=open&dueTo=2026-12-31'])
      expect(await numbers(company, query), query).to.deep.equal([1]);
    // A session reports its statistics at most once per second.
    await new Promise(resolve => setTimeout(resolve, 1_500));
    expect((await fetched()) - before).to.be.below(1_000);
  });
});
