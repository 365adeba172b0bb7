// The `data` of events: the stub has what later changes overwrite, and the rest is read from rows
// that never change.
import { customerJson } from '../customers/record.js';
import { emailJson } from '../emails/email.js';
import type { StoredEvent } from '../feed/stubs.js';
import { adjustmentDetailsJson } from '../inventory/queries.js';
import { asIssued, type SettledMembers, withSettlement } from '../invoices/invoice-json.js';
import { type FundsUsage, withUsage } from '../ledger/entry-json.js';
import { plainArray } from '../platform/db/arrays.js';
import { query } from '../platform/db/connection.js';
import { lookUpOne } from '../platform/db/sql.js';

/** Resolves to the JSON text of each event's `data`, in order. */
export async function readEventData(
  companyId: string,
  events: readonly StoredEvent[],
): Promise<string[]> {
  const texts = new Map<StoredEvent, string>();
  await Promise.all(
    KINDS.map(async ({ types, read }) => {
      const own = events.filter(({ type }) => types.test(type));
      if (own.length === 0) return;
      const found = await read(companyId, own);
      for (const [index, event] of own.entries()) texts.set(event, found[index] ?? 'null');
    }),
  );
  return events.map(event => texts.get(event) ?? textOf(event));
}

type ReadData = (companyId: string, events: readonly StoredEvent[]) => Promise<string[]>;

/** Those whose `data` is read from rows. */
const KINDS: readonly { readonly types: RegExp; readonly read: ReadData }[] = [
  { types: /^invoice\./u, read: readInvoices },
  { types: /^(payment|credit_note|refund)\./u, read: readEntries },
  { types: /^customer\.(created|updated)$/u, read: readCustomers },
  { types: /^adjustment\./u, read: rowReader('adjustments', 'a', adjustmentDetailsJson) },
  { types: /^email\./u, read: rowReader('emails', 'e', `${emailJson}::text`) },
];

/** The `data` of an event that is all in its stub. */
function textOf({ type, data }: StoredEvent): string {
  if (type !== 'stock.changed') return JSON.stringify(data ?? null);
  const levels = data as (string | number)[];
  const items = levels.flatMap((itemId, index) =>
    index % 2 === 0 ? [{ itemId, onHand: levels[index + 1] }] : [],
  );
  return JSON.stringify({ items });
}

async function readInvoices(companyId: string, events: readonly StoredEvent[]): Promise<string[]> {
  const rows = await query<{ id: string; body: string; total: string }>(
    `SELECT i.id, i.body, trim_scale(i.total)::text AS total
     FROM unnest($2::uuid[]) AS wanted (id),
       ${lookUpOne('invoices', 'i', 'company_id = $1 AND id = wanted.id')}`,
    [companyId, idsOf(events)],
  );
  const invoices = new Map(rows.map(row => [row.id, row]));
  return events.map(({ subjectId, data }) => {
    const invoice = invoices.get(subjectId);
    if (!invoice) return 'null';
    return data === undefined
      ? asIssued(invoice.body, invoice.total)
      : withSettlement(invoice.body, data as SettledMembers);
  });
}

/** The data in the stub of an entry. It is absent if the event is about the entry itself. */
interface EntryStub {
  /** The entry that has the JSON of its payment or credit note. */
  readonly entry?: string;
  readonly usage?: FundsUsage;
}

async function readEntries(companyId: string, events: readonly StoredEvent[]): Promise<string[]> {
  const ids = events.map(
    ({ subjectId, data }) => (data as EntryStub | undefined)?.entry ?? subjectId,
  );
  const rows = await query<{ id: string; body: string }>(
    `SELECT e.id, COALESCE(e.first_body, e.body) AS body
     FROM unnest($2::uuid[]) AS wanted (id),
       ${lookUpOne('entries', 'e', 'company_id = $1 AND id = wanted.id')}`,
    [companyId, plainArray([...new Set(ids)])],
  );
  const bodies = new Map(rows.map(({ id, body }) => [id, body]));
  return events.map(({ data }, index) => {
    const body = bodies.get(ids[index] ?? '') ?? 'null';
    const { usage } = (data ?? {}) as EntryStub;
    return usage ? withUsage(body, usage) : body;
  });
}

async function readCustomers(companyId: string, events: readonly StoredEvent[]): Promise<string[]> {
  const versions = events.map(({ data }) => data as [version: number, currency: string]);
  const rows = await query<{ id: string; version: number; body: string }>(
    `SELECT v.customer_id AS id, v.version, v.body
     FROM unnest($2::uuid[], $3::int[]) AS wanted (id, version),
       ${lookUpOne(
         'customer_versions',
         'v',
         'company_id = $1 AND customer_id = wanted.id AND version = wanted.version',
       )}`,
    [
      companyId,
      plainArray(events.map(({ subjectId }) => subjectId)),
      plainArray(versions.map(([version]) => version)),
    ],
  );
  const bodies = new Map(rows.map(({ id, version, body }) => [`${id} ${version}`, body]));
  return events.map(({ subjectId }, index) => {
    const [version, currency] = versions[index] ?? [0, ''];
    return customerJson(bodies.get(`${subjectId} ${version}`) ?? 'null', currency);
  });
}

/** Reads rows that are all of an event's `data`. `json` is SQL of the row with this alias. */
function rowReader(table: 'adjustments' | 'emails', alias: string, json: string): ReadData {
  return async (companyId, events) => {
    const rows = await query<{ id: string; body: string }>(
      `SELECT ${alias}.id, ${json} AS body
       FROM unnest($2::uuid[]) AS wanted (id),
         ${lookUpOne(table, alias, 'company_id = $1 AND id = wanted.id')}`,
      [companyId, idsOf(events)],
    );
    const bodies = new Map(rows.map(({ id, body }) => [id, body]));
    return events.map(({ subjectId }) => bodies.get(subjectId) ?? 'null');
  };
}

/** Each subject once. */
function idsOf(events: readonly StoredEvent[]): string {
  return plainArray([...new Set(events.map(({ subjectId }) => subjectId))]);
}
