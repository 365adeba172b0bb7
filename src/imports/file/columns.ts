// The columns of a kind of files, and which column of a file each heading names. Pure.
import { shortened } from '../../platform/values/text.js';

/**
 * The kind of a column's cells. Numbers may have group marks, money the currency as well, a
 * percentage its sign. A list has an element per line.
 */
export type CellKind = 'text' | 'list' | 'flag' | 'number' | 'money' | 'percentage';

export interface ColumnSpec {
  /** Its name in words, as pages show it. */
  readonly label: string;
  readonly kind: CellKind;
  /** Further headings that mean the column, in any case, spacing and punctuation. */
  readonly headings: readonly string[];
  /** Headings that mean the column if no other one of the file does. */
  readonly fallbacks?: readonly string[];
  /** The value of a text cell that people write in words, such as a country. */
  readonly read?: (text: string) => unknown;
}

export type ColumnSpecs<Column extends string> = Readonly<Record<Column, ColumnSpec>>;

/** The column of each cell; undefined for cells that the import ignores. */
export type FileColumns<Column extends string = string> = readonly (Column | undefined)[];

/** The number of the file's column for each column, from 0, as a user chose them. */
export type ChosenColumns = Readonly<Partial<Record<string, number>>>;

/** Why a file with these columns cannot be imported: sentences for the file and for a choice. */
export interface ColumnProblem {
  readonly file: string;
  readonly choice: string;
}

/** Columns named in an error. */
const MAX_DESCRIBED = 20;
const MAX_HEADING = 40;

/** A kind's columns with the headings that mean them. */
export class ColumnNames<Column extends string> {
  readonly names: readonly Column[];
  readonly #specs: ColumnSpecs<Column>;
  readonly #headings: ReadonlyMap<string, Column>;

  constructor(specs: ColumnSpecs<Column>) {
    this.#specs = specs;
    this.names = Object.keys(specs) as Column[];
    const headings = new Map<string, Column>();
    for (const name of this.names)
      for (const heading of [name, specs[name].label, ...specs[name].headings]) {
        const key = headingKey(heading);
        const other = headings.get(key) ?? name;
        if (other !== name) throw new Error(`“${heading}” means both ${other} and ${name}`);
        headings.set(key, name);
      }
    this.#headings = headings;
  }

  /** The column of each heading, or as chosen; undefined for one that the import ignores. */
  columnsOf(header: readonly string[], chosen: ChosenColumns | null = null): FileColumns<Column> {
    if (chosen) {
      const byIndex = new Map(this.names.map(name => [chosen[name], name]));
      return header.map((_, index) => byIndex.get(index));
    }
    const columns = header.map(heading => this.#find(heading));
    for (const name of this.names) {
      const keys = this.#specs[name].fallbacks?.map(headingKey) ?? [];
      if (columns.includes(name)) continue;
      const indexes = header.flatMap((heading, index) =>
        columns[index] === undefined && keys.includes(headingKey(heading)) ? [index] : [],
      );
      for (const index of indexes) columns[index] = name;
    }
    return columns;
  }

  spec(name: Column): ColumnSpec {
    return this.#specs[name];
  }

  /** True if the heading alone names a column. */
  isKnown(heading: string): boolean {
    return this.columnsOf([heading])[0] !== undefined;
  }

  /** A heading that would name a column if no other one of the file did. */
  findUnusedFallback(header: readonly string[]): string | undefined {
    const columns = this.columnsOf(header);
    return header.find((heading, index) => columns[index] === undefined && this.isKnown(heading));
  }

  /** The problem of a column that a header has twice. */
  findRepeated(columns: FileColumns<Column>): ColumnProblem | null {
    const repeated = columns.find(
      (column, index) => column !== undefined && columns.indexOf(column) !== index,
    );
    if (repeated === undefined) return null;
    const sentence = `The file has more than one column for ${repeated}.`;
    return { file: sentence, choice: sentence };
  }

  /** The columns of a header and what each is understood as, for an error. */
  describe(header: readonly string[]): string {
    const columns = this.columnsOf(header);
    const named = header.flatMap((heading, index) =>
      heading.trim() === '' ? [] : [{ heading, column: columns[index] }],
    );
    const described = named.slice(0, MAX_DESCRIBED).map(({ heading, column }) => {
      const name = shortened(heading.trim(), MAX_HEADING);
      return `“${name}” (${column ?? 'not recognized'})`;
    });
    const rest = named.length > MAX_DESCRIBED ? ' and others' : '';
    return `Columns found: ${described.join(', ')}${rest}.`;
  }

  #find(heading: string): Column | undefined {
    if (heading.length > MAX_KNOWN) return undefined;
    const plain = heading.replaceAll(/[([].*?[)\]]/gu, '');
    return this.#headings.get(headingKey(heading)) ?? this.#headings.get(headingKey(plain));
  }
}

/** Characters of a heading, more than any that is known. Looking at a longer one takes time. */
const MAX_KNOWN = 1_000;

/** A heading without case, spaces and most punctuation, to find its column. */
function headingKey(heading: string): string {
  return heading
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}#%]/gu, '');
}

/** The headings of the columns that an import ignores. */
export function ignoredHeadings(header: readonly string[], columns: FileColumns): string[] {
  return header.filter((heading, index) => heading.trim() !== '' && columns[index] === undefined);
}
