// The actions on an issued invoice. They are the last ones of its page, so a primary one is at the
// end of the row.
import type { PageRequest } from '../kit/page.js';
import { ButtonLink } from '../kit/ui/components.js';
import { type Invoice, voidRefusal } from './invoice-view.js';

interface ActionsProps {
  readonly invoice: Invoice;
  readonly canSee: PageRequest['canSee'];
}

export function InvoiceActions({ invoice, canSee }: ActionsProps) {
  const { id, status, amountDue } = invoice;
  if (status === 'void') return null;
  return (
    <>
      {voidRefusal(invoice) === null && canSee('/invoices/:id/void') && (
        <ButtonLink href={`/invoices/${id}/void`} quiet>
          Void
        </ButtonLink>
      )}
      {canSee('/invoices/:id/credit') && (
        <ButtonLink href={`/invoices/${id}/credit`} quiet>
          Credit
        </ButtonLink>
      )}
      {amountDue !== '0' && canSee('/payments/new') && (
        <ButtonLink href={`/payments/new?invoice=${id}`}>Record payment</ButtonLink>
      )}
    </>
  );
}
