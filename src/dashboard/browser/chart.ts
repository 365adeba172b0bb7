// Draws each figure[data-chart]: the table in it is the data (first column the days, the others a line each), so who has no
// JavaScript has the figures. Colours come from the stylesheet, also when the scheme changes.
/// <reference lib="dom" />
import uPlot from './uplot.js';

const HEIGHT_PX = 240;

interface Series {
  readonly label: string;
  readonly values: (number | null)[];
}

for (const figure of document.querySelectorAll<HTMLElement>('figure[data-chart]')) start(figure);

function start(figure: HTMLElement): void {
  const table = figure.querySelector('table');
  const place = figure.querySelector<HTMLElement>('.chart');
  if (!table || !place) return;
  const [days, ...series] = columnsOf(table);
  if (!days) return;
  place.hidden = false;
  let plot = draw(place, days, series);
  const redraw = (): void => {
    plot.destroy();
    plot = draw(place, days, series);
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT_PX })).observe(place);
}

/** The table's columns; a cell's data-value is its exact figure, of which a pixel needs less. */
function columnsOf(table: HTMLTableElement): Series[] {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  return heads.map((head, at) => ({
    label: head.textContent ?? '',
    values: rows.map(row => {
      const text = row.cells[at]?.dataset.value ?? '';
      return text === '' ? null : Number(text);
    }),
  }));
}

function draw(place: HTMLElement, days: Series, series: readonly Series[]): uPlot {
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const money = new Intl.NumberFormat(document.documentElement.lang, {
    style: 'currency',
    currency: place.dataset.currency ?? 'USD',
    notation: 'compact',
  });
  const axis = { stroke: colour('--muted'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
  const current = {
    stroke: colour('--accent'),
    fill: colour('--accent-wash'),
    width: 2,
    points: { show: days.values.length < 2 },
  };
  const before = { stroke: colour('--muted'), dash: [4, 4], width: 1.5, points: { show: false } };
  const options: uPlot.Options = {
    width: place.clientWidth,
    height: HEIGHT_PX,
    padding: [12, 8, 0, 0],
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: false }, y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.1 : 1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_plot, ticks) => ticks.map(day => (Number.isInteger(day) ? day : '')),
      },
      { ...axis, size: 64, values: (_plot, ticks) => ticks.map(value => money.format(value)) },
    ],
    series: [
      { label: days.label },
      ...series.map(({ label }, at) => ({
        label,
        ...(at === 0 ? current : before),
        value: (_plot: uPlot, value: number | null) => (value === null ? '–' : money.format(value)),
      })),
    ],
  };
  return new uPlot(options, [days.values, ...series.map(({ values }) => values)] as uPlot.AlignedData, place);
}
