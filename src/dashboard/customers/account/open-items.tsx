// The open items of a customer at the end of a day: invoices with money due, and unallocated money.

import type { Cursors } from '../../../platform/http/pagination.js';
import { today } from '../../../platform/values/days.js';
import type { OpenCredit, OpenItem } from '../../../receivables/json.js';
import { OPEN_POSITION, type OpenItems, readOpenItems } from '../../../receivables/open-items.js';
import { parseDecimalJson } from '../../kit/decimal-json.js';
import { addressOf } from '../../kit/lists/filters.js';
import type { PageRequest } from '../../kit/page.js';
import { ButtonLink, Empty, Money, Pager } from '../../kit/ui/components.js';
import { formatCount } from '../../kit/ui/format.js';
import { type Column, List, type ListColumn, RowDay, Table } from '../../kit/ui/list.js';
import { Aging } from '../../receivables/aging.js';
import { DUE_DATE, REFERENCE } from './activity.js';
import { AccountTools, readDays } from './period.js';
import { accountPath, type Subject } from './subject.js';

const ITEMS = 100;

/** The items of a page. */
export function itemsOf({ invoices, credits }: OpenItems) {
  return {
    invoices: parseDecimalJson<OpenItem[]>(`[${invoices}]`),
    credits: parseDecimalJson<OpenCredit[]>(`[${credits}]`),
  };
}

/** How long an invoice has been overdue; null if it is not. */
export function overdueText({ daysOverdue }: OpenItem): string | null {
  const days = Number(daysOverdue);
  return days === 0 ? null : formatCount(days, 'day');
}

export async function readOpenSection(subject: Subject, request: PageRequest, cursors: Cursors) {
  const { companyId } = request.session;
  const { to } = readDays(request);
  const now = today(request.session);
  const list = `open items ${subject.keys.join('\n')}`;
  const cursor = cursors.position(companyId, list, request.query.get('cursor') ?? undefined);
  const position = cursor && OPEN_POSITION.position(cursor);
  const page = await readOpenItems(companyId, {
    keys: subject.keys,
    day: to,
    limit: ITEMS,
    position,
  });
  const { ageing, next } = page;
  const { invoices, credits } = itemsOf(page);
  const shown = { show: 'open', to };
  const after = next && cursors.cursor(companyId, list, OPEN_POSITION.values(next));
  const isEmpty = invoices.length + credits.length === 0;
  return (
    <>
      <AccountTools subject={subject} show="open" days={{ to }} file="/open-items.csv" />
      <section class="panel" aria-label="Outstanding by age">
        <Aging
          amounts={ageing}
          hrefOf={age =>
            to === now ? addressOf('/invoices', { q: subject.name, overdue: age }) : null
          }
        />
      </section>
      {isEmpty && (
        <Empty title="No open items" icon="check">
          <p class="note">All invoices are settled, and no money is unallocated.</p>
        </Empty>
      )}
      {invoices.length > 0 && <OpenInvoices invoices={invoices} />}
      {credits.length > 0 && <OpenCredits credits={credits} />}
      <Pager
        first={cursor ? accountPath(subject, '', shown) : null}
        next={after && accountPath(subject, '', { ...shown, cursor: after })}
      />
    </>
  );
}

function OpenInvoices({ invoices }: { invoices: readonly OpenItem[] }) {
  return (
    <section class="stack">
      <h2>Invoices</h2>
      <div class="panel list-panel">
        <List
          caption="Open invoices, the earliest due date first"
          rows={invoices}
          hrefOf={({ id }) => `/invoices/${id}`}
          columns={INVOICE_COLUMNS}
        />
      </div>
    </section>
  );
}

const INVOICE_COLUMNS: readonly ListColumn<OpenItem>[] = [
  { head: 'Number', cell: ({ number }) => number },
  { head: 'Date', cell: ({ date }) => <RowDay on={date} /> },
  DUE_DATE,
  {
    head: 'Overdue',
    cell: overdueText,
  },
  REFERENCE,
  {
    head: 'PO number',
    wraps: true,
    phone: 'hidden',
    from: 'medium',
    optional: true,
    cell: ({ orderReference }) => orderReference,
  },
  { head: 'Total', align: 'end', phone: 'hidden', cell: ({ total }) => <Money value={total} /> },
  { head: 'Due', align: 'end', phone: 'figure', cell: ({ due }) => <Money value={due} /> },
];

function OpenCredits({ credits }: { credits: readonly OpenCredit[] }) {
  return (
    <section class="stack" id="credits">
      <h2>Unallocated money</h2>
      <div class="panel">
        <Table caption="Unallocated money, the oldest first" rows={credits} columns={CREDITS} />
      </div>
    </section>
  );
}

const CREDITS: readonly Column<OpenCredit>[] = [
  {
    head: 'Document',
    cell: credit => (
      <a href={creditPath(credit)}>
        {credit.type === 'payment' ? 'Payment' : `Credit note ${credit.number ?? ''}`}
      </a>
    ),
  },
  { head: 'Date', cell: ({ date }) => <RowDay on={date} /> },
  {
    head: 'Unallocated',
    align: 'end',
    cell: ({ unallocated }) => <Money value={unallocated} />,
  },
  {
    head: 'Action',
    align: 'end',
    permission: 'change-sales',
    cell: credit => (
      <ButtonLink href={`${creditPath(credit)}/allocate`} quiet>
        Allocate
      </ButtonLink>
    ),
  },
];

function creditPath({ type, id }: OpenCredit): string {
  return `/${type === 'payment' ? 'payments' : 'credit-notes'}/${id}`;
}
