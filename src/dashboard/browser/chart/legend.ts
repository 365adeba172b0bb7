// The legend above a chart: the names of the lines, and at the cursor their exact figures. On a
// phone, touching the chart moves the cursor.
/// <reference lib="dom" />

import type uPlot from '../uplot.js';
import type { ChartColumn } from './column.js';

/** Adds the legend to the plot. Its figures are the table's own texts, which are exact. */
export function addLegend(first: ChartColumn, lines: readonly ChartColumn[]): uPlot.Plugin {
  const legend = document.createElement('p');
  legend.className = 'chart-legend';
  const place = document.createElement('span');
  place.className = 'chart-place';
  const values = lines.map((line, index) => {
    const entry = document.createElement('span');
    entry.className = index === 0 ? 'chart-line' : 'chart-line compared';
    const value = document.createElement('strong');
    entry.append(`${line.label} `, value);
    return { line, entry, value };
  });
  legend.append(...values.map(({ entry }) => entry), place);
  const update = (plot: uPlot): void => {
    const { idx } = plot.cursor;
    const isOn = idx !== null && idx !== undefined;
    place.textContent = isOn ? nameOf(first, idx) : '';
    for (const { line, value } of values) {
      value.textContent = isOn ? (line.texts[idx] ?? '') : '';
    }
  };
  return {
    hooks: {
      ready: plot => plot.root.prepend(legend),
      setCursor: update,
    },
  };
}

/** The position's own text; a bare number needs its heading. */
function nameOf({ label, texts }: ChartColumn, index: number): string {
  const text = texts[index] ?? '';
  return /^\d+$/u.test(text) ? `${label} ${text}` : text;
}
