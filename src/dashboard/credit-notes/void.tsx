// Voiding an invoice that was a mistake, confirmed by its number.
import { v7 as uuidv7 } from 'uuid';
import type { Submitter } from '../../jobs/submit/submitter.js';
import { voidWrites } from '../../ledger/batch/kinds.js';
import { type VoidRequest, voidRequest } from '../../ledger/schema.js';
import { invalidField } from '../../platform/field-errors.js';
import { cleanText } from '../../platform/values/text.js';
import { getInvoice, type Invoice } from '../invoices/invoice-view.js';
import { type FormState, newForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { KEY_FIELD } from '../kit/submit-write.js';
import { ButtonLink, Money, PageHead, Panel } from '../kit/ui/components.js';
import { Button, Checkbox, Field, Form, Hidden, TextArea } from '../kit/ui/fields.js';
import { fieldsNamed, ledgerAnswer, submitLedgerForm } from '../payments/submit.js';
import { firstDay } from './credit.js';

export async function showVoid(request: PageRequest): Promise<Answer> {
  const invoice = await getInvoice(request.session.companyId, request.params.id);
  const { id, number, status, amountPaid, amountCredited } = invoice;
  if (status === 'void') return { to: `/invoices/${id}`, flash: `Invoice ${number} is void.` };
  if (amountPaid !== '0' || amountCredited !== '0')
    return {
      to: `/invoices/${id}`,
      flash: `Invoice ${number} is paid or credited in part. Credit the rest instead.`,
    };
  return voidPage(invoice, newForm({ date: firstDay(request, invoice), restock: 'true' }));
}

/** Leads to the invoice. */
export async function voidInvoice(request: PageRequest, submitter: Submitter): Promise<Answer> {
  const { form } = request;
  const invoice = await getInvoice(request.session.companyId, request.params.id);
  const fields = fieldsNamed(form, ['date', 'reason', 'note']);
  fields.set('restock', String(form.has('restock')));
  const outcome = await submitLedgerForm<VoidRequest>(submitter, request, {
    kind: voidWrites,
    schema: voidRequest,
    fields,
    payload: body => ({ type: 'invoice.void', invoiceId: invoice.id, ...body }),
    review: () => {
      if (cleanText(form.get('confirmation') ?? '').toUpperCase() !== invoice.number.toUpperCase())
        throw invalidField('confirmation', `Enter the invoice’s number: ${invoice.number}`);
    },
  });
  if (!outcome.done) return { ...voidPage(invoice, outcome.state, outcome.key), ...outcome.answer };
  return ledgerAnswer(outcome.result, ({ body }) => {
    const { number } = JSON.parse(body) as { number: string };
    const flash = `Invoice ${invoice.number} voided by credit note ${number}.`;
    return { to: `/invoices/${invoice.id}`, flash };
  });
}

function voidPage(invoice: Invoice, state: FormState, key: string = uuidv7()): PageAnswer {
  const { id, number, total, customerName, items } = invoice;
  const title = `Void ${number}`;
  const hasGoods = items.some(({ itemId }) => itemId !== null);
  const body = (
    <>
      <PageHead title={title} note={customerName} />
      <Panel
        title="Void"
        note="For an invoice that was a mistake. This can’t be undone."
        class="danger-zone"
        split
      >
        <p>
          A credit note for <Money value={total} /> is created, and nothing is due any more. The
          invoice keeps its number and stays in the list as void.
        </p>
        <Form action={`/invoices/${id}/void`} state={state} label="Void">
          <Hidden name={KEY_FIELD} value={key} />
          <Field name="date" label="Date" type="date" />
          <Field name="reason" label="Reason" maxLength={255} optional />
          <TextArea name="note" label="Note" hint="On the credit note." rows={2} optional />
          {hasGoods && (
            <Checkbox
              name="restock"
              label="Put the goods back into stock"
              hint="Leave it out if they are damaged or not coming back."
            />
          )}
          <Field
            name="confirmation"
            label={`Enter the invoice’s number to confirm: ${number}`}
            autocomplete="off"
          />
          <div class="actions">
            <Button danger>Void invoice</Button>
            <ButtonLink href={`/invoices/${id}`} quiet>
              Cancel
            </ButtonLink>
          </div>
        </Form>
      </Panel>
    </>
  );
  return { title, body };
}
