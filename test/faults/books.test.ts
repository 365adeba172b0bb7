// The fault harness's judge of the ledger, on books made by hand: it sees what was lost, written
// twice, overpaid and returned too often.
import { expect } from 'chai';
import { type BookRows, compareBooks, type Success } from './books.js';
import type { Answer, Entry } from './journal.js';
import { compareOutcomes } from './outcomes.js';

const API = '/api/external';
const none = { losses: [], duplicates: [], overpaid: [], overReturned: [] };

/** A write of the ledger that was answered with 201. */
function success(path: string, body: Success['entry']['body'], result: Success['result']): Success {
  return { entry: { key: 'c1-1', path: `${API}${path}`, body }, result };
}

const given = (invoiceId: string, amount: number) => ({ invoiceId, amount });
const payment = (id: string, amount: number, ...allocations: ReturnType<typeof given>[]) =>
  success('/payments', { amount }, { id, allocations });
const allocation = (paymentId: string, ...invoices: ReturnType<typeof given>[]) =>
  success('/allocations', { paymentId, invoices }, { id: paymentId });
const note = (id: string, qty: number, restocked = true) =>
  success(
    '/credit-notes',
    { invoiceId: 'I' },
    {
      id,
      invoiceId: 'I',
      allocations: [given('I', qty * 10)],
      items: [{ line: 1, qty, itemId: 'pump', restocked }],
    },
  );

/** One invoice of 100 for 10 units of Pump, and its rows. */
function rows(
  settled: Partial<BookRows['invoices'][number]>,
  sources: Partial<BookRows['sources'][number]>[] = [],
  returned = 0,
): BookRows {
  const source = { amount: 100, refunded: 0, unallocated: 0, reversed: false };
  return {
    invoices: [{ id: 'I', total: 100, paid: 0, credited: 0, sold: [10], ...settled }],
    sources: sources.map((each, index) => ({ id: `P${index + 1}`, ...source, ...each })),
    returns: returned === 0 ? [] : [{ itemId: 'pump', qty: returned }],
  };
}

