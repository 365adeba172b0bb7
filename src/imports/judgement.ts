// The preview of an import: how its rows are tried, and the outcome.

/** A valid row of a file. */
export interface TrialRow<Entry> {
  readonly line: number;
  readonly entry: Entry;
}

/** The last one: its record is not what the row expects. */
export type RowOutcome = 'new' | 'changed' | 'same' | 'rejected' | 'moved';

/** The texts by which rows name records, by column. */
export type RowNames = Readonly<Record<string, string>>;

export type TrialResult =
  | {
      readonly id: string;
      readonly outcome: 'new' | 'changed' | 'same';
      readonly label: string;
      /** The values of the record before the row, as the kind shows them; null for a new one. */
      readonly before: Readonly<Record<string, unknown>> | null;
    }
  | {
      readonly errors: readonly string[];
      /** Set if the row may be applied nevertheless, as its user chooses. */
      readonly moved?: {
        readonly label: string;
        readonly before: Readonly<Record<string, unknown>>;
      };
    };

/** The record that a row finds. */
export interface FoundByRow {
  readonly id: string;
  /** The column that found it. */
  readonly by: string;
  /** Columns whose texts are those of a record that was merged into it. */
  readonly without?: readonly string[];
}

/** A preview's records in memory. Nothing is locked or written. */
export interface ImportTrial<Entry> {
  /** Reads the records that the rows name. */
  load(rows: readonly TrialRow<Entry>[]): Promise<void>;
  find(entry: Entry): Promise<FoundByRow | null>;
  names(entry: Entry): RowNames;
  apply(row: TrialRow<Entry>): Promise<TrialResult>;
}

export interface JudgedRow<Entry = unknown> {
  readonly line: number;
  /** The first cells that are not empty. */
  readonly cells: readonly string[];
  readonly outcome: RowOutcome;
  /** The record; null for a refused row. */
  readonly label: string | null;
  /** Null for a refused row. */
  readonly entry: Entry | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly string[];
}

/** A record that several rows name. */
export interface RepeatedRecord {
  readonly label: string;
  readonly rows: number;
  /** The first lines that name it. */
  readonly lines: readonly number[];
}

export interface Judgement {
  readonly rows: Readonly<Record<RowOutcome, number>>;
  /** The number of different records that rows add or change. */
  readonly records: { readonly new: number; readonly changed: number };
  readonly first: readonly JudgedRow[];
  readonly rejected: readonly JudgedRow[];
  readonly moved: readonly JudgedRow[];
  readonly repeated: readonly RepeatedRecord[];
}
