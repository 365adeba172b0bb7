// Reads the rows of CSV text as people's programs write it: RFC 4180, and in addition quotation
// marks inside values without quotes (19" rack), spaces before an opening quotation mark, and text
// marked as a formula (="00123"). A row that cannot be read affects no other. Pure.
import { invalidField } from '../field-errors.js';

export interface CsvRow {
  readonly cells: readonly string[];
  /** The number of its last line in the text. */
  readonly line: number;
  /** The sentence about a row that cannot be read. */
  readonly problem?: string;
}

export interface CsvReadOptions {
  readonly separator: string;
  /** Where the rows start, after a line that names the separator. */
  readonly start?: number;
  /** Rows at most, without the header. */
  readonly maxRows: number;
  /** Characters of a row. */
  readonly maxRowLength?: number;
  /**
   * The text is what a spreadsheet copies, in which a quotation mark may be anywhere, or the start
   * of a file, which may be cut anywhere.
   */
  readonly isRelaxed?: boolean;
}

const MAX_ROW_LENGTH = 64 * 1024;
const LINE_END = /\r\n?|\n/gu;

/**
 * The non-empty rows of a text, its header first. Throws Problem `validation_failed` at /file if it
 * has more than `maxRows` rows besides the header, or a quotation mark that is never closed.
 */
export function readCsvRows(text: string, options: CsvReadOptions): CsvRow[] {
  const rows: CsvRow[] = [];
  for (const row of new CsvReader(text, options).rows()) {
    if (row.cells.every(cell => cell.trim() === '')) continue;
    if (rows.length > options.maxRows) throw tooManyRows(options.maxRows);
    rows.push(row);
  }
  return rows;
}

class CsvReader {
  readonly #text: string;
  readonly #separator: string;
  readonly #isRelaxed: boolean;
  readonly #maxRowLength: number;
  /** Ends a value without quotes. */
  readonly #end: RegExp;
  #at: number;
  #line: number;
  /** Of the current row. */
  #problem: string | null = null;

  constructor(text: string, { separator, start = 0, isRelaxed, maxRowLength }: CsvReadOptions) {
    this.#text = text;
    this.#separator = separator;
    this.#isRelaxed = isRelaxed ?? false;
    this.#maxRowLength = maxRowLength ?? MAX_ROW_LENGTH;
    this.#end = new RegExp(`[${separator.replace(/[\\\]^-]/u, '\\$&')}\\r\\n]`, 'gu');
    this.#at = start;
    this.#line = 1 + countLines(text.slice(0, start));
  }

  *rows(): Generator<CsvRow> {
    while (this.#at < this.#text.length) yield this.#readRow();
  }

  #readRow(): CsvRow {
    const start = this.#at;
    const cells = [this.#readCell()];
    while (this.#text[this.#at] === this.#separator) {
      this.#at += 1;
      cells.push(this.#readCell());
    }
    if (this.#at - start > this.#maxRowLength) this.#problem ??= TOO_LONG;
    const row = { cells, line: this.#line, ...(this.#problem && { problem: this.#problem }) };
    this.#problem = null;
    if (this.#text[this.#at] === '\r' && this.#text[this.#at + 1] === '\n') this.#at += 1;
    this.#at += 1;
    this.#line += 1;
    return row;
  }

  /** Reads up to the separator, line end or end of text behind the cell. */
  #readCell(): string {
    const start = this.#at;
    let from = start;
    while (this.#isSpace(from)) from += 1;
    const isFormula = this.#text.startsWith('="', from);
    // In the rest of a row that cannot be read, a quotation mark opens nothing.
    const isQuoted = this.#text[from] === '"' && this.#problem === null;
    const value = isQuoted || isFormula ? this.#readQuoted(from, isFormula) : null;
    return value ?? this.#readPlain(start, start);
  }

  #readPlain(start: number, after: number): string {
    this.#end.lastIndex = after;
    this.#at = this.#end.exec(this.#text)?.index ?? this.#text.length;
    return this.#text.slice(start, this.#at);
  }

  /** Null if the quotation mark at the start is a character of a value without quotes. */
  #readQuoted(from: number, isFormula: boolean): string | null {
    const open = isFormula ? from + 1 : from;
    const close = this.#findClose(open + 1);
    const isLenient = isFormula || this.#isRelaxed;
    if (close < 0 || close - open > this.#maxRowLength) {
      if (isLenient) return null;
      throw refused(`Line ${this.#line}: a quotation mark is never closed.`);
    }
    let end = close + 1;
    while (this.#isSpace(end)) end += 1;
    const isEnd = end >= this.#text.length || /[\r\n]/u.test(this.#text[end] ?? '');
    const isMisquoted = !isEnd && this.#text[end] !== this.#separator;
    if (isMisquoted && isLenient) return null;
    const content = this.#text.slice(open + 1, close);
    const first = this.#line;
    this.#line += countLines(content);
    if (isMisquoted) {
      this.#problem = misquoted(first, this.#line);
      return this.#readPlain(from, close + 1);
    }
    this.#at = end;
    return isFormula ? this.#text.slice(from, close + 1) : content.replaceAll('""', '"');
  }

  /** The index of the quotation mark that closes a value; -1 without one. */
  #findClose(from: number): number {
    for (let at = this.#text.indexOf('"', from); ; at = this.#text.indexOf('"', at + 2))
      if (at < 0 || this.#text[at + 1] !== '"') return at;
  }

  #isSpace(at: number): boolean {
    const character = this.#text[at];
    return (character === ' ' || character === '\t') && character !== this.#separator;
  }
}

const TOO_LONG = 'The row is too long.';

function misquoted(first: number, last: number): string {
  const extent = first === last ? '' : ` Lines ${first} to ${last} were read as one value.`;
  return (
    `Text follows a closing quotation mark.${extent} ` +
    'Inside quotes, write a quotation mark twice.'
  );
}

function countLines(text: string): number {
  return text.match(LINE_END)?.length ?? 0;
}

function tooManyRows(maxRows: number) {
  const sentence = `The file has more than ${maxRows} rows. Split it into smaller files.`;
  return invalidField('file', sentence, 'too_many_items');
}

function refused(sentence: string) {
  return invalidField('file', sentence);
}
