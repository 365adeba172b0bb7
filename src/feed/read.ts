// Reads rows of a company's feed, always from the primary: a reader at a sequence has missed
// nothing before it.
import { query, queryOne } from '../platform/db/connection.js';
import { timeJson } from '../platform/db/sql.js';
import { type FeedRow, readStubs, type StoredEvent } from './stubs.js';

/** The oldest event that is retained, and the newest one. Without events: newest + 1. */
export interface FeedPosition {
  readonly oldest: number;
  readonly newest: number;
}

export interface FeedPart extends FeedPosition {
  /** In order. The first row may begin before the part, the last one may end after it. */
  readonly events: readonly StoredEvent[];
}

/** SQL of a FeedPosition from the company c. */
const POSITION = `
  c.next_event_sequence - 1 AS newest,
  COALESCE(
    (SELECT first_sequence FROM feed WHERE company_id = c.id ORDER BY last_sequence LIMIT 1),
    c.next_event_sequence
  ) AS oldest`;

interface Row {
  readonly newest: string;
  readonly oldest: string;
  readonly first: string | null;
  readonly timestamp: string;
  readonly stubs: string;
}

/** The events after `after` up to `until`, and those with them in one row. */
export async function readFeed(companyId: string, after: number, until: number): Promise<FeedPart> {
  const rows = await query<Row>(
    `SELECT ${POSITION},
       f.first_sequence AS first, ${timeJson('f.created_at')} AS timestamp, f.stubs
     FROM companies c
     LEFT JOIN LATERAL (
       SELECT *
       FROM feed
       WHERE company_id = c.id AND last_sequence > $2 AND first_sequence <= $3
       ORDER BY last_sequence
       -- The rows have no gaps, so these are enough. It also keeps the planner on the index.
       LIMIT GREATEST($3::bigint - $2::bigint, 0)
     ) f ON true
     WHERE c.id = $1
     ORDER BY f.last_sequence`,
    [companyId, after, until],
  );
  const events = rows.flatMap(({ first, ...row }) =>
    first === null ? [] : readStubs({ ...row, first: Number(first) }),
  );
  return { ...positionOf(rows[0]), events: events.filter(({ sequence }) => sequence > after) };
}

/** The events with these sequences that are retained. */
export async function readStoredEvents(
  companyId: string,
  sequences: readonly number[],
): Promise<StoredEvent[]> {
  const rows = await query<Omit<FeedRow, 'first'> & { first: string }>(
    `SELECT DISTINCT ON (f.last_sequence) f.first_sequence AS first,
       ${timeJson('f.created_at')} AS timestamp, f.stubs
     FROM unnest($2::bigint[]) AS wanted (sequence)
     CROSS JOIN LATERAL (
       SELECT *
       FROM feed
       WHERE company_id = $1 AND last_sequence >= wanted.sequence
       ORDER BY last_sequence
       LIMIT 1
     ) f
     WHERE f.first_sequence <= wanted.sequence
     ORDER BY f.last_sequence`,
    [companyId, sequences],
  );
  const wanted = new Set(sequences);
  return rows
    .flatMap(row => readStubs({ ...row, first: Number(row.first) }))
    .filter(({ sequence }) => wanted.has(sequence));
}

export async function readFeedPosition(companyId: string): Promise<FeedPosition> {
  const row = await queryOne<Row>(`SELECT ${POSITION} FROM companies c WHERE c.id = $1`, [
    companyId,
  ]);
  return positionOf(row);
}

/** The newest sequence of each company. */
export async function readNewestSequences(
  companyIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await query<{ id: string; newest: string }>(
    `SELECT id, next_event_sequence - 1 AS newest FROM companies WHERE id = ANY($1::uuid[])`,
    [companyIds],
  );
  return new Map(rows.map(({ id, newest }) => [id, Number(newest)]));
}

function positionOf(row: Pick<Row, 'oldest' | 'newest'> | null | undefined): FeedPosition {
  return { oldest: Number(row?.oldest ?? 1), newest: Number(row?.newest ?? 0) };
}
