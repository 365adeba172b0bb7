// The fault harness's recount of balances, and its comparison with statements, on documents made by
// hand. Amounts of the recount are in ten-thousandths.
import { expect } from 'chai';
import { Balances, type MoneyEntry } from './balances.js';
import {
  compareActivity,
  compareExposures,
  compareOpenItems,
  comparePresent,
  compareReceivables,
} from './compare-balances.js';

const keys = new Set(['ann', 'annie']);
const ann = { id: 'A', name: 'Ann', keys };

const entry = (
  sequence: number,
  type: MoneyEntry['type'],
  date: string,
  amount: number,
  sourceId: string | null = null,
): MoneyEntry => ({
  ...{ id: `E${sequence}`, sequence, key: 'annie', type, date },
  ...{ amount: amount * 10_000, sourceId, invoiceId: null },
});

/**
 * 100 of November 10, 30 paid on the 12th by a payment of 50 of the 5th, of which 10 are refunded
 * with the date of the 6th, after the allocation. Another payment of the 20th is reversed.
 */
const balances = new Balances({
  invoices: [
    { id: 'I', key: 'ann', date: '2026-11-10', dueDate: '2026-11-15', total: 1_000_000 },
    { id: 'J', key: 'bob', date: '2026-11-10', dueDate: null, total: 70_000 },
  ],
  entries: [
    entry(1, 'payment', '2026-11-05', 50),
    entry(2, 'allocation', '2026-11-12', 30, 'E1'),
    entry(3, 'refund', '2026-11-06', 10, 'E1'),
    entry(4, 'payment', '2026-11-20', 5),
    entry(5, 'reversal', '2026-11-21', 5, 'E4'),
  ],
  allocations: [
    { invoiceId: 'I', sourceId: 'E1', sequence: 2, amount: 300_000 },
    { invoiceId: 'I', sourceId: 'E4', sequence: 4, amount: 50_000 },
    { invoiceId: 'I', sourceId: 'E4', sequence: 5, amount: -50_000 },
  ],
});

const ageing = (outstanding: number, unallocated: number, ages: object) => ({
  ...{ outstanding, current: 0, days1To30: 0, days31To60: 0, days61To90: 0, over90: 0 },
  ...{ unallocated, balance: outstanding - unallocated, ...ages },
});
const owed = (day: string | null) => balances.of(keys, day).ageing.balance / 10_000;

describe("the fault harness's recount of balances", () => {
  it('counts an entry from the latest of its day and those before it', () => {
    const days = ['04', '05', '11', '12', '19', '20', '21'].map(day => owed(`2026-11-${day}`));
    expect(days).to.deep.equal([0, -50, 50, 60, 60, 55, 60]);
    expect(owed(null)).to.equal(60);
    const { due, rest, debits, credits } = balances.of(keys, '2026-11-12');
    expect([...due, ...rest]).to.deep.equal([
      ['I', 700_000],
      ['E1', 100_000],
    ]);
    expect([debits, credits]).to.deep.equal([1_100_000, 500_000]);
  });

  it('ages what is due by days since the due date', () => {
    const ageOn = (day: string) =>
      Object.entries(balances.of(keys, day).ageing)
        .filter(([, amount]) => amount === 700_000)
        .map(([age]) => age);
    expect(ageOn('2026-11-15')).to.deep.equal(['outstanding', 'current']);
    expect(ageOn('2026-11-16')).to.deep.equal(['outstanding', 'days1To30']);
    expect(ageOn('2026-12-15')).to.deep.equal(['outstanding', 'days1To30']);
    expect(ageOn('2026-12-16')).to.deep.equal(['outstanding', 'days31To60']);
    expect(ageOn('2027-01-15')).to.deep.equal(['outstanding', 'days61To90']);
    expect(ageOn('2027-02-14')).to.deep.equal(['outstanding', 'over90']);
  });

  it('compares a statement', () => {
    const period = { from: '2026-11-06', to: '2026-11-16' };
    const sound = {
      ...{ opening: -50, closing: 60, ageing: ageing(70, 10, { days1To30: 70 }) },
      entries: [
        { debit: 100, credit: null },
        { debit: 10, credit: null },
      ],
    };
    const compare = (part: object) => compareActivity({ ...sound, ...part }, ann, balances, period);
    expect(compare({})).to.be.empty;
    for (const part of [{ opening: 0 }, { closing: 50 }, { entries: sound.entries.slice(1) }])
      expect(compare(part)).to.have.length(1);
    expect(compare({ ageing: ageing(70, 10, { current: 70 }) })).to.have.length(2);
  });

  it('compares open items', () => {
    const invoices = [{ id: 'I', due: 70 }];
    const credits = [{ id: 'E1', unallocated: 10 }];
    const sound = { invoices, credits, ageing: ageing(70, 10, { days1To30: 70 }) };
    const compare = (part: object) =>
      compareOpenItems({ ...sound, ...part }, ann, balances, '2026-11-16');
    expect(compare({})).to.be.empty;
    for (const part of [
      ...[{ invoices: [] }, { credits: [] }, { invoices: [{ id: 'I', due: 100 }] }],
      ...[{ invoices: [...invoices, ...invoices] }, { credits: [{ id: 'E4', unallocated: 10 }] }],
    ])
      expect(compare(part)).not.to.be.empty;
  });

  it('compares receivables with one row per customer', () => {
    const bob = { id: null, name: 'bob', keys: new Set(['bob']) };
    const rows = [
      { customerId: 'A', name: 'Ann', ...ageing(70, 10, { days1To30: 70 }) },
      { customerId: null, name: 'BOB', ...ageing(7, 0, { current: 7 }) },
    ];
    const totals = ageing(77, 10, { current: 7, days1To30: 70 });
    const shown = { asOf: '2026-11-26', totals, customers: rows };
    const compare = (part: object) =>
      compareReceivables({ ...shown, ...part }, [ann, bob], balances, null);
    expect(compare({})).to.be.empty;
    expect(compare({ customers: rows.slice(1) })).to.have.length(1);
    expect(compare({ customers: [...rows, { ...rows[0], customerId: 'X' }] })).to.have.length(1);
    expect(compare({ totals: ageing(70, 10, { days1To30: 70 }) })).not.to.be.empty;
  });

  it('compares exposures with limits in force, and documents with entries', () => {
    const body = { id: 'A', creditLimit: 5, archived: false };
    const row = { companyId: 'C', customerId: 'A' };
    const version = (part: object) => [{ ...row, version: 1, at: 0, body: { ...body, ...part } }];
    const compare = (part: object, exposures: readonly number[]) =>
      compareExposures(
        ...([[ann], version(part) as never] as const),
        exposures.map(exposure => ({ ...row, exposure })),
        balances,
      );
    expect(compare({}, [60])).to.be.empty;
    expect(compare({ creditLimit: null }, [])).to.be.empty;
    for (const found of [compare({}, []), compare({}, [55]), compare({ archived: true }, [60])])
      expect(found).to.have.length(1);
    const documents = (amountDue: number, unallocated: number) =>
      ({
        invoices: [{ customerName: 'ANN', amountDue }],
        payments: [{ customerName: 'Annie', unallocated }],
        ...{ creditNotes: [], items: [] },
      }) as never;
    expect(comparePresent([ann], documents(70, 10), balances)).to.be.empty;
    expect(comparePresent([ann], documents(70, 0), balances)).to.have.length(1);
    expect(comparePresent([ann], documents(100, 10), balances)).to.have.length(1);
  });
});
