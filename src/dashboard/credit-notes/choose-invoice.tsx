// The first step of a credit note that does not start on an invoice's page: the choice of the
// invoice.
import { type CreditableRow, listCreditable, MAX_CREDITABLE } from '../../ledger/creditable.js';
import { findInvoiceId } from '../../ledger/open-invoices.js';
import { searchText } from '../../platform/values/search-text.js';
import { SearchForm } from '../kit/lists/search-form.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { Empty, Money, PageHead } from '../kit/ui/components.js';
import { List, type ListColumn, RowDay } from '../kit/ui/list.js';

export const CHOOSE_INVOICE = '/credit-notes/new';
const TITLE = 'Credit an invoice';

/** The number of an invoice leads straight to its form. */
export async function chooseInvoice({ session, query }: PageRequest): Promise<Answer> {
  const { companyId } = session;
  const text = searchText(query.get('q'));
  const found = text === '' ? null : await findInvoiceId(companyId, text);
  if (found !== null) return { to: creditPath(found) };
  const invoices = await listCreditable(companyId, text);
  const body = (
    <>
      <PageHead title={TITLE} note="Which invoice? Newest first." />
      <div class="filters">
        <SearchForm
          path={CHOOSE_INVOICE}
          text={text}
          placeholder="Customer or invoice number"
          autofocus
        />
      </div>
      {invoices.length === 0 ? (
        <Nothing isSearch={text !== ''} />
      ) : (
        <div class="panel list-panel">
          <List
            caption="Invoices that can be credited, newest first"
            rows={invoices}
            hrefOf={({ id }) => creditPath(id)}
            columns={COLUMNS}
          />
        </div>
      )}
      {invoices.length === MAX_CREDITABLE && (
        <p class="note">These are the newest {MAX_CREDITABLE}. Search to find others.</p>
      )}
    </>
  );
  return { title: TITLE, body };
}

function creditPath(invoiceId: string): string {
  return `/invoices/${invoiceId}/credit`;
}

const COLUMNS: readonly ListColumn<CreditableRow>[] = [
  { head: 'Number', cell: ({ number }) => number },
  { head: 'Customer', wraps: true, cell: ({ customerName }) => customerName },
  { head: 'Date', cell: ({ date }) => <RowDay on={date} /> },
  { head: 'Total', align: 'end', phone: 'figure', cell: ({ total }) => <Money value={total} /> },
];

function Nothing({ isSearch }: { isSearch: boolean }) {
  return isSearch ? (
    <Empty title="No matching invoices" icon="search">
      <p>
        Try part of the customer name, or the whole number of an older invoice.{' '}
        <a href={CHOOSE_INVOICE}>Clear search</a>
      </p>
    </Empty>
  ) : (
    <Empty title="No invoices to credit" icon="invoices">
      <p>
        Invoices that are void or credited in full are left out.{' '}
        <a href="/invoices">Show all invoices</a>
      </p>
    </Empty>
  );
}
