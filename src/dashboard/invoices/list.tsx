// The invoices, newest first, with a search by customer, number, reference and date.
import {
  hasInvoices,
  type InvoicePlace,
  type InvoiceRow,
  searchInvoices,
} from '../../invoices/search.js';
import { Problem } from '../../platform/errors.js';
import { isCalendarDate } from '../../platform/http/input/validate.js';
import { cleanText } from '../../platform/values/text.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { ButtonLink, Day, Empty, Money, PageHead, Pager, Table } from '../kit/ui/components.js';
import { Button } from '../kit/ui/fields.js';

const ROWS = 50;
/** The longest searchable text, a customer name. */
const MAX_TEXT = 255;
/** A page boundary: 2026-11-20.12 is the invoice of that day with that running number. */
const PLACE = /^(\d{4}-\d{2}-\d{2})\.(\d{1,18})$/u;

interface Filter {
  readonly text: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

export async function showInvoices({ session, query }: PageRequest): Promise<Answer> {
  const filter = { text: textOf(query), from: dayOf(query, 'from'), to: dayOf(query, 'to') };
  const [before, after] = [placeOf(query.get('before')), placeOf(query.get('after'))];
  const start = before
    ? { place: before, direction: 'before' as const }
    : after && { place: after, direction: 'after' as const };
  const { rows, hasMore } = await searchInvoices(session.companyId, {
    ...filter,
    limit: ROWS,
    at: start,
  });
  // A full first page, which also has the invoices that were created in the meantime.
  if (before && !hasMore) return { to: hrefOf(filter) };
  const isFiltered = filter.text !== null || filter.from !== null || filter.to !== null;
  const isEmpty = rows.length === 0 && !isFiltered && !(await hasInvoices(session.companyId));
  const [first, last] = [rows[0], rows.at(-1)];
  const body = (
    <>
      <PageHead title="Invoices" note={isEmpty ? '' : 'Newest first'}>
        <ButtonLink href="/invoices/new">New invoice</ButtonLink>
      </PageHead>
      {isEmpty ? (
        <Empty title="No invoices yet.">
          <p>
            Invoices appear here, whether your shop sends them through the API or you create them by
            hand.
          </p>
          <p>
            <a href="/invoices/new">Create your first invoice</a> or{' '}
            <a href="/docs">connect your shop</a>.
          </p>
        </Empty>
      ) : (
        <>
          <Search filter={filter} isFiltered={isFiltered} />
          {rows.length === 0 ? <NoMatch isFiltered={isFiltered} /> : <Rows rows={rows} />}
          <Pager
            previous={start && first ? hrefOf(filter, 'before', first.place) : null}
            next={(hasMore || before) && last ? hrefOf(filter, 'after', last.place) : null}
          />
        </>
      )}
    </>
  );
  return { title: 'Invoices', body };
}

function Rows({ rows }: { rows: readonly InvoiceRow[] }) {
  return (
    <div class="panel">
      <Table
        caption="Invoices"
        rows={rows}
        columns={[
          { head: 'Number', cell: ({ id, number }) => <a href={`/invoices/${id}`}>{number}</a> },
          { head: 'Date', cell: ({ date }) => <Day on={date} /> },
          { head: 'Customer', cell: ({ customerName }) => customerName },
          { head: 'Reference', cell: ({ reference }) => reference ?? <span class="note">–</span> },
          { head: 'Total', align: 'end', cell: ({ total }) => <Money value={total} /> },
        ]}
      />
    </div>
  );
}

function NoMatch({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Empty title={isFiltered ? 'No matching invoices.' : 'No more invoices.'}>
      <p>
        {isFiltered &&
          'Try part of the customer name, a number such as INV-000012 or 12, or other dates. '}
        <a href="/invoices">{isFiltered ? 'Clear search' : 'Show the newest invoices'}</a>
      </p>
    </Empty>
  );
}

/** A GET form: its fields are the query of the page's URL. */
function Search({
  filter: { text, from, to },
  isFiltered,
}: {
  filter: Filter;
  isFiltered: boolean;
}) {
  return (
    <search>
      <form class="invoice-search" method="get" action="/invoices">
        <div class="field">
          <label for="search-q">Customer, number or reference</label>
          <input
            id="search-q"
            type="search"
            name="q"
            value={text ?? undefined}
            maxlength={MAX_TEXT}
            autocomplete="off"
          />
        </div>
        <div class="field">
          <label for="search-from">From</label>
          <input id="search-from" type="date" name="from" value={from ?? undefined} />
        </div>
        <div class="field">
          <label for="search-to">To</label>
          <input id="search-to" type="date" name="to" value={to ?? undefined} />
        </div>
        <div class="actions">
          <Button>Search</Button>
          {isFiltered && (
            <ButtonLink href="/invoices" quiet>
              Clear
            </ButtonLink>
          )}
        </div>
      </form>
    </search>
  );
}

function textOf(query: URLSearchParams): string | null {
  return cleanText(query.get('q') ?? '').slice(0, MAX_TEXT) || null;
}

/** Throws Problem `invalid_parameter`; the date field of a browser sends valid dates only. */
function dayOf(query: URLSearchParams, name: string): string | null {
  const day = query.get(name) || null;
  if (day !== null && !isCalendarDate(day)) {
    const quoted = `“${cleanText(day).slice(0, 40)}”`;
    throw new Problem('invalid_parameter', `${quoted} isn’t a valid date.`);
  }
  return day;
}

/** Throws Problem `invalid_cursor`. */
function placeOf(text: string | null): InvoicePlace | null {
  if (text === null) return null;
  const [, date = '', number = ''] = PLACE.exec(text) ?? [];
  if (!isCalendarDate(date))
    throw new Problem('invalid_cursor', 'This page of results no longer exists.');
  return { date, number };
}

function hrefOf(
  { text, from, to }: Filter,
  direction?: 'before' | 'after',
  place?: InvoicePlace,
): string {
  const query = new URLSearchParams();
  if (text !== null) query.set('q', text);
  if (from !== null) query.set('from', from);
  if (to !== null) query.set('to', to);
  if (direction && place) query.set(direction, `${place.date}.${place.number}`);
  return query.size === 0 ? '/invoices' : `/invoices?${query}`;
}
