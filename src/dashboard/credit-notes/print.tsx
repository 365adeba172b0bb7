// A credit note on paper. It names the invoice that it corrects, as Directive 2006/112/EC, Article
// 219 requires.
import type { CreditNote } from '../../ledger/entry-json.js';
import { getInvoice } from '../invoices/invoice-view.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { Day, Money, Quantity } from '../kit/ui/components.js';
import { Facts } from '../kit/ui/facts.js';
import { Paper, PaperLine, PaperSum, PaperTable } from '../kit/ui/paper.js';
import { creditRowsBeforeTotal, getCreditNote, reasonLabel } from './credit-note-view.js';

export async function showCreditNotePrint({ session, params }: PageRequest): Promise<Answer> {
  const note = await getCreditNote(session.companyId, params.id);
  const invoice = await getInvoice(session.companyId, note.invoiceId);
  const title = `Credit note ${note.number}`;
  const back = { href: `/credit-notes/${note.id}`, to: 'credit note' };
  const body = (
    <Paper company={session.companyName} title={title} back={back}>
      <Facts
        facts={[
          ['Customer', note.customerName],
          ['Date', <Day key="date" on={note.date} />],
          [
            'For invoice',
            <>
              {note.invoiceNumber} of <Day on={invoice.date} />
            </>,
          ],
          ['Reason', reasonLabel(note.reason)],
          ['Reference', note.reference],
        ]}
      />
      <Lines note={note} />
      {note.note !== null && <p class="long-note">{note.note}</p>}
    </Paper>
  );
  return { title, body, bare: true };
}

function Lines({ note }: { note: CreditNote }) {
  return (
    <PaperTable columns={['Item', 'Quantity', 'Amount']} className="credit-paper">
      {note.items.map(({ name, sku, qty, amount }, index) => (
        <PaperLine
          key={index}
          name={name}
          sku={sku}
          figures={[
            qty === null ? 'Amount only' : <Quantity key="qty" value={qty} />,
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
