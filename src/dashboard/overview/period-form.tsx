// The choice of the period, which the address holds: presets as links, and a form for any days.

import { DatesRefusal, DayInput } from '../kit/lists/refused-dates.js';
import { Button } from '../kit/ui/fields.js';
import { type Period, PRESETS, type Preset, presetHref } from './period.js';

interface Props {
  readonly period: Pick<Period, 'preset' | 'from' | 'to'>;
  /** The reason why days that the reader chose are refused. */
  readonly refusal?: string;
}

export function OverviewPeriod({ period, refusal }: Props) {
  return (
    <div class="period">
      <nav aria-label="Period">
        <ul>
          {(Object.keys(PRESETS) as Preset[]).map(preset => (
            <li key={preset}>
              <a
                href={presetHref(preset)}
                aria-current={preset === period.preset ? 'page' : undefined}
              >
                {PRESETS[preset]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <details open={period.preset === null}>
        <summary>Other dates</summary>
        <form method="get" action="/" aria-label="Other dates">
          <span class="row">
            <label for="period-from">From</label>
            <DayInput id="period-from" name="from" day={period.from} refusal={refusal} />
          </span>
          <span class="row">
            <label for="period-to">to</label>
            <DayInput id="period-to" name="to" day={period.to} refusal={refusal} />
          </span>
          <Button quiet>Show</Button>
        </form>
        <DatesRefusal refusal={refusal} />
      </details>
    </div>
  );
}
