// Credit notes: what they credit, what goes back into stock, and every refusal.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Json } from '../support/client.js';
import { changeCompany, makeCompany, receive, type TestCompany } from '../support/factories.js';
import {
  created,
  credit,
  creditNote,
  expectSoundBooks,
  issue,
  pay,
  read,
  refused,
  settlementOf,
} from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const onHand = async (company: TestCompany, id: string) =>
  (await read(company, `/inventory/${id}`)).onHand;

describeMode('postgres', 'a credit note', stack => {
  it('lowers what is due on its invoice first, and keeps the rest', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    await pay(company, 70, [invoice]);
    const body = await credit(company, invoice, {
      reason: 'damaged',
      reference: 'RMA 7',
      note: 'Broken',
      items: [{ line: 1, qty: 4 }],
    });
    expect(Object.keys(body).join()).to.equal(
      'id,number,invoiceId,invoiceNumber,customerName,date,currency,reason,items,subtotal,' +
        'taxTotal,taxes,total,allocations,refunded,unallocated,reference,note,createdAt',
    );
    expect(body).to.deep.include({
      number: 'CN-000001',
      invoiceId: invoice.id,
      invoiceNumber: invoice.number,
      date: '2026-11-25',
      reason: 'damaged',
      reference: 'RMA 7',
      note: 'Broken',
      subtotal: 40,
      taxTotal: 0,
      taxes: [],
      total: 40,
      refunded: 0,
      unallocated: 10,
      items: [
        {
          line: 1,
          name: 'Consulting',
          sku: null,
          qty: 4,
          amount: 40,
          itemId: null,
          restocked: false,
        },
      ],
      allocations: [{ invoiceId: invoice.id, invoiceNumber: invoice.number, amount: 30 }],
    });
    expect(await read(company, `/credit-notes/${body.id}`)).to.deep.equal(body);
    expect(await settlementOf(company, invoice)).to.deep.equal({
      status: 'paid',
      amountPaid: 70,
      amountCredited: 30,
      amountDue: 0,
      settledOn: '2026-11-25',
    });
    const entries = await read(company, `/invoices/${invoice.id}/entries`);
    expect(entries.map(({ type, number, amount }: Json) => [type, number, amount])).to.deep.equal([
      ['payment', null, -70],
      ['creditNote', 'CN-000001', -30],
    ]);
    await expectSoundBooks(stack(), company.companyId);
  });

  it('of a settled invoice is one of its entries and changes nothing there', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    await pay(company, 100, [invoice]);
    const settled = await settlementOf(company, invoice);
    const note = await credit(company, invoice, { items: [{ line: 1, amount: 1 }] });
    expect(await settlementOf(company, invoice)).to.deep.equal(settled);
    const [, entry] = await read(company, `/invoices/${invoice.id}/entries`);
    expect(entry).to.deep.include({ id: note.id, amount: 0 });
  });

  it('credits discounts and taxes in proportion, in full to the cent', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, {
      discount: { percent: 7.5, reason: 'Loyalty' },
      taxReason: 'Article 132',
      items: [
        { name: 'One', qty: 3, price: 33.33, taxRate: 19 },
        { name: 'Two', qty: 7, price: 1.11, taxRate: 7, discount: { percent: 10 } },
        { name: 'Three', qty: 1, price: 5, taxRate: 0, taxCategory: 'E' },
      ],
    });
    const notes = [
      await credit(company, invoice, {
        items: [
          { line: 1, qty: 1 },
          { line: 2, amount: 0.5 },
        ],
      }),
      await credit(company, invoice, {
        items: [
          { line: 2, qty: 2.5 },
          { line: 1, qty: 1 },
        ],
      }),
      await credit(company, invoice),
    ];
    const sum = (amountOf: (note: Json) => number) =>
      Math.round(notes.reduce((total, note) => total + amountOf(note), 0) * 100) / 100;
    expect(sum(note => note.subtotal)).to.equal(invoice.subtotal);
    expect(sum(note => note.taxTotal)).to.equal(invoice.taxTotal);
    expect(sum(note => note.total)).to.equal(invoice.total);
    for (const { category, rate, base, amount, reason } of invoice.taxes) {
      const parts = notes.map(note =>
        note.taxes.find((tax: Json) => tax.category === category && tax.rate === rate),
      );
      const add = (of: (tax: Json) => number) =>
        Math.round(parts.reduce((total, tax) => total + (tax ? of(tax) : 0), 0) * 100) / 100;
      expect([add(tax => tax.base), add(tax => tax.amount)]).to.deep.equal([base, amount]);
      expect(parts.find(Boolean).reason).to.equal(reason);
    }
    expect(notes.map(({ number }) => number)).to.deep.equal([
      ...['CN-000001', 'CN-000002', 'CN-000003'],
    ]);
    expect(await settlementOf(company, invoice)).to.deep.include({ status: 'paid', amountDue: 0 });
    await refused(stack(), company, 409, 'credit_exceeds_invoice', () =>
      company.post('/credit-notes', creditNote(invoice)),
    );
  });

  it('puts goods back into stock where its line or the note says so', async () => {
    const company = await makeCompany(stack());
    const [pump = '', valve = ''] = await receive(
      company,
      { name: 'Pump', delta: 10, unitCost: 2 },
      { name: 'Valve', delta: 10 },
    );
    const invoice = await issue(company, {
      items: [
        { name: 'Pump', qty: 4, price: 10 },
        { name: 'Valve', qty: 4, price: 10 },
        { name: 'Delivery', qty: 1, price: 10 },
        { name: 'Pump', qty: 1, price: 10 },
      ],
    });
    const note = await credit(company, invoice, {
      restock: true,
      items: [
        { line: 1, qty: 2 },
        { line: 2, qty: 1, restock: false },
        { line: 3, qty: 1 },
        { line: 4, qty: 1 },
        { line: 2, amount: 5 },
      ],
    });
    expect(note.items.map(({ restocked }: Json) => restocked)).to.deep.equal([
      ...[true, false, false, true, false],
    ]);
    expect([await onHand(company, pump), await onHand(company, valve)]).to.deep.equal([8, 6]);
    const [movement] = await read(company, `/inventory/${pump}/movements?kind=return`);
    expect(movement).to.deep.include({ kind: 'return', delta: 3, onHandAfter: 8 });
    expect(movement.source).to.deep.equal({ type: 'creditNote', id: note.id, number: 'CN-000001' });
    const [stocked] = await stack().sql<{ value: string }>(
      'SELECT trim_scale(stock_value)::text AS value FROM companies WHERE id = $1',
      [company.companyId],
    );
    expect(stocked?.value).to.equal('16');
    await credit(company, invoice, { restock: true });
    expect([await onHand(company, pump), await onHand(company, valve)]).to.deep.equal([10, 9]);
  });

  it('has the prefix of the company and a series of its own', async () => {
    const company = await makeCompany(stack());
    await changeCompany(stack(), company, { creditNotePrefix: 'GS-' });
    const invoice = await issue(company);
    expect((await credit(company, invoice)).number).to.equal('GS-000001');
  });
});

