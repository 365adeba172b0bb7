// An invoice on paper. It shows the balance on the day that it is printed.
import type { Answer, PageRequest } from '../kit/page.js';
import { Day, Money, Price, Quantity } from '../kit/ui/components.js';
import { Facts } from '../kit/ui/facts.js';
import { Paper, PaperLine, PaperSum, PaperTable } from '../kit/ui/paper.js';
import { getInvoice, type Invoice, type InvoiceLine } from './invoice-view.js';
import { discountText, percentText, rowsAfterTotal, rowsBeforeTotal } from './totals.js';

export async function showPrint({ session, params }: PageRequest): Promise<Answer> {
  const invoice = await getInvoice(session.companyId, params.id);
  const { id, number, customerName, date, dueDate, deliveryDate, note } = invoice;
  const title = `Invoice ${number}`;
  const body = (
    <Paper
      company={session.companyName}
      title={title}
      back={{ href: `/invoices/${id}`, to: 'invoice' }}
    >
      <Facts
        facts={[
          ['Bill to', customerName],
          ['Date', <Day key="date" on={date} />],
          ['Due date', dueDate && <Day key="due" on={dueDate} />],
          ['Delivery date', deliveryDate && <Day key="delivery" on={deliveryDate} />],
          ['Reference', invoice.reference],
          ['Your order', invoice.orderReference],
        ]}
      />
      <Lines invoice={invoice} currency={session.currency} />
      <Terms invoice={invoice} />
      {note !== null && <p class="long-note">{note}</p>}
    </Paper>
  );
  return { title, body, bare: true };
}

function Lines({ invoice, currency }: { invoice: Invoice; currency: string }) {
  return (
    <PaperTable columns={['Item', 'Quantity', 'Unit price', 'Amount']}>
      {invoice.items.map((line, index) => (
        <Line key={index} line={line} currency={currency} />
      ))}
      {rowsBeforeTotal(invoice, currency).map(row => (
        <PaperSum key={row.label} {...row} span={3} />
      ))}
      <PaperSum label="Total" value={invoice.total} span={3} isTotal />
      {rowsAfterTotal(invoice).map(row => (
        <PaperSum key={row.label} {...row} span={3} />
      ))}
    </PaperTable>
  );
}

function Line({ line, currency }: { line: InvoiceLine; currency: string }) {
  const { name, sku, qty, price, amount, discount, taxRate } = line;
  const terms = [
    discount && `−${discountText(discount, currency)}`,
    taxRate !== undefined && `${percentText(taxRate)} tax`,
  ].filter(Boolean);
  return (
    <PaperLine
      name={name}
      sku={sku}
      terms={terms.join(' · ')}
      figures={[
        <Quantity key="qty" value={qty} />,
        <Price key="price" value={price} />,
        <Money key="amount" value={amount} />,
      ]}
    />
  );
}

/** The amount to pay and its due date; nothing for an unpaid invoice without a due date. */
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
