// Reads events as GET /events and webhooks send them: the same bytes each time.
import { v5 as uuidv5 } from 'uuid';
import { type FeedPosition, readFeed, readStoredEvents } from '../feed/read.js';
import type { StoredEvent } from '../feed/stubs.js';
import { replaceMembers } from '../platform/values/json-text.js';
import { readEventData } from './data.js';

export { readFeedPosition } from '../feed/read.js';

export interface FeedEvent {
  readonly sequence: number;
  readonly type: string;
  readonly id: string;
  /** RFC 3339 in UTC with milliseconds. */
  readonly timestamp: string;
  /** The JSON text. */
  readonly body: string;
}

export interface FeedPage extends FeedPosition {
  readonly events: readonly FeedEvent[];
  /** The last examined sequence: the next page begins after it. */
  readonly after: number;
  readonly hasMore: boolean;
}

export interface FeedQuery {
  readonly after: number;
  readonly limit: number;
  /** Null for all. */
  readonly types: ReadonlySet<string> | null;
}

/** Events that a read examines. A filter that matches few gets a page that is not full. */
const EXAMINED_MAX = 5_000;
/** The first step of a filtered read. Each further step is twice as long. */
const FIRST_STEP = 250;
/** Longer events are sent without their lists. */
const MAX_BYTES = 20_000;

/** The events after a sequence. Expired ones are passed over: compare `oldest`. */
export async function readEvents(companyId: string, query: FeedQuery): Promise<FeedPage> {
  const { limit, types } = query;
  const found: StoredEvent[] = [];
  const end = query.after + EXAMINED_MAX;
  let after = query.after;
  for (let step = types ? Math.max(limit, FIRST_STEP) : limit; ; step *= 2) {
    const { events, oldest, newest } = await readFeed(
      companyId,
      after,
      Math.min(Math.max(after, 0) + step, end),
    );
    for (const event of events) {
      if (found.length === limit) break;
      after = event.sequence;
      if (!types || types.has(event.type)) found.push(event);
    }
    if (found.length < limit && events.length > 0 && after < Math.min(newest, end)) continue;
    const hasMore = after < newest && events.length > 0;
    return { events: await toEvents(companyId, found), after, hasMore, oldest, newest };
  }
}

/** The events with these sequences that are retained, in order. `whole`: none is partial. */
export async function readEventsBySequence(
  companyId: string,
  sequences: readonly number[],
  { whole = false } = {},
): Promise<FeedEvent[]> {
  return toEvents(companyId, await readStoredEvents(companyId, sequences), whole);
}

async function toEvents(
  companyId: string,
  events: readonly StoredEvent[],
  whole = false,
): Promise<FeedEvent[]> {
  const data = await readEventData(companyId, events);
  return events.map((event, index) => {
    const { sequence, type, timestamp } = event;
    const id = uuidv5(`event/${sequence}`, companyId);
    const render = (text: string, end = '') =>
      `{"type":"${type}","timestamp":"${timestamp}","id":"${id}","sequence":${sequence},` +
      `"companyId":"${companyId}","actor":${JSON.stringify(event.actor)},"data":${text}${end}}`;
    const text = data[index] ?? 'null';
    const body = render(text);
    const isPartial = !whole && type !== 'stock.changed' && Buffer.byteLength(body) > MAX_BYTES;
    return {
      ...{ sequence, type, id, timestamp },
      body: isPartial ? render(withoutLists(text), ',"partial":true') : body,
    };
  });
}

/** The members that grow with the use of an object. */
function withoutLists(data: string): string {
  return replaceMembers(data, { items: 'null', allocations: 'null', aliases: 'null' });
}
