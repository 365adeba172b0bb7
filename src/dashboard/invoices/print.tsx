// An invoice on paper. It shows the balance, the customer's record and the items' units as they are
// on the day that it is printed.
import { findUnits } from '../../inventory/names/match-items.js';
import { findVoidNote, type VoidNote } from '../../ledger/invoice/history.js';
import { today } from '../../platform/values/days.js';
import { buyerFacts, findBuyer } from '../customers/printed/buyer.js';
import { StockQuantity } from '../inventory/item-view.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { Day, Money, Price } from '../kit/ui/components.js';
import { Facts } from '../kit/ui/facts.js';
import { formatCount } from '../kit/ui/format.js';
import { Paper, PaperLine, PaperSum, PaperTable } from '../kit/ui/paper.js';
import { daysOverdue, getInvoice, type Invoice, type InvoiceLine } from './invoice-view.js';
import { discountText, percentText, rowsAfterTotal, rowsBeforeTotal } from './totals.js';

export async function showPrint({ session, params }: PageRequest): Promise<Answer> {
  const { companyId } = session;
  const invoice = await getInvoice(companyId, params.id);
  const { id, number, status, customerName, date, dueDate, deliveryDate, note } = invoice;
  const isVoid = status === 'void';
  const [voidNote, buyer, units] = await Promise.all([
    isVoid ? findVoidNote(companyId, id) : null,
    findBuyer(companyId, customerName),
    findUnits(companyId, invoice.items),
  ]);
  const title = `Invoice ${number}`;
  const body = (
    <Paper
      company={session.companyName}
      title={title}
      back={{ href: `/invoices/${id}`, to: 'invoice' }}
      stamp={isVoid && 'VOID'}
    >
      <Facts
        facts={[
          ...buyerFacts('Bill to', customerName, buyer),
          ['Date', <Day key="date" on={date} />],
          ['Due date', !isVoid && dueDate && <Day key="due" on={dueDate} />],
          ['Delivery date', deliveryDate && <Day key="delivery" on={deliveryDate} />],
          ['Reference', invoice.reference],
          ['Your order', invoice.orderReference],
        ]}
      />
      <Lines invoice={invoice} units={units} currency={session.currency} />
      <Terms invoice={invoice} voidNote={voidNote} today={today(session)} />
      {note !== null && <p class="long-note">{note}</p>}
    </Paper>
  );
  return { title, body, bare: true };
}

interface LinesProps {
  readonly invoice: Invoice;
  readonly units: ReadonlyMap<string, string>;
  readonly currency: string;
}

function Lines({ invoice, units, currency }: LinesProps) {
  const taxes = new Set(
    invoice.items.map(({ taxRate, taxCategory }) => `${taxRate} ${taxCategory}`),
  );
  return (
    <PaperTable columns={['Item', 'Quantity', 'Unit price', 'Amount']}>
      {invoice.items.map((line, index) => (
        <Line
          key={index}
          line={line}
          unit={units.get(line.itemId ?? '') ?? null}
          currency={currency}
          showTax={taxes.size > 1}
        />
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

interface LineProps {
  readonly line: InvoiceLine;
  readonly unit: string | null;
  readonly currency: string;
  /** False if all lines have the same tax, which the totals show once. */
  readonly showTax: boolean;
}

function Line({ line, unit, currency, showTax }: LineProps) {
  const { name, sku, qty, price, amount, discount, taxRate } = line;
  const terms = [
    discount && `−${discountText(discount, currency)}`,
    showTax && taxRate !== undefined && `${percentText(taxRate)} tax`,
  ].filter(Boolean);
  return (
    <PaperLine
      name={name}
      sku={sku}
      terms={terms.join(' · ')}
      figures={[
        <StockQuantity key="qty" value={qty} unit={unit} />,
        <Price key="price" value={price} />,
        <Money key="amount" value={amount} />,
      ]}
    />
  );
}

interface TermsProps {
  readonly invoice: Invoice;
  /** The credit note of a void invoice. */
  readonly voidNote: VoidNote | null;
  readonly today: string;
}

/** The amount to pay and its due date; nothing for an unpaid invoice without a due date. */
function Terms({ invoice, voidNote, today }: TermsProps) {
  const { status, amountDue, dueDate, settledOn } = invoice;
  if (status === 'void')
    return (
      <p class="paper-terms">
        This invoice is void.{' '}
        {voidNote && (
          <>
            Credit note <span class="document-number">{voidNote.number}</span> of{' '}
            <Day on={voidNote.date} /> cancels it.{' '}
          </>
        )}
        Nothing is due.
      </p>
    );
  if (settledOn !== null)
    return (
      <p class="paper-terms">
        Settled on <Day on={settledOn} />. Nothing is due.
      </p>
    );
  if (dueDate === null || amountDue === '0') return null;
  const late = daysOverdue(invoice, today);
  if (late > 0)
    return (
      <p class="paper-terms">
        <Money value={amountDue} /> was due on <Day on={dueDate} /> and is{' '}
        {formatCount(late, 'day')} overdue.
      </p>
    );
  return (
    <p class="paper-terms">
      Please pay <Money value={amountDue} /> by <Day on={dueDate} />.
    </p>
  );
}
