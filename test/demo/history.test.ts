// The dates of the demo's writes, for starts on every day of the week.
import { expect } from 'chai';
import { demoHistory } from '../../src/demo/history.js';

const DAY_MS = 86_400_000;

describe("the demo's history", () => {
  for (const [name, first] of [
    ['Sunday', '2026-11-22T00:00:10Z'],
    ['Monday', '2026-11-23T06:30:00Z'],
    ['Tuesday', '2026-02-24T12:00:00Z'],
    ['Wednesday', '2028-03-01T15:00:00Z'],
    ['Thursday', '2026-01-01T09:00:00Z'],
    ['Friday', '2026-05-29T17:00:00Z'],
    ['Saturday', '2026-05-30T23:59:59Z'],
  ] as const) {
    it(`covers the 78 working days that end on a ${name}, and ends at the start's time`, () => {
      const now = new Date(first);
      const writes = demoHistory(now).flat();
      const invoices = writes.filter(({ type }) => type === 'invoice.create');
      const days = new Set(invoices.map(({ at }) => at.toISOString().slice(0, 10)));
      expect(days.size).to.equal(78);
      const today = now.toISOString().slice(0, 10);
      const sundays = [...days].filter(day => new Date(day).getUTCDay() === 0 && day !== today);
      expect(sundays).to.deep.equal([]);
      const times = writes.map(({ at }) => at.getTime());
      expect(Math.max(...times)).to.equal(now.getTime());
      expect((now.getTime() - Math.min(...times)) / DAY_MS).to.be.within(88, 91);
      const order = invoices.map(({ at }) => at.getTime());
      expect(order).to.deep.equal([...order].sort((a, b) => a - b));
    });
  }

  it('dates each request by its own day, and delivers goods on a later working day', () => {
    for (const { at, request } of demoHistory(new Date('2026-11-24T12:00:00Z')).flat()) {
      if ('date' in request) expect(request.date).to.equal(at.toISOString().slice(0, 10));
      if ('deliveryDate' in request && request.deliveryDate !== undefined) {
        expect(request.deliveryDate > request.date).to.equal(true);
        expect(new Date(request.deliveryDate).getUTCDay()).not.to.equal(0);
      }
    }
  });
});
