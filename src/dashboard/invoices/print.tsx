// An invoice on paper, A4 or Letter: no navigation, and the table head repeats on every sheet.
import type { Answer, PageRequest } from '../kit/page.js';
import { ButtonLink, Day, Money, Price, Quantity } from '../kit/ui/components.js';
import { getInvoice, type Invoice } from './invoice-view.js';

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
        <dl>
          <div>
            <dt>Bill to</dt>
            <dd>{invoice.customerName}</dd>
          </div>
          <div>
            <dt>Date</dt>
            <dd>
              <Day on={invoice.date} />
            </dd>
          </div>
          {invoice.reference !== null && (
            <div>
              <dt>Reference</dt>
              <dd>{invoice.reference}</dd>
            </div>
          )}
        </dl>
        <PaperLines invoice={invoice} />
      </article>
    </>
  );
  return { title: `Invoice ${invoice.number}`, body, bare: true };
}

function PaperLines({ invoice: { items, total } }: { invoice: Invoice }) {
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
        {items.map(({ name, sku, qty, price, amount }, index) => (
          <tr key={index} role="row">
            <td role="cell">
              {name}
              {sku !== null && <span class="note"> {sku}</span>}
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
        ))}
        <tr class="paper-total" role="row">
          <th role="rowheader" scope="row" colSpan={3}>
            Total
          </th>
          <td role="cell" class="end">
            <Money value={total} />
          </td>
        </tr>
      </tbody>
    </table>
  );
}
