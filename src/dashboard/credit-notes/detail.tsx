// One credit note: its lines and sums, the invoices that have its money, and its history.
import type { CreditNote, CreditNoteItem } from '../../ledger/entry-json.js';
import { listFundsEntries } from '../../ledger/history.js';
import { namePath } from '../customers/customer-view.js';
import { EmailsPanel, readEmails } from '../emails/panel.js';
import { sendPathOf } from '../emails/send.js';
import { getInvoice } from '../invoices/invoice-view.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { ButtonLink, Day, Money, MoreMenu, PageHead, Quantity } from '../kit/ui/components.js';
import { Facts } from '../kit/ui/facts.js';
import { AMOUNT_COLUMN, List } from '../kit/ui/list.js';
import { HistoryPanel, MoneyActions, UsePanel } from '../payments/money/money-use.js';
import {
  CreditNoteStatus,
  creditRowsBeforeTotal,
  getCreditNote,
  reasonLabel,
} from './credit-note-view.js';

export async function showCreditNote({ session, params, canSee }: PageRequest): Promise<Answer> {
  const { companyId } = session;
  const note = await getCreditNote(companyId, params.id);
  const [history, invoice, emails] = await Promise.all([
    listFundsEntries(companyId, note.id),
    getInvoice(companyId, note.invoiceId),
    readEmails(companyId, note.id),
  ]);
  const sendPath = sendPathOf('creditNote', note.id, canSee);
  const body = (
    <>
      <PageHead title={note.number} note="Credit note">
        <Actions note={note} isVoid={invoice.status === 'void'} sendPath={sendPath} />
      </PageHead>
      <section class="panel invoice-sheet">
        <NoteFacts note={note} />
        <Lines lines={note.items} linkItems={canSee('/inventory/:id')} />
        <Sums note={note} />
        {note.note !== null && <p class="long-note">{note.note}</p>}
      </section>
      <div class="columns">
        <UsePanel use={note} />
        <HistoryPanel {...history} />
        <EmailsPanel emails={emails} sendPath={sendPath} />
      </div>
    </>
  );
  return { title: note.number, body };
}

interface ActionsProps {
  readonly note: CreditNote;
  readonly isVoid: boolean;
  readonly sendPath: string | null;
}

function Actions({ note, isVoid, sendPath }: ActionsProps) {
  const path = `/credit-notes/${note.id}`;
  return (
    <>
      <ButtonLink href={`${path}/pdf`} quiet>
        PDF
      </ButtonLink>
      {sendPath !== null && (
        <ButtonLink href={sendPath} quiet>
          Send
        </ButtonLink>
      )}
      {/* A void invoice keeps its credit note. */}
      <MoneyActions path={path} use={note} canTakeBack={!isVoid} />
      <MoreMenu>
        <a class="menu-link" href={`${path}/print`}>
          Print
        </a>
        <a class="menu-link" href={`${path}/ubl`}>
          XML (UBL)
        </a>
        <a class="menu-link" href={`${path}/cii`}>
          XML (CII)
        </a>
      </MoreMenu>
    </>
  );
}

function NoteFacts({ note }: { note: CreditNote }) {
  const { customerName, invoiceId, invoiceNumber, date, reason, reference } = note;
  return (
    <Facts
      class="invoice-facts"
      facts={[
        [
          'Customer',
          <a key="customer" class="invoice-customer" href={namePath(customerName)}>
            {customerName}
          </a>,
        ],
        [
          'Invoice',
          <a key="invoice" class="in-text" href={`/invoices/${invoiceId}`}>
            {invoiceNumber}
          </a>,
        ],
        ['Date', <Day key="date" on={date} />],
        ['Reason', reasonLabel(reason)],
        ['Reference', reference],
        ['Status', <CreditNoteStatus key="status" note={note} />],
      ]}
    />
  );
}

interface LinesProps {
  readonly lines: readonly CreditNoteItem[];
  readonly linkItems: boolean;
}

function Lines({ lines, linkItems }: LinesProps) {
  return (
    <List
      caption="Credited lines"
      rows={lines}
      hrefOf={({ itemId }) => (linkItems && itemId ? `/inventory/${itemId}` : null)}
      columns={[
        { head: 'Item', wraps: true, cell: ({ name }) => name },
        { head: 'SKU', wraps: true, optional: true, cell: ({ sku }) => sku },
        {
          head: 'Quantity',
          align: 'end',
          cell: ({ qty }) => (qty === null ? 'Amount only' : <Quantity value={qty} />),
        },
        {
          head: 'Stock',
          optional: true,
          cell: ({ qty, itemId, restocked }) =>
            qty === null || itemId === null
              ? null
              : restocked
                ? 'Returned to stock'
                : 'Not returned to stock',
        },
        AMOUNT_COLUMN,
      ]}
    />
  );
}

function Sums({ note }: { note: CreditNote }) {
  const rows = [...creditRowsBeforeTotal(note), { label: 'Total credit', value: note.total }];
  const facts = rows.map(
    ({ label, value }) => [label, <Money key={label} value={value} />] as const,
  );
  return <Facts class="sums" facts={facts} hasTotal />;
}
