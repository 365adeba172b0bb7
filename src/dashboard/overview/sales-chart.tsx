// The net sales since the start of the period, day by day, against the earlier period. The
// chart is drawn from the table, which browsers without JavaScript show instead.
import { useContext } from 'preact/hooks';
import { dayIn } from '../../platform/values/days.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import type { PeriodTotal } from '../../summary/ranges.js';
import { Money, PageContext } from '../kit/ui/components.js';
import { formatDay, formatMonth } from '../kit/ui/format.js';
import { type Period, pointsOf } from './period.js';

interface SalesChartProps {
  readonly period: Period;
  readonly totals: readonly PeriodTotal[];
  readonly previousTotals: readonly PeriodTotal[];
}

export function SalesChart(props: SalesChartProps) {
  const { period, totals, previousTotals } = props;
  const { currency, timeZone } = useContext(PageContext);
  if ([...totals, ...previousTotals].every(({ total }) => total === '0'))
    return <p class="note chart-empty">No sales in this period or the one before.</p>;
  const title = `Net sales since the start, excluding tax, by ${period.unit}`;
  const heads = [period.unit === 'day' ? 'Day' : 'Month', period.name, period.previousName];
  return (
    <figure data-chart>
      <div class="chart" data-currency={currency} aria-hidden="true" hidden />
      <details>
        <summary>Show as table</summary>
        <div class="wide-table">
          <table class="plain">
            <caption class="unseen">{title}</caption>
            <thead>
              <tr>
                {heads.map(head => (
                  <th key={head} scope="col" class="end">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {comparePoints(props, dayIn(timeZone, new Date())).map(row => (
                <tr key={row.position}>
                  <th scope="row" class="end" data-value={row.position} data-label={row.label}>
                    {row.name}
                  </th>
                  <Total value={row.current} />
                  <Total value={row.previous} />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

function Total({ value }: { value: string | null }) {
  return (
    <td class="end" data-value={value ?? ''}>
      {value === null ? '–' : <Money value={value} />}
    </td>
  );
}

interface Point {
  readonly position: number;
  readonly name: string;
  /** The name on the chart's axis. */
  readonly label: string;
  /** Null for days after today, and for positions beyond the end of a shorter period. */
  readonly current: string | null;
  readonly previous: string | null;
}

/** One row per day or month of the longer period. The line ends today, or at a later document. */
function comparePoints(
  { period, totals, previousTotals }: SalesChartProps,
  today: string,
): Point[] {
  const days = pointsOf(period, period.unit);
  const previousDays = pointsOf(period.previous, period.unit);
  const newest = totals.at(-1)?.date ?? '';
  const last = newest > today ? newest : today;
  const sums = runningSums(days, totals);
  const previousSums = runningSums(previousDays, previousTotals);
  return Array.from({ length: Math.max(days.length, previousDays.length) }, (_, index) => {
    const day = days[index];
    return {
      position: index + 1,
      ...namesOf(period, day, index),
      current: day === undefined || day > last ? null : (sums[index] ?? null),
      previous: previousSums[index] ?? null,
    };
  });
}

/** The sum of the totals up to each of the days, exact. */
function runningSums(days: readonly string[], totals: readonly PeriodTotal[]): string[] {
  const byDay = new Map(totals.map(({ date, total }) => [date, toUnits(total)]));
  let sum = 0n;
  return days.map(day => {
    sum += byDay.get(day) ?? 0n;
    return fromUnits(sum);
  });
}

/** Rows of two months are named by the number of the day, other rows by the current date. */
function namesOf({ unit, preset }: Period, day: string | undefined, index: number) {
  const number = String(index + 1);
  if (preset === 'this-month' || preset === 'last-month') return { name: number, label: number };
  if (day === undefined) return { name: '–', label: '' };
  const name = unit === 'day' ? formatDay(day) : formatMonth(day.slice(0, 7));
  return { name, label: SHORT[unit].format(new Date(day)) };
}

const SHORT = {
  day: new Intl.DateTimeFormat('en', { timeZone: 'UTC', month: 'short', day: 'numeric' }),
  month: new Intl.DateTimeFormat('en', { timeZone: 'UTC', month: 'short', year: 'numeric' }),
};
