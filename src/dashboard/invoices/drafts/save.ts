// Saving the invoice form as a draft, and opening a draft in the form. Nothing is validated: a
// draft has all that was typed.
import { v7 as uuidv7 } from 'uuid';
import {
  createDraft,
  type DraftContent,
  findDraft,
  updateDraft,
} from '../../../invoices/drafts/drafts.js';
import { namedInvoiceRequest } from '../../../invoices/schema.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { isCalendarDate } from '../../../platform/http/input/validate.js';
import type { Session } from '../../../users/sessions.js';
import { refusalOf } from '../../kit/forms/form.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import { keyOf } from '../../kit/forms/submit-write.js';
import { type Answer, actorOf, getOr404, type PageRequest } from '../../kit/page.js';
import { showAmounts } from '../form/amounts.js';
import { withMeantCustomer } from '../form/customer.js';
import { draftOf, invoiceFields, storedFields, typedInvoice, withDraft } from '../form/fields.js';
import { invoiceFormPage } from '../form/page.js';

const MAX_CUSTOMER = 255;

/** Saves the form's draft, or a new one, and opens it. A refused form is shown as typed. */
export async function saveDraft(request: PageRequest): Promise<Answer> {
  const { session, form } = request;
  const { companyId } = session;
  const fields = await withMeantCustomer(session, invoiceFields(form));
  const draft = draftOf(fields);
  const key = keyOf(form) ?? uuidv7();
  try {
    const content = contentOf(fields, session);
    const id = draft?.id ?? (await createDraft(companyId, key, content, actorOf(session)));
    if (draft) await updateDraft(companyId, draft, content, actorOf(session));
    return { to: draftPath(id), flash: 'Draft saved.' };
  } catch (error) {
    const { state, answer } = refusalOf(fields, error);
    return {
      ...(await invoiceFormPage({ ...state, key, schema: namedInvoiceRequest }, request)),
      ...answer,
    };
  }
}

/** The form with a draft. Throws Problem `not_found`, even if another company has the draft. */
export async function openDraft(companyId: string, id: string): Promise<FormState> {
  const draft = await getOr404('draft', id, draftId => findDraft(companyId, draftId));
  const fields = invoiceFields(new FormFields(new URLSearchParams(draft.fields)));
  return newForm(withDraft(fields, draft));
}

/** The address of the form with a draft. */
export function draftPath(id: string): string {
  return `/invoices/new?draft=${id}`;
}

function contentOf(fields: FormFields, session: Session): DraftContent {
  const date = fields.get('date')?.trim() ?? '';
  const customerName = [...(fields.get('customerName')?.trim() ?? '')];
  return {
    fields: storedFields(fields).toString(),
    customerName: customerName.slice(0, MAX_CUSTOMER).join(''),
    date: isCalendarDate(date) ? date : null,
    total: showAmounts(typedInvoice(fields), session).total,
    currency: session.currency,
  };
}
