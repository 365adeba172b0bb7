// One payment: its money, the invoices that have it, its history and its actions.
import type { Payment } from '../../ledger/entry-json.js';
import { listFundsEntries } from '../../ledger/history.js';
import { namePath } from '../customers/customer-view.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { ButtonLink, Day, PageHead } from '../kit/ui/components.js';
import { Facts } from '../kit/ui/facts.js';
import { formatMoney } from '../kit/ui/format.js';
import { HistoryPanel, MoneyActions, UsePanel } from './money/money-use.js';
import { getPayment, methodLabel, PaymentStatus } from './payment-view.js';

export async function showPayment({ session, params }: PageRequest): Promise<Answer> {
  const { companyId, currency } = session;
  const payment = await getPayment(companyId, params.id);
  const history = await listFundsEntries(companyId, payment.id);
  const title = `Payment of ${formatMoney(payment.amount, currency)}`;
  const body = (
    <>
      <PageHead title={title}>
        {payment.status === 'recorded' && <Actions payment={payment} />}
      </PageHead>
      <section class="panel" aria-label="Payment">
        <PaymentFacts payment={payment} />
        {payment.note !== null && <p class="long-note">{payment.note}</p>}
      </section>
      <div class="columns">
        <UsePanel use={payment} />
        <HistoryPanel {...history} />
      </div>
    </>
  );
  return { title, body };
}

function Actions({ payment }: { payment: Payment }) {
  const path = `/payments/${payment.id}`;
  return (
    <>
      {payment.refunded === '0' && (
        <ButtonLink href={`${path}/reverse`} quiet>
          Reverse
        </ButtonLink>
      )}
      <MoneyActions path={path} use={payment} canTakeBack />
    </>
  );
}

function PaymentFacts({ payment }: { payment: Payment }) {
  const { customerName, date, method, reference, externalId } = payment;
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
        ['Date', <Day key="date" on={date} />],
        ['Method', method && methodLabel(method)],
        ['Reference', reference],
        ['Transaction ID', externalId],
        ['Status', <PaymentStatus key="status" payment={payment} />],
      ]}
    />
  );
}
