// The payments, newest first, with a search by customer, reference, bank id and date.
import { CSV_TYPE } from '../../inventory/imports/csv.js';
import { exportEntries } from '../../ledger/export.js';
import { listEntries } from '../../ledger/queries.js';
import type { Pager as Cursors } from '../../platform/http/pagination.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import type { Answer, ContentAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink, Empty, Money, PageHead, Pager } from '../kit/ui/components.js';
import { dayIn } from '../kit/ui/format.js';
import { List, RowDay } from '../kit/ui/list.js';
import { filterOf, hrefOf, isFiltered, readSearch } from './entry-filter.js';
import { EntryFilters } from './entry-filters.js';
import { invoicesLabel, methodLabel, type Payment, PaymentStatus } from './payment-view.js';

const ROWS = 50;
const PATH = '/payments';
const LIST = 'payments';

export async function showPayments(
  { session: { companyId }, query }: PageRequest,
  cursors: Cursors,
): Promise<Answer> {
  const search = readSearch(query);
  const position = cursors.position(companyId, LIST, query.get('cursor') ?? undefined);
  const filter = { ...filterOf(search), limit: ROWS };
  const page = await listEntries(companyId, 'payment', filter, position);
  const payments = parseDecimalJson<Payment[]>(page.body);
  const isEmpty = payments.length === 0 && !isFiltered(search) && position === undefined;
  const body = (
    <>
      <PageHead title="Payments">
        {!isEmpty && (
          <ButtonLink href={hrefOf(`${PATH}/export.csv`, search)} quiet>
            Export
          </ButtonLink>
        )}
        <ButtonLink href="/payments/new">Record payment</ButtonLink>
      </PageHead>
      {isEmpty ? (
        <NoPayments />
      ) : (
        <>
          <EntryFilters
            path={PATH}
            search={search}
            placeholder="Customer, reference or bank id"
            hasStates
          />
          {payments.length === 0 ? <NoMatch /> : <Rows payments={payments} />}
          <Pager
            first={position ? hrefOf(PATH, search) : null}
            next={page.next && hrefOf(PATH, search, cursors.cursor(companyId, LIST, page.next))}
          />
        </>
      )}
    </>
  );
  return { title: 'Payments', body };
}

/** The payments that the list shows, as a file. */
export function exportPayments({ session, query }: PageRequest): ContentAnswer {
  const { companyId, timeZone } = session;
  return {
    type: CSV_TYPE,
    content: exportEntries(companyId, 'payment', filterOf(readSearch(query))),
    fileName: `payments-${dayIn(timeZone, new Date())}.csv`,
  };
}

function Rows({ payments }: { payments: readonly Payment[] }) {
  return (
    <div class="panel list-panel">
      <List
        caption="Payments"
        rows={payments}
        hrefOf={({ id }) => `${PATH}/${id}`}
        columns={[
          { head: 'Customer', wraps: true, cell: ({ customerName }) => customerName },
          { head: 'Date', cell: ({ date }) => <RowDay on={date} /> },
          { head: 'Invoices', cell: invoicesLabel },
          {
            head: 'Method',
            phone: 'hidden',
            cell: ({ method }) => method && methodLabel(method),
          },
          {
            head: 'Reference',
            wraps: true,
            phone: 'hidden',
            cell: ({ reference }) => reference,
          },
          { head: 'Status', cell: payment => <PaymentStatus payment={payment} /> },
          {
            head: 'Amount',
            align: 'end',
            phone: 'figure',
            cell: ({ amount }) => <Money value={amount} />,
          },
        ]}
      />
    </div>
  );
}

function NoPayments() {
  return (
    <Empty
      title="No payments yet"
      icon="payments"
      actions={<ButtonLink href="/payments/new">Record payment</ButtonLink>}
    >
      <p class="note">
        Record what customers pay, and see which invoices are paid and what is still due. One
        payment can pay several invoices.
      </p>
    </Empty>
  );
}

function NoMatch() {
  return (
    <Empty title="No matching payments.">
      <p>
        Try part of the customer name, a whole reference, or other dates.{' '}
        <a href={PATH}>Clear search</a>
      </p>
    </Empty>
  );
}
