// Compares the stored search texts with the rows that they are made of, as both are read in the
// order of company and position.
import type pg from 'pg';
import {
  FIELD_END,
  lineOf,
  type SearchableRow,
  TEXT_END,
  type TextKind,
} from '../../search/texts.js';
import type { Violation } from '../violation.js';
import { readEachRow } from './read-rows.js';

export const SEARCH_LINES = 'the search text of each row equals the row';

/** Stored texts in memory at a time, of 64 KiB each. */
const TEXTS_PER_PAGE = 16;

interface StoredLine {
  readonly companyId: string;
  readonly position: string;
  readonly line: string;
}

export interface SearchedRow extends SearchableRow {
  /** The last position of the company with a search text. */
  readonly searchable: string;
}

/** The stored lines of one kind, which are compared with its rows in their order. */
export class SearchLines {
  readonly #kind: TextKind;
  readonly #texts: AsyncGenerator<StoredLine[]>;
  /** The lines that are read and not compared yet, from #next on. */
  #lines: StoredLine[] = [];
  #next = 0;
  #hasMore = true;

  constructor(client: pg.Client, kind: TextKind) {
    this.#kind = kind;
    this.#texts = readTexts(client, kind);
  }

  /** Reads the lines up to this row. `compare` needs them. */
  async readTo(row: Place): Promise<void> {
    while (this.#hasMore) {
      const last = this.#lines.at(-1);
      if (last && comparePlaces(last, row) > 0) return;
      const { value, done } = await this.#texts.next();
      this.#hasMore = !done;
      if (done) return;
      this.#lines = [...this.#lines.slice(this.#next), ...value];
      this.#next = 0;
    }
  }

  /**
   * The violations of the lines up to this row. A row up to the watermark of its company must have
   * a line, and no other row may have one. `corrected` is a text of the row that may have been
   * another one when the line was stored.
   */
  compare(row: SearchedRow, corrected?: string | null): Violation[] {
    const found: Violation[] = [];
    let line = this.#lines[this.#next];
    for (; line && comparePlaces(line, row) < 0; line = this.#lines[this.#next]) {
      found.push(this.#violation(line));
      this.#next += 1;
    }
    const isStored = line !== undefined && comparePlaces(line, row) === 0;
    if (isStored) this.#next += 1;
    const isExpected = Number(row.position) <= Number(row.searchable);
    if (isStored !== isExpected || (isStored && line && !isLineOf(line.line, row, corrected)))
      found.push(this.#violation(row));
    return found;
  }

  /** The violations of the lines after the last row. */
  async *rest(): AsyncGenerator<Violation> {
    for (const line of this.#lines.slice(this.#next)) yield this.#violation(line);
    for await (const lines of this.#texts) for (const line of lines) yield this.#violation(line);
  }

  #violation({ companyId, position }: Place): Violation {
    return { violation: SEARCH_LINES, companyId, kind: this.#kind, position: String(position) };
  }
}

type Place = Pick<SearchableRow, 'companyId' | 'position'>;

function comparePlaces(a: Place, b: Place): number {
  if (a.companyId !== b.companyId) return a.companyId < b.companyId ? -1 : 1;
  return Number(a.position) - Number(b.position);
}

/** The lines of each stored text. The key of a text is the position of its first line. */
async function* readTexts(client: pg.Client, kind: TextKind): AsyncGenerator<StoredLine[]> {
  const select = `
    SELECT company_id AS "companyId", first, lines
    FROM search_texts
    WHERE kind = '${kind}'
    ORDER BY company_id, first`;
  type Text = { companyId: string; first: string; lines: string };
  for await (const { companyId, first, lines } of readEachRow<Text>(client, select, TEXTS_PER_PAGE))
    yield lines.split('\n').map((line, index) => ({
      companyId,
      position: index === 0 ? first : line.slice(0, line.indexOf(FIELD_END)),
      line,
    }));
}

/** A line has the texts of its row, and no others; the one that may differ is not compared. */
function isLineOf(line: string, row: SearchedRow, corrected?: string | null): boolean {
  if (line === lineOf(row)) return true;
  if (corrected === undefined) return false;
  const texts = row.texts.filter(text => text !== corrected);
  const [stored, expected] = [line, lineOf({ ...row, texts })].map(partsOf) as [Parts, Parts];
  return (
    stored.fields === expected.fields &&
    stored.texts.filter(text => !expected.texts.includes(text)).length <= 1 &&
    expected.texts.every(text => stored.texts.includes(text))
  );
}

interface Parts {
  readonly fields: string;
  /** The last one is empty: each text has an end. */
  readonly texts: readonly string[];
}

function partsOf(line: string): Parts {
  const start = line.lastIndexOf(FIELD_END) + 1;
  return { fields: line.slice(0, start), texts: line.slice(start).split(TEXT_END) };
}
