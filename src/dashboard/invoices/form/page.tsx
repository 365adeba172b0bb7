// The page of the invoice form. Fields that most invoices leave as they are, are collapsed.

import { mailSettings } from '../../../emails/mail-settings.js';
import type { InvoiceSettings } from '../../../invoices/defaults.js';
import { DRAFT_FIELD } from '../../../invoices/drafts/draft-ref.js';
import { findDraft } from '../../../invoices/drafts/drafts.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { MAX_ITEMS } from '../../../platform/http/input/validate.js';
import type { FormState } from '../../kit/forms/form-state.js';
import type { PageAnswer, PageRequest } from '../../kit/page.js';
import { ButtonLink, IfMay, PageHead } from '../../kit/ui/components.js';
import { DateField } from '../../kit/ui/date-field.js';
import { FormActions } from '../../kit/ui/field-groups.js';
import { Button, Checkbox, Field, Form, Hidden, TextArea } from '../../kit/ui/fields.js';
import { draftName } from '../drafts/save.js';
import {
  categoryOf,
  dueDateOf,
  isCreditRefusal,
  newNameOf,
  rateOf,
  readFormCustomer,
} from './customer.js';
import { CustomerNote } from './customer-note.js';
import {
  countLines,
  draftOf,
  IGNORE_CREDIT,
  MORE_FIELDS,
  NEW_NAME_FIELD,
  TERMS_FIELD,
  withDraft,
} from './fields.js';
import { ADD_INVOICE_LINES, Lines } from './lines.js';

/** The button that saves the form as a draft. */
export const SAVE_DRAFT = 'save-draft';
/** The button that shows the PDF of the form. */
export const PREVIEW = 'preview';
/** The button that creates the invoice and sends it by e-mail. */
export const CREATE_AND_SEND = 'create-and-send';
/** Blank lines that the "Add lines" button adds without JavaScript. */
const MORE_LINES = 5;

/** The page with the form in this state, whose line fields must come from `invoiceFields`. */
export async function invoiceFormPage(
  refused: FormState,
  { session, form }: PageRequest,
): Promise<PageAnswer> {
  const isForCredit = isCreditRefusal(refused) || refused.values.get(IGNORE_CREDIT) === 'true';
  const state = await withDraftError(refused, session.companyId);
  const customer = await readFormCustomer(session, state.values.get('customerName'));
  const isSuggested = customer?.termsKey && customer.termsKey === state.values.get(TERMS_FIELD);
  const settings = isSuggested ? customer.settings : session;
  const credit = customer?.credit ?? null;
  const blanks = form.get('do') === ADD_INVOICE_LINES ? MORE_LINES : 0;
  const filled = countLines(state.values);
  const rows = Math.max(1, filled, Math.min(filled + blanks, MAX_ITEMS));
  const draft = draftOf(state.values);
  const saved = draft && (await findDraft(session.companyId, draft.id));
  const title = draft ? `Draft invoice${saved ? ` ${draftName(saved)}` : ''}` : 'New invoice';
  const body = (
    <>
      <PageHead title={title}>
        {draft && (
          <>
            <ButtonLink href={`/invoices/drafts/${draft.id}/print`} quiet>
              Print pro forma
            </ButtonLink>
            <ButtonLink href={`/invoices/drafts/${draft.id}/delete`} quiet>
              Delete draft
            </ButtonLink>
          </>
        )}
      </PageHead>
      <Form action="/invoices/new" state={withSuggestions(state, rows, settings)} deliberate wide>
        {draft && (
          <>
            <Hidden name={DRAFT_FIELD} value={draft.id} />
            <Hidden name="draftVersion" value={String(draft.version)} />
          </>
        )}
        <Hidden name={TERMS_FIELD} value={state.values.get(TERMS_FIELD) ?? ''} />
        <Hidden name={NEW_NAME_FIELD} value={newNameOf(customer)} />
        <div class="invoice-form">
          <div class="panel invoice-head" data-terms={settings.termsDays ?? undefined}>
            <div class="stack invoice-buyer">
              <Field name="customerName" label="Customer" autocomplete="off" />
              <p class="note" data-customer-note>
                <CustomerNote customer={customer} currency={session.currency} />
              </p>
              {isForCredit && <IgnoreCredit />}
            </div>
            <DateField name="date" label="Invoice date" />
          </div>
          <Lines
            settings={settings}
            credit={credit}
            allowNegativeStock={session.allowNegativeStock}
            rows={rows}
            isEmpty={filled === 0}
          />
          <More isOpen={hasMore(state, settings)} />
        </div>
        <FormActions submit="Create invoice" cancel={draft ? '/invoices/drafts' : '/invoices'}>
          {mailSettings() !== null && (
            <Button quiet name="do" value={CREATE_AND_SEND}>
              Create and send
            </Button>
          )}
          <button type="submit" class="button quiet" name="do" value={PREVIEW} formtarget="_blank">
            Preview
          </button>
          <Button quiet name="do" value={SAVE_DRAFT}>
            Save draft
          </Button>
        </FormActions>
      </Form>
    </>
  );
  return { title, body, scripts: ['invoice-form.js'] };
}

