// The daily totals of a month over those of the month before, as a chart and as a table.
import { useContext } from 'preact/hooks';
import type { DayTotal } from '../../summary/queries.js';
import { Money, PageContext, Panel } from '../kit/ui/components.js';
import { dayIn, formatMonth } from '../kit/ui/format.js';

interface DayChartProps {
  /** YYYY-MM, like `before`. */
  readonly month: string;
  readonly before: string;
  readonly days: readonly DayTotal[];
}

/** The table is what the chart is drawn from, and what there is without JavaScript. */
export function DayChart({ month, before, days }: DayChartProps) {
  const { currency, timeZone } = useContext(PageContext);
  const rows = rowsOf(month, before, days, dayIn(timeZone, new Date()));
  return (
    <Panel title="Invoiced by day" note={`${formatMonth(month)} over ${formatMonth(before)}`}>
      <figure data-chart>
        <div class="chart" data-currency={currency} aria-hidden="true" hidden />
        <details>
          <summary>Figures by day</summary>
          <table class="plain">
            <caption class="unseen">Invoiced by day</caption>
            <thead>
              <tr>
                {['Day', formatMonth(month), formatMonth(before)].map(head => (
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
                  <Amount value={row.current} />
                  <Amount value={row.before} />
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </figure>
    </Panel>
  );
}

function Amount({ value }: { value: string | null }) {
  return (
    <td class="end" data-value={value ?? ''}>
      {value === null ? '–' : <Money value={value} />}
    </td>
  );
}

interface Row {
  readonly day: number;
  readonly current: string | null;
  readonly before: string | null;
}

/** One row a day of the longer month. This month's figures go up to today, or further where invoices are dated ahead. */
function rowsOf(month: string, before: string, days: readonly DayTotal[], today: string): Row[] {
  const totals = new Map(days.map(({ date, total }) => [date, total]));
  const newest = days.at(-1)?.date ?? '';
  const last = newest > today ? newest : today;
  const lengths = [daysOf(month), daysOf(before)] as const;
  return Array.from({ length: Math.max(...lengths) }, (_, index) => {
    const day = String(index + 1).padStart(2, '0');
    const of = (date: string) => totals.get(date) ?? '0';
    const isPast = index < lengths[0] && `${month}-${day}` <= last;
    return {
      day: index + 1,
      current: isPast ? of(`${month}-${day}`) : null,
      before: index < lengths[1] ? of(`${before}-${day}`) : null,
    };
  });
}

/** How many days a month (YYYY-MM) has. */
function daysOf(month: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}
