// Judges the rows of a file for its preview: tries them in order on the records as they are, by the
// rule that a worker applies later, and refuses those that contradict an earlier row about the same
// record.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stepsOf } from '../platform/values/steps.js';
import { matchKey, shortened } from '../platform/values/text.js';
import { quotedValue } from './file/cells.js';
import type { ImportedFile } from './file/read-file.js';
import type {
  FoundByRow,
  ImportTrial,
  JudgedRow,
  Judgement,
  RowNames,
  RowOutcome,
  TrialResult,
  TrialRow,
} from './judgement.js';
import type { ImportKind } from './kind.js';

export interface JudgedFile extends ImportedFile {
  readonly judgement: Judgement;
}

const FIRST_ROWS = 10;
const PROBLEM_ROWS = 100;
const MAX_REPEATED = 20;
const MAX_LINES = 5;
const SHOWN_CELLS = 3;
const MAX_CELL = 100;
/** Rows that are tried before the event loop serves other work. */
const ROWS_PER_TURN = 100;

interface ChunkRow {
  readonly position: number;
  readonly line: number;
  readonly cells: readonly string[];
  readonly entry?: unknown;
  readonly errors?: readonly string[];
}

/** Tries the rows of a file. Rows that contradict earlier ones are refused in what it returns. */
export async function judgeFile(
  kind: ImportKind<never, never, never>,
  companyId: string,
  file: ImportedFile,
  userId: string,
): Promise<JudgedFile> {
  const trial = await kind.openTrial(companyId, file, { kind: 'user', id: userId, name: '' });
  const judge = new Judge(trial as ImportTrial<unknown>);
  const chunks: string[] = [];
  let rowsRefused = 0;
  for (const chunk of file.chunks) {
    const rows: ChunkRow[] = [];
    for (const step of stepsOf(JSON.parse(chunk) as ChunkRow[], ROWS_PER_TURN)) {
      rows.push(...(await judge.judge(step)));
      await nextTurn();
    }
    rowsRefused += rows.filter(({ errors }) => errors !== undefined).length;
    chunks.push(JSON.stringify(rows));
  }
  return { ...file, chunks, rowsRefused, judgement: judge.judgement() };
}

interface Claim {
  readonly text: string;
  readonly line: number;
}

class Judge {
  readonly #trial: ImportTrial<unknown>;
  readonly #rows: Record<RowOutcome, number> = {
    new: 0,
    changed: 0,
    same: 0,
    rejected: 0,
    moved: 0,
  };
  readonly #new = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #lists = {
    first: [] as JudgedRow[],
    rejected: [] as JudgedRow[],
    moved: [] as JudgedRow[],
  };
  /** The valid rows of each record. */
  readonly #lines = new Map<string, { label: string; rows: number; lines: number[] }>();
  /** The texts of earlier rows about each record, by column. */
  readonly #claims = new Map<string, Map<string, Claim>>();

  constructor(trial: ImportTrial<unknown>) {
    this.#trial = trial;
  }

  async judge(rows: readonly ChunkRow[]): Promise<ChunkRow[]> {
    const valid = rows.flatMap(row => (row.errors ? [] : [row as ChunkRow & TrialRow<unknown>]));
    await this.#trial.load(valid);
    const judged: ChunkRow[] = [];
    for (const row of rows) judged.push(await this.#judgeRow(row));
    return judged;
  }

  judgement(): Judgement {
    return {
      rows: this.#rows,
      records: {
        new: this.#new.size,
        changed: [...this.#changed].filter(id => !this.#new.has(id)).length,
      },
      ...this.#lists,
      repeated: [...this.#lines.values()].filter(({ rows }) => rows > 1).slice(0, MAX_REPEATED),
    };
  }

  async #judgeRow(row: ChunkRow): Promise<ChunkRow> {
    const { entry, line, errors } = row;
    if (errors) return this.#list(row, { errors });
    const allNames = this.#trial.names(entry);
    const found = await this.#trial.find(entry);
    if (found) this.#addLine(found.id, allNames, line);
    const names = namesWithout(allNames, found?.without ?? []);
    const contradiction = found && this.#findContradiction(found, names, allNames);
    if (contradiction) {
      const { entry: _refused, ...refused } = row;
      return this.#list({ ...refused, errors: [contradiction] }, { errors: [contradiction] });
    }
    const result = await this.#trial.apply(row as TrialRow<unknown>);
    if ('id' in result) {
      if (!found) this.#addLine(result.id, names, line);
      this.#claim(result.id, names, line);
      if (result.outcome === 'new') this.#new.add(result.id);
      if (result.outcome === 'changed') this.#changed.add(result.id);
    }
    return this.#list(row, result);
  }

  #list(row: ChunkRow, result: TrialResult | { readonly errors: readonly string[] }): ChunkRow {
    const { line, cells, entry = null } = row;
    const isApplied = 'id' in result;
    const moved = 'moved' in result ? result.moved : undefined;
    const outcome: RowOutcome = isApplied ? result.outcome : moved ? 'moved' : 'rejected';
    this.#rows[outcome] += 1;
    const shown = isApplied ? result : moved;
    const judged: JudgedRow = {
      line,
      cells: cells
        .filter(cell => cell.trim() !== '')
        .slice(0, SHOWN_CELLS)
        .map(shortCell),
      outcome,
      label: shown?.label ?? null,
      entry: shown ? entry : null,
      before: shown?.before ?? null,
      errors: 'errors' in result ? result.errors : [],
    };
    const { first, rejected, moved: movedRows } = this.#lists;
    if (first.length < FIRST_ROWS) first.push(judged);
    if (outcome === 'rejected' && rejected.length < PROBLEM_ROWS) rejected.push(judged);
    if (outcome === 'moved' && movedRows.length < PROBLEM_ROWS) movedRows.push(judged);
    return row;
  }

  #addLine(id: string, names: RowNames, line: number): void {
    const [label = ''] = Object.values(names);
    const record = this.#lines.get(id) ?? { label, rows: 0, lines: [] };
    record.rows += 1;
    if (record.lines.length < MAX_LINES) record.lines.push(line);
    this.#lines.set(id, record);
  }

  /** A row that has only a name, maybe a former one, relates it to no other column. */
  #claim(id: string, names: RowNames, line: number): void {
    const entries = Object.entries(names);
    if (entries.length < 2) return;
    const claims = this.#claims.get(id) ?? new Map<string, Claim>();
    for (const [column, text] of entries)
      if (!claims.has(column)) claims.set(column, { text, line });
    this.#claims.set(id, claims);
  }

  /** The sentence about a row with another text for a column than an earlier row of its record. */
  #findContradiction({ id, by }: FoundByRow, names: RowNames, allNames: RowNames): string | null {
    const claims = this.#claims.get(id);
    for (const [column, text] of Object.entries(names)) {
      const claim = claims?.get(column);
      if (column === by || !claim || matchKey(claim.text) === matchKey(text)) continue;
      const what = column === 'name' ? 'as' : `with the ${column}`;
      const earlier = `Line ${claim.line} has this ${by === 'sku' ? 'SKU' : by}`;
      return `${by} ${quotedValue(allNames[by])}: ${earlier} ${what} ${quotedValue(claim.text)}.`;
    }
    return null;
  }
}

function namesWithout(names: RowNames, columns: readonly string[]): RowNames {
  return Object.fromEntries(Object.entries(names).filter(([column]) => !columns.includes(column)));
}

function shortCell(cell: string): string {
  return shortened(cell, MAX_CELL);
}