describeMode('postgres', 'a credit note that is refused', stack => {
  const errorsOf = async (company: TestCompany, body: object) => {
    const { errors } = await refused(stack(), company, 422, 'validation_failed', () =>
      company.post('/credit-notes', body),
    );
    return errors.map(({ pointer, code }: Json) => `${pointer} ${code}`).sort();
  };

  it('names every field that breaks a rule', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    expect(await errorsOf(company, {})).to.deep.equal([
      ...['/date required', '/invoiceId required', '/reason required'],
    ]);
    const items = [
      { line: 0, qty: 1 },
      { line: 1.5, qty: 0 },
      { line: 1, qty: 1, amount: 1 },
      { line: 1 },
      { line: 1, amount: 0.001 },
      { line: '1', qty: 1, restock: 'yes' },
    ];
    expect(await errorsOf(company, creditNote(invoice, { reason: 'whim', items }))).to.deep.equal([
      '/items/0/line invalid_value',
      '/items/1/line invalid_value',
      '/items/1/qty too_small',
      '/items/2 invalid_value',
      '/items/3 required',
      '/items/4/amount too_many_decimals',
      '/items/5/line wrong_type',
      '/items/5/restock wrong_type',
      '/reason invalid_value',
    ]);
    expect(await errorsOf(company, creditNote(invoice, { items: [] }))).to.deep.equal([
      '/items empty',
    ]);
  });

  it('names an unknown invoice, a date before it, or lines that it does not have', async () => {
    const company = await makeCompany(stack());
    const stranger = await issue(await makeCompany(stack()));
    for (const id of [uuidv7(), stranger.id])
      expect(await errorsOf(company, creditNote({ id }))).to.deep.equal([
        '/invoiceId unknown_invoice',
      ]);
    const invoice = await issue(company);
    const early = creditNote(invoice, { date: '2026-11-19', items: [{ line: 2, qty: 1 }] });
    expect(await errorsOf(company, early)).to.deep.equal([
      ...['/date invalid_date', '/items/0/line invalid_value'],
    ]);
    const { body } = await company.post('/credit-notes', early);
    expect(body.errors[1].detail).to.equal('The invoice has 1 line.');
  });

  it('does not say whether goods go back on the shelf', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pump', delta: 10 });
    const items = [
      { name: 'Pump', qty: 4, price: 10 },
      { name: 'Delivery', qty: 1, price: 10 },
    ];
    const invoice = await issue(company, { items });
    const parts = [
      { line: 1, qty: 1 },
      { line: 2, qty: 1 },
      { line: 1, amount: 1 },
    ];
    expect(await errorsOf(company, creditNote(invoice, { items: parts }))).to.deep.equal([
      '/items/0/restock required',
    ]);
    expect(await errorsOf(company, creditNote(invoice))).to.deep.equal(['/restock required']);
    const excessive = [
      { line: 1, qty: 5 },
      { line: 2, amount: 11 },
    ];
    expect(await errorsOf(company, creditNote(invoice, { items: excessive }))).to.deep.equal([
      ...['/items/0/qty credit_exceeds_invoice', '/items/0/restock required'],
      '/items/1/amount credit_exceeds_invoice',
    ]);
  });

  it('exceeds what is left of a line, in quantity or money', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    await credit(company, invoice, {
      items: [
        { line: 1, qty: 3 },
        { line: 1, amount: 20 },
      ],
    });
    const parts = [
      { line: 1, qty: 7.5 },
      { line: 1, amount: 50.01 },
    ];
    const { errors } = await refused(stack(), company, 409, 'credit_exceeds_invoice', () =>
      company.post('/credit-notes', creditNote(invoice, { items: parts })),
    );
    const figures = errors.map(({ pointer, line, requested, available }: Json) => [
      ...[pointer, line, requested, available],
    ]);
    expect(figures).to.deep.equal([
      ['/items/0/qty', 1, 7.5, 7],
      ['/items/1/amount', 1, 50.01, 50],
    ]);
  });

  it('puts back goods of an archived item', async () => {
    const company = await makeCompany(stack());
    const [pump = ''] = await receive(company, { name: 'Pump', delta: 4 });
    const invoice = await issue(company, { items: [{ name: 'Pump', qty: 4, price: 10 }] });
    await company.patch(`/inventory/${pump}`, { archived: true });
    await refused(stack(), company, 409, 'invalid_state', () =>
      company.post('/credit-notes', creditNote(invoice, { restock: true })),
    );
    expect((await credit(company, invoice, { restock: false })).total).to.equal(40);
  });

  it('belongs to a void invoice', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    created(await company.post(`/invoices/${invoice.id}/void`, {}));
    const { errors } = await refused(stack(), company, 409, 'invalid_state', () =>
      company.post('/credit-notes', creditNote(invoice)),
    );
    expect(errors[0]).to.deep.include({ status: 'void', amountPaid: 0, amountCredited: 100 });
  });
});

