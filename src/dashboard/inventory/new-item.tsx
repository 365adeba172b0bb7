// A new item, with what is there to begin with: a delivery received, as POST /inventory/adjustments would make it.
import { randomUUID } from 'node:crypto';
import Joi from 'joi';
import { stockWrites } from '../../inventory/adjust.js';
import { findItemNamed } from '../../inventory/queries.js';
import {
  type AdjustmentEntry,
  adjustmentEntry,
  adjustmentRequest,
} from '../../inventory/schema.js';
import type { Submitter } from '../../jobs/submit/submitter.js';
import type { WriteKind } from '../../jobs/write-kind.js';
import { Problem } from '../../platform/errors.js';
import { text, validateBody } from '../../platform/http/validate.js';
import { type FormState, newForm, refusedForm, submitForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest, RedirectAnswer } from '../kit/page.js';
import { KEY_FIELD, type SubmitResult, submitWrite, wasSubmitted } from '../kit/submit-write.js';
import { ButtonLink, PageHead } from '../kit/ui/components.js';
import { Button, Field, Form } from '../kit/ui/fields.js';
import { atItemForm, refusedItem, taken } from './refusals.js';

/** An entry of an adjustment, whose name the API could do without; the form's key is no field of it. */
const newItem = (adjustmentEntry as Joi.ObjectSchema).keys({
  name: text(255).required(),
  [KEY_FIELD]: Joi.any().strip(),
});

/** The blank form; with ?job= what a job was refused for, beside what it asked for. */
export async function showNewItem({ session, query }: PageRequest): Promise<Answer> {
  const id = query.get('job');
  return newItemPage(id === null ? newForm() : await refusedItem(session.companyId, id));
}

export async function createItem(request: PageRequest, submitter: Submitter): Promise<Answer> {
  const form = new URLSearchParams(request.form);
  if ((form.get('delta') ?? '').trim() === '') form.set('delta', '0');
  try {
    const outcome = await submitForm<AdjustmentEntry, SubmitResult>(
      form,
      newItem,
      entry => submitItem(submitter, request, entry),
      {
        numbers: ['delta', 'reorderPoint', 'unitCost', 'unitPrice'],
      },
    );
    if (!outcome.done)
      return { ...newItemPage({ ...outcome.state, values: request.form }), ...outcome.answer };
    const { result } = outcome;
    return result.done
      ? createdAnswer(result.body)
      : { to: `/inventory/jobs/${result.jobId}?made=item` };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'service_unavailable') throw error;
    // It may have been taken on all the same: with its key once more it happens once.
    return {
      ...newItemPage(refusedForm(request.form, error), request.form.get(KEY_FIELD) ?? ''),
      status: 503,
    };
  }
}

/** On to an item that has just been made. */
export function createdAnswer(body: string): RedirectAnswer {
  const { movements } = JSON.parse(body) as { movements: { itemId: string; name: string }[] };
  const [made] = movements;
  return { to: `/inventory/${made?.itemId}`, flash: `${made?.name} is in your inventory.` };
}

/** What has the name or sku already would be added to: for that there is another form. So nothing on hand is expected, too. */
async function submitItem(
  submitter: Submitter,
  request: PageRequest,
  entry: AdjustmentEntry,
): Promise<SubmitResult> {
  const kind = stockWrites as WriteKind;
  const { companyId } = request.session;
  const isTaken = await findItemNamed(companyId, entry.name ?? '', entry.sku);
  if (isTaken !== null && !(await wasSubmitted(kind, request))) throw taken(isTaken.by);
  try {
    const payload = { reason: 'received', items: [{ ...entry, expectedOnHand: 0 }] };
    return await submitWrite(submitter, kind, request, validateBody(adjustmentRequest, payload));
  } catch (error) {
    throw error instanceof Problem ? atItemForm(error, entry.sku) : error;
  }
}

function newItemPage(state: FormState, key: string = randomUUID()): PageAnswer {
  const body = (
    <>
      <PageHead title="New item">
        <ButtonLink href="/inventory/import" quiet>
          Import many from a CSV file
        </ButtonLink>
      </PageHead>
      <div class="panel">
        <Form action="/inventory/new" state={state}>
          <input type="hidden" name={KEY_FIELD} value={key} />
          <Field
            name="name"
            label="Name"
            hint="Invoice lines find the item by it."
            maxLength={255}
          />
          <Field
            name="sku"
            label="SKU"
            hint="Your code for it; invoice lines find it by that too."
            optional
            maxLength={64}
          />
          <Field name="delta" label="On hand now" optional decimal />
          <Field
            name="unit"
            label="Unit"
            hint="What is counted: pc, m, kg, box."
            optional
            maxLength={30}
          />
          <Field
            name="reorderPoint"
            label="Reorder point"
            hint="At or below it, the item is low."
            optional
            decimal
          />
          <Field name="unitCost" label="Unit cost" optional decimal />
          <Field name="unitPrice" label="Unit price" hint="Net." optional decimal />
          <Button>Add item</Button>
        </Form>
      </div>
    </>
  );
  return { title: 'New item', body };
}
