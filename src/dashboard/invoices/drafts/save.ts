// Saving the invoice form as a draft, and opening a draft in the form. Nothing is validated: a
// draft has all that was typed.
import { v7 as uuidv7 } from 'uuid';
import {
  createDraft,
  type DraftContent,
  findDraft,
  type ListedDraft,
  updateDraft,
} from '../../../invoices/drafts/drafts.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { isCalendarDate } from '../../../platform/http/input/validate.js';
import { addDays, dayIn, daysBetween, today } from '../../../platform/values/days.js';
import type { Session } from '../../../users/sessions.js';
import { markOf } from '../../kit/forms/field-limits.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import { keyOf } from '../../kit/forms/submit-write.js';
import { actorOf, getOr404, type PageRequest, type RedirectAnswer } from '../../kit/page.js';
import { formatDay } from '../../kit/ui/format.js';
import { showAmounts } from '../form/amounts.js';
import { dueDateOf, readFormCustomer, withMeantCustomer } from '../form/customer.js';
import { draftOf, invoiceFields, storedFields, typedInvoice, withDraft } from '../form/fields.js';

const MAX_CUSTOMER = 255;

/** Saves the form's draft, or a new one, and opens it. Throws the refusal of a changed draft. */
export async function saveDraft(
  { session, form }: PageRequest,
  show: (fields: FormFields) => void,
): Promise<RedirectAnswer> {
  const { companyId } = session;
  const fields = await withMeantCustomer(session, invoiceFields(form));
  show(fields);
  const draft = draftOf(fields);
  const content = contentOf(fields, session);
  const key = keyOf(form) ?? uuidv7();
  const id = draft?.id ?? (await createDraft(companyId, key, content, actorOf(session)));
  if (draft) await updateDraft(companyId, draft, content, actorOf(session));
  return { to: draftPath(id), flash: 'Draft saved.' };
}

/**
 * The form with a draft. One that was saved before today proposes today in place of a day that has
 * passed. Throws Problem `not_found`, even if another company has the draft.
 */
export async function openDraft(session: Session, id: string): Promise<FormState> {
  const draft = await getOr404('draft', id, draftId => findDraft(session.companyId, draftId));
  const fields = invoiceFields(new FormFields(new URLSearchParams(draft.fields)));
  const shown = { ...newForm(withDraft(fields, draft)), isTyped: true } as const;
  const day = today(session);
  const { date } = draft;
  const wasSavedToday = dayIn(session.timeZone, new Date(draft.savedAt)) === day;
  if (date === null || date >= day || wasSavedToday) return shown;
  const customer = await readFormCustomer(session, fields.get('customerName'));
  shown.values.set('date', day);
  const due = fields.get('dueDate') ?? '';
  const terms = [customer?.settings ?? session, session].find(
    settings => due === dueDateOf(date, settings),
  );
  if (terms) shown.values.set('dueDate', dueDateOf(day, terms));
  else if (isCalendarDate(due) && due < day)
    shown.values.set('dueDate', addDays(day, daysBetween(date, due)));
  return { ...shown, message: `The draft is of ${formatDay(date)}. Today is proposed instead.` };
}

/** The draft's name for people, such as D-12. */
export function draftName({ number }: Pick<ListedDraft, 'number'>): string {
  return number === null ? 'Draft' : `D-${number}`;
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
    total: showAmounts(typedInvoice(fields), { ...session, decimalMark: markOf(session) }).total,
    currency: session.currency,
  };
}
