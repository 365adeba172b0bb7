// Stores lines of search texts. New lines are joined with the stored texts before them that are not
// longer, so a company that creates one row at a time gets long texts as well: each line is written
// again about ten times, and a company has about ten short texts.
import { query, type Transaction } from '../platform/db/connection.js';
import { arraysOf, type Columns, unnest } from '../platform/db/rows.js';
import { lineOf, type SearchableRow, type TextKind } from './texts.js';

/** The longest stored text, some 500 lines. A single line may be longer. */
const MAX_BYTES = 64 * 1024;
/** The stored texts per company that are considered. Short ones are fewer. */
const JOINED_MAX = 50;

/** One or several lines of a company. */
interface Lines {
  readonly companyId: string;
  /** The position of the first line. */
  readonly first: string;
  readonly lines: string;
  /** With a line feed. */
  readonly bytes: number;
}

/**
 * Stores the texts of rows, which are in the order of company and position. The transaction has
 * locked the summaries of the companies.
 */
export async function storeSearchTexts(
  kind: TextKind,
  rows: readonly SearchableRow[],
  tx: Transaction,
): Promise<void> {
  if (rows.length === 0) return;
  const added = rows.map(newLines);
  const joined = await takeJoined(kind, added, tx);
  const texts = joinLines([...joined, ...added].sort(byPosition));
  await query(
    `INSERT INTO search_texts (company_id, first, lines, kind)
     SELECT *, '${kind}' FROM ${unnest(LINES)}`,
    arraysOf(LINES, texts),
    tx,
  );
}

const POSITION: Columns<Pick<Lines, 'companyId' | 'first'>> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  first: ['bigint', ({ first }) => first],
};
const LINES: Columns<Lines> = { ...POSITION, lines: ['text', ({ lines }) => lines] };

function newLines(row: SearchableRow): Lines {
  const lines = lineOf(row);
  const { companyId, position: first } = row;
  return { companyId, first, lines, bytes: Buffer.byteLength(lines) + 1 };
}

function byPosition(a: Lines, b: Lines): number {
  if (a.companyId !== b.companyId) return a.companyId < b.companyId ? -1 : 1;
  return Number(a.first) - Number(b.first);
}

function joinLines(all: readonly Lines[]): Lines[] {
  const texts: { start: Lines; lines: string[]; bytes: number }[] = [];
  for (const start of all) {
    const { companyId, lines, bytes } = start;
    const last = texts.at(-1);
    if (last?.start.companyId === companyId && last.bytes + bytes <= MAX_BYTES) {
      last.lines.push(lines);
      last.bytes += bytes;
    } else texts.push({ start, lines: [lines], bytes });
  }
  return texts.map(({ start, lines, bytes }) => ({ ...start, lines: lines.join('\n'), bytes }));
}

/** The new lines of a company, and its newest stored texts before them, newest first. */
interface NewLines extends Pick<Lines, 'companyId' | 'first' | 'bytes'> {
  readonly storedFirst: readonly string[];
  readonly storedBytes: readonly number[];
}

/**
 * Deletes and returns the stored texts to join with the new lines. Also deletes those of the new
 * lines: a summary that was deleted to be computed again stores its texts once more.
 */
async function takeJoined(
  kind: TextKind,
  added: readonly Lines[],
  tx: Transaction,
): Promise<Lines[]> {
  const companies = await readNewest(kind, added, tx);
  return query<Lines>(
    `WITH deleted AS (
       DELETE FROM search_texts t
       USING ${unnest(JOINED, 'added')}
       WHERE t.company_id = added.company_id AND t.kind = '${kind}' AND t.first >= added.joined_from
       RETURNING t.company_id, t.first, t.lines, t.first < added.first AS is_joined
     )
     SELECT company_id AS "companyId", first, lines, octet_length(lines) + 1 AS bytes
     FROM deleted
     WHERE is_joined`,
    arraysOf(JOINED, companies),
    tx,
  );
}

const JOINED: Columns<NewLines> = {
  ...POSITION,
  joined_from: ['bigint', joinedFrom],
};

/** The first of the stored texts that are joined; none of them is longer than all after it. */
function joinedFrom({ first, bytes, storedFirst, storedBytes }: NewLines): string {
  let from = first;
  let sum = bytes;
  for (const [index, stored] of storedBytes.entries()) {
    if (stored > sum || stored + sum > MAX_BYTES) break;
    from = storedFirst[index] ?? from;
    sum += stored;
  }
  return from;
}

/** Reads only the lengths of the stored texts. */
function readNewest(kind: TextKind, added: readonly Lines[], tx: Transaction): Promise<NewLines[]> {
  return query<NewLines>(
    `SELECT added.company_id AS "companyId", added.first, added.bytes,
       stored.first AS "storedFirst", stored.bytes AS "storedBytes"
     FROM (
       SELECT company_id, min(first) AS first, sum(bytes)::int AS bytes
       FROM ${unnest(LENGTH, 'line')}
       GROUP BY company_id
     ) added,
       LATERAL (
         SELECT COALESCE(array_agg(first), '{}') AS first, COALESCE(array_agg(bytes), '{}') AS bytes
         FROM (
           SELECT first, octet_length(lines) + 1 AS bytes
           FROM search_texts
           WHERE company_id = added.company_id AND kind = '${kind}' AND first < added.first
           ORDER BY first DESC
           LIMIT ${JOINED_MAX}
         ) t
       ) stored`,
    arraysOf(LENGTH, added),
    tx,
  );
}

const LENGTH: Columns<Lines> = { ...POSITION, bytes: ['int', ({ bytes }) => bytes] };
