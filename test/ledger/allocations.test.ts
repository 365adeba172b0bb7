// Allocations and refunds of what a payment or credit note has left.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Json } from '../support/client.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import {
  created,
  credit,
  expectSoundBooks,
  issue,
  pay,
  read,
  refused,
  settlementOf,
} from '../support/ledger.js';
import { describeMode } from '../support/suite.js';

const errorsOf = ({ errors }: Json) =>
  errors.map(({ pointer, code }: Json) => `${pointer} ${code}`);

describeMode('postgres', 'an allocation', stack => {
  const allocate = (company: TestCompany, body: object) => company.post('/allocations', body);

  it('gives the rest of a payment to other invoices, in the order given', async () => {
    const company = await makeCompany(stack());
    const [one, two] = [await issue(company), await issue(company)];
    const { id } = await pay(company, 130, [], { customerName: 'bright & sons' });
    const response = await allocate(company, {
      paymentId: id,
      date: '2026-11-27',
      invoices: [{ number: two.number }, { invoiceId: one.id }],
    });
    const body = created(response);
    expect(body).to.deep.include({ id, unallocated: 0 });
    expect(body.allocations.map(({ amount }: Json) => amount)).to.deep.equal([100, 30]);
    expect(response.headers.location).to.equal(`/api/external/payments/${id}`);
    expect(await read(company, `/payments/${id}`)).to.deep.equal(body);
    expect(await settlementOf(company, two)).to.deep.include({ settledOn: '2026-11-27' });
    await expectSoundBooks(stack(), company.companyId);
  });

  it('takes back what was given, and gives it to another invoice at once', async () => {
    const company = await makeCompany(stack());
    const [one, two] = [await issue(company), await issue(company)];
    const { id } = await pay(company, 100, [one]);
    const body = created(
      await allocate(company, {
        paymentId: id,
        invoices: [
          { invoiceId: one.id, amount: -100 },
          { invoiceId: two.id, amount: 60 },
        ],
      }),
    );
    expect(body.allocations).to.deep.equal([
      { invoiceId: two.id, invoiceNumber: two.number, amount: 60 },
    ]);
    expect(body.unallocated).to.equal(40);
    expect(await settlementOf(company, one)).to.deep.equal({
      status: 'open',
      amountPaid: 0,
      amountCredited: 0,
      amountDue: 100,
      settledOn: null,
    });
    const entries = await read(company, `/invoices/${one.id}/entries`);
    expect(entries.map(({ type, amount }: Json) => [type, amount])).to.deep.equal([
      ['payment', -100],
      ['allocation', 100],
    ]);
    await expectSoundBooks(stack(), company.companyId);
  });

  it('gives the rest of a credit note to another invoice of the customer', async () => {
    const company = await makeCompany(stack());
    const [one, two] = [await issue(company), await issue(company)];
    await pay(company, 100, [one]);
    const note = await credit(company, one, { items: [{ line: 1, amount: 25 }] });
    expect(note).to.deep.include({ allocations: [], unallocated: 25 });
    const body = created(
      await allocate(company, { creditNoteId: note.id, invoices: [{ invoiceId: two.id }] }),
    );
    expect(body).to.deep.equal({
      ...note,
      allocations: [{ invoiceId: two.id, invoiceNumber: two.number, amount: 25 }],
      unallocated: 0,
    });
    expect(await settlementOf(company, two)).to.deep.include({
      amountCredited: 25,
      amountDue: 75,
    });
  });

  it('is dated today in the time zone of the company', async () => {
    const company = await makeCompany(stack(), { timeZone: 'Pacific/Kiritimati' });
    const invoice = await issue(company);
    const { id } = await pay(company, 100, [], { customerName: invoice.customerName });
    created(await allocate(company, { paymentId: id, invoices: [{ invoiceId: invoice.id }] }));
    const today = new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Kiritimati' });
    expect(await settlementOf(company, invoice)).to.deep.include({
      settledOn: today.format(new Date()),
    });
  });

  it('is refused with invalid fields', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const other = await issue(company, { customerName: 'Other' });
    const { id } = await pay(company, 10, [], { customerName: invoice.customerName });
    const refuse = async (body: object) =>
      errorsOf(
        await refused(stack(), company, 422, 'validation_failed', () => allocate(company, body)),
      );
    const invoices = [{ invoiceId: invoice.id }];
    expect(await refuse({ invoices })).to.deep.equal([' required']);
    expect(await refuse({ paymentId: id, creditNoteId: id, invoices })).to.deep.equal([
      ' invalid_value',
    ]);
    expect(await refuse({ paymentId: uuidv7(), invoices })).to.deep.equal([
      '/paymentId invalid_value',
    ]);
    expect(await refuse({ creditNoteId: id, invoices })).to.deep.equal([
      '/creditNoteId invalid_value',
    ]);
    expect(await refuse({ paymentId: id, invoices: [] })).to.deep.equal(['/invoices empty']);
    expect(
      await refuse({ paymentId: id, invoices: [{ invoiceId: invoice.id, amount: 0 }] }),
    ).to.deep.equal(['/invoices/0/amount invalid_value']);
    expect(await refuse({ paymentId: id, invoices: [{ number: 'INV-9' }] })).to.deep.equal([
      '/invoices/0/number unknown_invoice',
    ]);
    expect(await refuse({ paymentId: id, invoices: [{ invoiceId: other.id }] })).to.deep.equal([
      '/invoices/0 mixed_customers',
    ]);
    const both = [{ number: 'INV-9' }, { invoiceId: other.id }];
    expect(await refuse({ paymentId: id, invoices: both })).to.deep.equal([
      '/invoices/0/number unknown_invoice',
      '/invoices/1 mixed_customers',
    ]);
    expect(await refuse({ paymentId: uuidv7(), invoices: both })).to.deep.equal([
      '/paymentId invalid_value',
      '/invoices/0/number unknown_invoice',
    ]);
  });

  it('is refused beyond the rest, beyond what is due and beyond what was given', async () => {
    const company = await makeCompany(stack());
    const [one, two] = [await issue(company), await issue(company)];
    const { id } = await pay(company, 150, [one]);
    const named = (amount?: number) => [{ invoiceId: two.id, ...(amount ? { amount } : {}) }];
    const refuse = (code: string, invoices: object[], paymentId = id) =>
      refused(stack(), company, 409, code, () => allocate(company, { paymentId, invoices }));
    expect(await refuse('amount_exceeds_unallocated', named(50.01))).to.deep.include({
      requested: 50.01,
      available: 50,
    });
    const [due] = (await refuse('amount_exceeds_due', named(100.01))).errors;
    expect(due).to.deep.include({ invoiceId: two.id, requested: 100.01, available: 100 });
    const [taken] = (await refuse('amount_exceeds_due', named(-0.01))).errors;
    expect(taken).to.deep.include({ requested: -0.01, available: 0 });
    // Without amounts, there must be something to give and something due.
    await refuse('amount_exceeds_due', [{ invoiceId: one.id }]);
    created(await allocate(company, { paymentId: id, invoices: named(50) }));
    expect(await refuse('amount_exceeds_unallocated', named())).to.deep.include({ available: 0 });
  });

  it('cannot take the credit note of a void invoice from it', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const note = created(await company.post(`/invoices/${invoice.id}/void`, {}));
    await refused(stack(), company, 409, 'invalid_state', () =>
      allocate(company, {
        creditNoteId: note.id,
        invoices: [{ invoiceId: invoice.id, amount: -1 }],
      }),
    );
  });
});

