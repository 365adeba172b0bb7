// Reads a company's feed to its end, applies it, and compares the result with what the API shows.
import { expect } from 'chai';
import type { Json } from './client.js';
import { addKey, type TestCompany } from './factories.js';
import type { Stack } from './suite.js';

/** All events, in pages of `limit`. */
export async function readFeed(company: TestCompany, query = 'limit=200'): Promise<Json[]> {
  const events: Json[] = [];
  for (let after = 0, hasMore = true; hasMore; ) {
    const page = await company.get(`/events?${query}&after=${after}`);
    expect(page.status, page.text).to.equal(200);
    events.push(...page.body.events);
    ({ after, hasMore } = page.body);
  }
  return events;
}

interface Folded {
  /** The last object of each kind, by id. */
  readonly objects: Readonly<Record<string, Map<string, Json>>>;
  readonly levels: Map<string, number>;
}

const KINDS = ['invoice', 'payment', 'credit_note', 'refund', 'customer', 'item'] as const;

/** Applies the events in order. A partial event is fetched, as a client would. */
export async function foldFeed(company: TestCompany, events: readonly Json[]): Promise<Folded> {
  const objects = Object.fromEntries(KINDS.map(kind => [kind, new Map<string, Json>()]));
  const levels = new Map<string, number>();
  for (const event of events) {
    const [kind = '', what] = event.type.split('.');
    const { data } = event.partial ? (await company.get(`/events/${event.sequence}`)).body : event;
    if (what === 'deleted') objects[kind]?.delete(data.id);
    else objects[kind]?.set(data.id, data);
    if (event.type === 'stock.changed')
      for (const { itemId, onHand } of data.items) levels.set(itemId, onHand);
  }
  return { objects, levels };
}

const PATHS = {
  invoice: '/invoices',
  payment: '/payments',
  credit_note: '/credit-notes',
  refund: '/refunds',
  customer: '/customers',
  item: '/inventory',
} as const;

/** Compares the applied feed with the lists of the API, and counts its events. */
export async function expectCompleteFeed(
  stack: Pick<Stack, 'sql'>,
  company: TestCompany,
): Promise<Json[]> {
  const events = await expectShownObjects(company);
  await expectOnePerRow(stack, company, events);
  return events;
}

/** Compares the applied feed with the lists of the API. */
export async function expectShownObjects(company: TestCompany): Promise<Json[]> {
  const events = await readFeed(company);
  expect(events.map(({ sequence }) => sequence)).to.deep.equal(events.map((_, index) => index + 1));
  const { objects, levels } = await foldFeed(company, events);
  for (const kind of KINDS) {
    const shown = await listAll(company, PATHS[kind], kind);
    const folded = [...(objects[kind]?.values() ?? [])];
    const byId = (one: Json, other: Json) => (one.id < other.id ? -1 : 1);
    expect(folded.map(withoutLevel).sort(byId), kind).to.deep.equal(
      shown.map(withoutLevel).sort(byId),
    );
    if (kind === 'item')
      // An item that was never moved has no level.
      for (const { id, onHand } of shown) expect(levels.get(id) ?? 0, id).to.equal(onHand);
  }
  return events;
}

/** Each invoice, entry and adjustment has one event. */
async function expectOnePerRow(
  stack: Pick<Stack, 'sql'>,
  { companyId }: TestCompany,
  events: readonly Json[],
): Promise<void> {
  const [counts] = await stack.sql(
    `SELECT (SELECT count(*)::int FROM invoices WHERE company_id = $1) AS invoices,
       (SELECT count(*)::int FROM entries WHERE company_id = $1) AS entries,
       (SELECT count(*)::int FROM adjustments WHERE company_id = $1) AS adjustments,
       (SELECT count(*)::int FROM customer_versions WHERE company_id = $1) AS versions`,
    [companyId],
  );
  const count = (pattern: RegExp) => events.filter(({ type }) => pattern.test(type)).length;
  expect(counts).to.deep.equal({
    invoices: count(/^invoice\.created$/u),
    // A refund also changes its payment or credit note.
    entries: count(/^(payment|credit_note)\./u),
    adjustments: count(/^adjustment\./u),
    versions: count(/^customer\./u),
  });
}

const ITEM_LEVEL = ['onHand', 'low', 'updatedAt'];

/** An item's stock moves with stock.changed. */
const withoutLevel = (object: Json): Json =>
  'onHand' in object
    ? Object.fromEntries(Object.entries(object).filter(([name]) => !ITEM_LEVEL.includes(name)))
    : object;

/** All records, the archived ones too. */
async function listAll(company: TestCompany, path: string, kind: string): Promise<Json[]> {
  const filters = ['customer', 'item'].includes(kind) ? ['', '&archived=1'] : [''];
  const found: Json[] = [];
  for (const filter of filters) {
    let next: string | undefined = `${path}?limit=200${filter}`;
    while (next) {
      const { body, headers } = await company.get(next);
      found.push(...body);
      next = /\/api\/external([^>]*)>; rel="next"/u.exec(String(headers.link ?? ''))?.[1];
    }
  }
  return found;
}

/** A key of the company with these scopes, as a second client. */
export async function otherKey(
  stack: Pick<Stack, 'sql'>,
  { companyId }: TestCompany,
  scopes: readonly string[],
): Promise<string> {
  return (await addKey(stack, companyId, scopes)).key;
}