describe("the fault harness's judge of the ledger", () => {
  it('accepts books that are the sum of their answers', () => {
    const successes = [
      payment('P1', 100, given('I', 30.1)),
      allocation('P1', given('I', 20.2)),
      allocation('P1', given('I', -0.3)),
      success('/refunds', { paymentId: 'P1', amount: 25 }, { id: 'R' }),
      note('P2', 2),
      payment('P3', 100, given('I', 30)),
      success('/payments/P3/reversal', {}, { id: 'P3' }),
    ];
    const sources = [{ refunded: 25, unallocated: 25 }, { amount: 20 }, { reversed: true }];
    const sound = rows({ paid: 50, credited: 20 }, sources, 2);
    expect(compareBooks(successes, sound)).to.deep.equal(none);
    expect(compareBooks(successes.toReversed(), sound), 'in any order').to.deep.equal(none);
  });

  it('reports an allocation that is lost or written twice', () => {
    const successes = [payment('P1', 100), allocation('P1', given('I', 20))];
    const lost = compareBooks(successes, rows({ paid: 0 }, [{ unallocated: 100 }]));
    expect(lost.losses).to.have.length(2);
    expect(lost).to.deep.include({ duplicates: [], overpaid: [] });
    const twice = compareBooks(successes, rows({ paid: 40 }, [{ unallocated: 60 }]));
    expect(twice.duplicates).to.have.length(2);
    expect(twice).to.deep.include({ losses: [], overpaid: [] });
  });

  it('reports refunds, reversals and payments that differ from their answers', () => {
    const paid = [payment('P1', 100)];
    const errorsOf = (source: object) => compareBooks(paid, rows({}, [source]));
    expect(errorsOf({ refunded: 10, unallocated: 90 }).duplicates).to.have.length(1);
    expect(errorsOf({ reversed: true }).duplicates).to.have.length(1);
    expect(compareBooks([], rows({}, [{ unallocated: 100 }])).duplicates).to.have.length(1);
    const reversed = [...paid, success('/payments/P1/reversal', {}, { id: 'P1' })];
    expect(compareBooks(reversed, rows({}, [{ unallocated: 100 }])).losses).to.have.length(1);
  });

  it('reports an invoice that got too much, in its row or by the answers', () => {
    const row = compareBooks([payment('P1', 100, given('I', 100))], rows({ paid: 110 }, [{}]));
    expect(row.overpaid).to.have.length(1);
    const answers = [payment('P1', 100, given('I', 100)), payment('P2', 100, given('I', 100))];
    expect(compareBooks(answers, rows({ paid: 100 }, [{}, {}])).overpaid).to.have.length(1);
  });

  it('reports a payment that gave more than it has', () => {
    const answers = [payment('P1', 50), allocation('P1', given('I', 60))];
    expect(compareBooks(answers, rows({ paid: 60 }, [{ amount: 50 }])).overpaid).to.have.length(1);
    const negative = rows({}, [{ amount: 50, unallocated: -1 }]);
    expect(compareBooks([payment('P1', 50)], negative).overpaid).to.have.length(1);
  });

  it('reports more that was credited than sold, or came back than was credited', () => {
    const twice = [note('P1', 6), note('P2', 6)];
    const credited = rows({ credited: 100 }, [{ amount: 60 }, { amount: 60 }], 12);
    expect(compareBooks(twice, credited).overReturned).to.have.length(1);
    const once = [note('P1', 2)];
    const back = (qty: number) => compareBooks(once, rows({ credited: 20 }, [{ amount: 20 }], qty));
    expect(back(2)).to.deep.equal(none);
    expect(back(4).overReturned).to.have.length(1);
    expect(back(0).losses).to.have.length(1);
  });

  describe('on single writes', () => {
    const entry = (key: string, path: string, body: Entry['body']): Entry => ({
      ...{ key, body, path: `${API}${path}`, companyId: '', companyKey: '', prefer: null },
      ...{ port: 0, startedAt: 0, limitMs: 0 },
    });
    const created = (result: object): Answer => {
      return { status: 201, text: JSON.stringify(result), ms: 1 };
    };
    const body = { amount: 5, reference: 'k', invoices: [given('I', 2)] };
    const paid = entry('k', '/payments', body);
    const result = { id: 'P', amount: 5, reference: 'k', allocations: [given('I', 2)] };
    const errorsOf = (final: Answer, rowCount: number) =>
      compareOutcomes([paid], new Map([['k', final]]), new Map([['k', rowCount]]));

    it('expects one row of each that was answered with 201, and none otherwise', () => {
      expect(errorsOf(created(result), 1)).to.deep.equal({ losses: [], duplicates: [] });
      expect(errorsOf(created(result), 0).losses).to.have.length(1);
      expect(errorsOf(created(result), 2).duplicates).to.have.length(1);
      expect(errorsOf({ status: 409, text: '{}', ms: 1 }, 1).duplicates).to.have.length(1);
    });

    it('knows allocations by their payment and amount, since they have no reference', () => {
      const moves = ['k1', 'k2'].map(key =>
        entry(key, '/allocations', { paymentId: 'P', invoices: [given('I', 3), given('J', -1.2)] }),
      );
      const finals = new Map(moves.map(({ key }) => [key, created({ id: 'P' })]));
      const count = (rowCount: number) =>
        compareOutcomes(moves, finals, new Map([['P 1.8', rowCount]]));
      expect(count(2)).to.deep.equal({ losses: [], duplicates: [] });
      expect(count(1).losses).to.deep.equal([
        'k1 and k2: written 1 times, final answer 201 and 201',
      ]);
      expect(count(3).duplicates).to.have.length(1);
    });

    it('reports a result that is not what was requested', () => {
      const other = { ...result, allocations: [given('I', 1)] };
      expect(errorsOf(created(other), 1).losses).to.have.length(1);
      expect(errorsOf(created({ ...result, amount: 6 }), 1).losses).to.have.length(1);
    });
  });
});
