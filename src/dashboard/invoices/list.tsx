// The invoices, newest first, by state, with a search by customer, number, reference and date.
import { CSV_TYPE } from '../../inventory/imports/csv.js';
import { exportInvoices } from '../../invoices/export.js';
import { COUNT_LIMIT, countsMatches } from '../../invoices/search/counts.js';
import { hasInvoices, type InvoiceRow, searchInvoices } from '../../invoices/search/search.js';
import type { Answer, ContentAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink, Empty, Money, PageHead } from '../kit/ui/components.js';
import { dayIn } from '../kit/ui/format.js';
import { List, ListFoot, RowDay } from '../kit/ui/list.js';
import { Filters } from './filters.js';
import { hrefOf, type ListFilter, readFilter, readStart } from './list-filter.js';
import { InvoiceStatus } from './status.js';

const ROWS = 50;

export async function showInvoices({ session, query }: PageRequest): Promise<Answer> {
  const { companyId, timeZone } = session;
  const [filter, start] = [readFilter(query), readStart(query)];
  const page = await searchInvoices(companyId, { ...filter, limit: ROWS, at: start });
  const isBefore = start?.direction === 'before';
  // A full first page, which also has the invoices that were created in the meantime.
  if (isBefore && !page.hasMore) return { to: hrefOf(filter) };
  const { text, from, to, state } = filter;
  const isFiltered = [text, from, to, state].some(each => each !== null);
  const isEmpty = page.rows.length === 0 && !isFiltered && !(await hasInvoices(companyId));
  const [first, last] = [page.rows[0], page.rows.at(-1)];
  const previous = start && first && ({ place: first.place, direction: 'before' } as const);
  const hasNext = page.hasMore || isBefore;
  const next = hasNext && last && ({ place: last.place, direction: 'after' } as const);
  const body = (
    <>
      <PageHead title="Invoices">
        {!isEmpty && (
          <ButtonLink href={hrefOf(filter, undefined, '/invoices/export.csv')} quiet>
            Export
          </ButtonLink>
        )}
        <ButtonLink href="/invoices/new">New invoice</ButtonLink>
      </PageHead>
      {isEmpty ? (
        <NoInvoices />
      ) : (
        <>
          <Filters filter={filter} timeZone={timeZone} />
          {page.rows.length === 0 ? (
            <NoMatch filter={filter} />
          ) : (
            <Rows rows={page.rows} filter={filter} today={dayIn(timeZone, new Date())} />
          )}
          <ListFoot
            extent={{ ...page, limit: countsMatches(filter) ? COUNT_LIMIT : null }}
            count={page.rows.length}
            previous={previous ? hrefOf(filter, previous) : null}
            next={next ? hrefOf(filter, next) : null}
          />
        </>
      )}
    </>
  );
  return { title: 'Invoices', body };
}

/** The invoices that the list shows, as a file. */
export function exportList({ session, query }: PageRequest): ContentAnswer {
  const { companyId, timeZone } = session;
  return {
    type: CSV_TYPE,
    content: exportInvoices(companyId, readFilter(query)),
    fileName: `invoices-${dayIn(timeZone, new Date())}.csv`,
  };
}

interface RowsProps {
  readonly rows: readonly InvoiceRow[];
  readonly filter: ListFilter;
  readonly today: string;
}

function Rows({ rows, filter, today }: RowsProps) {
  const { oldestFirst } = filter;
  return (
    <div class="panel list-panel invoice-list">
      <List
        caption="Invoices"
        rows={rows}
        hrefOf={({ id }) => `/invoices/${id}`}
        columns={[
          { head: 'Number', cell: ({ number }) => number },
          { head: 'Customer', wraps: true, cell: ({ customerName }) => customerName },
          {
            head: 'Date',
            cell: ({ date }) => <RowDay on={date} />,
            sort: {
              href: hrefOf({ ...filter, oldestFirst: !oldestFirst }),
              now: oldestFirst ? 'ascending' : 'descending',
            },
          },
          { head: 'Reference', wraps: true, wide: true, cell: ({ reference }) => reference },
          {
            head: 'Due date',
            phone: 'hidden',
            cell: ({ dueDate }) => dueDate && <RowDay on={dueDate} />,
          },
          {
            head: 'Status',
            cell: invoice => <InvoiceStatus invoice={invoice} today={today} />,
          },
          {
            head: 'Total',
            align: 'end',
            phone: 'figure',
            cell: ({ total }) => <Money value={total} />,
          },
          {
            head: 'Due',
            align: 'end',
            phone: 'hidden',
            cell: ({ amountDue }) => (
              <span class={amountDue === '0' ? 'note' : undefined}>
                <Money value={amountDue} />
              </span>
            ),
          },
        ]}
      />
    </div>
  );
}

function NoInvoices() {
  return (
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
  );
}

/** An empty Overdue tab is good news, and no failed search. */
function NoMatch({ filter }: { filter: ListFilter }) {
  const { state, text, from, to } = filter;
  const isSearch = [text, from, to].some(each => each !== null);
  if (!isSearch && state !== null)
    return (
      <Empty title={`No ${state} invoices.`}>
        <p>
          <a href="/invoices">Show all invoices</a>
        </p>
      </Empty>
    );
  return (
    <Empty title={isSearch ? 'No matching invoices.' : 'No more invoices.'}>
      <p>
        {isSearch &&
          'Try part of the customer name, a number such as INV-000012 or 12, or other dates. '}
        <a href="/invoices">{isSearch ? 'Clear search' : 'Show the newest invoices'}</a>
      </p>
    </Empty>
  );
}
