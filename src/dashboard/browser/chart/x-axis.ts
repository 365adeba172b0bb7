// The horizontal axis of a chart: positions named by the table's labels, or instants.
/// <reference lib="dom" />

import uPlot from '../uplot.js';
import type { ChartColumn } from './column.js';

const DAY_SECONDS = 86_400;
/** Minimum distance between two ticks, by the length of their labels. */
const TIME_TICK_PX = 80;
const CHARACTER_PX = 8;
const TICK_GAP_PX = 16;
/** Steps between labelled positions: days, weeks, half and whole months. */
const STEPS = [1, 2, 5, 7, 10, 14, 20, 30, 60, 90];

export interface Axis {
  readonly isTime: boolean;
  readonly range: (plot: uPlot, low: number, high: number) => [number, number];
  readonly axis: uPlot.Axis;
  readonly line: Pick<uPlot.Series, 'paths'>;
  readonly options: Pick<uPlot.Options, 'tzDate'>;
}

/** Positions 1, 2, 3 …, with the labels of the first column. */
export function positionAxis({ labels }: ChartColumn): Axis {
  const longest = Math.max(...labels.map(label => label.length));
  return {
    isTime: false,
    // Half a step on both sides, so that one point alone is in the middle.
    range: (_plot, low, high) => (low === high ? [low - 0.5, high + 0.5] : [low, high]),
    axis: {
      space: longest * CHARACTER_PX + TICK_GAP_PX,
      incrs: STEPS,
      values: (_plot, ticks) => ticks.map(tick => labels[tick - 1] ?? ''),
    },
    line: {},
    options: {},
  };
}

/** Instants in the time zone, as steps: stock does not change between two movements. */
export function instantAxis(timeZone: string): Axis {
  return {
    isTime: true,
    range: (_plot, low, high) => [low < high ? low : high - 1, high],
    axis: { space: TIME_TICK_PX, values: instants(timeZone) },
    line: { paths: uPlot.paths.stepped?.({ align: 1 }) as uPlot.Series.PathBuilder },
    options: { tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), timeZone) },
  };
}

/** Labels ticks with days, or with times if they are less than a day apart. */
function instants(timeZone: string): uPlot.Axis.DynamicValues {
  return (_plot, ticks, _axis, _space, step) => {
    const isTime = step < DAY_SECONDS;
    const format = new Intl.DateTimeFormat(document.documentElement.lang, {
      timeZone,
      ...(isTime ? { timeStyle: 'short' } : { day: 'numeric', month: 'short' }),
    });
    const texts = ticks.map(seconds => format.format(seconds * 1000));
    // Ticks less than a minute apart share a label: show it once.
    return texts.map((text, index) => (text === texts[index - 1] ? '' : text));
  };
}
