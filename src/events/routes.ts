// The endpoints of the feed.
import type { Context } from 'koa';
import { authOf, type Endpoint } from '../api/endpoint.js';
import { readFeedPage } from '../companies/consistent-reads.js';
import type { FeedPosition } from '../feed/read.js';
import { notFound, Problem } from '../platform/errors.js';
import { noParameters, validateQuery } from '../platform/http/input/query.js';
import { type FeedQuery, readEvents, readEventsBySequence, readFeedPosition } from './read.js';
import { type EventQuery, eventQuery, LAST_POSITION } from './schema.js';
import { waitForEvent } from './wait.js';

export const eventEndpoints: readonly Endpoint[] = [
  {
    type: 'feed',
    path: '/events',
    id: 'listEvents',
    tag: 'Events',
    summary: 'Read the feed of events',
    description:
      'Every change of your company, in the order in which the changes were made. Pass the ' +
      '`after` of each answer on, and store it with the data: the feed has no gaps. A page with ' +
      '`types` may be empty although `hasMore` is true. Events are retained for 30 days. See ' +
      '[Events](/docs/events).',
    scope: 'events:read',
    query: eventQuery,
    answer: 'A page of events.',
    schema: 'EventPage',
    middleware: () => [
      async ctx => {
        ctx.type = 'json';
        ctx.body = await readPage(authOf(ctx).companyId, validateQuery(eventQuery, ctx), ctx);
      },
    ],
  },
  {
    type: 'feed',
    path: '/events/{sequence}',
    id: 'getEvent',
    tag: 'Events',
    summary: 'Get an event',
    description: 'The whole event, also where the feed has `"partial": true`.',
    scope: 'events:read',
    noun: 'event',
    answer: 'The event.',
    schema: 'Event',
    middleware: () => [
      noParameters,
      async ctx => {
        ctx.type = 'json';
        ctx.body = await getEvent(authOf(ctx).companyId, ctx.params.sequence ?? '');
      },
    ],
  },
];

async function readPage(
  companyId: string,
  { after: given, limit, types, wait }: EventQuery,
  ctx: Context,
): Promise<string | Buffer> {
  const endsAt = performance.now() + wait * 1000;
  const position =
    given === undefined || given === LAST_POSITION ? await readFeedPosition(companyId) : null;
  if (position && given === LAST_POSITION) return pageJson([], position.newest, false);
  let after = position ? position.oldest - 1 : Number(given);
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort());
  for (;;) {
    const page = await readSharedPage(companyId, { after, limit, types: types ?? null });
    checkPosition(after, page);
    after = page.after;
    const leftMs = endsAt - performance.now();
    if (page.isAnswer || !(await waitForEvent(companyId, after, leftMs, gone.signal)))
      return page.body;
  }
}

interface SharedPage extends FeedPosition {
  readonly after: number;
  /** Whether it answers a request that waits for events. */
  readonly isAnswer: boolean;
  readonly body: Buffer;
}

function readSharedPage(companyId: string, query: FeedQuery): Promise<SharedPage> {
  const { after: from, limit, types } = query;
  return readFeedPage(companyId, JSON.stringify([from, limit, types && [...types]]), async () => {
    const { events, after, hasMore, oldest, newest } = await readEvents(companyId, query);
    const texts = events.map(({ body }) => body);
    return {
      ...{ after, oldest, newest, isAnswer: texts.length > 0 || hasMore },
      body: Buffer.from(pageJson(texts, after, hasMore)),
    };
  });
}

function pageJson(events: readonly string[], after: number, hasMore: boolean): string {
  return `{"events":[${events.join(',')}],"after":${after},"hasMore":${hasMore}}`;
}

/** Throws Problem `events_expired` or `invalid_cursor`. */
function checkPosition(after: number, { oldest, newest }: FeedPosition): void {
  if (after > newest)
    throw new Problem(
      'invalid_cursor',
      `"after" is beyond the newest event, ${newest}. It is of another company, or the database ` +
        'was restored from a backup.',
    );
  if (after < oldest - 1) throw expired(oldest);
}

async function getEvent(companyId: string, text: string): Promise<string> {
  const sequence = /^[1-9]\d{0,14}$/u.test(text) ? Number(text) : null;
  if (sequence === null) throw notFound('event');
  const [event] = await readEventsBySequence(companyId, [sequence], { whole: true });
  if (event) return event.body;
  const { oldest } = await readFeedPosition(companyId);
  throw sequence < oldest ? expired(oldest) : notFound('event');
}

function expired(oldest: number): Problem {
  return new Problem('events_expired', `The oldest event that is retained is ${oldest}.`, {
    members: { oldest },
  });
}
