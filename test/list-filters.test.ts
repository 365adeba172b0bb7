// The filters that every list of records of the API has: what has changed since a time, the words
// of a text, and the numbers and references of a record.
import { expect } from 'chai';
import type { Json, Response } from './support/client.js';
import { changeCustomer, makeCustomer } from './support/customers.js';
import { makeCompany, receive, type TestCompany } from './support/factories.js';
import { created, credit, issue, pay, read, untilTextsStored } from './support/ledger.js';
import { addInvoices } from './support/many-rows.js';
import { until } from './support/processes.js';
import { describeMode } from './support/suite.js';

const SCOPES = [
  ...['inventory:read', 'inventory:write', 'invoices:read', 'invoices:write', 'credits:write'],
  ...['payments:read', 'payments:write', 'customers:read', 'customers:write'],
];

const PATHS = [
  ...(['invoices', 'inventory', 'payments', 'credit-notes'] as const),
  ...(['refunds', 'customers'] as const),
];
type Path = (typeof PATHS)[number];
type Found = Partial<Record<Path, readonly string[]>>;

const CUSTOMER = {
  name: 'Park View',
  number: 'K-77',
  phone: '+1 (409) 555-0142',
  contactName: 'Zoë Ibáñez',
  address: { line1: 'Mühlgasse 3', city: 'Łódź', country: 'PL' },
  externalId: 'shop-81',
};

