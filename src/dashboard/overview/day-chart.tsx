// This month's daily totals against last month's. The chart is drawn from the table, which browsers
// without JavaScript show instead.
import { useContext } from 'preact/hooks';
import type { DayTotal } from '../../summary/queries.js';
import { Money, PageContext, Panel } from '../kit/ui/components.js';
import { dayIn, formatMonth } from '../kit/ui/format.js';

interface DayChartProps {
  /** YYYY-MM, as is `previous`. */
  readonly month: string;
  readonly previous: string;
  readonly days: readonly DayTotal[];
}

export function DayChart({ month, previous, days }: DayChartProps) {
  const { currency, timeZone } = useContext(PageContext);
  const rows = compareDays(month, previous, days, dayIn(timeZone, new Date()));
  return (
    <Panel title="Invoiced by day" note={`${monthName(month)} vs ${monthName(previous)}`}>
      <figure data-chart>
        <div class="chart" data-currency={currency} aria-hidden="true" hidden />
        <details>
          <summary>Show as table</summary>
          <table class="plain">
            <caption class="unseen">Invoiced by day</caption>
            <thead>
              <tr>
                {['Day', formatMonth(month), formatMonth(previous)].map(head => (
                  <th key={head} scope="col" class="end">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.day}>
                  <th scope="row" class="end" data-value={row.day}>
                    {row.day}
                  </th>
                  <Total value={row.current} />
                  <Total value={row.previous} />
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </figure>
    </Panel>
  );
}

/** A month (YYYY-MM) without its year: the page's head names it. */
function monthName(month: string): string {
  return formatMonth(month).replace(/ \d+$/u, '');
}

function Total({ value }: { value: string | null }) {
  return (
    <td class="end" data-value={value ?? ''}>
      {value === null ? '–' : <Money value={value} />}
    </td>
  );
}

interface DayRow {
  readonly day: number;
  /** Null after today, and on days that the month does not have. */
  readonly current: string | null;
  readonly previous: string | null;
}

/** One row per day of the longer month. The current month ends today or at a later invoice date. */
function compareDays(
  month: string,
  previous: string,
  days: readonly DayTotal[],
  today: string,
): DayRow[] {
  const totals = new Map(days.map(({ date, total }) => [date, total]));
  const totalOn = (date: string) => totals.get(date) ?? '0';
  const newest = days.at(-1)?.date ?? '';
  const last = newest > today ? newest : today;
  const lengths = [daysIn(month), daysIn(previous)] as const;
  return Array.from({ length: Math.max(...lengths) }, (_, index) => {
    const day = String(index + 1).padStart(2, '0');
    const hasBegun = index < lengths[0] && `${month}-${day}` <= last;
    return {
      day: index + 1,
      current: hasBegun ? totalOn(`${month}-${day}`) : null,
      previous: index < lengths[1] ? totalOn(`${previous}-${day}`) : null,
    };
  });
}

/** The number of days in a month (YYYY-MM). */
function daysIn(month: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}