describeMode('postgres', 'a refund', stack => {
  const refund = (company: TestCompany, body: object) =>
    company.post('/refunds', { date: '2026-11-28', ...body });

  it('pays back what is unallocated, of a payment or a credit note', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const { id } = await pay(company, 130, [invoice]);
    const body = created(
      await refund(company, { paymentId: id, amount: 20.5, method: 'cash', externalId: 'R-1' }),
    );
    expect(body).to.deep.include({
      paymentId: id,
      creditNoteId: null,
      amount: 20.5,
      date: '2026-11-28',
      currency: 'USD',
      customerName: 'Bright & Sons',
      method: 'cash',
      externalId: 'R-1',
      note: null,
    });
    expect(await read(company, `/refunds/${body.id}`)).to.deep.equal(body);
    expect(await read(company, `/payments/${id}`)).to.deep.include({
      refunded: 20.5,
      unallocated: 9.5,
    });
    const note = await credit(company, invoice, { items: [{ line: 1, qty: 1 }] });
    created(await refund(company, { creditNoteId: note.id, amount: 10 }));
    expect(await read(company, `/credit-notes/${note.id}`)).to.deep.include({
      refunded: 10,
      unallocated: 0,
    });
    await expectSoundBooks(stack(), company.companyId);
  });

  it('is refused beyond what is unallocated, and twice with one external id', async () => {
    const company = await makeCompany(stack());
    const { id } = await pay(company, 130, [await issue(company)]);
    const beyond = await refused(stack(), company, 409, 'amount_exceeds_unallocated', () =>
      refund(company, { paymentId: id, amount: 30.01 }),
    );
    expect(beyond).to.deep.include({ requested: 30.01, available: 30 });
    const first = created(await refund(company, { paymentId: id, amount: 1, externalId: 'R' }));
    const again = await refused(stack(), company, 409, 'already_exists', () =>
      refund(company, { paymentId: id, amount: 1, externalId: 'R' }),
    );
    expect(again.existingId).to.equal(first.id);
    await company.post(`/payments/${id}/reversal`, { date: '2026-11-25' });
  });

  it('is refused with invalid fields', async () => {
    const company = await makeCompany(stack());
    const refuse = async (body: object) =>
      errorsOf(
        await refused(stack(), company, 422, 'validation_failed', () => refund(company, body)),
      );
    expect(await refuse({ amount: 1 })).to.deep.equal([' required']);
    expect(await refuse({ paymentId: uuidv7(), amount: 0.001 })).to.deep.equal([
      ...['/amount too_many_decimals', '/paymentId invalid_value'],
    ]);
    expect(await refuse({ paymentId: uuidv7(), amount: 1 })).to.deep.equal([
      '/paymentId invalid_value',
    ]);
    expect(await refuse({ creditNoteId: uuidv7(), amount: 0 })).to.deep.equal([
      ...['/amount too_small', '/creditNoteId invalid_value'],
    ]);
  });
});
