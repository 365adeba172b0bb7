// Receiving a delivery: many items in one adjustment. The form is reviewed before it is sent, so
// that no typo creates an item.

import Joi from 'joi';
import { v7 as uuidv7 } from 'uuid';
import { readPastedList } from '../../../inventory/imports/pasted-list.js';
import { matchItems } from '../../../inventory/names/match-items.js';
import {
  type AdjustmentRequest,
  adjustmentEntry,
  adjustmentRequest,
  MAX_QUANTITY,
} from '../../../inventory/schema.js';
import { BODY_LIMIT_BYTES } from '../../../platform/http/input/body.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import {
  MAX_ITEMS,
  positiveDecimal,
  text,
  validateBody,
} from '../../../platform/http/input/validate.js';
import { today } from '../../../platform/values/days.js';
import { may } from '../../../users/roles.js';
import type { Session } from '../../../users/sessions.js';
import { askAboutDates, confirmName } from '../../kit/forms/date-question.js';
import { chosenDecimalMark } from '../../kit/forms/decimal-separator.js';
import { fieldTypesOf, markOf } from '../../kit/forms/field-limits.js';
import { bodyOf } from '../../kit/forms/form.js';
import { newForm } from '../../kit/forms/form-state.js';
import { keyOf, type WriteResult } from '../../kit/forms/submit-write.js';
import { writeForm } from '../../kit/forms/write-form.js';
import type { PageAnswer, PageRequest, RedirectAnswer } from '../../kit/page.js';
import { formatQuantity } from '../../kit/ui/format.js';
import { getItem } from '../item-view.js';
import { refusePrices } from '../prices.js';
import { adjustedItems, RECEIVE_PATH, STOCK_FORM } from '../stock-jobs.js';
import {
  deliveryFields,
  deliveryHead,
  deliveryLines,
  fieldsOfRequest,
  type Line,
  linesOfPasted,
  SUPPLY_FIELDS,
} from './fields.js';
import { ADD_DELIVERY_LINES, deliveryFormPage, EDIT, SEND } from './form.js';
import { type DeliveryLine, deliveryReviewPage } from './review.js';

/** Blank lines of a new form. */
const BLANK_LINES = 3;
/** Blank lines that the "Add lines" button adds without JavaScript. */
const MORE_LINES = 10;

interface Delivery {
  readonly reference?: string;
  readonly supplier?: string;
  readonly arrivedOn?: string;
  readonly items: readonly DeliveryLine[];
}

