// A table of a document: the columns are as wide as their figures need, and the first one, of
// texts, has the rest. Each page repeats the header.
import { BODY, GREY, INK, PrintSheet, RULE, SMALL, type Style } from './sheet.js';

const HEAD: Style = { size: 7.5, weight: 'bold', color: GREY };
const GAP = 14;
const PADDING = 5;
/** No amount is wider. A longer SKU has several lines. */
const MAX_FIGURE = 110;

export interface Row {
  readonly text: string;
  /** Smaller lines below the text. */
  readonly details: readonly string[];
  /** One per further column. */
  readonly figures: readonly string[];
}

export interface PrintTable {
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
}

export function setTable(sheet: PrintSheet, { heads, rows }: PrintTable): void {
  const [first = '', ...others] = heads;
  const widths = others.map((head, column) =>
    rows.reduce(
      (widest, { figures }) =>
        Math.min(Math.max(widest, sheet.widthOf(figures[column] ?? '', BODY)), MAX_FIGURE),
      sheet.widthOf(head, HEAD),
    ),
  );
  /** The right edges of the columns of figures. */
  const edges = widths.map(
    (_, column) =>
      sheet.right - widths.slice(column + 1).reduce((sum, width) => sum + width + GAP, 0),
  );
  const textWidth = sheet.width - widths.reduce((sum, width) => sum + width + GAP, 0);

  const setHeader = () => {
    sheet.text(first, sheet.left, sheet.y, HEAD);
    for (const [column, head] of others.entries())
      sheet.text(head, edges[column] ?? 0, sheet.y, HEAD, 'right');
    sheet.y += PrintSheet.lineHeight(HEAD) + 4;
    sheet.rule(sheet.y, sheet.left, sheet.right, INK, 0.8);
    sheet.y += PADDING;
  };

  sheet.need(80);
  setHeader();
  sheet.repeated = setHeader;
  for (const [index, { text, details, figures }] of rows.entries()) {
    const lines = sheet.wrap(text, textWidth, BODY);
    const small = details.flatMap(detail => sheet.wrap(detail, textWidth, SMALL));
    const columns = figures.map((figure, column) =>
      sheet.wrap(figure, widths[column] ?? MAX_FIGURE, BODY),
    );
    const line = PrintSheet.lineHeight(BODY);
    const height = Math.max(
      lines.length * line + small.length * PrintSheet.lineHeight(SMALL),
      ...columns.map(parts => parts.length * line),
    );
    sheet.need(height + PADDING);
    for (const [column, parts] of columns.entries())
      sheet.lines(parts, edges[column] ?? 0, sheet.y, BODY, 'right');
    const end = sheet.lines(lines, sheet.left, sheet.y, BODY);
    sheet.lines(small, sheet.left, end, SMALL);
    sheet.y += height + PADDING;
    if (index < rows.length - 1) sheet.rule(sheet.y - 1, sheet.left, sheet.right, RULE, 0.4);
    sheet.y += PADDING - 2;
  }
  sheet.rule(sheet.y - 2, sheet.left, sheet.right, INK, 0.8);
  sheet.repeated = null;
}
