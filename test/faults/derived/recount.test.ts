// The fault harness's recount of derived figures and stock, on documents made by hand.
import { expect } from 'chai';
import type { CorrectionRecord } from '../dashboard/records.js';
import { compareFigures, recountFigures } from './recount.js';
import { compareStock } from './stock.js';

const tax = (rate: number, base: number, amount: number) => ({
  ...{ category: 'S', rate, base, amount },
});
const invoice = {
  ...{ id: 'I', customerName: ' Ann  LEE ', date: '2026-11-20', subtotal: 100, total: 119 },
  ...{ dueDate: null, amountDue: 0 },
  taxes: [tax(19, 100, 19)],
  items: [
    { itemId: 'pump', name: 'Pump', qty: 4, amount: 80.5 },
    { itemId: null, name: 'Delivery', qty: 1, amount: 19.5 },
  ],
};
const untaxed = { ...invoice, id: 'J', customerName: 'Bob', subtotal: 50, total: 50, taxes: [] };
const note = {
  ...{ ...invoice, id: 'N', invoiceId: 'I', date: '2026-12-01', subtotal: 40, total: 47.6 },
  unallocated: 0,
  taxes: [tax(19, 40, 7.6)],
  items: [
    { line: 1, itemId: 'pump', qty: 2, amount: 39, restocked: true },
    { line: 2, itemId: null, qty: null, amount: 1, restocked: false },
  ],
};
const documents = {
  invoices: [invoice, untaxed],
  creditNotes: [note],
  payments: [{ customerName: 'Bob', date: '2026-11-21', amount: 10, unallocated: 10 }],
  items: [{ id: 'pump', name: 'Pump', onHand: 4 }],
};

describe("the fault harness's recount", () => {
  it('subtracts credit notes in the month of their own date', () => {
    expect(Object.fromEntries(recountFigures(documents))).to.deep.equal({
      'customers 2026-11-01 ann lee': '1 and 119',
      'customers 2026-11-01 bob': '1 and 50',
      'customers 2026-12-01 ann lee': '0 and -47.6',
      'items 2026-11-01 pump': '8 and 161',
      'items 2026-11-01 name:delivery': '2 and 39',
      'items 2026-12-01 pump': '-2 and -39',
      'items 2026-12-01 name:delivery': '0 and -1',
      'top customers 2026-11-01': 'ann lee, bob',
      'top customers 2026-12-01': '',
      'top items 2026-11-01': 'pump, name:delivery',
      'top items 2026-12-01': '',
      'taxes of invoice 2026-11-01 S 19': '100 and 19',
      'taxes of invoice 2026-11-01 none 0': '50 and 0',
      'taxes of creditNote 2026-12-01 S 19': '40 and 7.6',
      'search texts of invoices 2026-11-20 119': '1',
      'search texts of invoices 2026-11-20 50': '1',
      'search texts of creditNotes 2026-12-01 47.6': '1',
      'search texts of payments 2026-11-21 10': '1',
    });
  });

  it('reports each figure that is missing, different or too many', () => {
    const figures = new Map([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(compareFigures(figures, figures)).to.deep.equal([]);
    const stored = new Map([
      ['b', '3'],
      ['c', '4'],
    ]);
    expect(compareFigures(figures, stored)).to.deep.equal([
      'a: nothing, recounted 1',
      'b: 3, recounted 2',
      'c: 4, recounted nothing',
    ]);
  });

  it('adds all that moved stock', () => {
    const correction: Omit<CorrectionRecord, 'outcomes'> = {
      ...{ companyId: 'C', type: 'correct', path: '', fields: {}, deliveryId: 'D', mark: 'm' },
      ...{ after: 0, shown: new Map([['pump', 3]]), wanted: new Map([['pump', 1.5]]) },
    };
    const imported = { name: 'Pump', delta: 7, unitCost: 1, isNew: false };
    const sent = { companyId: 'C', rows: [imported], isStarted: true, isUndoRequested: false };
    const stock = (onHand: number, movements: { itemId: string; delta: number }[] = []) =>
      compareStock({
        start: new Map([['pump', 10]]),
        documents: { ...documents, items: [{ id: 'pump', name: 'Pump', onHand }] },
        movements,
        corrections: [
          { ...correction, outcomes: ['done'] },
          { ...correction, outcomes: ['refused'] },
        ],
        imports: ['I', 'U'].map(id => ({ ...sent, id })),
        importRows: new Map([
          ['I', { status: 'done', undo: 'refused' }],
          ['U', { status: 'done', undo: 'done' }],
        ]),
      });
    // 10 at the start, 8 sold, 2 returned, 1.5 fewer delivered, 7 imported.
    expect(stock(9.5)).to.deep.equal([]);
    expect(stock(10.5, [{ itemId: 'pump', delta: 1 }])).to.deep.equal([]);
    expect(stock(8)).to.deep.equal(['item pump: 8 on hand, recounted 9.5']);
    expect(stock(9.5, [{ itemId: 'hose', delta: 1 }])).to.have.length(1);
  });
});
