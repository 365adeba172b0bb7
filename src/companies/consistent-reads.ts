// Reads from the replica or this process's cache that show all of a company's own writes. Each
// write advances one of three counters in the company's row, in its own transaction, so a replica
// or page that shows the counter shows the write. The feed of events has a counter of its own. That
// holds across any number of web processes and replicas and needs no store between them. The
// counters are read in batches, at one index look-up per company.
import { LRUCache } from 'lru-cache';
import { Batcher } from '../platform/async/batch.js';
import { query } from '../platform/db/connection.js';
import { inListTurn, runListStatement } from '../platform/db/list-reads.js';
import { hasReplica, queryReplica } from '../platform/db/replica.js';
import { joinedBodies, type PageParts } from '../platform/db/sql.js';
import { type JoinedBodies, type Page, pageOf } from '../platform/http/pagination.js';

interface Version {
  readonly invoices: bigint;
  readonly entries: bigint;
  readonly stock: bigint;
  readonly events: bigint;
}

const NO_COMPANY: Version = { invoices: 0n, entries: 0n, stock: 0n, events: 0n };

/** The counters committed by now: they cover every write that the client has an answer for. */
const versions = new Batcher<string, Version>(
  async companyIds => {
    const rows = await query<Record<'id' | keyof Version, string>>(
      `SELECT id, next_invoice_number AS invoices, next_entry_sequence AS entries,
         stock_version AS stock, next_event_sequence AS events
       FROM companies
       WHERE id = ANY($1::uuid[])`,
      [[...new Set(companyIds)]],
    );
    const found = new Map(
      rows.map(({ id, invoices, entries, stock, events }) => [
        id,
        {
          invoices: BigInt(invoices),
          entries: BigInt(entries),
          stock: BigInt(stock),
          events: BigInt(events),
        },
      ]),
    );
    return companyIds.map(id => found.get(id) ?? NO_COMPANY);
  },
  { maxSize: 500, maxInFlight: 2 },
);

/** A page, as the bytes to send. */
interface SharedPage {
  readonly body: string | Buffer;
}

interface CachedPage {
  /** The counters that were committed before the page was read. */
  readonly version: Version;
  readonly page: Promise<SharedPage>;
}

/** Maximum age, for rows that were changed directly in SQL, which advances no counter. */
const CACHE_MS = 1_000;
/** About a thousand pages of 50 invoices. */
const CACHE_BYTES = 32 * 2 ** 20;
const pages = new LRUCache<string, CachedPage>({ maxSize: CACHE_BYTES, ttl: CACHE_MS });

/**
 * A page of one of the company's lists, no older than its last write. The statement has LIMIT
 * limit + 1 and returns each element's JSON text as `body`; `positionOf` gets the page's last
 * element. Requests share the bytes of a page until one of the company's counters advances, so
 * every write that a list shows must advance one.
 */
export async function readCurrentPage<Element>(
  companyId: string,
  { sql, bind, limit, ...parts }: ListStatement,
  positionOf: (last: Element) => string[],
): Promise<Page> {
  const version = await versions.submit(companyId);
  const joined = joinedBodies(sql, parts);
  return share(companyId + JSON.stringify(bind) + joined, version, isAtLeast, async () =>
    pageOf(await readCurrentRow(companyId, joined, bind, version), limit, positionOf),
  );
}

/**
 * A page of the company's feed that `read` makes from the primary. Requests with the same key share
 * its bytes until the company has another event.
 */
export async function readFeedPage<Part extends SharedPage>(
  companyId: string,
  key: string,
  read: () => Promise<Part>,
): Promise<Part> {
  const version = await versions.submit(companyId);
  const hasSameEvents = (one: Version, other: Version) => one.events >= other.events;
  return share(`${companyId} feed ${key}`, version, hasSameEvents, read);
}

