// The actions on an issued invoice. They are the last ones of its page, so a primary one is at the
// end of the row.
import type { PageRequest } from '../kit/page.js';
import type { Invoice } from './invoice-view.js';

interface ActionsProps {
  readonly invoice: Invoice;
  readonly canSee: PageRequest['canSee'];
}

export function InvoiceActions(_props: ActionsProps) {
  return null;
}
