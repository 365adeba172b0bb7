// The periods of the overview: presets and chosen days, with what each is compared with.
import { expect } from 'chai';
import { type Period, pointsOf, readPeriod } from '../../src/dashboard/overview/period.js';

const periodOf = (query: string, today: string) => readPeriod(new URLSearchParams(query), today);
/** The days of a period, those it is compared with, and the last day of a fair comparison. */
const compared = ({ from, to, previous, previousSameDay }: Period) => ({
  days: `${from}/${to}`,
  before: `${previous.from}/${previous.to}`,
  upTo: previousSameDay,
});

describe('the period of the overview', () => {
  it('is this month, compared with the last one up to the same day', () => {
    expect(compared(periodOf('', '2026-11-23'))).to.deep.equal({
      days: '2026-11-01/2026-11-30',
      before: '2026-10-01/2026-10-31',
      upTo: '2026-10-23',
    });
    const march = periodOf('period=this-month', '2028-03-31');
    expect(march.previousSameDay, 'the shorter month counts in full').to.equal('2028-02-29');
  });

  it('can be last month, the last 30 days or this year', () => {
    expect(compared(periodOf('period=last-month', '2026-01-05'))).to.deep.equal({
      days: '2025-12-01/2025-12-31',
      before: '2025-11-01/2025-11-30',
      upTo: '2025-11-30',
    });
    expect(compared(periodOf('period=last-30-days', '2026-03-01'))).to.deep.equal({
      days: '2026-01-31/2026-03-01',
      before: '2026-01-01/2026-01-30',
      upTo: '2026-01-30',
    });
    expect(compared(periodOf('period=this-year', '2028-02-29'))).to.deep.equal({
      days: '2028-01-01/2028-12-31',
      before: '2027-01-01/2027-12-31',
      upTo: '2027-02-28',
    });
  });

  it('can be any days of at most ten years, compared with as many days before', () => {
    expect(compared(periodOf('from=2026-11-10&to=2026-11-12', '2026-11-11'))).to.deep.equal({
      days: '2026-11-10/2026-11-12',
      before: '2026-11-07/2026-11-09',
      upTo: '2026-11-08',
    });
    expect(periodOf('from=2026-10-01&to=2026-11-30', '2026-11-11').isWholeMonths).to.equal(true);
    expect(periodOf('from=2026-10-02&to=2026-11-30', '2026-11-11').isWholeMonths).to.equal(false);
    expect(periodOf('from=2026-11-01', '2026-11-11').to, 'an empty field').to.equal('2026-11-11');
    for (const query of ['from=2026-11-12&to=2026-11-10', 'from=2026-02-30', 'period=never'])
      expect(() => periodOf(query, '2026-11-11'), query).to.throw();
    expect(() => periodOf('from=2010-01-01&to=2026-01-01', '2026-11-11')).to.throw(/10 years/u);
  });

  it('has a point per day, or per month if it is long', () => {
    const month = periodOf('', '2026-11-23');
    expect(pointsOf(month, month.unit)).to.have.length(30);
    const long = periodOf('from=2025-11-15&to=2026-11-20', '2026-11-23');
    expect(long.unit).to.equal('month');
    const points = pointsOf(long, long.unit);
    expect([points.length, points[0], points.at(-1)]).to.deep.equal([
      13,
      '2025-11-01',
      '2026-11-01',
    ]);
  });
});
