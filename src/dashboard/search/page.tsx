// The page of the search over everything.

import type { ComponentChildren } from 'preact';
import type { ItemSuggestion } from '../../inventory/short-lists.js';
import type { ListedInvoice } from '../../invoices/search/types.js';
import type { CreditNote, Payment } from '../../ledger/entry-json.js';
import { inSearchTurn } from '../../platform/db/list-reads.js';
import { dayIn } from '../../platform/values/days.js';
import { searchText } from '../../platform/values/search-text.js';
import { may } from '../../users/roles.js';
import { CUSTOMERS, type Customer } from '../customers/customer-view.js';
import {
  CONTENTS_COLUMN,
  DELIVERY_NOTE_COLUMN,
  type DeliveryRow,
} from '../inventory/deliveries/list.js';
import { ON_HAND_COLUMN } from '../inventory/item-view.js';
import { DELIVERIES_PATH } from '../inventory/stock-jobs.js';
import { CustomerCell } from '../invoices/customer-cell.js';
import { InvoiceStatus } from '../invoices/status.js';
import { addressOf } from '../kit/lists/filters.js';
import { Marked } from '../kit/lists/marked.js';
import { SearchForm } from '../kit/lists/search-form.js';
import type { PageAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink, Empty, Money, PageHead, Price, Time } from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';
import { AMOUNT_COLUMN, List, type ListColumn, RowDay } from '../kit/ui/list.js';
import { invoicesLabel } from '../payments/payment-view.js';
import { type Found, type FoundEverywhere, searchEverywhere, searchStock } from './search.js';

export const SEARCH = '/search';

const FINDS =
  'Search by number, customer, phone, contact, city, reference, order number, item name, SKU, ' +
  'delivery note, transaction ID or an exact amount such as 97.40. Several words narrow it down.';
const FINDS_STOCK = 'Search by item name, SKU or delivery note.';

export async function showSearch({ session, query }: PageRequest): Promise<PageAnswer> {
  const text = searchText(query.get('q'));
  const seesSales = may(session.role, 'see-sales');
  const { companyId } = session;
  const search = () => (seesSales ? searchEverywhere : searchStock)(companyId, text);
  const found =
    text === '' ? null : await inSearchTurn(companyId, ['everywhere', seesSales, text], search);
  const finds = seesSales ? FINDS : FINDS_STOCK;
  const today = dayIn(session.timeZone, new Date());
  const body = (
    <>
      <PageHead title="Search" />
      <div class="filters">
        <SearchForm
          path={SEARCH}
          text={text || null}
          placeholder={
            seesSales
              ? 'Customers, invoices, payments, credit notes, items and deliveries'
              : 'Items and deliveries'
          }
          autofocus={found === null}
        />
      </div>
      {found === null ? (
        <p class="note">{finds}</p>
      ) : (
        <Results found={found} text={text} today={today} finds={finds} />
      )}
    </>
  );
  return { title: text === '' ? 'Search' : `Search: ${text}`, body };
}

interface ResultsProps {
  readonly found: FoundEverywhere;
  readonly text: string;
  readonly today: string;
  /** A sentence about what the search finds. */
  readonly finds: string;
}

