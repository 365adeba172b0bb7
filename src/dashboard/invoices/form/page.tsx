// The form for a new invoice. Without JavaScript it has buttons that reload it with more lines, or
// with the extra fields. With JavaScript (browser/invoice-form.ts) lines are added and removed in
// place, items are suggested and the amounts are live.

import { v7 as uuidv7 } from 'uuid';
import type { InvoiceSettings } from '../../../invoices/defaults.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { MAX_ITEMS } from '../../../platform/http/input/validate.js';
import type { FormState } from '../../kit/form.js';
import type { PageAnswer } from '../../kit/page.js';
import { KEY_FIELD } from '../../kit/submit-write.js';
import { ButtonLink, PageHead } from '../../kit/ui/components.js';
import { Button, Field, Form, Hidden, TextArea } from '../../kit/ui/fields.js';
import { countLines, hasExtras } from './fields.js';
import { EXTRAS, Lines } from './lines.js';

interface Options {
  readonly session: InvoiceSettings;
  /** Blank lines after the filled ones. */
  readonly blanks: number;
  /** Shows the extra fields even if they are empty. */
  readonly extras?: boolean;
  /** The previous key, if sending the form again must not create a second invoice. */
  readonly key?: string | undefined;
}

/** The page with the form in this state, whose line fields must come from `invoiceFields`. */
export function invoiceFormPage(
  state: FormState,
  { session, blanks, extras = false, key = uuidv7() }: Options,
): PageAnswer {
  const filled = countLines(state.values);
  const rows = Math.max(1, filled, Math.min(filled + blanks, MAX_ITEMS));
  const isExtended = extras || session.defaultTaxRate !== null || hasExtras(state);
  const body = (
    <>
      <PageHead title="New invoice" />
      <Form action="/invoices/new" state={withSuggestions(state, rows, session)} wide>
        {/* Enter presses the form's first button, which must not be the one that adds lines. */}
        <button type="submit" hidden>
          Create invoice
        </button>
        <Hidden name={KEY_FIELD} value={key} />
        {isExtended && <Hidden name={EXTRAS} value="1" />}
        <div class={isExtended ? 'invoice-form extended' : 'invoice-form'}>
          <div class="panel invoice-head" data-terms={session.termsDays ?? undefined}>
            <Field name="customerName" label="Customer" maxLength={255} />
            <Field name="date" label="Invoice date" type="date" />
            <Field name="dueDate" label="Due date" type="date" optional />
            <Field name="reference" label="Reference" maxLength={100} optional />
          </div>
          <Lines settings={session} rows={rows} isEmpty={filled === 0} isExtended={isExtended} />
          <Extras />
        </div>
        <div class="actions">
          <Button>Create invoice</Button>
          <ButtonLink href="/invoices" quiet>
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </>
  );
  return { title: 'New invoice', body, scripts: ['invoice-form.js'] };
}

/** Lines without a rate of their own, including new ones, start with the company's. */
function withSuggestions(state: FormState, rows: number, settings: InvoiceSettings): FormState {
  const { defaultTaxRate } = settings;
  if (defaultTaxRate === null) return state;
  const values = new FormFields(state.values);
  const indexes = [...Array(rows).keys()].map(index => String(index));
  const isTaxed = indexes.some(index => values.get(`items.${index}.taxRate`));
  for (const index of [...indexes, 'new']) {
    const name = `items.${index}.taxRate`;
    if (!isTaxed || !values.has(name)) values.set(name, String(defaultTaxRate));
  }
  return { ...state, values };
}

function Extras() {
  return (
    <div class="panel invoice-extras extra">
      <Field
        name="discount"
        label="Discount on the invoice"
        hint="10% or 5.00"
        autocomplete="off"
        optional
      />
      <Field
        name="discount.reason"
        label="Reason for the discount"
        hint="Printed on the invoice"
        maxLength={255}
        optional
      />
      <Field
        name="taxReason"
        label="Reason for exemption"
        hint="Required if a line is exempt"
        maxLength={255}
        optional
      />
      <Field name="orderReference" label="Order number" maxLength={100} optional />
      <Field name="deliveryDate" label="Delivery date" type="date" optional />
      <TextArea name="note" label="Note" rows={3} optional />
    </div>
  );
}
