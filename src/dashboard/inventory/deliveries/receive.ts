// Receiving a delivery: many items in one adjustment. The form is reviewed before it is sent, so
// that no typo creates an item.

import Joi from 'joi';
import { stockWrites } from '../../../inventory/adjust.js';
import type { DecimalMark } from '../../../inventory/imports/decimals.js';
import { readPastedList } from '../../../inventory/imports/pasted-list.js';
import { matchItems } from '../../../inventory/names/match-items.js';
import {
  type AdjustmentRequest,
  adjustmentEntry,
  adjustmentRequest,
  MAX_QUANTITY,
} from '../../../inventory/schema.js';
import { suggestItems } from '../../../inventory/short-lists.js';
import type { Submitter } from '../../../jobs/submit/submitter.js';
import { Problem } from '../../../platform/errors.js';
import type { FormFields } from '../../../platform/http/input/form-fields.js';
import {
  MAX_ITEMS,
  positiveDecimal,
  text,
  validateBody,
} from '../../../platform/http/input/validate.js';
import { isUuid } from '../../../platform/values/ids.js';
import { newForm, refusedForm, submitForm } from '../../kit/form.js';
import type { Answer, PageAnswer, PageRequest, RedirectAnswer } from '../../kit/page.js';
import {
  KEY_FIELD,
  type SubmitResult,
  submitWrite,
  submitWriteForm,
} from '../../kit/submit-write.js';
import { formatQuantity } from '../../kit/ui/format.js';
import { getItem } from '../item-view.js';
import { refusedDeliveryForm, toDeliveryProblem } from '../refusals.js';
import { fieldsOf, type Line, linesOf, linesOfPasted } from './fields.js';
import { ADD_LINES, deliveryFormPage, EDIT, SEND } from './form.js';
import { type DeliveryLine, deliveryReviewPage } from './review.js';

/** Blank lines of a new form. */
const BLANK_LINES = 3;
/** Blank lines that the "Add lines" button adds without JavaScript. */
const MORE_LINES = 10;
const SUGGESTIONS = 8;

interface Delivery {
  readonly reference?: string;
  readonly items: readonly DeliveryLine[];
}

const entry = adjustmentEntry as Joi.ObjectSchema;
const delivery = Joi.object({
  reference: (adjustmentRequest as Joi.ObjectSchema).extract('reference'),
  items: Joi.array()
    .items(
      Joi.object({
        item: text(255).required(),
        itemId: entry.extract('itemId'),
        quantity: positiveDecimal(MAX_QUANTITY).required(),
        unitCost: entry.extract('unitCost'),
      }),
    )
    .min(1)
    .max(MAX_ITEMS)
    .required(),
});
const NUMBERS = { numbers: ['quantity', 'unitCost'] };

/**
 * The empty form. With ?item= its first line has that item, and with ?job= it shows a refused job's
 * request and errors.
 */
export async function showReceive({ session, query }: PageRequest): Promise<Answer> {
  const { companyId } = session;
  const [jobId, itemId] = [query.get('job'), query.get('item')];
  if (jobId !== null)
    return deliveryFormPage(await refusedDeliveryForm(companyId, jobId), { blanks: 0 });
  if (itemId === null) return deliveryFormPage(newForm(), { blanks: BLANK_LINES });
  const { name } = await getItem(companyId, itemId);
  return deliveryFormPage(newForm({ 'items.0.item': name }), { blanks: BLANK_LINES - 1 });
}

export function receiveDelivery(
  request: PageRequest,
  submitter: Submitter,
): Promise<Answer> | Answer {
  const { form } = request;
  const key = keyOf(form);
  const action = form.get('do');
  if (action === SEND) return sendDelivery(request, submitter);
  if (action !== ADD_LINES && action !== EDIT) return reviewDelivery(request);
  const state = { ...newForm(), values: typedFields(form) };
  return deliveryFormPage(state, { blanks: action === EDIT ? 1 : MORE_LINES, key });
}

