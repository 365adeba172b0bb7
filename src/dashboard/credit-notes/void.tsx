// Voiding an invoice that was a mistake, confirmed by its number.
import { voidWrites } from '../../ledger/batch/kinds.js';
import { checkMoneyDate } from '../../ledger/checks/body-checks.js';
import type { VoidPayload } from '../../ledger/payload.js';
import { type VoidRequest, voidRequest } from '../../ledger/schema.js';
import { invalidField } from '../../platform/field-errors.js';
import { cleanCode } from '../../platform/values/text.js';
import { getInvoice, type Invoice, voidRefusal } from '../invoices/invoice-view.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import type { PageAnswer } from '../kit/page.js';
import { Money, PageHead, Panel } from '../kit/ui/components.js';
import { FormActions } from '../kit/ui/field-groups.js';
import { Checkbox, Field, Form, TextArea } from '../kit/ui/fields.js';
import { fieldsNamed, ledgerForm } from '../payments/ledger-form.js';
import { firstDay } from './credit.js';

/** Voids an invoice, and leads to it. */
export const voidForm = ledgerForm<VoidRequest, VoidPayload, Invoice>({
  kind: voidWrites,
  path: '/invoices/:id/void',
  words: {
    title: 'Voiding the invoice',
    subject: 'The credit note',
    done: 'Invoice voided.',
    failed: 'The invoice was not voided',
  },
  load: ({ session, params }) => getInvoice(session.companyId, params.id),
  initial: request => {
    const { loaded: invoice } = request;
    const refusal = voidRefusal(invoice);
    return refusal === null
      ? newForm({ date: firstDay(request, invoice), restock: 'true' })
      : { to: `/invoices/${invoice.id}`, flash: refusal };
  },
  schema: voidRequest,
  check: (body, { session }) => checkMoneyDate(body, session),
  read: ({ form, loaded: { number } }) => ({
    fields: fieldsNamed(form, ['date', 'reason', 'note'], { restock: String(form.has('restock')) }),
    review: () => {
      if (cleanCode(form.get('confirmation') ?? '').toUpperCase() !== number.toUpperCase())
        throw invalidField('confirmation', `Type the invoice’s number: ${number}`);
    },
  }),
  payload: (body, { loaded: { id } }) => ({ type: 'invoice.void', invoiceId: id, ...body }),
  formPath: ({ invoiceId }) => `/invoices/${invoiceId}/void`,
  done: ({ body }, { loaded: { id, number } }) => {
    const { number: note } = JSON.parse(body) as { number: string };
    return {
      to: `/invoices/${id}`,
      flash: `Invoice ${number} voided. Credit note ${note} created.`,
    };
  },
  page: (state, { loaded }) => voidPage(loaded, state),
});

function voidPage(invoice: Invoice, state: FormState): PageAnswer {
  const { id, number, total, customerName, items } = invoice;
  const title = `Void ${number}`;
  const hasGoods = items.some(({ itemId }) => itemId !== null);
  const body = (
    <>
      <PageHead title={title} note={customerName} />
      <Panel
        title="Void"
        note="For an invoice issued by mistake. This can’t be undone."
        class="danger-zone"
        split
      >
        <p>
          This creates a credit note for <Money value={total} /> and leaves nothing due. The invoice
          keeps its number and stays in the list as void.
        </p>
        <Form action={`/invoices/${id}/void`} state={state} label="Void">
          <Field name="date" label="Date" type="date" optional={false} />
          <Field name="reason" label="Reason" hint="Never printed." />
          <TextArea name="note" label="Note" hint="Printed on the credit note." rows={2} />
          {hasGoods && (
            <Checkbox
              name="restock"
              label="Put the goods back into stock"
              hint="Clear this if the goods are damaged or won’t come back."
            />
          )}
          <Field name="confirmation" label={`Type ${number} to confirm`} autocomplete="off" />
          <FormActions submit="Void invoice" cancel={`/invoices/${id}`} danger />
        </Form>
      </Panel>
    </>
  );
  return { title, body };
}