function Results({ found, text, today, finds }: ResultsProps) {
  const { isComplete, customers, invoices, payments, creditNotes, items, deliveries } = found;
  const behind = !isComplete && (
    <p class="note" role="status">
      Some invoices and payments can’t be found yet, because they are still being prepared for the
      search. Try again in a few minutes.
    </p>
  );
  const sales = [customers, invoices, payments, creditNotes];
  const groups: readonly Found<unknown>[] = [...sales, items, deliveries];
  if (groups.every(({ rows }) => rows.length === 0))
    return (
      <Empty title={`Nothing matches “${text}”`} icon="search">
        <p>{finds}</p>
        {behind}
      </Empty>
    );
  return (
    <>
      {behind}
      <Group
        title="Customers"
        path={CUSTOMERS}
        text={text}
        found={customers}
        columns={CUSTOMER_COLUMNS}
      />
      <Group
        title="Invoices"
        path="/invoices"
        text={text}
        found={invoices}
        columns={[
          { head: 'Number', cell: ({ number }) => <Marked text={number} q={text} /> },
          {
            head: 'Customer',
            wraps: true,
            cell: invoice => <CustomerCell invoice={invoice} q={text} />,
          },
          {
            head: 'Reference',
            wraps: true,
            phone: 'hidden',
            optional: true,
            cell: ({ reference }) => reference && <Marked text={reference} q={text} />,
          },
          { head: 'Date', cell: ({ date }) => <RowDay on={date} /> },
          { head: 'Status', cell: invoice => <InvoiceStatus invoice={invoice} today={today} /> },
          amount<ListedInvoice>('Total', ({ total }) => total),
        ]}
      />
      <Group
        title="Payments"
        path="/payments"
        text={text}
        found={payments}
        columns={PAYMENT_COLUMNS}
      />
      <Group
        title="Credit notes"
        path="/credit-notes"
        text={text}
        found={creditNotes}
        columns={[
          { head: 'Number', cell: ({ number }) => number },
          { head: 'Customer', wraps: true, cell: ({ customerName }) => customerName },
          { head: 'Date', cell: ({ date }) => <RowDay on={date} /> },
          { head: 'Invoice', cell: ({ invoiceNumber }) => invoiceNumber },
          amount<CreditNote>('Total', ({ total }) => total),
        ]}
      />
      <Group title="Items" path="/inventory" text={text} found={items} columns={ITEM_COLUMNS} />
      <Group
        title="Deliveries"
        path={DELIVERIES_PATH}
        text={text}
        found={deliveries}
        columns={DELIVERY_COLUMNS}
      />
    </>
  );
}

const CUSTOMER_COLUMNS: readonly ListColumn<Customer>[] = [
  { head: 'Customer', wraps: true, cell: ({ name }) => name },
  { head: 'Number', wraps: true, phone: 'figure', cell: ({ number }) => number },
  {
    head: 'E-mail',
    wraps: true,
    phone: 'hidden',
    optional: true,
    cell: ({ email }) => email,
  },
];

const PAYMENT_COLUMNS: readonly ListColumn<Payment>[] = [
  { head: 'Customer', wraps: true, cell: ({ customerName }) => customerName },
  { head: 'Date', cell: ({ date }) => <RowDay on={date} /> },
  { head: 'Invoices', cell: invoicesLabel },
  {
    head: 'Reference',
    wraps: true,
    phone: 'hidden',
    optional: true,
    cell: ({ reference, externalId }) => reference ?? externalId,
  },
  AMOUNT_COLUMN,
];

const ITEM_COLUMNS: readonly ListColumn<ItemSuggestion>[] = [
  { head: 'Item', wraps: true, cell: ({ name }) => name },
  { head: 'SKU', wraps: true, optional: true, cell: ({ sku }) => sku },
  ON_HAND_COLUMN,
  {
    head: 'Unit price',
    permission: 'see-prices',
    align: 'end',
    phone: 'hidden',
    cell: ({ unitPrice }) => unitPrice && <Price value={unitPrice} />,
  },
];

const DELIVERY_COLUMNS: readonly ListColumn<DeliveryRow>[] = [
  DELIVERY_NOTE_COLUMN,
  { head: 'Received', cell: ({ createdAt }) => <Time at={createdAt} /> },
  CONTENTS_COLUMN,
];

function amount<Row>(head: string, value: (row: Row) => string): ListColumn<Row> {
  return { head, align: 'end', phone: 'figure', cell: row => <Money value={value(row)} /> };
}

interface GroupProps<Row> {
  readonly title: string;
  /** The path of the kind's own list. */
  readonly path: string;
  readonly text: string;
  readonly found: Found<Row>;
  readonly columns: readonly ListColumn<Row>[];
}

function Group<Row extends { readonly id: string }>(props: GroupProps<Row>): ComponentChildren {
  const { title, path, text, found, columns } = props;
  const { rows, more } = found;
  if (rows.length === 0) return null;
  const all = more?.total ? `All ${formatQuantity(more.total)}` : 'More';
  return (
    <section class="stack">
      <div class="split">
        <h2>{title}</h2>
        {more && (
          <ButtonLink href={addressOf(path, { q: text })} quiet>
            {`${all} ${title.toLowerCase()}`}
          </ButtonLink>
        )}
      </div>
      <div class="panel list-panel">
        <List caption={title} rows={rows} hrefOf={({ id }) => `${path}/${id}`} columns={columns} />
      </div>
    </section>
  );
}
