// Draws each figure[data-chart] from the table inside it, which is also the fallback without
// JavaScript. The first column holds days, or instants if the chart has a data-time-zone; every
// other column is one line. Colours come from the stylesheet and follow the colour scheme.
/// <reference lib="dom" />
import { formatMoney, formatQuantity } from '../kit/ui/format.js';
import uPlot from './uplot.js';

const HEIGHT_PX = 240;
const DAY_SECONDS = 86_400;
/** Minimum distance between two ticks that show a time or a day. */
const TIME_TICK_PX = 80;
const NO_VALUE = '–';

interface Column {
  readonly label: string;
  readonly values: (number | null)[];
}

for (const figure of document.querySelectorAll<HTMLElement>('figure[data-chart]')) show(figure);

function show(figure: HTMLElement): void {
  const table = figure.querySelector('table');
  const container = figure.querySelector<HTMLElement>('.chart');
  if (!table || !container) return;
  const [first, ...lines] = readColumns(table);
  if (!first) return;
  container.hidden = false;
  let plot = draw(container, first, lines);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    plot.destroy();
    plot = draw(container, first, lines);
  });
  new ResizeObserver(() =>
    plot.setSize({ width: container.clientWidth, height: HEIGHT_PX }),
  ).observe(container);
}

/** Reads the columns. A cell's data-value is its exact figure; a double is precise enough here. */
function readColumns(table: HTMLTableElement): Column[] {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  return heads.map((head, index) => ({
    label: head.textContent ?? '',
    values: rows.map(row => {
      const text = row.cells[index]?.dataset.value ?? '';
      return text === '' ? null : Number(text);
    }),
  }));
}

function draw(container: HTMLElement, first: Column, lines: readonly Column[]): uPlot {
  const style = getComputedStyle(container);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const { currency, timeZone } = container.dataset;
  const x = xScale(timeZone);
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  const current: uPlot.Series = {
    stroke: colour('--accent'),
    fill: colour('--accent-wash'),
    width: 2,
    points: { show: first.values.length < 2 },
    ...x.line,
  };
  const before = { stroke: colour('--muted'), dash: [4, 4], width: 1.5, points: { show: false } };
  const options: uPlot.Options = {
    width: container.clientWidth,
    height: HEIGHT_PX,
    padding: [12, 8, 0, 0],
    cursor: { y: false, drag: { x: false, y: false } },
    ...x.options,
    scales: { x: { time: x.isTime }, y: { range: (_plot, low, high) => yRange(low, high) } },
    axes: [
      { ...axis, grid: { show: false }, ...x.axis },
      { ...axis, size: 64, values: compactFigures(currency) },
    ],
    series: [
      { label: first.label, value: legend(x.format) },
      ...lines.map(({ label }, index) => ({
        ...(index === 0 ? current : before),
        label,
        value: legend(value => formatFigure(value, currency)),
      })),
    ],
  };
  const columns = [first.values, ...lines.map(({ values }) => values)];
  return new uPlot(options, columns as uPlot.AlignedData, container);
}

/** The legend's text at the cursor. */
function legend(format: (value: number) => string): (plot: uPlot, value: number | null) => string {
  return (_plot, value) => (value === null ? NO_VALUE : format(value));
}

/** An amount if the chart has a currency, otherwise a quantity. */
function formatFigure(value: number, currency: string | undefined): string {
  return currency === undefined ? formatQuantity(value) : formatMoney(String(value), currency);
}

function compactFigures(currency: string | undefined): uPlot.Axis.DynamicValues {
  const style = currency === undefined ? {} : { style: 'currency' as const, currency };
  const format = new Intl.NumberFormat(document.documentElement.lang, {
    ...style,
    notation: 'compact',
  });
  return (_plot, ticks) => ticks.map(value => format.format(value));
}

interface XScale {
  readonly isTime: boolean;
  readonly format: (value: number) => string;
  readonly axis: uPlot.Axis;
  readonly line: Pick<uPlot.Series, 'paths'>;
  readonly options: Pick<uPlot.Options, 'tzDate'>;
}

/** Instants in the time zone, as steps: stock does not change between two movements. Else days. */
function xScale(timeZone: string | undefined): XScale {
  if (timeZone === undefined)
    return { isTime: false, format: String, axis: { values: wholeDays }, line: {}, options: {} };
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return {
    isTime: true,
    format: seconds => format.format(seconds * 1000),
    axis: { space: TIME_TICK_PX, values: instants(timeZone) },
    line: { paths: uPlot.paths.stepped?.({ align: 1 }) as uPlot.Series.PathBuilder },
    options: { tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), timeZone) },
  };
}

/** Starts at zero, or below it if stock was negative. */
function yRange(low: number | null, high: number | null): [number, number] {
  const [bottom, top] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)];
  return [bottom * 1.1, top > 0 || bottom < 0 ? top * 1.1 : 1];
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

function wholeDays(_plot: uPlot, ticks: number[]): (number | string)[] {
  return ticks.map(day => (Number.isInteger(day) ? day : ''));
}
