// Books with very many records. No scheduler runs: its audit would report the rows that are made
// in SQL.
import { expect } from 'chai';
import type { Json } from '../support/client.js';
import { runVerify } from '../support/commands.js';
import { signedIn } from '../support/dashboard.js';
import { changeCompany, fieldErrors, invoiceRequest, makeCompany } from '../support/factories.js';
import { credit, issue, pay, payment } from '../support/ledger.js';
import { makeStores, type Stores, startForTests } from '../support/suite.js';

describe('large books', () => {
  let stack: Stores & { readonly baseUrl: string };
  before(async () => {
    const stores = await makeStores('postgres');
    const [web] = await Promise.all([
      startForTests('web', stores.env),
      startForTests('worker', stores.env),
    ]);
    stack = { ...stores, baseUrl: `http://127.0.0.1:${web.port}` };
  });

  it('have two invoices whose numbers read alike, and payments do not mix them up', async () => {
    const company = await makeCompany(stack);
    const set = (prefix: string, next: number) =>
      changeCompany(stack, company, { invoicePrefix: prefix, nextInvoiceNumber: next });
    await set('INV-1', 1);
    const first = await issue(company);
    const byNumber = {
      ...payment(10, []),
      invoices: [{ number: 'INV-1000001', amount: 10 }],
    };
    const paid = await company.post('/payments', byNumber);
    expect(paid.body.allocations).to.deep.equal([
      { invoiceId: first.id, invoiceNumber: 'INV-1000001', amount: 10 },
    ]);

    await set('INV-', 1_000_001);
    const second = await issue(company);
    expect([first.number, second.number]).to.deep.equal(['INV-1000001', 'INV-1000001']);
    const refused = await company.post('/payments', byNumber);
    expect(fieldErrors(refused)).to.deep.equal(['/invoices/0/number invalid_value']);
    expect(refused.body.errors[0].detail).to.contain('invoiceId');
    for (const invoice of [first, second]) {
      const { body } = await company.post('/payments', payment(10, [invoice]));
      expect(body.allocations.map(({ invoiceId }: Json) => invoiceId)).to.deep.equal([invoice.id]);
    }
  });

  it('allocate a payment to at most 1,000 invoices over its life', async () => {
    const company = await makeCompany(stack);
    const items = [{ name: 'Delivery', qty: 1, price: 1 }];
    const invoices: Json[] = [];
    while (invoices.length < 1_002) {
      const bodies = Array.from({ length: 100 }, () => invoiceRequest({ items }));
      const { body } = await company.post('/invoices/batch', { invoices: bodies });
      invoices.push(...body.results.map(({ invoice }: Json) => invoice));
    }
    // Two halves of a batch of 100 may be numbered in either order.
    invoices.sort((a, b) => a.number.localeCompare(b.number));
    const { id } = await pay(company, 2_000, invoices.slice(0, 250));
    const allocate = (named: readonly Json[], amount?: number) =>
      company.post('/allocations', {
        paymentId: id,
        invoices: named.map(invoice => ({ invoiceId: invoice.id, amount })),
      });
    for (const start of [250, 500])
      expect((await allocate(invoices.slice(start, start + 250))).status).to.equal(201);
    const refused = await allocate(invoices.slice(751, 1_002));
    expect(fieldErrors(refused)).to.deep.equal(['/invoices too_many_items']);
    expect((await allocate(invoices.slice(750, 1_000))).status).to.equal(201);

    const [first, last] = [invoices[0], invoices[1_000]];
    expect(fieldErrors(await allocate([last]))).to.deep.equal(['/invoices too_many_items']);
    const takenBack = await allocate([first], -1);
    expect(takenBack.body.allocations).to.have.length(999);
    expect(fieldErrors(await allocate([last]))).to.deep.equal(['/invoices too_many_items']);
    const again = await allocate([first]);
    expect(again.body.allocations).to.have.length(1_000);
    expect(again.body.allocations[0].invoiceId).to.equal(first.id);
    const reversal = await company.post(`/payments/${id}/reversal`, { date: '2026-11-26' });
    expect(reversal.body.status).to.equal('reversed');
  });

  it('list the entries of an invoice in pages, and show the newest on its page', async () => {
    const company = await makeCompany(stack);
    const invoice = await issue(company);
    const { id } = await pay(company, 90, [], { customerName: invoice.customerName });
    const part = { paymentId: id, invoices: [{ invoiceId: invoice.id, amount: 0.25 }] };
    await Promise.all(Array.from({ length: 204 }, () => company.post('/allocations', part)));
    const { body: all, headers } = await company.get(`/invoices/${invoice.id}/entries`);
    expect(all).to.have.length(204);
    expect(headers.link).to.equal(undefined);
    const listed: Json[] = [];
    let path: string | undefined = `/invoices/${invoice.id}/entries?limit=100`;
    const lengths: number[] = [];
    while (path !== undefined) {
      const page = await company.get(path);
      listed.push(...page.body);
      lengths.push(page.body.length);
      path = /<[^>]*\/api\/external([^>]*)>; rel="next"/u.exec(String(page.headers.link))?.[1];
    }
    expect(lengths).to.deep.equal([100, 100, 4]);
    expect(listed).to.deep.equal(all);

    const { browser } = await signedIn(stack, company.companyId);
    const invoicePage = (await browser.get(`/invoices/${invoice.id}`)).text;
    expect(invoicePage).to.contain('The newest 200 entries');
    const reversal = await company.post(`/payments/${id}/reversal`, { date: '2026-11-26' });
    expect(reversal.status).to.equal(201);
    const paymentPage = (await browser.get(`/payments/${id}`)).text;
    expect(paymentPage).to.contain('The newest 200 entries');
    expect(paymentPage).to.contain('Reversed');
    expect(paymentPage.lastIndexOf('Reversed')).to.be.above(paymentPage.lastIndexOf('Allocated'));
  });

  it('credit an invoice from the sums of its last credit note alone', async () => {
    const company = await makeCompany(stack);
    const items = [{ name: 'Consulting', qty: 3, price: 33.33, taxRate: 19 }];
    const invoice = await issue(company, { items });
    const note = (item: object) => credit(company, invoice, { items: [{ line: 1, ...item }] });
    const notes = [await note({ qty: 1 }), await note({ amount: 10.01 }), await note({ qty: 0.5 })];
    const [stored] = await stack.sql(
      `SELECT json_agg(credited_lines ORDER BY sequence) AS sums
       FROM entries WHERE company_id = $1`,
      [company.companyId],
    );
    expect(stored?.sums).to.deep.equal([
      [[0, 10_000, 3_333]],
      [[0, 10_000, 4_334, 10_000, 4_334]],
      [[0, 15_000, 5_750, 10_000, 4_334]],
    ]);
    // The first note now says that everything is credited. Nothing reads it.
    await change(`body = replace(body, '"qty":1,', '"qty":3,')`, notes[0].id);
    notes.push(await note({ qty: 0.5 }));
    await change(`body = replace(body, '"qty":3,', '"qty":1,')`, notes[0].id);
    // As an earlier release left it: computed from all notes.
    await change('credited_lines = NULL', notes[3].id);
    notes.push(await credit(company, invoice));
    const sum = (name: string) =>
      Math.round(notes.reduce((total, each) => total + each[name], 0) * 100) / 100;
    expect([sum('subtotal'), sum('taxTotal'), sum('total')]).to.deep.equal([
      invoice.subtotal,
      invoice.taxTotal,
      invoice.total,
    ]);
    const { found } = await runVerify(stack);
    expect(found.filter(({ companyId }) => companyId === company.companyId)).to.deep.equal([]);
  });

  /** Changes an entry by hand. */
  async function change(assignment: string, id: string): Promise<void> {
    const trigger = 'TRIGGER append_only_update';
    await stack.sql(`ALTER TABLE entries DISABLE ${trigger}`);
    await stack.sql(`UPDATE entries SET ${assignment} WHERE id = $1`, [id]);
    await stack.sql(`ALTER TABLE entries ENABLE ${trigger}`);
  }
});