describeMode('postgres', 'voiding an invoice', stack => {
  it('credits everything, puts the goods back and is final', async () => {
    const company = await makeCompany(stack());
    const [pump = ''] = await receive(company, { name: 'Pump', delta: 4 });
    const invoice = await issue(company, {
      items: [{ name: 'Pump', qty: 3, price: 10, taxRate: 19 }],
    });
    const response = await company.post(`/invoices/${invoice.id}/void`, {
      date: '2026-11-30',
      reason: 'Wrong customer',
      note: 'See INV-000002',
    });
    const note = created(response);
    expect(response.headers.location).to.equal(`/api/external/credit-notes/${note.id}`);
    expect(note).to.deep.include({
      reason: 'cancelled',
      date: '2026-11-30',
      subtotal: 30,
      taxTotal: 5.7,
      total: 35.7,
      unallocated: 0,
      note: 'See INV-000002',
    });
    const [row] = await stack().sql('SELECT explanation FROM entries WHERE id = $1', [note.id]);
    expect(row).to.deep.equal({ explanation: 'Wrong customer' });
    expect(await onHand(company, pump)).to.equal(4);
    const after = await read(company, `/invoices/${invoice.id}`);
    expect(after).to.deep.equal({
      ...invoice,
      status: 'void',
      amountCredited: 35.7,
      amountDue: 0,
    });
    const again = await refused(stack(), company, 409, 'invalid_state', () =>
      company.post(`/invoices/${invoice.id}/void`, {}),
    );
    expect(again).to.deep.include({ status: 409, amountPaid: 0, amountCredited: 35.7 });
    expect(again.errors[0].status).to.equal('void');
    await expectSoundBooks(stack(), company.companyId);
  });

  it('leaves the goods where they are if it says so', async () => {
    const company = await makeCompany(stack());
    const [pump = ''] = await receive(company, { name: 'Pump', delta: 4 });
    const invoice = await issue(company, { items: [{ name: 'Pump', qty: 3, price: 0 }] });
    created(await company.post(`/invoices/${invoice.id}/void`, { restock: false }));
    expect(await onHand(company, pump)).to.equal(1);
    expect(await settlementOf(company, invoice)).to.deep.include({ status: 'void', amountDue: 0 });
  });

  it('dates the credit note of an invoice that is dated ahead like the invoice', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company, { date: '2100-01-31' });
    const note = created(await company.post(`/invoices/${invoice.id}/void`, {}));
    expect(note.date).to.equal('2100-01-31');
  });

  it('is refused once something is paid or credited, even elsewhere', async () => {
    const company = await makeCompany(stack());
    const refuse = async (invoice: Json) => {
      const { errors } = await refused(stack(), company, 409, 'invalid_state', () =>
        company.post(`/invoices/${invoice.id}/void`, {}),
      );
      return [errors[0].status, errors[0].amountPaid, errors[0].amountCredited];
    };
    const paid = await issue(company);
    const { id } = await pay(company, 100, [paid]);
    expect(await refuse(paid)).to.deep.equal(['paid', 100, 0]);
    const credited = await issue(company);
    await credit(company, credited, { items: [{ line: 1, amount: 1 }] });
    expect(await refuse(credited)).to.deep.equal(['open', 0, 1]);
    await credit(company, paid, { items: [{ line: 1, amount: 1 }] });
    await company.post(`/payments/${id}/reversal`, { date: '2026-11-30' });
    expect(await refuse(paid)).to.deep.equal(['open', 0, 0]);
  });

  it('is refused before the date of the invoice and without an invoice', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const early = await refused(stack(), company, 422, 'validation_failed', () =>
      company.post(`/invoices/${invoice.id}/void`, { date: '2026-11-19' }),
    );
    expect(early.errors[0]).to.deep.include({ pointer: '/date', code: 'invalid_date' });
    const stranger = await issue(await makeCompany(stack()));
    for (const id of [stranger.id, uuidv7(), 'x'])
      await refused(stack(), company, 404, 'not_found', () =>
        company.post(`/invoices/${id}/void`, {}),
      );
  });
});
