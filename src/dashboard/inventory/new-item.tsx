// The form for a new item. Its opening stock is a received delivery, as
// POST /inventory/adjustments would write it.

import { randomUUID } from 'node:crypto';
import Joi from 'joi';
import { stockWrites } from '../../inventory/adjust.js';
import { findItemNamed } from '../../inventory/names/match-items.js';
import {
  type AdjustmentEntry,
  adjustmentEntry,
  adjustmentRequest,
  MAX_QUANTITY,
} from '../../inventory/schema.js';
import type { Submitter } from '../../jobs/submit/submitter.js';
import { Problem } from '../../platform/errors.js';
import { FormFields } from '../../platform/http/input/form-fields.js';
import { decimal, text, validateBody } from '../../platform/http/input/validate.js';
import { type FormState, newForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest, RedirectAnswer } from '../kit/page.js';
import {
  KEY_FIELD,
  type SubmitResult,
  submitWrite,
  submitWriteForm,
  wasSubmitted,
} from '../kit/submit-write.js';
import { ButtonLink, PageHead } from '../kit/ui/components.js';
import { Button, Field, Form, Hidden } from '../kit/ui/fields.js';
import { DetailFields } from './item-forms.js';
import { itemExists, refusedItemForm, toItemFormProblem } from './refusals.js';

/** An entry of an adjustment, except that the name is required here, and stock is received. */
const newItem = (adjustmentEntry as Joi.ObjectSchema).keys({
  name: text(255).required(),
  delta: decimal(0, MAX_QUANTITY),
  [KEY_FIELD]: Joi.any().strip(),
});

/** The empty form. With ?job= it shows a refused job's request and errors. */
export async function showNewItem({ session, query }: PageRequest): Promise<Answer> {
  const id = query.get('job');
  return newItemPage(id === null ? newForm() : await refusedItemForm(session.companyId, id));
}

export async function createItem(request: PageRequest, submitter: Submitter): Promise<Answer> {
  const form = new FormFields(request.form);
  if ((form.get('delta') ?? '').trim() === '') form.set('delta', '0');
  const outcome = await submitWriteForm<AdjustmentEntry>(
    request,
    form,
    newItem,
    entry => submitItem(submitter, request, entry),
    { numbers: ['delta', 'reorderPoint', 'unitCost', 'unitPrice'] },
  );
  if (!outcome.done) {
    const state = { ...outcome.state, values: request.form };
    return { ...newItemPage(state, outcome.key), ...outcome.answer };
  }
  const { result } = outcome;
  return result.done
    ? createdAnswer(result.body)
    : { to: `/inventory/jobs/${result.jobId}?made=item` };
}

/** Leads to the item that the adjustment with this JSON created. */
export function createdAnswer(body: string): RedirectAnswer {
  const { movements } = JSON.parse(body) as { movements: { itemId: string; name: string }[] };
  const [created] = movements;
  return { to: `/inventory/${created?.itemId}`, flash: `${created?.name} added.` };
}

/**
 * Refuses a name or sku that exists, because an adjustment would add to that item. The write
 * expects 0 on hand, so an item created in the meantime is a conflict.
 */
async function submitItem(
  submitter: Submitter,
  request: PageRequest,
  entry: AdjustmentEntry,
): Promise<SubmitResult> {
  const kind = stockWrites;
  const { companyId } = request.session;
  const existing = await findItemNamed(companyId, entry.name ?? '', entry.sku);
  if (existing !== null && !(await wasSubmitted(kind, request))) throw itemExists(existing.by);
  try {
    const payload = { reason: 'received', items: [{ ...entry, expectedOnHand: 0 }] };
    return await submitWrite(submitter, kind, request, validateBody(adjustmentRequest, payload));
  } catch (error) {
    throw error instanceof Problem ? toItemFormProblem(error, entry.sku) : error;
  }
}

function newItemPage(state: FormState, key: string = randomUUID()): PageAnswer {
  const body = (
    <>
      <PageHead title="New item">
        <ButtonLink href="/inventory/import" quiet>
          Import from CSV
        </ButtonLink>
      </PageHead>
      <div class="panel">
        <Form action="/inventory/new" state={state} wide>
          <Hidden name={KEY_FIELD} value={key} />
          <div class="new-item">
            <Field
              name="name"
              label="Name"
              hint="Invoice lines are matched by this name."
              maxLength={255}
            />
            <Field
              name="sku"
              label="SKU"
              hint="Your own code. Invoice lines can use it instead of the name."
              optional
              maxLength={64}
            />
            <Field
              name="delta"
              label="Opening stock"
              hint="On hand now. Empty is 0."
              optional
              decimal
            />
            <DetailFields isNew />
          </div>
          <div class="actions">
            <Button>Add item</Button>
            <ButtonLink href="/inventory" quiet>
              Cancel
            </ButtonLink>
          </div>
        </Form>
      </div>
    </>
  );
  return { title: 'New item', body };
}
