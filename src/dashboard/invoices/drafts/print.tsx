// A draft on paper: a pro forma invoice, as its form was saved. It has no number of an invoice.
import { useContext } from 'preact/hooks';
import { findDraft } from '../../../invoices/drafts/drafts.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { isCalendarDate } from '../../../platform/http/input/validate.js';
import { type Answer, getOr404, type PageRequest } from '../../kit/page.js';
import { Day, PageContext } from '../../kit/ui/components.js';
import { Facts } from '../../kit/ui/facts.js';
import { Paper, PaperLine, PaperSum, PaperTable } from '../../kit/ui/paper.js';
import { showAmounts } from '../form/amounts.js';
import { invoiceFields, typedInvoice } from '../form/fields.js';
import { draftName, draftPath } from './save.js';

export async function showProForma({ session, params }: PageRequest): Promise<Answer> {
  const draft = await getOr404('draft', params.id, id => findDraft(session.companyId, id));
  const fields = invoiceFields(new FormFields(new URLSearchParams(draft.fields)));
  const text = (name: string) => (fields.get(name) ?? '').trim();
  const day = (name: string) => isCalendarDate(text(name)) && <Day key={name} on={text(name)} />;
  const title = `Pro forma ${draftName(draft)}`;
  const body = (
    <Paper
      company={session.companyName}
      title={title}
      back={{ href: draftPath(draft.id), to: 'draft' }}
    >
      <Facts
        facts={[
          ['Bill to', text('customerName')],
          ['Date', day('date')],
          ['Delivery date', day('deliveryDate')],
          ['Reference', text('reference')],
          ['Your order', text('orderReference')],
        ]}
      />
      <Lines fields={fields} currency={draft.currency} />
      <p class="paper-terms">This is not an invoice. Nothing is due.</p>
      {text('note') !== '' && <p class="long-note">{text('note')}</p>}
    </Paper>
  );
  return { title, body, bare: true };
}

/** The lines with the texts that were typed, which may not be numbers yet. */
function Lines({ fields, currency }: { fields: FormFields; currency: string }) {
  const typed = typedInvoice(fields);
  const { decimalMark } = useContext(PageContext);
  const { lines, rows, total } = showAmounts(typed, {
    currency,
    defaultTaxRate: null,
    decimalMark,
  });
  return (
    <PaperTable columns={['Item', 'Quantity', 'Unit price', 'Amount']}>
      {typed.lines.map(({ qty, price, discount }, index) => (
        <PaperLine
          key={index}
          name={fields.get(`items.${index}.name`) ?? ''}
          sku={fields.get(`items.${index}.sku`) || null}
          {...(discount ? { terms: `−${discount}` } : {})}
          figures={[qty, price, lines[index]]}
        />
      ))}
      {rows.map(row => (
        <PaperSum key={row.label} {...row} span={3} />
      ))}
      {total !== null && <PaperSum label="Total" value={total} span={3} isTotal />}
    </PaperTable>
  );
}
