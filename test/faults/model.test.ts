// The sequential model of the fault harness, on histories made by hand: it explains what some order
// of the writes explains, and reports everything else.
import { expect } from 'chai';
import { explainWrites, type ModelWrite, type Outcome } from './model/explain.js';
import type { AllocationRow, EntryRow, JobRow, ModelRows, MovementRow } from './model/rows.js';
import { fold } from './model/stock.js';
import type { ModelError } from './model/stock-plans.js';

const companyId = 'C';
const API = '/api/external';

/** A history in which writes are committed in the order of these calls. */
class HandMade {
  readonly writes: ModelWrite[] = [];
  readonly rows = {
    items: [
      { companyId, id: 'pump', name: 'Pump', sku: 'P-1' },
      { companyId, id: 'hose', name: 'Garden Hose', sku: 'H-1' },
      { companyId, id: 'new', name: 'New', sku: 'N-1' },
    ],
    movements: [] as MovementRow[],
    adjustments: [] as { companyId: string; id: string; stockVersion: number }[],
    invoices: [] as ModelRows['invoices'][number][],
    entries: [] as EntryRow[],
    allocations: [] as AllocationRow[],
    jobs: [] as JobRow[],
  } satisfies ModelRows;
  readonly #onHand = new Map<string, number>();

  /** A write that was sent, committed and answered at these seconds. */
  write(
    key: string,
    path: string,
    body: ModelWrite['body'],
    result: Outcome,
    [sent, committed, answered]: readonly [number, number, number],
  ): this {
    const status = result.code === undefined ? 201 : 409;
    const [sentAt, finishedAt, answeredAt] = [sent, committed, answered].map(at => at * 1000) as [
      number,
      number,
      number,
    ];
    const write = { key, companyId, jobId: key, path: `${API}${path}`, body, status, result };
    this.writes.push({ ...write, sentAt, answeredAt });
    const resultId = status === 201 ? (result.id ?? null) : null;
    this.rows.jobs.push({ companyId, id: key, resultId, finishedAt });
    return this;
  }

