// The payments of a customer, newest first.
import type { Payment } from '../../../ledger/entry-json.js';
import { listEntries } from '../../../ledger/lists/entries.js';
import type { Cursors } from '../../../platform/http/pagination.js';
import { parseDecimalJson } from '../../kit/decimal-json.js';
import { LIST_ROWS } from '../../kit/lists/ordered-list.js';
import type { PageRequest } from '../../kit/page.js';
import { Empty, Pager } from '../../kit/ui/components.js';
import { List } from '../../kit/ui/list.js';
import { PAYMENT_COLUMNS } from '../../payments/list.js';
import { accountPath, type Subject } from './subject.js';

export async function readPaymentSection(
  subject: Subject,
  { session: { companyId }, query }: PageRequest,
  cursors: Cursors,
) {
  const { customer, name, keys } = subject;
  const list = `payments of ${keys.join('\n')}`;
  const position = cursors.position(companyId, list, query.get('cursor') ?? undefined);
  const of = customer === null ? { customerName: name } : { customerId: customer.id };
  const page = await listEntries(companyId, 'payment', { limit: LIST_ROWS, ...of }, position);
  const payments = parseDecimalJson<Payment[]>(page.body);
  const next = page.next && cursors.cursor(companyId, list, page.next);
  const shown = { show: 'payments' };
  if (payments.length === 0 && !next)
    return (
      <Empty title="No payments yet" icon="payments">
        <p class="note">Record what this customer pays.</p>
      </Empty>
    );
  return (
    <>
      <div class="panel list-panel">
        <List
          caption={`Payments of ${name}`}
          rows={payments}
          hrefOf={({ id }) => `/payments/${id}`}
          columns={COLUMNS}
        />
      </div>
      <Pager
        first={position ? accountPath(subject, '', shown) : null}
        next={next && accountPath(subject, '', { ...shown, cursor: next })}
      />
    </>
  );
}

/** All but the customer. */
const COLUMNS = PAYMENT_COLUMNS.slice(1);
