// Stock on hand over time, as a chart and as a table.
import { useContext } from 'preact/hooks';
import type { StockPoint } from '../../inventory/history.js';
import { PageContext, Panel, Time } from '../kit/ui/components.js';
import { StockQuantity } from './item-view.js';

interface StockChartProps {
  readonly points: readonly StockPoint[];
  /** Current stock. */
  readonly onHand: string;
  readonly unit: string | null;
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
  const rows = [...points, { at: new Date().toISOString(), onHand }];
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
                  <th scope="row" data-value={Date.parse(row.at) / 1000}>
                    <Time at={row.at} />
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
