// Draws each figure[data-chart]: the table in it is the data (first column the days, or with a data-time-zone the instants;
// the others a line each), so who has no JavaScript has the figures. Colours come from the stylesheet, also when the scheme changes.
/// <reference lib="dom" />
import uPlot from './uplot.js';

const HEIGHT_PX = 240;
const DAY_SECONDS = 86_400;
/** A time of day or a day, with room to the next one. */
const TIME_WIDTH_PX = 80;

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
  new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT_PX })).observe(
    place,
  );
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

function draw(place: HTMLElement, first: Series, series: readonly Series[]): uPlot {
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const { timeZone } = place.dataset;
  const figure = figureFormat(place.dataset.currency);
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  const current = {
    stroke: colour('--accent'),
    fill: colour('--accent-wash'),
    width: 2,
    points: { show: first.values.length < 2 },
    ...(timeZone === undefined
      ? {}
      : { paths: uPlot.paths.stepped?.({ align: 1 }) as uPlot.Series.PathBuilder }),
  };
  const before = { stroke: colour('--muted'), dash: [4, 4], width: 1.5, points: { show: false } };
  const options: uPlot.Options = {
    width: place.clientWidth,
    height: HEIGHT_PX,
    padding: [12, 8, 0, 0],
    cursor: { y: false, drag: { x: false, y: false } },
    ...(timeZone === undefined
      ? {}
      : { tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), timeZone) }),
    scales: {
      x: { time: timeZone !== undefined },
      y: { range: (_plot, low, high) => yRange(low, high) },
    },
    axes: [
      timeZone === undefined
        ? { ...axis, grid: { show: false }, values: wholeDays }
        : { ...axis, grid: { show: false }, space: TIME_WIDTH_PX, values: instants(timeZone) },
      { ...axis, size: 64, values: (_plot, ticks) => ticks.map(value => figure.format(value)) },
    ],
    series: [
      { label: first.label, ...(timeZone === undefined ? {} : { value: instant(timeZone) }) },
      ...series.map(({ label }, at) => ({
        label,
        ...(at === 0 ? current : before),
        value: (_plot: uPlot, value: number | null) =>
          value === null ? '–' : figure.format(value),
      })),
    ],
  };
  return new uPlot(
    options,
    [first.values, ...series.map(({ values }) => values)] as uPlot.AlignedData,
    place,
  );
}

/** Amounts where the chart has a currency, else quantities. */
function figureFormat(currency: string | undefined): Intl.NumberFormat {
  const style = currency === undefined ? {} : { style: 'currency' as const, currency };
  return new Intl.NumberFormat(document.documentElement.lang, { ...style, notation: 'compact' });
}

/** From nothing up, and below it only where stock was. */
function yRange(low: number | null, high: number | null): [number, number] {
  const [bottom, top] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)];
  return [bottom * 1.1, top > 0 || bottom < 0 ? top * 1.1 : 1];
}

/** Days, or where the ticks are closer the times. */
function instants(timeZone: string): uPlot.Axis.DynamicValues {
  return (_plot, ticks, _axis, _space, step) => {
    const isTime = step < DAY_SECONDS;
    const format = new Intl.DateTimeFormat(document.documentElement.lang, {
      timeZone,
      ...(isTime ? { timeStyle: 'short' } : { day: 'numeric', month: 'short' }),
    });
    const texts = ticks.map(seconds => format.format(seconds * 1000));
    // Ticks of seconds are of one minute: it is told once.
    return texts.map((text, at) => (text === texts[at - 1] ? '' : text));
  };
}

function instant(timeZone: string): (plot: uPlot, seconds: number | null) => string {
  const options = { timeZone, dateStyle: 'medium', timeStyle: 'short' } as const;
  const format = new Intl.DateTimeFormat(document.documentElement.lang, options);
  return (_plot, seconds) => (seconds === null ? '–' : format.format(seconds * 1000));
}

function wholeDays(_plot: uPlot, ticks: number[]): (number | string)[] {
  return ticks.map(day => (Number.isInteger(day) ? day : ''));
}
