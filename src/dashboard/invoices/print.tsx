// An invoice on paper, A4 or Letter: no navigation, and the table head repeats on every sheet. It
// shows what is due on the day that it is printed.
import type { Answer, PageRequest } from '../kit/page.js';
import { ButtonLink, Day, Money, Price, Quantity } from '../kit/ui/components.js';
import { getInvoice, type Invoice, type InvoiceLine } from './invoice-view.js';
import {
  discountText,
  percentText,
  rowsAfterTotal,
  rowsBeforeTotal,
  type TotalRow,
} from './totals.js';

export async function showPrint({ session, params }: PageRequest): Promise<Answer> {
  const invoice = await getInvoice(session.companyId, params.id);
  const body = (
    <>
      <div class="not-printed">
        <button class="button" type="button" data-print hidden>
          Print
        </button>
        <ButtonLink href={`/invoices/${invoice.id}`} quiet>
          Back to invoice
        </ButtonLink>
      </div>
      <article class="paper">
        <header>
          <p class="paper-company">{session.companyName}</p>
          <h1>Invoice {invoice.number}</h1>
        </header>
        <Facts invoice={invoice} />
        <PaperLines invoice={invoice} currency={session.currency} />
        <Terms invoice={invoice} />
        {invoice.note !== null && <p class="invoice-note">{invoice.note}</p>}
      </article>
    </>
  );
  return { title: `Invoice ${invoice.number}`, body, bare: true };
}

function Facts({ invoice }: { invoice: Invoice }) {
  const { dueDate, deliveryDate, reference, orderReference } = invoice;
  const facts = [
    ['Bill to', invoice.customerName],
    ['Date', <Day key="date" on={invoice.date} />],
    ['Due date', dueDate && <Day key="due" on={dueDate} />],
    ['Delivery date', deliveryDate && <Day key="delivery" on={deliveryDate} />],
    ['Reference', reference],
    ['Your order', orderReference],
  ] as const;
  return (
    <dl>
      {facts
        .filter(([, value]) => value !== null)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

interface PaperProps {
  readonly invoice: Invoice;
  readonly currency: string;
}

function PaperLines({ invoice, currency }: PaperProps) {
  // On narrow screens CSS turns the table into blocks, which removes its roles for screen readers.
  return (
    <table role="table">
      <caption class="unseen">Lines</caption>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            Item
          </th>
          <th role="columnheader" scope="col" class="end">
            Quantity
          </th>
          <th role="columnheader" scope="col" class="end">
            Unit price
          </th>
          <th role="columnheader" scope="col" class="end">
            Amount
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {invoice.items.map((line, index) => (
          <PaperLine key={index} line={line} currency={currency} />
        ))}
        {rowsBeforeTotal(invoice, currency).map(row => (
          <SumRow key={row.label} row={row} />
        ))}
        <SumRow row={{ label: 'Total', value: invoice.total }} isTotal />
        {rowsAfterTotal(invoice).map(row => (
          <SumRow key={row.label} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function PaperLine({ line, currency }: { line: InvoiceLine; currency: string }) {
  const { name, sku, qty, price, amount, discount, taxRate } = line;
  const terms = [
    discount && `−${discountText(discount, currency)}`,
    taxRate !== undefined && `${percentText(taxRate)} tax`,
  ].filter(Boolean);
  return (
    <tr role="row">
      <td role="cell">
        {name}
        {sku !== null && <span class="note"> {sku}</span>}
        {terms.length > 0 && <span class="paper-line-terms">{terms.join(' · ')}</span>}
      </td>
      <td role="cell" class="end">
        <Quantity value={qty} />
      </td>
      <td role="cell" class="end">
        <Price value={price} />
      </td>
      <td role="cell" class="end">
        <Money value={amount} />
      </td>
    </tr>
  );
}

function SumRow({ row: { label, value }, isTotal }: { row: TotalRow; isTotal?: boolean }) {
  return (
    <tr class={isTotal ? 'paper-total' : 'paper-sum'} role="row">
      <th role="rowheader" scope="row" colSpan={3}>
        {label}
      </th>
      <td role="cell" class="end">
        <Money value={value} />
      </td>
    </tr>
  );
}

/** When and how much to pay; nothing for an untouched invoice without a due date. */
function Terms({ invoice }: { invoice: Invoice }) {
  const { status, amountDue, dueDate, settledOn } = invoice;
  if (status === 'void') return <p class="paper-terms">This invoice is void. Nothing is due.</p>;
  if (settledOn !== null)
    return (
      <p class="paper-terms">
        Settled on <Day on={settledOn} />. Nothing is due.
      </p>
    );
  if (dueDate === null) return null;
  return (
    <p class="paper-terms">
      Please pay <Money value={amountDue} /> by <Day on={dueDate} />.
    </p>
  );
}