/** Concurrent requests share one read, and later ones its page while it is current. */
function share<Part extends SharedPage>(
  key: string,
  version: Version,
  isCurrent: (cached: Version, committed: Version) => boolean,
  read: () => Promise<Part>,
): Promise<Part> {
  const cached = pages.get(key);
  // A key belongs to one kind of page.
  if (cached && isCurrent(cached.version, version)) return cached.page as Promise<Part>;
  const page = read();
  const entry = { version, page };
  // Its size is set when it completes.
  pages.set(key, entry, { size: 1 });
  const settle = (size: number | null) => {
    if (pages.peek(key) !== entry) return;
    if (size === null) pages.delete(key);
    else pages.set(key, entry, { size });
  };
  page.then(
    ({ body }) => settle(body.length + key.length),
    () => settle(null),
  );
  return page;
}

/** The statement of a list's page and its values. $2 is the limit. */
export interface ListStatement extends PageParts {
  readonly sql: string;
  readonly bind: unknown[];
  readonly limit: number;
}

function isAtLeast(one: Version, other: Version): boolean {
  return one.invoices >= other.invoices && one.entries >= other.entries && one.stock >= other.stock;
}

/** The row of a statement that always has one, from the replica if that shows the version. */
function readCurrentRow(
  companyId: string,
  sql: string,
  bind: unknown[],
  version: Version,
): Promise<JoinedBodies> {
  return inListTurn(companyId, () => readRow(companyId, sql, bind, version));
}

async function readRow(
  companyId: string,
  sql: string,
  bind: unknown[],
  { invoices, entries, stock }: Version,
): Promise<JoinedBodies> {
  const given = bind.length;
  const replicas = hasReplica()
    ? await queryReplica<JoinedBodies>(
        // Rows and counters come from one snapshot.
        `SELECT answer.*
         FROM companies
         CROSS JOIN LATERAL (${sql}) answer
         WHERE companies.id = $${given + 1}
           AND companies.next_invoice_number >= $${given + 2}
           AND companies.next_entry_sequence >= $${given + 3}
           AND companies.stock_version >= $${given + 4}`,
        [...bind, companyId, invoices, entries, stock],
      )
    : [];
  const [row] = replicas.length > 0 ? replicas : await runListStatement<JoinedBodies>(sql, bind);
  return row ?? { bodies: null, count: 0 };
}

/** The key of a company's row. */
export interface RowRef {
  readonly companyId: string;
  readonly id: string;
}

/**
 * Reads rows that only entries change, in the order of `refs`, null for a missing one. Asks the
 * replica first, for the companies whose last entry it has, and the primary for the rest. The
 * statement takes the companies as $1 and the ids as $2, and returns as `position` which ref a row
 * belongs to, counted from 1.
 */
export async function readCurrentRows<Row extends { position: string }>(
  sql: string,
  refs: readonly RowRef[],
): Promise<(Row | null)[]> {
  const found: (Row | null)[] = refs.map(() => null);
  const collect = (rows: readonly Row[], positions: readonly number[]) => {
    for (const row of rows) found[positions[Number(row.position) - 1] ?? -1] = row;
  };
  const all = [...refs.keys()];
  if (hasReplica()) collect(await readReplicaRows<Row>(sql, refs), all);
  const missing = all.filter(index => !found[index]);
  if (missing.length === 0) return found;
  collect(await query<Row>(sql, columnsOf(missing.map(index => refs[index] as RowRef))), missing);
  return found;
}

async function readReplicaRows<Row extends object>(
  sql: string,
  refs: readonly RowRef[],
): Promise<Row[]> {
  const known = await Promise.all(refs.map(({ companyId }) => versions.submit(companyId)));
  return queryReplica<Row>(
    // Rows and counters come from one snapshot.
    `SELECT answer.*
     FROM (${sql}) answer
     JOIN unnest($1::uuid[], $3::bigint[]) WITH ORDINALITY AS known (company_id, entries, position)
       USING (position)
     JOIN companies ON companies.id = known.company_id
     WHERE companies.next_entry_sequence >= known.entries`,
    [...columnsOf(refs), known.map(({ entries }) => entries)],
  );
}

function columnsOf(refs: readonly RowRef[]): [companyIds: string[], ids: string[]] {
  return [refs.map(({ companyId }) => companyId), refs.map(({ id }) => id)];
}
