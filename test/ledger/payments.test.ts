// Payments: which invoices they pay, what is left, their reversal, and every refusal.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Json } from '../support/client.js';
import {
  fieldErrors,
  invoiceRequest,
  makeCompany,
  type TestCompany,
} from '../support/factories.js';
import { issue, pay, payment, read, refused, settlementOf } from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const open = (amountDue: number, amountPaid = 0) => ({
  status: 'open',
  amountPaid,
  amountCredited: 0,
  amountDue,
  settledOn: null,
});
const paid = (amountPaid: number, settledOn: string) => ({
  status: 'paid',
  amountPaid,
  amountCredited: 0,
  amountDue: 0,
  settledOn,
});
const given = ({ allocations }: Json) =>
  allocations.map(({ invoiceNumber, amount }: Json) => [invoiceNumber, amount]);

describeMode('postgres', 'a payment', stack => {
  it('finds an invoice by its number, in any case and width', async () => {
    const company = await makeCompany(stack());
    const { number } = await issue(company, { items: [{ name: 'Work', qty: 1, price: 9 }] });
    const wide = number.replace('I', '\uff29');
    for (const typed of [number.toLowerCase(), wide, ` ${number}\u200b`]) {
      const json = { ...payment(1, []), invoices: [{ number: typed }] };
      const { body } = await company.post('/payments', json);
      expect(given(body), typed).to.deep.equal([[number, 1]]);
    }
    const invoices = [{ number: number.toLowerCase() }, { number: wide }];
    const twice = await company.post('/payments', { ...payment(2, []), invoices });
    expect(fieldErrors(twice)).to.deep.equal(['/invoices/1 invalid_value']);
  });

  it('settles an invoice with its own date', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const body = await pay(company, 100, [invoice], {
      method: 'bank_transfer',
      reference: 'Statement 4',
      externalId: 'bank-1',
      note: 'Thanks\nfor all',
    });
    expect(Object.keys(body).join()).to.equal(
      'id,amount,date,currency,customerName,method,reference,externalId,note,status,' +
        'allocations,refunded,unallocated,createdAt',
    );
    expect(body).to.deep.include({
      amount: 100,
      date: '2026-11-24',
      currency: 'USD',
      customerName: 'Bright & Sons',
      method: 'bank_transfer',
      reference: 'Statement 4',
      externalId: 'bank-1',
      note: 'Thanks\nfor all',
      status: 'recorded',
      refunded: 0,
      unallocated: 0,
      allocations: [{ invoiceId: invoice.id, invoiceNumber: invoice.number, amount: 100 }],
    });
    expect(await settlementOf(company, invoice)).to.deep.equal(paid(100, '2026-11-24'));
    expect(await read(company, `/payments/${body.id}`)).to.deep.equal(body);
  });

  it('changes nothing of the invoice but its settlement, and the ETag with it', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const before = await company.get(`/invoices/${invoice.id}`);
    await pay(company, 40, [invoice]);
    const after = await company.get(`/invoices/${invoice.id}`);
    expect(after.body).to.deep.equal({ ...before.body, amountPaid: 40, amountDue: 60 });
    expect(Object.keys(after.body)).to.deep.equal(Object.keys(before.body));
    expect(after.headers.etag).not.to.equal(before.headers.etag);
  });

  it('pays several invoices in the order given, by id or number, and keeps the rest', async () => {
    const company = await makeCompany(stack());
    const [first, second, third] = [
      await issue(company),
      await issue(company),
      await issue(company),
    ];
    const { body } = await company.post('/payments', {
      amount: 180.5,
      date: '2026-11-24',
      invoices: [
        { number: third.number },
        { invoiceId: first.id.toUpperCase(), amount: 30.25 },
        { invoiceId: second.id },
      ],
    });
    expect(given(body)).to.deep.equal([
      [third.number, 100],
      [first.number, 30.25],
      [second.number, 50.25],
    ]);
    const more = await pay(company, 70, [second]);
    expect(given(more)).to.deep.equal([[second.number, 49.75]]);
    expect(more.unallocated).to.equal(20.25);
    expect(await settlementOf(company, first)).to.deep.equal(open(69.75, 30.25));
    expect(await settlementOf(company, second)).to.deep.equal(paid(100, '2026-11-24'));
  });

  it('may come before any invoice, with the name of a customer', async () => {
    const company = await makeCompany(stack());
    const { status, body } = await company.post('/payments', {
      amount: 12.5,
      date: '2020-01-01',
      customerName: ' New  Customer ',
      invoices: [],
    });
    expect(status).to.equal(201);
    expect(body).to.deep.include({ allocations: [], unallocated: 12.5 });
  });

  it('is refused for an invoice on which nothing is due, with or without an amount', async () => {
    const company = await makeCompany(stack());
    const [paid, wrong, due] = [await issue(company), await issue(company), await issue(company)];
    const gift = await issue(company, { items: [{ name: 'Gift', qty: 1, price: 0 }] });
    await pay(company, 100, [paid]);
    await company.post(`/invoices/${wrong.id}/void`, {});
    for (const settled of [paid, wrong, gift]) {
      const given = { invoiceId: settled.id, requested: 70, available: 0 };
      const ask = (...invoices: object[]) =>
        refused(stack(), company, 409, 'amount_exceeds_due', () =>
          company.post('/payments', payment(70, [], { invoices })),
        );
      const [named, open] = [{ invoiceId: settled.id }, { invoiceId: due.id }];
      const { errors } = await ask(open, named);
      expect(errors).to.have.length(1);
      expect(errors[0]).to.include({ ...given, pointer: '/invoices/1' });
      const exact = await ask({ ...named, amount: 70 });
      expect(exact.errors[0]).to.include({ ...given, pointer: '/invoices/0/amount' });
    }
    expect(await settlementOf(company, gift)).to.deep.equal(open(0));
    const spare = await pay(company, 70, [], { customerName: paid.customerName });
    const body = { paymentId: spare.id, invoices: [{ invoiceId: due.id }, { invoiceId: paid.id }] };
    const { errors } = await refused(stack(), company, 409, 'amount_exceeds_due', () =>
      company.post('/allocations', body),
    );
    expect(errors[0]).to.include({ pointer: '/invoices/1', requested: 70, available: 0 });
  });

  it('counts in minor units of its currency', async () => {
    const dinar = await makeCompany(stack(), { currency: 'KWD' });
    const invoice = await issue(dinar, { items: [{ name: 'Tea', qty: 3, price: 0.333 }] });
    expect(given(await pay(dinar, 0.998, [invoice]))).to.deep.equal([[invoice.number, 0.998]]);
    expect(await settlementOf(dinar, invoice)).to.deep.include({ amountDue: 0.001 });
    const yen = await makeCompany(stack(), { currency: 'JPY' });
    const refusal = await yen.post('/payments', {
      amount: 1.5,
      date: '2026-11-24',
      customerName: 'A',
    });
    expect(fieldErrors(refusal)).to.deep.equal(['/amount too_many_decimals']);
  });

  it('leaves the replay of its invoice as it was issued', async () => {
    const company = await makeCompany(stack());
    const headers = { 'idempotency-key': 'invoice-1' };
    const request = invoiceRequest({ note: '"status":"void"', reference: 'R' });
    const first = await company.post('/invoices', request, { headers });
    await pay(company, 18.5, [first.body]);
    const again = await company.post('/invoices', request, { headers });
    expect([again.status, again.text]).to.deep.equal([201, first.text]);
  });

  it('replays its answer as it was, whatever became of it', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const headers = { 'idempotency-key': 'payment-1' };
    const body = payment(60, [invoice]);
    const first = await company.post('/payments', body, { headers });
    await company.post(`/payments/${first.body.id}/reversal`, { date: '2026-11-25' });
    const again = await company.post('/payments', body, { headers });
    expect(again.headers['idempotency-replayed']).to.equal('true');
    expect(again.headers.location).to.equal(`/api/external/payments/${first.body.id}`);
    expect([again.status, again.text]).to.deep.equal([201, first.text]);
    const other = await company.post('/payments', { ...body, amount: 61 }, { headers });
    expect(other.body.code).to.equal('idempotency_key_reused');
  });
});