/** Shows what the delivery would do, or the form with the errors at their lines. */
async function reviewDelivery({ form, session: { companyId } }: PageRequest): Promise<PageAnswer> {
  const key = keyOf(form);
  let lines: Line[];
  try {
    lines = [...typedLines(form), ...(await pastedLines(companyId, form))];
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    const state = refusedForm(typedFields(form), error);
    return { ...deliveryFormPage(state, { blanks: 0, key }), status: 422 };
  }
  const values = fieldsOf(form.get('reference') ?? '', lines);
  const review = async ({ reference = '', items }: Delivery) => {
    const texts = items.map(({ item }) => item);
    const found = await matchItems(companyId, texts);
    const known = lines.map((line, index) => ({ ...line, itemId: found[index]?.id ?? '' }));
    const fields = fieldsOf(reference, known);
    return deliveryReviewPage({ reference, lines: items, found, fields, key });
  };
  const outcome = await submitForm<Delivery, PageAnswer>(values, delivery, review, NUMBERS);
  return outcome.done
    ? outcome.result
    : { ...deliveryFormPage(outcome.state, { blanks: 1, key }), ...outcome.answer };
}

/** Leads to the inventory, or to the delivery's job while that waits. */
async function sendDelivery(request: PageRequest, submitter: Submitter): Promise<Answer> {
  const { form } = request;
  const values = fieldsOf(form.get('reference') ?? '', linesOf(form));
  const outcome = await submitWriteForm<Delivery>(
    request,
    values,
    delivery,
    body => submitDelivery(submitter, request, body),
    NUMBERS,
  );
  if (!outcome.done) {
    const state = { ...outcome.state, values: typedFields(form) };
    return { ...deliveryFormPage(state, { blanks: 0, key: outcome.key }), ...outcome.answer };
  }
  const { result } = outcome;
  return result.done
    ? receivedAnswer(result.body)
    : { to: `/inventory/jobs/${result.jobId}?made=delivery` };
}

async function submitDelivery(
  submitter: Submitter,
  request: PageRequest,
  { reference, items }: Delivery,
): Promise<SubmitResult> {
  const entries = items.map(({ item, itemId, quantity, unitCost }) => ({
    ...(itemId === undefined ? { name: item } : { itemId }),
    delta: quantity,
    ...(unitCost === undefined ? {} : { unitCost }),
  }));
  try {
    const source = reference === undefined ? {} : { reference };
    const payload = { reason: 'received', ...source, items: entries };
    const body = validateBody<AdjustmentRequest>(adjustmentRequest, payload);
    return await submitWrite(submitter, stockWrites, request, body);
  } catch (error) {
    throw error instanceof Problem ? toDeliveryProblem(error) : error;
  }
}

/** Leads to the inventory and says what the adjustment with this JSON received. */
export function receivedAnswer(body: string): RedirectAnswer {
  const { reference, movements } = JSON.parse(body) as {
    reference: string | null;
    movements: { itemId: string; name: string }[];
  };
  const items = new Map(movements.map(({ itemId, name }) => [itemId, name]));
  const [only = ''] = items.values();
  const what = items.size === 1 ? only : `${formatQuantity(items.size)} items`;
  const flash = `Delivery${reference === null ? '' : ` ${reference}`} received: ${what}.`;
  return { to: '/inventory', flash };
}

/** The items that match a line's text, as JSON for the form's script. */
export async function suggestDeliveryItems({ session, query }: PageRequest): Promise<Answer> {
  const items = await suggestItems(session.companyId, query.get('q') ?? '', SUGGESTIONS);
  return { type: 'json', content: JSON.stringify(items) };
}

function keyOf(form: FormFields): string | undefined {
  const key = form.get(KEY_FIELD) ?? '';
  return isUuid(key) ? key : undefined;
}

/** The lines without the items that an earlier review found. */
function typedLines(form: FormFields): Line[] {
  return linesOf(form).map(({ itemId: _, ...line }) => line);
}

/** The fields as typed, with the pasted list. */
function typedFields(form: FormFields): FormFields {
  const fields = fieldsOf(form.get('reference') ?? '', typedLines(form));
  for (const name of ['pasted', 'decimals']) fields.set(name, form.get(name) ?? '');
  return fields;
}

async function pastedLines(companyId: string, form: FormFields): Promise<Line[]> {
  const pasted = form.get('pasted') ?? '';
  if (pasted.trim() === '') return [];
  const decimals = form.get('decimals');
  const mark: DecimalMark | null = decimals === '.' || decimals === ',' ? decimals : null;
  return linesOfPasted(companyId, await readPastedList(pasted, mark, MAX_ITEMS));
}
