// Draws each figure[data-chart] from the table inside it, which is also the fallback without
// JavaScript. The first column holds positions, or instants if the chart has a data-time-zone; any
// other column is one line. Colours come from the stylesheet and follow the colour scheme.
/// <reference lib="dom" />
import type { ChartColumn } from './chart/column.js';
import { addLegend } from './chart/legend.js';
import { addMarks } from './chart/marks.js';
import { type Axis, instantAxis, positionAxis } from './chart/x-axis.js';
import uPlot from './uplot.js';

const HEIGHT_PX = 240;
/** Fewer points than this are also drawn as dots: a line alone would hide how few they are. */
const MIN_POINTS_OF_LINE = 3;
const FONT_PX = 12;
const AXIS_GAP_PX = 14;
const MIN_AXIS_PX = 40;

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
function readColumns(table: HTMLTableElement): ChartColumn[] {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  return heads.map((head, index) => ({
    label: head.textContent ?? '',
    values: rows.map(row => {
      const text = row.cells[index]?.dataset.value ?? '';
      return text === '' ? null : Number(text);
    }),
    texts: rows.map(row => row.cells[index]?.textContent ?? ''),
    labels: rows.map(row => row.cells[index]?.dataset.label ?? ''),
    marks: rows.map(row => row.cells[index]?.dataset.mark ?? ''),
  }));
}

function draw(container: HTMLElement, first: ChartColumn, lines: readonly ChartColumn[]): uPlot {
  const style = getComputedStyle(container);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = `${FONT_PX}px ${style.fontFamily}`;
  const { currency, timeZone } = container.dataset;
  const x = timeZone === undefined ? positionAxis(first) : instantAxis(timeZone);
  const options: uPlot.Options = {
    width: container.clientWidth,
    height: HEIGHT_PX,
    padding: [12, 12, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    ...x.options,
    scales: {
      x: { time: x.isTime, range: x.range },
      y: { range: (_plot, low, high) => yRange(low, high) },
    },
    axes: axes(x, colour, font, currency),
    series: [{}, ...lines.map((line, index) => series(line, index, x, colour))],
    plugins: [
      addLegend(first, lines),
      addMarks(first, { font, dot: colour('--accent'), text: colour('--muted') }),
    ],
  };
  const columns = [first.values, ...lines.map(({ values }) => values)];
  return new uPlot(options, columns as uPlot.AlignedData, container);
}

type Colour = (name: string) => string;

function axes(x: Axis, colour: Colour, font: string, currency: string | undefined): uPlot.Axis[] {
  const axis: uPlot.Axis = {
    stroke: colour('--muted'),
    font,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  return [
    { ...axis, grid: { show: false }, ...x.axis },
    { ...axis, size: widthOfLabels, values: compactFigures(currency) },
  ];
}

/** The first line is the subject, filled. Others, dashed, are there to compare. */
function series(
  { label, values }: ChartColumn,
  index: number,
  x: Axis,
  colour: Colour,
): uPlot.Series {
  const isShort = values.filter(value => value !== null).length < MIN_POINTS_OF_LINE;
  if (index > 0)
    return {
      label,
      stroke: colour('--muted'),
      dash: [4, 4],
      width: 1.5,
      points: { show: isShort },
    };
  const fill = colour('--accent-wash');
  return {
    label,
    stroke: colour('--accent'),
    fill,
    width: 2,
    points: { show: isShort },
    ...x.line,
  };
}

/** The width that the widest label needs, so that none is cut off. */
function widthOfLabels(plot: uPlot, labels: string[] | null): number {
  plot.ctx.save();
  // The plot's own unit is a pixel of the device.
  const ratio = uPlot.pxRatio;
  plot.ctx.font = (plot.axes[1]?.font as unknown as string[] | undefined)?.[0] ?? plot.ctx.font;
  const widths = (labels ?? []).map(label => plot.ctx.measureText(label).width / ratio);
  plot.ctx.restore();
  return Math.max(MIN_AXIS_PX, Math.ceil(Math.max(0, ...widths)) + AXIS_GAP_PX);
}

/** Amounts if the chart has a currency, otherwise quantities. */
function compactFigures(currency: string | undefined): uPlot.Axis.DynamicValues {
  const style = currency === undefined ? {} : { style: 'currency' as const, currency };
  const format = new Intl.NumberFormat(document.documentElement.lang, {
    ...style,
    notation: 'compact',
    minimumFractionDigits: 0,
  });
  return (_plot, ticks) => ticks.map(value => format.format(value));
}

/** Starts at zero, or below it if stock was negative. */
function yRange(low: number | null, high: number | null): [number, number] {
  const [bottom, top] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)];
  return [bottom * 1.1, top > 0 || bottom < 0 ? top * 1.1 : 1];
}
