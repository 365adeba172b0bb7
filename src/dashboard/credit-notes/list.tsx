// The list of credit notes.
import type { CreditNote } from '../../ledger/entry-json.js';
import { MarkableState, type MayHaveFailed, withFailed } from '../emails/failed.js';
import { ButtonLink, Empty, Money } from '../kit/ui/components.js';
import { RowDay } from '../kit/ui/list.js';
import { entryList } from '../payments/entry-list.js';
import { CHOOSE_INVOICE } from './choose-invoice.js';
import { CreditNoteStatus, reasonLabel } from './credit-note-view.js';

const CreditButton = () => <ButtonLink href={CHOOSE_INVOICE}>Credit an invoice</ButtonLink>;

export const CREDIT_NOTE_LIST = entryList<CreditNote & MayHaveFailed>({
  type: 'creditNote',
  title: 'Credit notes',
  path: '/credit-notes',
  cursorName: 'credit notes',
  head: 'Total',
  placeholder: 'Customer, number, invoice or amount',
  hint:
    'Try part of the customer name, a number such as CN-000012 or 12, an invoice number, an ' +
    'exact total such as 97.40, or other dates.',
  complete: (companyId, rows) => withFailed(companyId, rows),
  Actions: CreditButton,
  Nothing: () => (
    <Empty title="No credit notes yet" icon="invoices" actions={<CreditButton />}>
      <p class="note">A credit note corrects an invoice: goods come back, or a price was wrong.</p>
    </Empty>
  ),
  columns: [
    { head: 'Number', cell: ({ number }) => number },
    { head: 'Customer', wraps: true, cell: ({ customerName }) => customerName },
    { head: 'Date', cell: ({ date }) => <RowDay on={date} /> },
    { head: 'Invoice', cell: ({ invoiceNumber }) => invoiceNumber },
    {
      head: 'Reason',
      phone: 'hidden',
      from: 'medium',
      cell: ({ reason }) => reasonLabel(reason),
    },
    {
      head: 'Status',
      cell: note => (
        <MarkableState type="creditNote" row={note}>
          <CreditNoteStatus note={note} />
        </MarkableState>
      ),
    },
    {
      head: 'Total',
      align: 'end',
      phone: 'figure',
      cell: ({ total }) => <Money value={total} />,
    },
  ],
});
