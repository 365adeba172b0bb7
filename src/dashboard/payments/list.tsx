// The list of payments.
import type { Payment } from '../../ledger/entry-json.js';
import { ButtonLink, Empty } from '../kit/ui/components.js';
import { AMOUNT_COLUMN, type ListColumn, RowDay } from '../kit/ui/list.js';
import { entryList } from './entry-list.js';
import { invoicesLabel, methodLabel, PaymentStatus } from './payment-view.js';

const RecordButton = () => <ButtonLink href="/payments/new">Record payment</ButtonLink>;

export const PAYMENT_COLUMNS: readonly ListColumn<Payment>[] = [
  { head: 'Customer', wraps: true, cell: ({ customerName }) => customerName },
  { head: 'Date', cell: ({ date }) => <RowDay on={date} /> },
  { head: 'Invoices', cell: invoicesLabel },
  {
    head: 'Method',
    phone: 'hidden',
    from: 'medium',
    cell: ({ method }) => method && methodLabel(method),
  },
  {
    head: 'Reference',
    wraps: true,
    phone: 'hidden',
    from: 'medium',
    optional: true,
    cell: ({ reference }) => reference,
  },
  { head: 'Status', cell: payment => <PaymentStatus payment={payment} /> },
  AMOUNT_COLUMN,
];

export const PAYMENT_LIST = entryList<Payment>({
  type: 'payment',
  title: 'Payments',
  path: '/payments',
  cursorName: 'payments',
  head: 'Amount',
  placeholder: 'Customer, invoice, reference or amount',
  hint:
    'Try part of the customer name, of a reference or of a transaction ID, an invoice number, an ' +
    'exact amount such as 97.40, or other dates.',
  Actions: RecordButton,
  Nothing: () => (
    <Empty title="No payments yet" icon="payments" actions={<RecordButton />}>
      <p class="note">
        Record what customers pay, and see which invoices are paid and what is still due. One
        payment can pay several invoices.
      </p>
    </Empty>
  ),
  columns: PAYMENT_COLUMNS,
});
