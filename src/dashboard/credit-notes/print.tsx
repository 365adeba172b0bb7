// A credit note on paper, A4 or Letter. It names the invoice that it corrects, as Directive
// 2006/112/EC, Article 219 requires.
import type { ComponentChildren } from 'preact';
import { getInvoice } from '../invoices/invoice-view.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { ButtonLink, Day, Money, Quantity } from '../kit/ui/components.js';
import { type CreditNote, getCreditNote, reasonLabel, taxLabel } from './credit-note-view.js';

export async function showCreditNotePrint({ session, params }: PageRequest): Promise<Answer> {
  const note = await getCreditNote(session.companyId, params.id);
  const invoice = await getInvoice(session.companyId, note.invoiceId);
  const body = (
    <>
      <div class="not-printed">
        <button class="button" type="button" data-print hidden>
          Print
        </button>
        <ButtonLink href={`/credit-notes/${note.id}`} quiet>
          Back to credit note
        </ButtonLink>
      </div>
      <article class="paper">
        <header>
          <p class="paper-company">{session.companyName}</p>
          <h1>Credit note {note.number}</h1>
        </header>
        <dl>
          <Fact name="Customer">{note.customerName}</Fact>
          <Fact name="Date">
            <Day on={note.date} />
          </Fact>
          <Fact name="For invoice">
            {note.invoiceNumber} of <Day on={invoice.date} />
          </Fact>
          <Fact name="Reason">{reasonLabel(note.reason)}</Fact>
          {note.reference !== null && <Fact name="Reference">{note.reference}</Fact>}
        </dl>
        <PaperLines note={note} />
        {note.note !== null && <p class="long-note">{note.note}</p>}
      </article>
    </>
  );
  return { title: `Credit note ${note.number}`, body, bare: true };
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function PaperLines({ note }: { note: CreditNote }) {
  // On narrow screens CSS turns the table into blocks, which removes its roles for screen readers.
  return (
    <table role="table" class="credit-paper">
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
            Amount
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {note.items.map(({ name, sku, qty, amount }, index) => (
          <tr key={index} role="row">
            <td role="cell">
              {name}
              {sku !== null && <span class="note"> {sku}</span>}
            </td>
            <td role="cell" class="end">
              {qty === null ? 'Amount only' : <Quantity value={qty} />}
            </td>
            <td role="cell" class="end">
              <Money value={amount} />
            </td>
          </tr>
        ))}
        {note.taxes.length > 0 && <Sum label="Net" value={note.subtotal} />}
        {note.taxes.map(tax => (
          <Sum
            key={`${tax.category} ${tax.rate}`}
            label={[taxLabel(tax), tax.reason].filter(Boolean).join(': ')}
            value={tax.amount}
          />
        ))}
        <Sum label="Total credit" value={note.total} isTotal />
      </tbody>
    </table>
  );
}

interface SumProps {
  readonly label: string;
  readonly value: string;
  readonly isTotal?: boolean;
}

function Sum({ label, value, isTotal = false }: SumProps) {
  return (
    <tr class={isTotal ? 'paper-total' : 'paper-sum'} role="row">
      <th role="rowheader" scope="row" colSpan={2}>
        {label}
      </th>
      <td role="cell" class="end">
        <Money value={value} />
      </td>
    </tr>
  );
}
