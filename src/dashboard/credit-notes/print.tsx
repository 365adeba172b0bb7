// A credit note on paper. It names the invoice that it corrects, as Directive 2006/112/EC, Article
// 219 requires.
import { findUnits } from '../../inventory/names/match-items.js';
import type { CreditNote } from '../../ledger/entry-json.js';
import { buyerFacts, findBuyer } from '../customers/printed/buyer.js';
import { StockQuantity } from '../inventory/item-view.js';
import { getInvoice } from '../invoices/invoice-view.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { Day, Money } from '../kit/ui/components.js';
import { Facts } from '../kit/ui/facts.js';
import { Paper, PaperLine, PaperSum, PaperTable } from '../kit/ui/paper.js';
import { creditRowsBeforeTotal, getCreditNote, reasonLabel } from './credit-note-view.js';

export async function showCreditNotePrint({ session, params }: PageRequest): Promise<Answer> {
  const { companyId } = session;
  const note = await getCreditNote(companyId, params.id);
  const [invoice, buyer, units] = await Promise.all([
    getInvoice(companyId, note.invoiceId),
    findBuyer(companyId, note.customerName),
    findUnits(companyId, note.items),
  ]);
  const title = `Credit note ${note.number}`;
  const back = { href: `/credit-notes/${note.id}`, to: 'credit note' };
  const body = (
    <Paper company={session.companyName} title={title} back={back}>
      <Facts
        facts={[
          ...buyerFacts('Customer', note.customerName, buyer),
          ['Date', <Day key="date" on={note.date} />],
          [
            'For invoice',
            <>
              {note.invoiceNumber} of <Day on={invoice.date} />
            </>,
          ],
          ['Your order', invoice.orderReference],
          ['Reason', reasonLabel(note.reason)],
          ['Reference', note.reference],
        ]}
      />
      <Lines note={note} units={units} />
      {note.note !== null && <p class="long-note">{note.note}</p>}
    </Paper>
  );
  return { title, body, bare: true };
}

function Lines({ note, units }: { note: CreditNote; units: ReadonlyMap<string, string> }) {
  return (
    <PaperTable columns={['Item', 'Quantity', 'Amount']} className="credit-paper">
      {note.items.map(({ name, sku, itemId, qty, amount }, index) => (
        <PaperLine
          key={index}
          name={name}
          sku={sku}
          figures={[
            qty === null ? (
              'Amount only'
            ) : (
              <StockQuantity key="qty" value={qty} unit={units.get(itemId ?? '') ?? null} />
            ),
            <Money key="amount" value={amount} />,
          ]}
        />
      ))}
      {creditRowsBeforeTotal(note).map(row => (
        <PaperSum key={row.label} {...row} span={2} />
      ))}
      <PaperSum label="Total credit" value={note.total} span={2} isTotal />
    </PaperTable>
  );
}
