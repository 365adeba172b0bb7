// The head of an invoice's page: number, state, customer, the amount due and its date, and the
// actions. Rare ones are in a menu.
import type { InvoiceEntry } from '../../ledger/invoice/history.js';
import { namePath } from '../customers/customer-view.js';
import type { PageRequest } from '../kit/page.js';
import { ButtonLink, Day, Money, MoreMenu } from '../kit/ui/components.js';
import { formatCount } from '../kit/ui/format.js';
import { daysOverdue, type Invoice, voidRefusal } from './invoice-view.js';
import { InvoiceStatus } from './status.js';

interface HeadProps {
  readonly invoice: Invoice;
  /** The credit note of a void invoice; null for other invoices. */
  readonly voiding: InvoiceEntry | null;
  readonly today: string;
  /** Where clients reach this installation. */
  readonly origin: string;
  readonly canSee: PageRequest['canSee'];
  /** The page that sends the invoice; null for visitors who may not. */
  readonly sendPath: string | null;
}

export function InvoiceHead(props: HeadProps) {
  const { invoice, voiding, today, origin, canSee, sendPath } = props;
  const { number, customerName, amountDue } = invoice;
  return (
    <header class="invoice-top">
      <div class="invoice-who">
        <div class="row">
          <h1>{number}</h1>
          <InvoiceStatus invoice={invoice} today={today} />
        </div>
        <a class="invoice-customer" href={namePath(customerName)}>
          {customerName}
        </a>
      </div>
      <div class="invoice-due">
        {voiding === null && (
          <p>
            <span class="invoice-due-figure">
              <Money value={amountDue} />
            </span>{' '}
            <span class="note">due</span>
          </p>
        )}
        <p>{voiding ? <Voided voiding={voiding} canSee={canSee} /> : dateOf(invoice, today)}</p>
      </div>
      <div class="actions">
        <Actions
          invoice={invoice}
          canSee={canSee}
          sendPath={sendPath}
          url={`${origin}/invoices/${invoice.id}`}
        />
      </div>
    </header>
  );
}

function Voided({
  voiding: { date, explanation, source },
  canSee,
}: { voiding: InvoiceEntry } & Pick<HeadProps, 'canSee'>) {
  return (
    <>
      Voided on <Day on={date} />
      {explanation !== null && ` (${explanation})`}
      {' with credit note '}
      {canSee('/credit-notes/:id') ? (
        <a href={`/credit-notes/${source.id}`}>{source.number}</a>
      ) : (
        source.number
      )}
    </>
  );
}

/** The day on which the invoice was settled, or on which it is due. */
function dateOf({ settledOn, dueDate, amountPaid, amountDue, status }: Invoice, today: string) {
  if (settledOn !== null)
    return (
      <>
        {amountPaid === '0' ? 'Credited in full on ' : 'Paid on '}
        <Day on={settledOn} />
      </>
    );
  if (dueDate === null || amountDue === '0') return null;
  const late = daysOverdue({ status, dueDate, amountDue }, today);
  return (
    <>
      {late > 0 ? 'Was due ' : 'Due '}
      <Day on={dueDate} />
      {late > 0 && ` · ${formatCount(late, 'day')} overdue`}
    </>
  );
}

interface ActionsProps extends Pick<HeadProps, 'invoice' | 'canSee' | 'sendPath'> {
  /** The address of the page. */
  readonly url: string;
}

function Actions({ invoice, canSee, sendPath, url }: ActionsProps) {
  const { id, status, amountDue } = invoice;
  const isVoid = status === 'void';
  return (
    <>
      <ButtonLink href={`/invoices/${id}/pdf`} quiet>
        PDF
      </ButtonLink>
      {sendPath !== null && (
        <ButtonLink href={sendPath} quiet>
          Send
        </ButtonLink>
      )}
      {!isVoid && canSee('/invoices/:id/credit') && (
        <ButtonLink href={`/invoices/${id}/credit`} quiet>
          Credit note
        </ButtonLink>
      )}
      {amountDue !== '0' && canSee('/payments/new') && (
        <ButtonLink href={`/payments/new?invoice=${id}`}>Record payment</ButtonLink>
      )}
      <MoreMenu>
        <CopyLink url={url} />
        <a class="menu-link" href={`/invoices/${id}/print`}>
          Print
        </a>
        <a class="menu-link" href={`/invoices/${id}/delivery-note`}>
          Delivery note
        </a>
        <a class="menu-link" href={`/invoices/${id}/ubl`}>
          XML (UBL)
        </a>
        <a class="menu-link" href={`/invoices/${id}/cii`}>
          XML (CII)
        </a>
        {canSee('/invoices/new') && (
          <a class="menu-link" href={`/invoices/new?copy=${id}`}>
            Duplicate
          </a>
        )}
        {voidRefusal(invoice) === null && canSee('/invoices/:id/void') && (
          <a class="menu-link" href={`/invoices/${id}/void`}>
            Void
          </a>
        )}
      </MoreMenu>
    </>
  );
}

/** Copies the address of the page. Its button appears if scripts run. */
function CopyLink({ url }: { url: string }) {
  return (
    <span class="copy-link">
      <span class="copyable-text unseen" aria-hidden="true">
        {url}
      </span>
      <button type="button" class="menu-link" data-copy hidden>
        Copy link
      </button>
    </span>
  );
}