/** For owners, after a refusal. */
function IgnoreCredit() {
  return (
    <IfMay permission="ignore-credit">
      <Checkbox name={IGNORE_CREDIT} label="Issue anyway (ignores hold and limit)" />
    </IfMay>
  );
}

/**
 * After the refusal of a draft that changed, the form has the present version, so that it can be
 * submitted again; or none if the draft is gone.
 */
async function withDraftError(state: FormState, companyId: string): Promise<FormState> {
  const sentence = state.errors.get(DRAFT_FIELD);
  const draft = draftOf(state.values);
  if (sentence === undefined) return state;
  const errors = new Map([...state.errors].filter(([name]) => name !== DRAFT_FIELD));
  const current = draft && (await findDraft(companyId, draft.id));
  return { ...state, values: withDraft(state.values, current), errors, message: sentence };
}

/** Lines without a rate of their own, including new ones, start with the customer's. */
function withSuggestions(state: FormState, rows: number, settings: InvoiceSettings): FormState {
  if (settings.defaultTaxRate === null) return state;
  const values = new FormFields(state.values);
  const indexes = [...Array(rows).keys()].map(index => String(index));
  const isTaxed = indexes.some(index => values.get(`items.${index}.taxRate`));
  for (const index of [...indexes, 'new']) {
    const name = `items.${index}.taxRate`;
    if (isTaxed && values.has(name)) continue;
    values.set(name, rateOf(settings));
    const category = `items.${index}.taxCategory`;
    if (!values.get(category)) values.set(category, categoryOf(settings));
  }
  return { ...state, values };
}

/** True if a collapsed field differs from its first value, or has an error. */
function hasMore({ values, errors }: FormState, settings: InvoiceSettings): boolean {
  const suggested: Readonly<Record<string, string>> = {
    dueDate: dueDateOf(values.get('date') ?? '', settings),
    taxReason: settings.defaultTaxReason ?? '',
  };
  return MORE_FIELDS.some(name => {
    const text = values.get(name) ?? '';
    return errors.has(name) || (text.trim() !== '' && text !== suggested[name]);
  });
}

function More({ isOpen }: { isOpen: boolean }) {
  return (
    <details class="panel disclosure invoice-more" open={isOpen}>
      <summary>
        More <span class="note">Due date, references, discount, note</span>
      </summary>
      <div class="invoice-more-fields">
        <DateField name="dueDate" label="Due date" />
        <Field
          name="reference"
          label="Your reference"
          hint="Printed. For example, your sales order."
        />
        <Field
          name="orderReference"
          label="Customer’s PO number"
          hint="Printed. From their purchase order."
        />
        <Field name="deliveryDate" label="Delivery date" type="date" hint="Printed." />
        <Field name="discount" label="Invoice discount" hint="10% or 5.00." autocomplete="off" />
        <Field
          name="discount.reason"
          label="Reason for the discount"
          hint="Printed on the invoice."
        />
        <Field
          name="taxReason"
          label="Exemption reason"
          hint="Printed. Required if a line is exempt."
        />
        <TextArea name="note" label="Note" hint="Printed on the invoice." rows={3} />
      </div>
    </details>
  );
}