const entry = adjustmentEntry as Joi.ObjectSchema;
const delivery = Joi.object({
  reference: (adjustmentRequest as Joi.ObjectSchema).extract('reference'),
  ...SUPPLY_FIELDS,
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

/** Receives the delivery after its review, and leads to the inventory. */
export const deliveryForm = writeForm<Delivery, AdjustmentRequest>({
  ...STOCK_FORM,
  path: RECEIVE_PATH,
  // 250 lines with names in any script exceed the limit of other forms.
  maxBytes: BODY_LIMIT_BYTES,
  job: {
    ...STOCK_FORM.job,
    made: 'delivery',
    title: 'Receiving the delivery',
    subject: 'The delivery',
    note: ({ reference = '' }) => reference,
    done: receivedAnswer,
  },
  initial: async ({ session, query }) => {
    const itemId = query.get('item');
    const arrivedOn = today(session);
    if (itemId === null) return newForm({ arrivedOn });
    const { name } = await getItem(session.companyId, itemId);
    return newForm({ arrivedOn, 'items.0.item': name });
  },
  refill: async (payload, { session: { companyId } }) => ({
    fields: await fieldsOfRequest(companyId, payload),
  }),
  press: (request, show) => {
    const pressed = request.form.get('do');
    if (pressed === SEND) return null;
    return pressed === ADD_DELIVERY_LINES || pressed === EDIT
      ? { ...newForm(typedFields(request.form)), key: keyOf(request.form) ?? uuidv7() }
      : reviewDelivery(request, show);
  },
  schema: delivery,
  at: {
    'items.*.name': 'items.*.item',
    'items.*.sku': 'items.*.item',
    'items.*.itemId': 'items.*.item',
    'items.*.delta': 'items.*.quantity',
  },
  say: ({ code }) => (code === 'unknown_item' ? 'This item is no longer in use.' : null),
  read: ({ form }) => ({
    fields: deliveryFields(deliveryHead(form), deliveryLines(form)),
    shown: typedFields(form),
  }),
  payload: async ({ reference, items, ...supply }, { session }) => {
    refusePrices(session, items);
    // A SKU that was new at the review may be known by now.
    const found = await matchItems(
      session.companyId,
      items.map(({ item }) => item),
    );
    const request: AdjustmentRequest = validateBody(adjustmentRequest, {
      reason: 'received',
      ...(reference === undefined ? {} : { reference }),
      items: items.map(({ item, itemId, quantity, unitCost }, index) => ({
        ...namedItem(item, itemId ?? found[index]?.id),
        delta: quantity,
        ...(unitCost === undefined ? {} : { unitCost }),
      })),
    });
    return { ...request, ...supply };
  },
  // The same form sent again is the same request, although its new items exist by then.
  identity: body => body,
  done: receivedAnswer,
  page: (state, request) => deliveryFormPage(state, blanksOf(request)),
});

/** The part of an entry that names its item. */
function namedItem(name: string, itemId: string | undefined) {
  return itemId === undefined ? { name } : { itemId };
}

/** The blank lines after the filled ones. */
function blanksOf({ form, query }: PageRequest): number {
  const pressed = form.get('do');
  if (pressed === ADD_DELIVERY_LINES) return MORE_LINES;
  if (pressed === EDIT) return 1;
  if (pressed !== null || query.has('job')) return 0;
  // A review that was refused.
  if ([...form].length > 0) return 1;
  return query.has('item') ? BLANK_LINES - 1 : BLANK_LINES;
}

/** Shows what the delivery would do. Throws the refusal of its lines and of the pasted ones. */
async function reviewDelivery(
  { form, session }: PageRequest,
  show: (fields: FormFields) => void,
): Promise<PageAnswer> {
  show(typedFields(form));
  const lines = [...typedLines(form), ...(await pastedLines(session, form))];
  const head = deliveryHead(form);
  const sent = deliveryFields(head, lines);
  const values = withConfirmation(sent, form);
  show(values);
  const { items, ...shown } = validateBody<Delivery>(
    delivery,
    bodyOf(sent, fieldTypesOf(delivery, session)),
  );
  askAboutDates(values, today(session), { arrivedOn: 'money' });
  refusePrices(session, items);
  const found = await matchItems(
    session.companyId,
    items.map(({ item }) => item),
  );
  const known = lines.map((line, index) => ({ ...line, itemId: found[index]?.id ?? '' }));
  const fields = withConfirmation(deliveryFields(head, known), form);
  const key = keyOf(form) ?? uuidv7();
  return deliveryReviewPage({ ...shown, lines: items, found, fields, key });
}

/** Leads to the inventory and says what the adjustment received. */
function receivedAnswer({ body }: WriteResult): RedirectAnswer {
  const { reference = null } = JSON.parse(body) as { reference?: string | null };
  const items = new Map(adjustedItems(body).map(({ itemId, name }) => [itemId, name]));
  const [only = ''] = items.values();
  const what = items.size === 1 ? only : `${formatQuantity(items.size)} items`;
  const flash = `Delivery${reference === null ? '' : ` ${reference}`} received: ${what}.`;
  return { to: '/inventory', flash };
}

/** The lines without the items that an earlier review found. */
function typedLines(form: FormFields): Line[] {
  return deliveryLines(form).map(({ itemId: _, ...line }) => line);
}

/** The fields as they were typed, with the pasted list. */
function typedFields(form: FormFields): FormFields {
  const fields = withConfirmation(deliveryFields(deliveryHead(form), typedLines(form)), form);
  for (const name of ['pasted', 'decimals']) fields.set(name, form.get(name) ?? '');
  return fields;
}

/** Keeps the answer to the question about an unusual date. */
function withConfirmation(fields: FormFields, form: FormFields): FormFields {
  const name = confirmName('arrivedOn');
  const day = form.get(name);
  return day === null ? fields : new FormFields([...fields, [name, day]]);
}

/** The costs in a copied list are left out if the visitor may not set them. */
async function pastedLines(session: Session, form: FormFields): Promise<Line[]> {
  const { companyId, role, currency } = session;
  const pasted = form.get('pasted') ?? '';
  if (pasted.trim() === '') return [];
  const decimalMark = chosenDecimalMark(form);
  const list = readPastedList(pasted, { decimalMark, maxLines: MAX_ITEMS, currency });
  const lines = await linesOfPasted(companyId, list, markOf(session));
  return may(role, 'set-prices') ? lines : lines.map(({ unitCost: _, ...line }) => line);
}
