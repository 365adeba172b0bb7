// The sequential model of the fault harness, on histories made by hand: it explains what some order
// of the writes explains, and reports everything else.
import { expect } from 'chai';
import { HandMade } from './hand-made.js';
import { explainWrites } from './model/explain.js';
import { fold } from './model/stock.js';
import type { ModelError } from './model/stock-plans.js';

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
      ...{ pointer: '/items/0/expectedOnHand', code: 'stock_conflict', itemId: 'pump', onHand },
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
