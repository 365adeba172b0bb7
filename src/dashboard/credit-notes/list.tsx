// The credit notes, newest first, with a search by customer, number, reference and date.
import { CSV_TYPE } from '../../inventory/imports/csv.js';
import { exportEntries } from '../../ledger/export.js';
import { listEntries } from '../../ledger/queries.js';
import type { Pager as Cursors } from '../../platform/http/pagination.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import type { Answer, ContentAnswer, PageRequest } from '../kit/page.js';
import { Badge, ButtonLink, Empty, Money, PageHead, Pager } from '../kit/ui/components.js';
import { dayIn } from '../kit/ui/format.js';
import { List, RowDay } from '../kit/ui/list.js';
import { filterOf, hrefOf, isFiltered, readSearch } from '../payments/entry-filter.js';
import { EntryFilters } from '../payments/entry-filters.js';
import { type CreditNote, reasonLabel } from './credit-note-view.js';

const ROWS = 50;
const PATH = '/credit-notes';
const LIST = 'credit notes';

export async function showCreditNotes(
  { session: { companyId }, query }: PageRequest,
  cursors: Cursors,
): Promise<Answer> {
  const search = readSearch(query);
  const position = cursors.position(companyId, LIST, query.get('cursor') ?? undefined);
  const filter = { ...filterOf(search), limit: ROWS };
  const page = await listEntries(companyId, 'creditNote', filter, position);
  const notes = parseDecimalJson<CreditNote[]>(page.body);
  const isEmpty = notes.length === 0 && !isFiltered(search) && position === undefined;
  const body = (
    <>
      <PageHead title="Credit notes">
        {!isEmpty && (
          <ButtonLink href={hrefOf(`${PATH}/export.csv`, search)} quiet>
            Export
          </ButtonLink>
        )}
      </PageHead>
      {isEmpty ? (
        <Empty title="No credit notes yet">
          <p>
            A credit note corrects an invoice: goods come back, or a price was wrong. Open an{' '}
            <a href="/invoices">invoice</a> to credit it.
          </p>
        </Empty>
      ) : (
        <>
          <EntryFilters
            path={PATH}
            search={search}
            placeholder="Customer, number or reference"
            hasStates
          />
          {notes.length === 0 ? <NoMatch /> : <Rows notes={notes} />}
          <Pager
            first={position ? hrefOf(PATH, search) : null}
            next={page.next && hrefOf(PATH, search, cursors.cursor(companyId, LIST, page.next))}
          />
        </>
      )}
    </>
  );
  return { title: 'Credit notes', body };
}

/** The credit notes that the list shows, as a file. */
export function exportCreditNotes({ session, query }: PageRequest): ContentAnswer {
  const { companyId, timeZone } = session;
  return {
    type: CSV_TYPE,
    content: exportEntries(companyId, 'creditNote', filterOf(readSearch(query))),
    fileName: `credit-notes-${dayIn(timeZone, new Date())}.csv`,
  };
}

function Rows({ notes }: { notes: readonly CreditNote[] }) {
  return (
    <div class="panel list-panel">
      <List
        caption="Credit notes"
        rows={notes}
        hrefOf={({ id }) => `${PATH}/${id}`}
        columns={[
          { head: 'Number', cell: ({ number }) => number },
          { head: 'Customer', wraps: true, cell: ({ customerName }) => customerName },
          { head: 'Date', cell: ({ date }) => <RowDay on={date} /> },
          { head: 'Invoice', cell: ({ invoiceNumber }) => invoiceNumber },
          { head: 'Reason', phone: 'hidden', cell: ({ reason }) => reasonLabel(reason) },
          {
            head: 'Status',
            cell: ({ unallocated }) =>
              unallocated === '0' ? null : <Badge tone="warn">Unallocated</Badge>,
          },
          {
            head: 'Total',
            align: 'end',
            phone: 'figure',
            cell: ({ total }) => <Money value={total} />,
          },
        ]}
      />
    </div>
  );
}

function NoMatch() {
  return (
    <Empty title="No matching credit notes.">
      <p>
        Try part of the customer name, a whole number such as CN-000012, or other dates.{' '}
        <a href={PATH}>Clear search</a>
      </p>
    </Empty>
  );
}
