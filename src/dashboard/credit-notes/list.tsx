// The list of credit notes.
import { Badge, Empty, Money } from '../kit/ui/components.js';
import { RowDay } from '../kit/ui/list.js';
import { entryList } from '../payments/entry-list.js';
import { type CreditNote, reasonLabel } from './credit-note-view.js';

export const CREDIT_NOTE_LIST = entryList<CreditNote>({
  type: 'creditNote',
  title: 'Credit notes',
  path: '/credit-notes',
  cursorName: 'credit notes',
  placeholder: 'Customer, number, invoice or amount',
  hint:
    'Try part of the customer name, a number such as CN-000012 or 12, an invoice number, an ' +
    'exact total such as 97.40, or other dates.',
  Nothing: () => (
    <Empty title="No credit notes yet" icon="payments">
      <p class="note">
        A credit note corrects an invoice: goods come back, or a price was wrong. Open an{' '}
        <a href="/invoices">invoice</a> to credit it.
      </p>
    </Empty>
  ),
  columns: [
    { head: 'Number', cell: ({ number }) => number },
    { head: 'Customer', wraps: true, cell: ({ customerName }) => customerName },
    { head: 'Date', cell: ({ date }) => <RowDay on={date} /> },
    { head: 'Invoice', cell: ({ invoiceNumber }) => invoiceNumber },
    { head: 'Reason', phone: 'hidden', cell: ({ reason }) => reasonLabel(reason) },
    {
      head: 'Status',
      optional: true,
      cell: ({ unallocated }) =>
        unallocated === '0' ? null : <Badge tone="warn">Unallocated</Badge>,
    },
    {
      head: 'Total',
      align: 'end',
      phone: 'figure',
      cell: ({ total }) => <Money value={total} />,
    },
  ],
});
