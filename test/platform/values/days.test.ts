// Arithmetic on days, which the invoice form does in browsers, too.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  addDays,
  daysBetween,
  firstDayOfMonth,
  lastDayOfMonth,
  monthsBetween,
} from '../../../src/platform/values/days.js';

const day = fc
  .date({
    min: new Date('1990-01-01T00:00:00Z'),
    max: new Date('2090-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map(date => date.toISOString().slice(0, 10));

describe('days', () => {
  it('are added across the ends of months, leap days and years', () => {
    expect(addDays('2028-02-28', 1)).to.equal('2028-02-29');
    expect(addDays('2026-02-28', 1)).to.equal('2026-03-01');
    expect(addDays('2026-12-31', 1)).to.equal('2027-01-01');
    expect(addDays('2026-01-01', -1)).to.equal('2025-12-31');
  });

  it('are counted as they are added', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 4_000 }), (from, days) => {
        expect(daysBetween(from, addDays(from, days))).to.equal(days);
      }),
    );
  });

  it('have the first and last day of their month, and of earlier and later months', () => {
    expect(firstDayOfMonth('2026-11-20')).to.equal('2026-11-01');
    expect(lastDayOfMonth('2028-02-10')).to.equal('2028-02-29');
    expect(firstDayOfMonth('2026-01-31', -1)).to.equal('2025-12-01');
    expect(lastDayOfMonth('2026-01-31', -11)).to.equal('2025-02-28');
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 300 }), (from, later) => {
        const last = lastDayOfMonth(from, later);
        expect(addDays(last, 1)).to.equal(firstDayOfMonth(from, later + 1));
        expect(monthsBetween(from, last)).to.equal(later);
      }),
    );
  });
});
