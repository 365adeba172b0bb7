// Integrations → Events: the feed, newest first, with links to the records.
import { readEvents, readFeedPosition } from '../../events/read.js';
import { EVENT_TYPES, isEventType } from '../../events/types.js';
import type { PageAnswer, PageRequest } from '../kit/page.js';
import { Badge, ButtonLink, Empty, PageHead, Pager, Panel, Time } from '../kit/ui/components.js';
import { Table } from '../kit/ui/list.js';

export const EVENTS = '/integrations/events';
const PAGE_SIZE = 50;

interface ShownEvent {
  readonly sequence: number;
  readonly type: string;
  readonly timestamp: string;
  readonly actor: { readonly kind: 'user' | 'key' } | null;
  /** The name or number of the record, and its page. */
  readonly subject: string;
  readonly href: string | null;
}

/** Pages begin at the end of the feed, or before a sequence. */
export async function showEvents(request: PageRequest): Promise<PageAnswer> {
  const { companyId } = request.session;
  const { oldest, newest } = await readFeedPosition(companyId);
  const before = Number(request.query.get('before') ?? newest + 1);
  const last = Number.isSafeInteger(before) && before > 0 ? Math.min(before - 1, newest) : newest;
  const after = Math.max(oldest - 1, last - PAGE_SIZE);
  const page = await readEvents(companyId, {
    after,
    limit: Math.max(1, last - after),
    types: null,
  });
  const events = last > after ? page.events.map(toShown).toReversed() : [];
  const body = (
    <>
      <PageHead
        title="Events"
        note="Every change of your company, for programs that follow it. Retained for 30 days."
      >
        <ButtonLink href="/docs/events" quiet>
          Guide
        </ButtonLink>
      </PageHead>
      {events.length === 0 ? (
        <Empty title="No events yet" icon="key">
          <p>The next change of an invoice, payment, customer or item appears here.</p>
        </Empty>
      ) : (
        <Panel title="Feed">
          <EventTable events={events} />
          <Pager
            first={last < newest ? EVENTS : null}
            next={after >= oldest ? `${EVENTS}?before=${after + 1}` : null}
          />
        </Panel>
      )}
    </>
  );
  return { title: 'Events', body };
}

function EventTable({ events }: { events: readonly ShownEvent[] }) {
  return (
    <Table
      caption="Events, newest first"
      rows={events}
      columns={[
        {
          head: 'Event',
          cell: ({ type, sequence }) => (
            <>
              <code class="wraps">{type}</code>
              <span class="by">No. {sequence}</span>
            </>
          ),
        },
        {
          head: 'Record',
          cell: ({ subject, href }) =>
            href === null ? (
              <span class="wraps">{subject}</span>
            ) : (
              <a class="in-text wraps" href={href}>
                {subject}
              </a>
            ),
        },
        {
          head: 'Meaning',
          cell: ({ type }) => (isEventType(type) ? EVENT_TYPES[type].when : ''),
        },
        { head: 'By', cell: ({ actor }) => <Badge>{BY[actor?.kind ?? 'none']}</Badge> },
        { head: 'Time', cell: ({ timestamp }) => <Time at={timestamp} /> },
      ]}
    />
  );
}

const BY = { user: 'User', key: 'API key', none: 'Service' } as const;

/** The pages of records, by the first part of the type. */
const PAGES: Readonly<Record<string, string>> = {
  invoice: '/invoices',
  payment: '/payments',
  credit_note: '/credit-notes',
  customer: '/customers',
  item: '/inventory',
  stock: '/inventory',
  key: '/integrations/api-access',
};

function toShown({
  sequence,
  type,
  timestamp,
  body,
}: { body: string } & Pick<ShownEvent, 'sequence' | 'type' | 'timestamp'>): ShownEvent {
  const { actor, data } = JSON.parse(body);
  const [kind = ''] = type.split('.');
  const id: string | undefined = data.id ?? data.itemId;
  const page = type === 'customer.deleted' ? undefined : PAGES[kind];
  const subject: string =
    data.name ??
    data.number ??
    data.fileName ??
    data.customerName ??
    data.reason ??
    levelsText(data);
  return {
    ...{ sequence, type, timestamp, actor, subject },
    href: page === undefined || id === undefined ? null : `${page}/${id}`,
  };
}

function levelsText({ items }: { items?: readonly unknown[] }): string {
  if (!items) return '';
  return items.length === 1 ? '1 item' : `${items.length} items`;
}
