// The customer of an invoice in a list, with the number of the customer's order below it.
import type { ListedInvoice } from '../../invoices/search/types.js';
import { Marked } from '../kit/lists/marked.js';

interface CustomerCellProps {
  readonly invoice: Pick<ListedInvoice, 'customerName' | 'orderReference'>;
  /** The text of the search that found the invoice. */
  readonly q: string | null;
}

export function CustomerCell({ invoice, q }: CustomerCellProps) {
  return (
    <>
      <Marked text={invoice.customerName} q={q} />
      <OrderNumber invoice={invoice} q={q} />
    </>
  );
}

/** A second line of a cell; nothing without an order number. */
export function OrderNumber({ invoice: { orderReference }, q }: CustomerCellProps) {
  if (orderReference === null) return null;
  return (
    <span class="row-detail">
      Order <Marked text={orderReference} q={q} />
    </span>
  );
}
