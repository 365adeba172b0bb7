// Writes that race for the same invoices, payments and items: never more is paid, credited or
// returned than there is, and both series stay without gaps.
import { expect } from 'chai';
import type { Json, Response } from '../support/client.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import {
  created,
  creditNote,
  expectSoundBooks,
  issue,
  pay,
  payment,
  read,
  settlementOf,
} from '../support/ledger.js';
import { inBothModes, startForTests } from '../support/suite.js';
import { secondWeb } from '../support/web.js';

const succeeded = (responses: readonly Response[]) =>
  responses.filter(({ status }) => status === 201).map(({ body }) => body as Json);
const refusals = (responses: readonly Response[]) => [
  ...new Set(responses.filter(({ status }) => status !== 201).map(({ body }) => body.code)),
];
const times = <Made>(count: number, make: (index: number) => Made) =>
  Array.from({ length: count }, (_, index) => make(index));

inBothModes('writes that race', stack => {
  before(async () => {
    // Two workers settle batches at the same time.
    await startForTests('worker', stack().env);
    await secondWeb(stack());
  });

  const sound = async (company: TestCompany) => expectSoundBooks(stack(), company.companyId);

  it('never overpay an invoice: 40 payments of a tenth', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const invoices = [{ invoiceId: invoice.id, amount: 10 }];
    const responses = await Promise.all(
      times(40, () => company.post('/payments', { amount: 10, date: '2026-11-24', invoices })),
    );
    expect(succeeded(responses)).to.have.length(10);
    expect(refusals(responses)).to.deep.equal(['amount_exceeds_due']);
    expect(await settlementOf(company, invoice)).to.deep.include({ status: 'paid', amountDue: 0 });
    await sound(company);
  });

  it('keep what is too much until nothing is due: 40 payments without amounts', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const responses = await Promise.all(
      times(40, () => company.post('/payments', payment(30, [invoice]))),
    );
    const rests = succeeded(responses).map(({ unallocated }) => unallocated);
    expect(rests.sort()).to.deep.equal([0, 0, 0, 20]);
    expect(refusals(responses)).to.deep.equal(['amount_exceeds_due']);
    await sound(company);
  });

  it('pay an invoice once: the second payment is refused', async () => {
    const company = await makeCompany(stack());
    const invoices = await Promise.all(times(8, () => issue(company)));
    const payTwice = (invoiceId: string, amount: object) =>
      Promise.all(
        times(2, () =>
          company.post('/payments', {
            amount: 100,
            date: '2026-11-24',
            invoices: [{ invoiceId, ...amount }],
          }),
        ),
      );
    const outcomes = await Promise.all(
      invoices.map(({ id }, index) => payTwice(id, index % 2 === 0 ? {} : { amount: 100 })),
    );
    for (const responses of outcomes) {
      expect(succeeded(responses).map(({ unallocated }) => unallocated)).to.deep.equal([0]);
      expect(refusals(responses)).to.deep.equal(['amount_exceeds_due']);
    }
    await sound(company);
  });

  it('record a transfer once', async () => {
    const company = await makeCompany(stack());
    const invoice = await issue(company);
    const responses = await Promise.all(
      times(20, () => company.post('/payments', payment(1, [invoice], { externalId: 'T' }))),
    );
    expect(succeeded(responses)).to.have.length(1);
    expect(refusals(responses)).to.deep.equal(['already_exists']);
    await sound(company);
  });

  it('never credit or return more than was sold, beside payments and sales', async () => {
    const company = await makeCompany(stack());
    const [pump = ''] = await receive(company, { name: 'Pump', delta: 1_000 });
    const items = [{ name: 'Pump', qty: 10, price: 10 }];
    const invoice = await issue(company, { items });
    const note = creditNote(invoice, { items: [{ line: 1, qty: 1, restock: true }] });
    const responses = await Promise.all(
      times(60, index => {
        if (index % 3 === 0) return company.post('/payments', payment(7, [invoice]));
        if (index % 3 === 1) return company.post('/credit-notes', note);
        return index % 2 === 0
          ? company.post('/invoices', {
              customerName: 'Racer',
              date: '2026-11-20',
              items: [{ ...items[0], qty: 1 }],
            })
          : company.post('/inventory/adjustments', {
              reason: 'count',
              items: [{ itemId: pump, count: 990 }],
            });
      }),
    );
    expect(refusals(responses)).to.have.members([
      ...['credit_exceeds_invoice', 'amount_exceeds_due'],
    ]);
    const notes = succeeded(responses).filter(({ number }) => number?.startsWith('CN-'));
    expect(notes).to.have.length(10);
    expect(await settlementOf(company, invoice)).to.deep.include({ status: 'paid', amountDue: 0 });
    const [last] = await read(company, `/inventory/${pump}/movements?limit=1`);
    expect((await read(company, `/inventory/${pump}`)).onHand).to.equal(last.onHandAfter);
    await sound(company);
  });

  it('void an invoice once, or pay it', async () => {
    const company = await makeCompany(stack());
    const invoices = await Promise.all(times(6, () => issue(company)));
    const outcomes = await Promise.all(
      invoices.map(invoice =>
        Promise.all([
          company.post(`/invoices/${invoice.id}/void`, {}),
          company.post('/payments', {
            amount: 1,
            date: '2026-11-24',
            invoices: [{ invoiceId: invoice.id, amount: 1 }],
          }),
          company.post(`/invoices/${invoice.id}/void`, {}),
        ]),
      ),
    );
    for (const responses of outcomes) {
      expect(succeeded(responses)).to.have.length(1);
      for (const code of refusals(responses))
        expect(code).to.be.oneOf(['invalid_state', 'amount_exceeds_due']);
    }
    await sound(company);
  });

  it('reverse, allocate and refund one payment', async () => {
    const company = await makeCompany(stack());
    const invoices = await Promise.all(times(4, () => issue(company)));
    for (let turn = 0; turn < 3; turn += 1) {
      const { id } = await pay(company, 30, invoices.slice(0, 1));
      await created(
        await company.post('/allocations', {
          paymentId: id,
          invoices: [{ invoiceId: invoices[0].id, amount: -20 }],
        }),
      );
      await Promise.all([
        ...times(8, index =>
          company.post('/allocations', {
            paymentId: id,
            invoices: [{ invoiceId: invoices[index % 4].id, amount: 5 }],
          }),
        ),
        ...times(3, () =>
          company.post('/refunds', { paymentId: id, amount: 5, date: '2026-11-26' }),
        ),
        company.post(`/payments/${id}/reversal`, { date: '2026-11-27' }),
      ]);
      const { status, amount, allocations, refunded, unallocated } = await read(
        company,
        `/payments/${id}`,
      );
      const given = allocations.reduce((sum: number, each: Json) => sum + each.amount, 0);
      expect(given + refunded + unallocated).to.equal(status === 'reversed' ? 0 : amount);
    }
    await sound(company);
  });
});
