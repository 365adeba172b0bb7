// The fault harness's judge of dashboard users, on corrections, drafts and imports made by hand.
import { expect } from 'chai';
import {
  compareCorrections,
  compareCosts,
  compareDrafts,
  compareImports,
  findUnclear,
} from './compare.js';
import type { CorrectionRecord, ImportRecord, Outcome, SentForm } from './records.js';
import type { CorrectionRow, ImportRow } from './rows.js';

const form = (type: SentForm['type'], ...outcomes: Outcome[]): SentForm => ({
  ...{ companyId: 'C', type, path: '/', fields: { key: 'K' }, outcomes },
});

describe("the fault harness's judge of dashboard users", () => {
  it('expects one outcome of each form, however often it is sent', () => {
    expect(findUnclear([form('issue', 'done', 'done'), form('correct', 'refused')])).to.be.empty;
    expect(findUnclear([form('issue', 'refused', 'done')])).to.have.length(1);
    expect(findUnclear([form('correct')])).to.deep.equal(['/ with key K: no outcome']);
    expect(findUnclear([form('delete', 'done', 'refused'), form('delete')])).to.be.empty;
  });

  describe('of corrections', () => {
    const pumps = (qty: number) => new Map([['pump', qty]]);
    const record = (mark: string, after: number, from: number, to: number, outcome: Outcome) => {
      const quantities = { shown: pumps(from), wanted: pumps(to) };
      const sent = form('correct', outcome);
      return { ...sent, deliveryId: 'D', mark, after, ...quantities } satisfies CorrectionRecord;
    };
    const row = (mark: string, delta: number, isUndo = false): CorrectionRow => ({
      ...{ companyId: 'C', deliveryId: 'D', mark, isUndo, changes: pumps(delta) },
    });
    const first = record('a', 0, 10, 8, 'done');
    const rival = record('b', 0, 10, 9, 'refused');
    const next = record('c', 1, 8, 11.5, 'done');

    it('accepts each one that starts from the quantities before it', () => {
      const rows = [row('a', -2), row('c', 3.5)];
      expect(compareCorrections([first, rival, next], rows)).to.be.empty;
      const undone = [row('Import undone', -10, true)];
      expect(compareCorrections([record('a', 0, 10, 8, 'refused')], undone)).to.be.empty;
    });

    it('reports one that is lost, applied twice or applied although it was refused', () => {
      expect(compareCorrections([first], [])).to.have.length(1);
      expect(compareCorrections([first], [row('a', -2), row('a', -2)])).to.not.be.empty;
      expect(compareCorrections([first, rival], [row('a', -2), row('b', -1)])).to.not.be.empty;
      expect(compareCorrections([], [row('x', 1)])).to.have.length(1);
    });

    it('reports one of two that start from the same quantities', () => {
      const both = [first, record('b', 0, 10, 9, 'done')];
      expect(compareCorrections(both, [row('a', -2), row('b', -1)])).to.not.be.empty;
    });

    it('reports one that books another difference', () => {
      expect(compareCorrections([first], [row('a', -3)])).to.have.length(1);
    });
  });

  describe('of drafts', () => {
    const errorsOf = (sent: SentForm[], version: number | null, invoices: number) => {
      const versions = new Map(version === null ? [] : [['D', version]]);
      const invoiceCounts = new Map([['draft', invoices]]);
      const draft = { companyId: 'C', id: 'D', mark: 'draft', sent };
      return compareDrafts([draft], { versions, invoiceCounts }).length;
    };
    const issued = form('issue', 'done');
    const refused = form('issue', 'refused');

    it('accepts one that is kept, saved, issued or deleted', () => {
      expect(errorsOf([], 1, 0)).to.equal(0);
      expect(errorsOf([refused], 1, 0)).to.equal(0);
      expect(errorsOf([form('save', 'done'), refused], 2, 0)).to.equal(0);
      expect(errorsOf([issued, refused, form('delete', 'refused')], null, 1)).to.equal(0);
      expect(errorsOf([form('delete', 'done'), refused], null, 0)).to.equal(0);
      expect(errorsOf([form('delete'), refused], null, 0), 'no answer').to.equal(0);
    });

    it('reports one that is issued and kept, or issued twice', () => {
      expect(errorsOf([issued], 1, 1)).to.equal(1);
      expect(errorsOf([issued, issued], null, 2)).to.equal(1);
      expect(errorsOf([issued, refused], null, 2)).to.equal(1);
    });

    it('reports one that is lost, or issued although it was deleted', () => {
      expect(errorsOf([refused], null, 0)).to.equal(1);
      expect(errorsOf([issued], null, 0)).to.equal(1);
      expect(errorsOf([form('delete', 'done'), issued], null, 1)).to.equal(1);
      expect(errorsOf([form('delete', 'done')], 1, 0)).to.equal(1);
    });

    it('reports a save that another one overwrote', () => {
      expect(errorsOf([form('save', 'done')], 1, 0)).to.equal(1);
      expect(errorsOf([form('save', 'done'), form('save', 'done')], 3, 0)).to.equal(1);
    });
  });

  describe('of imports', () => {
    const pump = { name: 'Pump', delta: 2, unitCost: 4, isNew: false };
    const valve = { name: 'Valve', delta: 3, unitCost: 5, isNew: true };
    const record = (changes: Partial<ImportRecord> = {}): ImportRecord => ({
      ...{ companyId: 'C', id: 'I', rows: [pump, valve], isStarted: true, isUndoRequested: false },
      ...changes,
    });
    let movementId = 0;
    const line = (
      name: string,
      delta: number,
      archived = false,
      unitCost: number | null = null,
    ) => {
      movementId += 1;
      return { movementId, itemId: name, name, delta, unitCost, archived };
    };
    const applied = () => [line('Pump', 2), line('Valve', 3)];
    const errorsOf = (changes: Partial<ImportRow>, own = record()) => {
      const row = { id: 'I', status: 'done', undo: null, wasTouched: false, lines: applied() };
      return compareImports([own], new Map([['I', { ...row, ...changes }]])).length;
    };
    const undo = record({ isUndoRequested: true });
    const undone = (...lines: ImportRow['lines']) => ({ undo: 'done', lines });

    it('accepts one that is applied, not started, undone or refused an undo', () => {
      expect(errorsOf({})).to.equal(0);
      expect(errorsOf({ status: 'preview', lines: [] }, record({ isStarted: false }))).to.equal(0);
      expect(errorsOf({ undo: 'refused', wasTouched: true }, undo)).to.equal(0);
      const reversed = [line('Pump', 2), line('Valve', 3, true)];
      const back = [line('Pump', -2), line('Valve', -3, true)];
      expect(errorsOf(undone(...reversed, ...back), undo)).to.equal(0);
    });

    it('reports rows that are lost, applied twice or not from its file', () => {
      expect(errorsOf({ lines: [line('Pump', 2)] })).to.equal(1);
      expect(errorsOf({ lines: [...applied(), line('Pump', 2)] })).to.equal(1);
      expect(errorsOf({ lines: [...applied(), line('Hose', 1)] })).to.equal(1);
      expect(errorsOf({ status: 'failed', lines: [] })).to.be.above(0);
      expect(compareImports([record()], new Map())).to.have.length(1);
    });

    it('reports an undo in part, without a request or a reason', () => {
      expect(errorsOf(undone(...applied(), line('Pump', -2)), undo)).to.be.above(0);
      expect(errorsOf({ lines: [...applied(), line('Pump', -2)] })).to.equal(1);
      expect(errorsOf({ undo: 'refused' }, undo)).to.equal(1);
      expect(errorsOf({ undo: 'failed' }, undo)).to.equal(1);
      const kept = [...applied(), line('Pump', -2), line('Valve', -3)];
      expect(errorsOf(undone(...kept), undo), 'the new item is in use').to.equal(1);
    });

    it('expects the cost of the newest import that was not undone', () => {
      const later = record({ id: 'J', rows: [{ ...pump, unitCost: 7 }] });
      const errorsWith = (
        cost: number | null,
        undoOfLater: string | null,
        undoOfFirst?: string,
      ) => {
        const row = { status: 'done', wasTouched: false };
        const lines = [line('Pump', 2, false, cost)];
        const newer = [line('Pump', 2, false, cost)];
        return compareCosts(
          [record({ rows: [pump] }), later],
          new Map([
            ['I', { ...row, id: 'I', undo: undoOfFirst ?? null, lines }],
            ['J', { ...row, id: 'J', undo: undoOfLater, lines: newer }],
          ]),
        ).length;
      };
      expect(errorsWith(7, null)).to.equal(0);
      expect(errorsWith(4, null)).to.equal(1);
      expect(errorsWith(4, 'done')).to.equal(0);
      expect(errorsWith(null, 'done', 'done')).to.equal(0);
      expect(errorsWith(4, 'done', 'done')).to.equal(1);
    });
  });
});