describeMode('postgres', 'every list of records', stack => {
  const arrange = () => makeCompany(stack(), { scopes: SCOPES });
  /** The ids that each list has with a query. */
  const idsBy = async (company: TestCompany, query: Record<string, string>) => {
    const lists = await Promise.all(
      PATHS.map(async path => {
        const rows: Json[] = await read(company, `/${path}?${new URLSearchParams(query)}`);
        return [path, rows.map(({ id }) => id)] as const;
      }),
    );
    return Object.fromEntries(lists.filter(([, ids]) => ids.length > 0)) as Found;
  };

  it('tells what has changed since a time, by whatever changed it', async () => {
    const company = await arrange();
    const [pipe, valve] = await receive(
      company,
      { name: 'Pipe', sku: 'P-1', delta: 100 },
      { name: 'Valve', delta: 10 },
    );
    const customer = await makeCustomer(company, { name: 'Castle' });
    const line = { name: 'Pipe', qty: 10, price: 10 };
    const invoice = await issue(company, { customerName: 'Castle', items: [line] });
    const other = await issue(company, { customerName: 'Castle' });
    const free = await issue(company, { items: [{ name: 'Gift', qty: 1, price: 0 }] });
    const payment = await pay(company, 100, [invoice]);
    const [id, otherId, paymentId] = [invoice.id, other.id, payment.id];
    /** The rows that have changed from just before `change` on. */
    const changes = async (change: () => Promise<unknown>) => {
      const [row] = await stack().sql<{ now: string }>('SELECT clock_timestamp()::text AS now', []);
      const now = new Date(String(row?.now)).getTime() + 1;
      await until('the clock goes on', async () => Date.now() > now);
      const updatedSince = new Date(now).toISOString();
      expect(await idsBy(company, { updatedSince }), 'before').to.deep.equal({});
      const changed = await change();
      return { changed: changed as Json, found: await idsBy(company, { updatedSince }) };
    };

    const reversal = { date: '2026-11-25' };
    const reversed = await changes(() => company.post(`/payments/${paymentId}/reversal`, reversal));
    expect(reversed.found).to.deep.equal({ invoices: [id], payments: [paymentId] });
    const paid = await changes(() => pay(company, 150, [invoice]));
    const source = paid.changed.id;
    expect(paid.found).to.deep.equal({ invoices: [id], payments: [source] });
    const allocated = await changes(() =>
      company.post('/allocations', {
        paymentId: source,
        invoices: [{ invoiceId: otherId, amount: 20 }],
      }),
    );
    expect(allocated.found).to.deep.equal({ invoices: [otherId], payments: [source] });
    const refunded = await changes(async () =>
      created(await company.post('/refunds', { paymentId: source, amount: 5, date: '2026-11-26' })),
    );
    expect(refunded.found).to.deep.equal({
      payments: [source],
      refunds: [refunded.changed.id],
    });
    const returned = { items: [{ line: 1, qty: 2, restock: true }] };
    const credited = await changes(() => credit(company, invoice, returned));
    const note = credited.changed.id;
    expect(credited.found).to.deep.equal({
      inventory: [pipe],
      'credit-notes': [note],
    });
    const used = await changes(() =>
      company.post('/allocations', { creditNoteId: note, invoices: [{ invoiceId: otherId }] }),
    );
    expect(used.found).to.deep.equal({ invoices: [otherId], 'credit-notes': [note] });
    const voided = await changes(async () =>
      created(await company.post(`/invoices/${free.id}/void`, {})),
    );
    expect(voided.found).to.deep.equal({
      invoices: [free.id],
      'credit-notes': [voided.changed.id],
    });
    const sold = await changes(() => issue(company, { customerName: 'Castle', items: [line] }));
    expect(sold.found).to.deep.equal({ invoices: [sold.changed.id], inventory: [pipe] });
    const adjusted = await changes(() => receive(company, { name: 'Valve', delta: 1 }));
    expect(adjusted.found).to.deep.equal({ inventory: [valve] });
    const edited = await changes(() => company.patch(`/inventory/${pipe}`, { unitPrice: 3 }));
    expect(edited.found).to.deep.equal({ inventory: [pipe] });
    const renamed = await changes(() => changeCustomer(company, customer, { phone: '123' }));
    expect(renamed.found).to.deep.equal({ customers: [customer.id] });
    const all = await idsBy(company, { updatedSince: invoice.createdAt });
    expect(all.invoices).to.have.members([id, otherId, free.id, sold.changed.id]);
    const both = { updatedSince: sold.changed.createdAt, customerName: 'Nobody' };
    expect(await read(company, `/invoices?${new URLSearchParams(both)}`)).to.deep.equal([]);
  });

  const fill = async () => {
    const company = await arrange();
    const [valve] = await receive(
      company,
      { name: 'Ball valve Ø 20', sku: 'HS-006', delta: 50 },
      { name: 'Pipe', sku: 'HS-007', delta: 50 },
    );
    const customer = await makeCustomer(company, CUSTOMER);
    const invoice = await issue(company, {
      customerName: 'Park View',
      reference: 'SO-5359',
      orderReference: 'PO-1358',
      items: [{ name: 'Ball valve Ø 20', sku: 'HS-006', qty: 10, price: 10 }],
    });
    const other = await issue(company, {
      customerName: 'Castle',
      reference: 'so-5359',
      orderReference: 'PO-13580',
    });
    const more = { reference: 'RF18 XY', externalId: 'ch_3Nabc' };
    const payment = await pay(company, 120, [invoice], more);
    const note = await credit(company, invoice, {
      ...{ reference: 'RMA 4', items: [{ line: 1, qty: 2, restock: true }] },
    });
    const refund = created(
      await company.post('/refunds', {
        ...{ paymentId: payment.id, amount: 5, date: '2026-11-26' },
        ...{ reference: 'SEPA 9', externalId: 're_7' },
      }),
    );
    return { company, valve, customer, invoice, other, payment, note, refund };
  };

  it('finds the words of a text in all texts of a record', async () => {
    const { company, valve, customer, ...made } = await fill();
    const [invoices, notes] = [[made.invoice.id], [made.note.id]];
    const [payments, refunds] = [[made.payment.id], [made.refund.id]];
    const money = { invoices, payments, 'credit-notes': notes, refunds };
    const ofCustomer = { ...money, customers: [customer.id] };
    const expected: Record<string, Found> = {
      'park view': ofCustomer,
      'VIEW park': ofCustomer,
      'k-77': ofCustomer,
      '4095550142': ofCustomer,
      '(409) 555-0142': ofCustomer,
      '555 0142': ofCustomer,
      lodz: ofCustomer,
      'IBANEZ zoe': ofCustomer,
      'lodz po-1358': { invoices },
      'park PO-1358': { invoices },
      'po-1358 hs-006 so-5': { invoices },
      'po-1358 hs-007': {},
      mühlgasse: { customers: [customer.id] },
      'shop-81': { customers: [customer.id] },
      'valve 20': { invoices, 'credit-notes': notes, inventory: [valve ?? ''] },
      'ball hs-006': { invoices, 'credit-notes': notes, inventory: [valve ?? ''] },
      'inv-000001': { invoices, payments, 'credit-notes': notes },
      'cn-000001 rma': { 'credit-notes': notes },
      'xy ch_3n': { payments },
      'park sepa': { refunds },
      re_7: { refunds },
      '%': {},
    };
    const check = async (when: string) => {
      for (const [q, found] of Object.entries(expected))
        expect(await idsBy(company, { q }), `${q} ${when}`).to.deep.equal(found);
    };
    await check('at once');
    await untilTextsStored(stack(), company);
    await check('when stored');
    const since = { q: 'park', updatedSince: made.payment.createdAt };
    expect((await idsBy(company, since)).invoices).to.deep.equal(invoices);
    for (const path of PATHS) {
      const long = await company.get(`/${path}?q=${'x'.repeat(101)}`);
      expect([long.status, long.body.parameter], path).to.deep.equal([400, 'q']);
      expect((await company.get(`/${path}?q=`)).status, path).to.equal(400);
      const noTime = await company.get(`/${path}?updatedSince=2026-11-26`);
      expect([noTime.status, noTime.body.parameter], path).to.deep.equal([400, 'updatedSince']);
    }
  });

  it('finds a number, reference or order number that is the same when folded', async () => {
    const { company, invoice, other, payment, note, refund } = await fill();
    const check = async () => {
      const found = async (query: string) =>
        (await read(company, `/${query}`)).map(({ id }: Json) => id);
      const both = [other.id, invoice.id];
      expect(await found('invoices?reference=So-5359')).to.deep.equal(both);
      expect(await found('invoices?reference=SO-535')).to.deep.equal([]);
      expect(await found('invoices?reference=HS-006')).to.deep.equal([]);
      expect(await found('invoices?orderReference=po-1358')).to.deep.equal([invoice.id]);
      expect(await found('invoices?orderReference=SO-5359')).to.deep.equal([]);
      expect(await found('invoices?number=inv-000001')).to.deep.equal([invoice.id]);
      expect(await found('invoices?q=castle&reference=so-5359')).to.deep.equal([other.id]);
      expect(await found('invoices?q=555+0142&reference=so-5359')).to.deep.equal([invoice.id]);
      expect(await found('invoices?limit=1&reference=so-5359')).to.deep.equal([other.id]);
      expect(await found('payments?reference=rf18++xy')).to.deep.equal([payment.id]);
      expect(await found('payments?reference=ch_3Nabc')).to.deep.equal([]);
      expect(await found('credit-notes?reference=rma+4')).to.deep.equal([note.id]);
      expect(await found('credit-notes?number=cn-000001')).to.deep.equal([note.id]);
      expect(await found('credit-notes?number=cn-000002')).to.deep.equal([]);
      expect(await found('refunds?reference=sepa+9')).to.deep.equal([refund.id]);
    };
    await check();
    await untilTextsStored(stack(), company);
    await check();
  });

  it('leads through all pages of a text that very many rows have', async () => {
    const company = await arrange();
    const rare = await issue(company, { customerName: 'Rare', date: '2020-01-01' });
    await addInvoices(stack(), company, 12_000);
    await untilTextsStored(stack(), company);
    const first = await company.get('/invoices?q=delivery&limit=20');
    expect(first.status, first.text).to.equal(200);
    expect(first.body).to.have.length(20);
    const next = pathOf(first);
    const second = await company.get(String(next));
    expect(second.status, `${next} ${second.text}`).to.equal(200);
    expect(second.body).to.have.length(20);
    const found: Json[] = [];
    let path: string | null = `/invoices?q=${rare.number}`;
    for (; path !== null; ) {
      const page: Response = await company.get(path);
      found.push(...page.body);
      path = pathOf(page);
    }
    expect(found.map(({ id }) => id)).to.deep.equal([rare.id]);
    // All of them were made since then, which is more than are looked up by themselves.
    const since = new URLSearchParams({ updatedSince: '2026-11-19T00:00:00Z', limit: '20' });
    const many = await company.get(`/invoices?${since}`);
    expect(many.status, many.text).to.equal(200);
    expect(many.body).to.have.length(20);
    expect(pathOf(many)).to.not.equal(null);
  });
});

function pathOf({ headers }: Response): string | null {
  return /\/api\/external([^>]+)>; rel="next"$/u.exec(String(headers.link ?? ''))?.[1] ?? null;
}
