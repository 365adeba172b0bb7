// The form for a new item. Its opening stock is a received delivery, as
// POST /inventory/adjustments would write it.

import type Joi from 'joi';
import { findItemNamed } from '../../inventory/names/match-items.js';
import {
  type AdjustmentEntry,
  type AdjustmentRequest,
  adjustmentEntry,
  adjustmentRequest,
  MAX_QUANTITY,
} from '../../inventory/schema.js';
import type { FieldError, Problem } from '../../platform/errors.js';
import { fieldError, validationFailed } from '../../platform/field-errors.js';
import { FormFields } from '../../platform/http/input/form-fields.js';
import { decimal, text, validateBody } from '../../platform/http/input/validate.js';
import type { WayOn } from '../kit/forms/error-places.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import type { WriteResult } from '../kit/forms/submit-write.js';
import { writeForm } from '../kit/forms/write-form.js';
import type { PageAnswer, RedirectAnswer } from '../kit/page.js';
import { ButtonLink, PageHead } from '../kit/ui/components.js';
import { FormActions } from '../kit/ui/field-groups.js';
import { Field, Form } from '../kit/ui/fields.js';
import { DetailFields } from './item-forms.js';
import { refusePrices } from './prices.js';
import { adjustedItems, NEW_ITEM_PATH, STOCK_FORM, STOCK_UPDATED } from './stock-jobs.js';

/** An entry of an adjustment, except that the name is required here, and stock is received. */
const newItem = (adjustmentEntry as Joi.ObjectSchema).keys({
  name: text(255).required(),
  delta: decimal(0, MAX_QUANTITY),
});

export const newItemForm = writeForm<AdjustmentEntry, AdjustmentRequest>({
  ...STOCK_FORM,
  path: NEW_ITEM_PATH,
  job: {
    ...STOCK_FORM.job,
    made: 'item',
    title: 'Adding the item',
    subject: 'The item',
    done: result =>
      adjustedItems(result.body).length === 1 ? createdAnswer(result) : STOCK_UPDATED,
  },
  initial: () => newForm(),
  refill: ({ items: [entry] }) => ({
    fields: new FormFields(ITEM_FIELDS.map(name => [name, String(entry?.[name] ?? '')])),
    instead: problem => conflictOf(problem, entry?.sku),
  }),
  schema: newItem,
  at: { 'items.0.*': '*' },
  wayOn: toExisting,
  read: ({ form, session: { companyId } }) => {
    const fields = new FormFields(form);
    if ((form.get('delta') ?? '').trim() === '') fields.set('delta', '0');
    return {
      fields,
      shown: form,
      find: () => findExisting(companyId, form),
      instead: problem => conflictOf(problem, form.get('sku')?.trim()),
    };
  },
  // If another write creates the item in the meantime, its stock is not the expected 0.
  payload: (entry, { session }) => {
    refusePrices(session, [entry]);
    return validateBody(adjustmentRequest, {
      reason: 'received',
      items: [{ ...entry, expectedOnHand: 0 }],
    });
  },
  done: createdAnswer,
  page: newItemPage,
});

const ITEM_FIELDS = [
  'name',
  'sku',
  'delta',
  'unit',
  'reorderPoint',
  'unitCost',
  'unitPrice',
] as const satisfies (keyof AdjustmentEntry)[];

/** Leads to the item that the adjustment created. */
function createdAnswer({ body }: WriteResult): RedirectAnswer {
  const [created] = adjustedItems(body);
  return { to: `/inventory/${created?.itemId}`, flash: `${created?.name} added.` };
}

/** The error of a name or SKU that exists, because the adjustment would add to that item. */
async function findExisting(companyId: string, form: FormFields): Promise<FieldError[]> {
  const [name, sku] = [textIn(form, 'name'), textIn(form, 'sku')];
  const existing = await findItemNamed(companyId, name, sku === '' ? undefined : sku);
  return existing === null ? [] : [existsError(existing.by, existing.id)];
}

function textIn(form: FormFields, name: string): string {
  return (form.get(name) ?? '').trim();
}

/**
 * If another write creates the item first, that is a conflict when found by the same name or sku,
 * and an unknown item when the name now has another sku.
 */
function conflictOf({ code, details }: Problem, sku: string | undefined): Problem | null {
  if (code === 'stock_conflict') return itemExists(sku ? 'sku' : 'name');
  const isUnknown = details.errors?.some(error => error.code === 'unknown_item');
  return isUnknown ? itemExists('name') : null;
}

/** The refusal of an item that another write has just created. */
function itemExists(field: 'name' | 'sku'): Problem {
  return validationFailed([existsError(field)]);
}

function existsError(field: 'name' | 'sku', id?: string): FieldError {
  const label = field === 'sku' ? 'SKU' : field;
  const detail = `You already have an item with this ${label}. Open it to add stock.`;
  return { ...fieldError([field], 'invalid_value', detail), ...(id ? { itemId: id } : {}) };
}

function toExisting({ details }: Problem): WayOn | null {
  const [id] = (details.errors ?? []).flatMap(({ itemId }) => itemId ?? []);
  return typeof id === 'string' ? { href: `/inventory/${id}`, text: 'Open the item' } : null;
}

function newItemPage(state: FormState): PageAnswer {
  const body = (
    <>
      <PageHead title="New item">
        <ButtonLink href="/inventory/import" quiet>
          Import from CSV
        </ButtonLink>
      </PageHead>
      <div class="panel">
        <Form action={NEW_ITEM_PATH} state={state} deliberate wide focusFirst>
          <div class="new-item">
            <Field name="name" label="Name" hint="Invoice lines are matched by this name." />
            <Field
              name="sku"
              label="SKU"
              hint="Your own code. Invoice lines can use it instead of the name."
            />
            <Field
              name="delta"
              label="Opening stock"
              hint="Quantity on hand today. Leave empty for 0."
            />
            <DetailFields isNew />
          </div>
          <FormActions submit="Add item" cancel="/inventory" />
        </Form>
      </div>
    </>
  );
  return { title: 'New item', body };
}
