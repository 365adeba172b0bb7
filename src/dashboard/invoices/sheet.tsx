// The invoice itself on its page: its facts, lines, totals and note. Its customer is in the head of
// the page. A column of discounts or taxes is there only if one is used.
import { useContext } from 'preact/hooks';
import { Day, Money, PageContext, Price, Quantity } from '../kit/ui/components.js';
import { Facts } from '../kit/ui/facts.js';
import { AMOUNT_COLUMN, List, type ListColumn } from '../kit/ui/list.js';
import type { Invoice, InvoiceLine } from './invoice-view.js';
import {
  discountText,
  percentText,
  rowsAfterTotal,
  rowsBeforeTotal,
  type TotalRow,
} from './totals.js';

interface SheetProps {
  readonly invoice: Invoice;
  readonly linkItems: boolean;
}

export function Sheet({ invoice, linkItems }: SheetProps) {
  return (
    <section class="panel invoice-sheet">
      <DatesAndReferences invoice={invoice} />
      <Lines lines={invoice.items} linkItems={linkItems} />
      <Totals invoice={invoice} />
      {invoice.note !== null && <p class="long-note">{invoice.note}</p>}
    </section>
  );
}

function DatesAndReferences({ invoice }: { invoice: Invoice }) {
  const { status, date, dueDate, deliveryDate, reference, orderReference, amountDue } = invoice;
  // While money is due, the head of the page has the due date.
  const isSettled = status !== 'void' && amountDue === '0';
  return (
    <Facts
      class="invoice-facts"
      facts={[
        ['Invoice date', <Day key="date" on={date} />],
        ['Due date', isSettled && dueDate && <Day key="due" on={dueDate} />],
        ['Delivery date', deliveryDate && <Day key="delivery" on={deliveryDate} />],
        ['Your reference', reference],
        ['Customer’s PO number', orderReference],
      ]}
    />
  );
}

function Totals({ invoice }: { invoice: Invoice }) {
  return (
    <div class="invoice-totals">
      <Sums rows={rowsBeforeTotal(invoice, useContext(PageContext).currency)} />
      <p class="invoice-total">
        Total <Money value={invoice.total} />
      </p>
      <Sums rows={rowsAfterTotal(invoice)} />
    </div>
  );
}

function Sums({ rows }: { rows: readonly TotalRow[] }) {
  if (rows.length === 0) return null;
  return (
    <Facts facts={rows.map(({ label, value }) => [label, <Money key={label} value={value} />])} />
  );
}

interface LinesProps {
  readonly lines: readonly InvoiceLine[];
  readonly linkItems: boolean;
}

function Lines({ lines, linkItems }: LinesProps) {
  const { currency } = useContext(PageContext);
  return (
    <List
      caption="Invoice lines"
      rows={lines}
      hrefOf={({ itemId }) => (linkItems && itemId ? `/inventory/${itemId}` : null)}
      columns={[
        ...ITEM,
        ...(lines.some(({ discount }) => discount) ? [discountColumn(currency)] : []),
        ...(lines.some(({ taxRate }) => taxRate !== undefined) ? [TAX] : []),
        AMOUNT_COLUMN,
      ]}
    />
  );
}

const ITEM: readonly ListColumn<InvoiceLine>[] = [
  {
    head: 'Item',
    wraps: true,
    cell: ({ name }) => name,
  },
  {
    head: 'SKU',
    wraps: true,
    cell: ({ sku }) => sku,
  },
  {
    head: 'Quantity',
    align: 'end',
    phone: 'hidden',
    cell: ({ qty }) => <Quantity value={qty} />,
  },
  {
    head: 'Unit price',
    align: 'end',
    cell: ({ qty, price }) => (
      <>
        <span class="phone-only">
          <Quantity value={qty} /> ×{' '}
        </span>
        <Price value={price} />
      </>
    ),
  },
];

const discountColumn = (currency: string): ListColumn<InvoiceLine> => ({
  head: 'Discount',
  align: 'end',
  cell: ({ discount }) =>
    discount ? <span class="figure">−{discountText(discount, currency)}</span> : null,
});

const TAX: ListColumn<InvoiceLine> = {
  head: 'Tax',
  align: 'end',
  cell: ({ taxRate, taxCategory }) =>
    taxRate === undefined ? null : (
      <>
        <span class="figure">{percentText(taxRate)}</span>
        {taxCategory !== 'S' && <span class="note"> {taxCategory}</span>}
        <span class="phone-only"> tax</span>
      </>
    ),
};
