// The sequential model of the ledger, on histories made by hand: dues, unallocated money and lines.
import { expect } from 'chai';
import { companyId, HandMade } from './hand-made.js';
import type { ModelError } from './model/stock-plans.js';
import type { ModelWrite } from './model/write.js';

describe("the fault harness's sequential model of the ledger", () => {
  let history: HandMade;
  const refuse = (
    second: number,
    path: string,
    body: ModelWrite['body'],
    code: string,
    ...errors: readonly ModelError[]
  ) =>
    history.write(`refused at ${second}`, path, body, { code, errors }, [
      ...([second, second + 0.3, second + 0.6] as const),
    ]);
  const pay = (second: number, amount: number) =>
    history
      .entry(second, '/payments', { amount, invoices: [{ invoiceId: 'I', amount }] }, { amount })
      .give('I', amount, `entry at ${second}`);
  const overDue = (requested: number, available: number) =>
    refuse(
      ...([history.writes.length + 1, '/payments'] as const),
      { amount: requested, invoices: [{ invoiceId: 'I', amount: requested }] },
      'amount_exceeds_due',
      {
        ...{ pointer: '/invoices/0/amount', code: 'amount_exceeds_due', requested, available },
      },
    );
  beforeEach(() => {
    history = new HandMade();
    const lines = [{ qty: 4, amount: 100 }];
    history.rows.invoices.push({ companyId, id: 'I', number: 1, total: 100, lines });
  });

  it('explains a refusal by what was due then, and reports any other one', () => {
    pay(1, 60);
    overDue(50, 40);
    expect(history.violations).to.be.empty;
    overDue(50, 100);
    overDue(30, 40);
    expect(history.violations).to.have.length(2);
  });

  it('explains a payment that is refused because nothing is due, and reports another one', () => {
    const ask = (second: number) =>
      refuse(
        second,
        '/payments',
        { amount: 20, invoices: [{ invoiceId: 'I' }] },
        'amount_exceeds_due',
        { pointer: '/invoices/0', code: 'amount_exceeds_due', requested: 20, available: 0 },
      );
    pay(1, 60);
    ask(2);
    expect(history.violations).to.have.length(1);
    pay(3, 40);
    ask(4);
    expect(history.violations).to.have.length(1);
  });

  it('reports a payment of more than is due', () => {
    pay(1, 60);
    pay(2, 60);
    // The payment itself, and what is due after it.
    expect(history.violations).to.have.length(2);
  });

  it('knows what a payment has left', () => {
    const source = { paymentId: 'entry at 1' };
    const code = 'amount_exceeds_unallocated';
    const refund = (second: number, amount: number, available: number) =>
      refuse(second, '/refunds', { ...source, amount }, code, {
        ...{ pointer: '/amount', code, requested: amount, available },
      });
    history.entry(1, '/payments', { amount: 50 }, { amount: 50 });
    const refunded = { type: 'refund', sourceId: 'entry at 1', amount: 20 } as const;
    history.entry(2, '/refunds', { ...source, amount: 20 }, refunded);
    refund(3, 31, 30);
    refuse(4, '/payments/entry at 1/reversal', {}, 'invalid_state');
    expect(history.violations).to.be.empty;
    refund(5, 30, 30);
    expect(history.violations).to.have.length(1);
  });

  it('knows what is left of a line, and which goods went back', () => {
    const code = 'credit_exceeds_invoice';
    const credit = (second: number, qty: number, available: number) =>
      refuse(second, '/credit-notes', { invoiceId: 'I', items: [{ line: 1, qty }] }, code, {
        ...{ pointer: '/items/0/qty', code, requested: qty, available },
      });
    const items = [{ line: 1, qty: 3, amount: 75 }];
    const body = { invoiceId: 'I', items: [{ line: 1, qty: 3 }] };
    const row = { type: 'creditNote', invoiceId: 'I', amount: 75, items } as const;
    history.entry(1, '/credit-notes', body, row).give('I', 75, 'entry at 1');
    credit(2, 2, 1);
    refuse(3, '/invoices/I/void', {}, 'invalid_state');
    expect(history.violations).to.be.empty;
    credit(4, 1, 1);
    expect(history.violations).to.have.length(1);
    const note = history.writes[0] as ModelWrite;
    const back = [{ itemId: 'pump', qty: 3, restocked: true }];
    history.writes[0] = { ...note, result: { ...note.result, items: back } };
    expect(history.violations).to.have.length(2);
    history.move('entry at 1', 'pump', 3);
    expect(history.violations).to.have.length(1);
  });
});