describeMode('postgres', 'a payment that is refused', stack => {
  const errorsOf = async (company: TestCompany, body: object) => {
    const response = await refused(stack(), company, 422, 'validation_failed', () =>
      company.post('/payments', { date: '2026-11-24', ...body }),
    );
    return response.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`);
  };

  it('names every field that breaks a rule', async () => {
    const company = await makeCompany(stack());
    expect(await errorsOf(company, { amount: 1 })).to.deep.equal(['/customerName required']);
    expect(await errorsOf(company, { amount: 0, customerName: 'A' })).to.deep.equal([
      '/amount too_small',
    ]);
    const bad = {
      amount: 10.001,
      date: '2026-02-30',
      method: 'barter',
      externalId: 'x'.repeat(101),
      invoices: [
        {},
        { invoiceId: 'x', number: 'INV-1' },
        { number: 'INV-1', amount: 0.001 },
        { number: 'inv-1', amount: -1 },
      ],
    };
    expect((await errorsOf(company, bad)).sort()).to.deep.equal([
      '/amount too_many_decimals',
      '/date invalid_date',
      '/externalId too_long',
      '/invoices/0 required',
      '/invoices/1 invalid_value',
      '/invoices/1/invoiceId invalid_value',
      '/invoices/2/amount too_many_decimals',
      '/invoices/2/number unknown_invoice',
      '/invoices/3 invalid_value',
      '/invoices/3/amount too_small',
      '/invoices/3/number unknown_invoice',
      '/method invalid_value',
    ]);
    const many = Array.from({ length: 251 }, (_, index) => ({ number: `INV-${index}` }));
    expect(await errorsOf(company, { amount: 1, invoices: many })).to.deep.equal([
      '/invoices too_many_items',
    ]);
  });

  it('names unknown invoices, those of another company, and repeated ones', async () => {
    const company = await makeCompany(stack());
    const stranger = await issue(await makeCompany(stack()));
    const invoice = await issue(company);
    const unknown = [{ number: 'INV-1' }, { invoiceId: stranger.id }, { invoiceId: uuidv7() }];
    expect(await errorsOf(company, { amount: 10, invoices: unknown })).to.deep.equal([
      '/invoices/0/number unknown_invoice',
      '/invoices/1/invoiceId unknown_invoice',
      '/invoices/2/invoiceId unknown_invoice',
    ]);
    const twice = [{ invoiceId: invoice.id }, { number: invoice.number }];
    expect(await errorsOf(company, { amount: 10, invoices: twice })).to.deep.equal([
      '/invoices/1 invalid_value',
    ]);
    const same = [{ invoiceId: invoice.id }, { invoiceId: invoice.id.toUpperCase() }];
    expect(await errorsOf(company, { amount: 10, invoices: same })).to.deep.equal([
      '/invoices/1 invalid_value',
    ]);
  });

  it('has invoices of one customer, whose name may be spelled in any case', async () => {
    const company = await makeCompany(stack());
    const mine = await issue(company, { customerName: 'Bright & Sons' });
    const same = await issue(company, { customerName: 'BRIGHT  & sons' });
    const other = await issue(company, { customerName: 'Other' });
    const ids = [mine, same, other].map(({ id }) => ({ invoiceId: id }));
    expect(await errorsOf(company, { amount: 10, invoices: ids })).to.deep.equal([
      '/invoices/2 mixed_customers',
    ]);
    const withUnknown = [{ number: 'INV-9' }, ...ids];
    expect(await errorsOf(company, { amount: 10, invoices: withUnknown })).to.deep.equal([
      '/invoices/0/number unknown_invoice',
      '/invoices/3 mixed_customers',
    ]);
    const named = { amount: 10, invoices: ids.slice(0, 2), customerName: 'Other' };
    expect(await errorsOf(company, named)).to.deep.equal(['/customerName mixed_customers']);
    const paid = await pay(company, 10, [mine, same], { customerName: 'bright & SONS' });
    expect([paid.amount, paid.customerName], 'as it was sent').to.deep.equal([10, 'bright & SONS']);
  });

  it('has amounts that together exceed the payment', async () => {
    const company = await makeCompany(stack());
    const [one, two] = [await issue(company), await issue(company)];
    const invoices = [
      { invoiceId: one.id, amount: 60 },
      { invoiceId: two.id, amount: 40.01 },
    ];
    expect(await errorsOf(company, { amount: 100, invoices })).to.deep.equal([
      '/invoices too_large',
    ]);
  });

  it('requests more than is due', async () => {
    const company = await makeCompany(stack());
    const [one, two] = [await issue(company), await issue(company)];
    await pay(company, 80, [one]);
    const invoices = [
      { invoiceId: two.id, amount: 100 },
      { invoiceId: one.id, amount: 20.01 },
    ];
    const { errors } = await refused(stack(), company, 409, 'amount_exceeds_due', () =>
      company.post('/payments', { amount: 200, date: '2026-11-24', invoices }),
    );
    expect(errors).to.have.length(1);
    expect(errors[0]).to.deep.include({
      pointer: '/invoices/1/amount',
      invoiceId: one.id,
      requested: 20.01,
      available: 20,
    });
  });

  it('has the external id of an earlier payment, for ever', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const first = await pay(company, 10, [invoice], { externalId: 'T-1' });
    await company.post(`/payments/${first.id}/reversal`, { date: '2026-11-25' });
    const again = await refused(stack(), company, 409, 'already_exists', () =>
      company.post('/payments', payment(10, [invoice], { externalId: 'T-1' })),
    );
    expect(again.existingId).to.equal(first.id);
    const other = await makeCompany(stack());
    expect((await pay(other, 10, [await issue(other)], { externalId: 'T-1' })).amount).to.equal(10);
  });
});

describeMode('postgres', 'a reversal', stack => {
  const reverse = (company: TestCompany, id: string, body: object = { date: '2026-11-26' }) =>
    company.post(`/payments/${id}/reversal`, body);

  it('ends all allocations, and the invoices are due again', async () => {
    const company = await makeCompany(stack());
    const [one, two] = [await issue(company), await issue(company)];
    const { id } = await pay(company, 170, [one, two]);
    const { status, body, headers } = await reverse(company, id, {
      date: '2026-11-26',
      reason: 'Bounced',
    });
    expect(status).to.equal(201);
    expect(headers.location).to.equal(`/api/external/payments/${id}`);
    expect(body).to.deep.include({
      id,
      status: 'reversed',
      amount: 170,
      allocations: [],
      refunded: 0,
      unallocated: 0,
    });
    expect(await read(company, `/payments/${id}`)).to.deep.equal(body);
    expect(await settlementOf(company, one)).to.deep.equal(open(100));
    expect(await settlementOf(company, two)).to.deep.equal(open(100));
    const entries = await read(company, `/invoices/${two.id}/entries`);
    expect(
      entries.map(({ sequence, type, amount, date, number }: Json) => [
        ...[sequence, type, amount, date, number],
      ]),
    ).to.deep.equal([
      [1, 'payment', -70, '2026-11-24', null],
      [2, 'reversal', 70, '2026-11-26', null],
    ]);
  });

  it('is refused for a payment that is reversed or refunded in part', async () => {
    const company = await makeCompany(stack());
    const { id } = await pay(company, 120, [await issue(company)]);
    await company.post('/refunds', { paymentId: id, amount: 1, date: '2026-11-25' });
    await refused(stack(), company, 409, 'invalid_state', () => reverse(company, id));
    const { id: other } = await pay(company, 10, [await issue(company)]);
    await reverse(company, other);
    await refused(stack(), company, 409, 'invalid_state', () => reverse(company, other));
  });

  it('is refused for a payment that the company does not have', async () => {
    const company = await makeCompany(stack());
    const foreign = await makeCompany(stack());
    const stranger = await pay(foreign, 10, [await issue(foreign)]);
    for (const id of [stranger.id, uuidv7(), 'x'])
      await refused(stack(), company, 404, 'not_found', () => reverse(company, id));
    const { id } = await pay(company, 10, [await issue(company)]);
    await refused(stack(), company, 422, 'validation_failed', () => reverse(company, id, {}));
  });
});
