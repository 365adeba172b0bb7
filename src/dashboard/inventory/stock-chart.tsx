// Stock on hand over time, as a chart and as a table.
import { useContext } from 'preact/hooks';
import type { StockPoint } from '../../inventory/history.js';
import { dayIn, daysBetween } from '../../platform/values/days.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import { PageContext, Panel, Time } from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';
import { StockQuantity } from './item-view.js';

interface StockChartProps {
  readonly points: readonly StockPoint[];
  /** Current stock. */
  readonly onHand: string;
  readonly unit: string | null;
}

/** A history of more days has one point per day: hours would be as narrow as the line. */
const MAX_DAYS_OF_HOURS = 14;

/**
 * The last point of each day of a long history, with all that was received on that day. A delivery
 * of the morning that is sold by the evening is then no spike.
 */
function closingPoints(points: readonly StockPoint[], timeZone: string): readonly StockPoint[] {
  const dayOf = ({ at }: StockPoint) => dayIn(timeZone, new Date(at));
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || daysBetween(dayOf(first), dayOf(last)) <= MAX_DAYS_OF_HOURS) return points;
  const days = new Map<string, StockPoint>();
  for (const point of points) {
    const day = dayOf(point);
    const quantities = [days.get(day)?.received, point.received].filter(each => each != null);
    const sum = quantities.reduce((total, each) => total + toUnits(each), 0n);
    days.set(day, { ...point, received: quantities.length === 0 ? null : fromUnits(sum) });
  }
  return [...days.values()];
}

/** The chart is drawn from the table, whose last row is the current stock at this moment. */
export function StockChart({ points, onHand, unit }: StockChartProps) {
  const { timeZone } = useContext(PageContext);
  const [first] = points;
  if (first === undefined) return null;
  if (points.length === 1)
    return (
      <Panel title="On hand over time">
        <p class="note">
          <StockQuantity value={onHand} unit={unit} /> since <Time at={first.at} />. A chart appears
          with the next movement.
        </p>
      </Panel>
    );
  const now = { at: new Date().toISOString(), onHand, received: null };
  const rows = [...closingPoints(points, timeZone), now];
  return (
    <Panel title="On hand over time">
      <figure data-chart>
        <div class="chart" data-time-zone={timeZone} aria-hidden="true" hidden />
        <details>
          <summary>Show as table</summary>
          <table class="plain">
            <caption class="unseen">On hand over time</caption>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col" class="end">
                  On hand
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  <th
                    scope="row"
                    data-value={Date.parse(row.at) / 1000}
                    data-mark={row.received && `+${formatQuantity(row.received)}`}
                  >
                    <Time at={row.at} />
                    {row.received && (
                      <span class="note">{` · +${formatQuantity(row.received)} received`}</span>
                    )}
                  </th>
                  <td class="end" data-value={row.onHand}>
                    <StockQuantity value={row.onHand} unit={unit} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </figure>
    </Panel>
  );
}
