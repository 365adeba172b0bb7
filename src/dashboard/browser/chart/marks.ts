// Dots with short labels at the points of a chart whose position has a data-mark, such as the
// deliveries of an item.
/// <reference lib="dom" />
import uPlot from '../uplot.js';
import type { ChartColumn } from './column.js';

const RADIUS_PX = 3;
const ABOVE_PX = 7;
const GAP_PX = 4;

interface Style {
  readonly font: string;
  readonly dot: string;
  readonly text: string;
}

/** Draws every dot. A label that would overlap the one before it is left out. */
export function addMarks({ marks }: ChartColumn, style: Style): uPlot.Plugin {
  const draw = (plot: uPlot): void => {
    const { ctx } = plot;
    const ratio = uPlot.pxRatio;
    const { left, width } = plot.bbox;
    ctx.save();
    ctx.font = (plot.axes[0]?.font as unknown as string[] | undefined)?.[0] ?? style.font;
    let end = left;
    for (const [index, mark] of marks.entries()) {
      const [x, y] = [plot.data[0][index], plot.data[1]?.[index]];
      if (mark === '' || x === undefined || y == null) continue;
      const [atX, atY] = [plot.valToPos(x, 'x', true), plot.valToPos(y, 'y', true)];
      ctx.fillStyle = style.dot;
      ctx.beginPath();
      ctx.arc(atX, atY, RADIUS_PX * ratio, 0, 2 * Math.PI);
      ctx.fill();
      const length = ctx.measureText(mark).width;
      // At the edges the label moves into the plot.
      const start = Math.min(Math.max(atX - length / 2, left), left + width - length);
      if (start < end) continue;
      ctx.fillStyle = style.text;
      ctx.textAlign = 'left';
      ctx.textBaseline = 'bottom';
      ctx.fillText(mark, start, atY - ABOVE_PX * ratio);
      end = start + length + GAP_PX * ratio;
    }
    ctx.restore();
  };
  return { hooks: { draw } };
}
