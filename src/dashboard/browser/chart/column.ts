// A column of the table that a chart draws.

export interface ChartColumn {
  readonly label: string;
  readonly values: (number | null)[];
  /** The text of each cell. */
  readonly texts: readonly string[];
  /** The same in short, for an axis. */
  readonly labels: readonly string[];
  /** The label of a dot at the position of each cell; empty for none. */
  readonly marks: readonly string[];
}