  move(sourceId: string, itemId: string, delta: number): void {
    const onHandAfter = (this.#onHand.get(itemId) ?? 0) + delta;
    this.#onHand.set(itemId, onHandAfter);
    this.rows.movements.push({ companyId, itemId, sourceId, delta, onHandAfter });
  }

  /** A receipt by name and SKU. The first one of an item creates it. */
  receive(second: number, itemId: string, delta: number): this {
    const id = `receipt of ${itemId} at ${second}`;
    this.move(id, itemId, delta);
    const item = this.rows.items.find(each => each.id === itemId);
    const items = [{ name: item?.name.toUpperCase(), sku: item?.sku.toLowerCase(), delta }];
    const times = [second, second + 0.3, second + 0.6] as const;
    return this.write(id, '/inventory/adjustments', { reason: 'received', items }, { id }, times);
  }

  /** An invoice of one unit per line. `itemIds` are those of the answer's lines. */
  sell(
    second: number,
    lines: readonly { name?: string; sku?: string }[],
    itemIds: readonly (string | null)[],
    moved = itemIds,
    seconds = 0.6,
  ): this {
    const id = `invoice at ${second}`;
    const { invoices } = this.rows;
    const items = lines.map(() => ({ qty: 1, amount: 10 }));
    invoices.push({ companyId, id, number: invoices.length + 1, total: 100, lines: items });
    for (const itemId of moved) if (itemId !== null) this.move(id, itemId, -1);
    const body = { items: lines.map(line => ({ ...line, qty: 1 })) };
    const result = { id, items: itemIds.map(itemId => ({ itemId, qty: 1 })) };
    const times = [second, second + seconds / 2, second + seconds] as const;
    return this.write(id, '/invoices', body, result, times);
  }

  /** An invoice of the given quantity of Pump that was refused. */
  refuse(second: number, qty: number, code: string, ...errors: readonly ModelError[]): this {
    const body = { items: [{ name: 'pump', qty }] };
    const times = [second, second + 0.3, second + 0.6] as const;
    return this.write(`refused at ${second}`, '/invoices', body, { code, errors }, times);
  }

  entry(second: number, path: string, body: ModelWrite['body'], row: Partial<EntryRow>): this {
    const { entries } = this.rows;
    const id = `entry at ${second}`;
    const sequence = entries.length + 1;
    const none = { sourceId: null, invoiceId: null, reason: null, externalId: null, items: null };
    entries.push({ companyId, id, sequence, type: 'payment', amount: 0, ...none, ...row });
    return this.write(id, path, body, { id }, [second, second + 0.3, second + 0.6]);
  }

  give(invoiceId: string, amount: number, sourceId: string): this {
    const sequence = this.rows.entries.length;
    this.rows.allocations.push({ companyId, invoiceId, sequence, sourceId, amount });
    return this;
  }

  get violations(): readonly string[] {
    return explainWrites(this.writes, this.rows).violations;
  }
}

const short = (requested: number, available: number, itemId = 'pump'): ModelError => ({
  ...{ pointer: '/items/0/qty', code: 'insufficient_stock' },
  ...{ itemId, requested, available },
});
const unknown = (field: string): ModelError => ({
  pointer: `/items/0/${field}`,
  code: 'unknown_item',
});

describe("the fault harness's sequential model", () => {
  let history: HandMade;
  beforeEach(() => {
    history = new HandMade();
  });

  it('compares names and SKUs in a folded form', () => {
    const spellings = ['ＧＡＲＤＥＮ\u3000hose', '  garden   HOSE ', 'Garden Hose'];
    expect(new Set(spellings.map(fold)).size).to.equal(1);
    expect(fold('STRASSE')).to.equal(fold('straße'));
    expect(fold('P-1')).to.not.equal(fold('P 1'));
  });

  describe('of lines', () => {
    beforeEach(() => {
      history.receive(1, 'pump', 5).receive(2, 'hose', 5);
    });

    it('explains lines that found their item, by name or SKU in any spelling', () => {
      const lines = [{ name: ' PUMP' }, { name: 'x', sku: 'ｈ-1' }, { name: 'Delivery' }];
      history.sell(3, lines, ['pump', 'hose', null]).sell(4, [{ sku: 'p-1' }], ['pump']);
      expect(history.violations).to.be.empty;
    });

    it('reports a line that lost its item, with or without movements of other lines', () => {
      history.sell(3, [{ name: 'Pump' }, { name: 'garden hose' }], [null, 'hose']);
      history.sell(4, [{ name: 'Pump' }], [null]);
      expect(history.violations).to.have.length(2);
    });

    it('reports a line with the item of another name, and a plain line with an item', () => {
      history.sell(3, [{ name: 'Pump' }], ['hose']).sell(4, [{ name: 'Delivery' }], ['hose']);
      expect(history.violations).to.have.length(2);
    });

    it('reports lines whose item did not move, or moved by another quantity', () => {
      const pump = { name: 'Pump' };
      history.sell(3, [pump], ['pump'], []).sell(4, [pump, pump], ['pump', 'pump'], ['pump']);
      expect(history.violations).to.have.length(2);
    });

    it('reports stock that was sold although there was none', () => {
      for (const second of [3, 4, 5, 6, 7]) history.sell(second, [{ name: 'Pump' }], ['pump']);
      expect(history.violations).to.be.empty;
      history.sell(8, [{ name: 'Pump' }], ['pump']);
      expect(history.violations).to.have.length(1);
      expect(history.violations[0]).to.include('insufficient_stock');
    });
  });

  describe('of refusals', () => {
    beforeEach(() => {
      history.receive(1, 'pump', 5);
    });

    it('explains a refusal in some state since the request, and not in an earlier one', () => {
      history.refuse(2, 9, 'insufficient_stock', short(9, 5));
      history.receive(3, 'pump', 5).refuse(4, 11, 'insufficient_stock', short(11, 10));
      expect(history.violations).to.be.empty;
      history.refuse(5, 9, 'insufficient_stock', short(9, 5));
      expect(history.violations).to.have.length(1);
    });

    it('explains it by either state if a write overlaps', () => {
      history.receive(2, 'pump', 5).refuse(2.1, 11, 'insufficient_stock', short(11, 5));
      history.refuse(2.2, 11, 'insufficient_stock', short(11, 10));
      expect(history.violations).to.be.empty;
      history.refuse(2.3, 11, 'insufficient_stock', short(11, 7));
      expect(history.violations).to.have.length(1);
    });

    it('reports a refusal of what was there', () => {
      history.refuse(2, 4, 'insufficient_stock', short(4, 5));
      expect(history.violations).to.have.length(1);
    });

    it('requires one state that explains all of its lines', () => {
      history.receive(2, 'hose', 5);
      history.sell(3, [{ name: 'Pump' }], ['pump']).sell(3.1, [{ sku: 'H-1' }], ['hose']);
      const items = [
        { name: 'Pump', qty: 9 },
        { name: 'Garden hose', qty: 9 },
      ];
      const refuse = (key: string, pump: number, hose: number) => {
        const second = { ...short(9, hose, 'hose'), pointer: '/items/1/qty' };
        const result = { code: 'insufficient_stock', errors: [short(9, pump), second] };
        history.write(key, '/invoices', { items }, result, [3, 3.5, 4]);
      };
      refuse('before both', 5, 5);
      refuse('between', 4, 5);
      refuse('after both', 4, 4);
      expect(history.violations).to.be.empty;
      refuse('in no order', 5, 4);
      expect(history.violations).to.have.length(1);
    });

    it('reports an unknown SKU that existed all the time, and explains one that did not', () => {
      const refuse = (key: string, sku: string, times: readonly [number, number, number]) => {
        const result = { code: 'validation_failed', errors: [unknown('sku')] };
        return history.write(key, '/invoices', { items: [{ sku, qty: 1 }] }, result, times);
      };
      refuse('before', 'n-1', [2, 2.3, 2.6]).receive(3, 'new', 5);
      refuse('while it is created', 'N-1', [3.1, 3.4, 3.7]);
      refuse('never', 'X-1', [4, 4.3, 4.6]);
      expect(history.violations).to.be.empty;
      refuse('existing', 'P-1', [5, 5.3, 5.6]);
      refuse('created before', 'N-1', [5, 5.3, 5.6]);
      expect(history.violations).to.have.length(2);
    });

    it('accepts a name that was looked up before its item was created, and no other one', () => {
      history.receive(2, 'new', 5);
      history.sell(2.1, [{ name: 'new' }, { name: 'Pump' }], [null, 'pump']);
      history.sell(2.2, [{ name: 'new' }], ['new']);
      expect(history.violations).to.be.empty;
      history.sell(3, [{ name: 'new' }, { name: 'Pump' }], [null, 'pump']);
      expect(history.violations).to.have.length(1);
    });
  });

  describe('of adjustments', () => {
    const adjust = (second: number, items: readonly object[], ...deltas: readonly number[]) => {
      const id = `adjustment at ${second}`;
      for (const delta of deltas) history.move(id, 'pump', delta);
      const body = { reason: 'correction', items };
      const times = [second, second + 0.3, second + 0.6] as const;
      return history.write(id, '/inventory/adjustments', body, { id }, times);
    };
    const refuse = (second: number, item: object, code: string, error: ModelError) => {
      const body = { reason: 'correction', items: [item] };
      const times = [second, second + 0.3, second + 0.6] as const;
      const path = '/inventory/adjustments';
      history.write(`refused at ${second}`, path, body, { code, errors: [error] }, times);
    };
    const conflict = (onHand: number): ModelError => ({
      ...{ pointer: '/items/0/expectedOnHand', code: 'invalid_value', itemId: 'pump', onHand },
    });
    beforeEach(() => {
      history.receive(1, 'pump', 5);
    });

    it('applies the entries in order, by name, SKU and id', () => {
      const items = [
        { name: 'PUMP', delta: -2 },
        { sku: 'p-1', count: 10, expectedOnHand: 3 },
        { itemId: 'pump', delta: 0.5 },
      ];
      adjust(2, items, -2, 7, 0.5);
      expect(history.violations).to.be.empty;
    });

    it('reports an expected stock that did not hold, a wrong balance and a lost entry', () => {
      adjust(2, [{ sku: 'P-1', count: 7, expectedOnHand: 4 }], 2);
      adjust(3, [{ name: 'Pump', delta: 1 }], 2);
      adjust(
        4,
        [
          { name: 'Pump', delta: 1 },
          { sku: 'P-1', delta: 1 },
        ],
        1,
      );
      expect(history.violations).to.have.length(3);
    });

    it('explains and reports refusals', () => {
      refuse(2, { sku: 'P-1', count: 7, expectedOnHand: 4 }, 'stock_conflict', conflict(5));
      const shortage = { ...short(6, 5), pointer: '/items/0/delta' };
      refuse(3, { sku: 'P-1', delta: -6 }, 'insufficient_stock', shortage);
      refuse(4, { sku: 'X', name: 'Pump', delta: 1 }, 'validation_failed', unknown('sku'));
      expect(history.violations).to.be.empty;
      refuse(5, { sku: 'P-1', count: 7, expectedOnHand: 5 }, 'stock_conflict', conflict(5));
      refuse(6, { sku: 'P-1', delta: 1 }, 'validation_failed', unknown('sku'));
      expect(history.violations).to.have.length(2);
    });
  });

  describe('of the ledger', () => {
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

  it('reports movements that are in another order than the numbers', () => {
    history.receive(1, 'pump', 5).sell(2, [{ name: 'Pump' }], ['pump']);
    history.sell(3, [{ name: 'Pump' }], ['pump']);
    expect(history.violations).to.be.empty;
    const [first, second] = history.rows.invoices;
    if (first && second)
      history.rows.invoices.splice(0, 2, { ...first, number: 2 }, { ...second, number: 1 });
    expect(history.violations).to.have.length(1);
  });

  it('says which outcomes it cannot judge', () => {
    history.refuse(1, 1, 'validation_failed', { pointer: '/items/0/qty', code: 'too_large' });
    const { violations, unjudged } = explainWrites(history.writes, history.rows);
    expect(violations).to.be.empty;
    expect([...unjudged]).to.deep.equal([['409 validation_failed', 1]]);
  });
});
