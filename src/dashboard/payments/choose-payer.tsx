// The first step of recording a payment: the choice of the customer. Customers with open invoices
// are links.
import { listDebtors } from '../../ledger/open-invoices.js';
import { SearchForm } from '../kit/lists/search-form.js';
import type { PageAnswer } from '../kit/page.js';
import { Badge, Empty, Money, PageHead } from '../kit/ui/components.js';
import { formatCount } from '../kit/ui/format.js';
import { List } from '../kit/ui/list.js';

export async function choosePayerPage(companyId: string, text: string): Promise<PageAnswer> {
  const debtors = await listDebtors(companyId, text);
  const body = (
    <>
      <PageHead title="Record a payment" note="Who paid? Longest overdue first." />
      <div class="filters">
        <SearchForm
          path="/payments/new"
          text={text}
          placeholder="Customer or invoice number"
          autofocus
        />
      </div>
      {debtors.length === 0 ? (
        <NoMatch text={text} />
      ) : (
        <>
          <div class="panel list-panel">
            <List
              caption="Customers with open invoices, the earliest due date first"
              rows={debtors}
              hrefOf={({ customerName }) => payerPath(customerName)}
              columns={[
                { head: 'Customer', wraps: true, cell: ({ customerName }) => customerName },
                {
                  head: 'Open invoices',
                  cell: ({ invoices }) => formatCount(invoices, 'open invoice'),
                },
                {
                  head: 'Overdue',
                  align: 'end',
                  cell: ({ overdue }) =>
                    overdue === '0' ? null : (
                      <Badge tone="bad">
                        <Money value={overdue} />
                        <span class="phone-only">&nbsp;overdue</span>
                      </Badge>
                    ),
                },
                {
                  head: 'Due',
                  align: 'end',
                  phone: 'figure',
                  cell: ({ due }) => <Money value={due} />,
                },
              ]}
            />
          </div>
          {text !== '' && <Other text={text} />}
        </>
      )}
    </>
  );
  return { title: 'Record a payment', body };
}

export function payerPath(customer: string): string {
  return `/payments/new?${new URLSearchParams({ customer })}`;
}

function NoMatch({ text }: { text: string }) {
  if (text === '') {
    return (
      <Empty title="No open invoices" icon="payments">
        <p>Search for a customer to record an advance payment.</p>
      </Empty>
    );
  }
  return (
    <Empty title={`No open invoice matches “${text}”`} icon="search">
      <Other text={text} />
    </Empty>
  );
}

function Other({ text }: { text: string }) {
  return (
    <p>
      <a href={payerPath(text)}>Record an advance payment from “{text}”</a>
    </p>
  );
}
