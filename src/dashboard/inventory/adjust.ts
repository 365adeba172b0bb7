// Adjusting one item's stock by hand: the same write as POST /inventory/adjustments, with what was on hand on the page as
// what is expected.
import Joi from 'joi';
import { stockWrites } from '../../inventory/adjust.js';
import {
  type AdjustmentRequest,
  adjustmentRequest,
  MAX_QUANTITY,
  type Reason,
} from '../../inventory/schema.js';
import type { Submitter } from '../../jobs/submit/submitter.js';
import type { WriteKind } from '../../jobs/write-kind.js';
import { Problem } from '../../platform/errors.js';
import type { Pager as Cursors } from '../../platform/http/pagination.js';
import { decimal, validateBody } from '../../platform/http/validate.js';
import { refusedForm, submitForm } from '../kit/form.js';
import type { Answer, PageRequest, RedirectAnswer } from '../kit/page.js';
import { KEY_FIELD, type SubmitResult, submitWrite } from '../kit/submit-write.js';
import { formatQuantity } from '../kit/ui/format.js';
import { getItem, itemPage } from './item.js';
import type { Item } from './item-view.js';
import { atAdjustForm } from './refusals.js';

interface AdjustBody {
  readonly how: 'add' | 'take' | 'count';
  readonly quantity: number;
  readonly expectedOnHand: number;
  readonly reason: Reason;
  readonly reference?: string;
  readonly note?: string;
}

/** Only a count may be below zero, and only where stock may. */
function adjustBody(mayBeNegative: boolean): Joi.Schema {
  return Joi.object({
    how: Joi.valid('add', 'take', 'count').required(),
    quantity: decimal(mayBeNegative ? -MAX_QUANTITY : 0, MAX_QUANTITY).required(),
    expectedOnHand: Joi.number().unsafe().required(),
    reason: Joi.string().required(),
  }).unknown();
}

export async function adjustItem(
  request: PageRequest,
  submitter: Submitter,
  cursors: Cursors,
): Promise<Answer> {
  const { form, session } = request;
  const item = await getItem(request);
  try {
    const outcome = await submitForm<AdjustBody, SubmitResult>(
      form,
      adjustBody(session.allowNegativeStock && form.get('how') === 'count'),
      body => submitAdjustment(submitter, request, item, body),
      { numbers: ['quantity', 'expectedOnHand'] },
    );
    if (!outcome.done)
      return {
        ...(await itemPage(request, cursors, { adjust: outcome.state })),
        ...outcome.answer,
      };
    const { result } = outcome;
    return result.done
      ? adjustedAnswer(item.id, result.body)
      : { to: `/inventory/jobs/${result.jobId}` };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'service_unavailable') throw error;
    // It may have been taken on all the same: with its key once more it happens once.
    const again = { adjust: refusedForm(form, error), key: form.get(KEY_FIELD) ?? '' };
    return { ...(await itemPage(request, cursors, again)), status: 503 };
  }
}

/** On to the item, with what is on hand by then. */
export function adjustedAnswer(itemId: string, body: string): RedirectAnswer {
  const { movements } = JSON.parse(body) as { movements: { name: string; onHandAfter: number }[] };
  const [moved] = movements;
  return {
    to: `/inventory/${itemId}`,
    flash: `${moved?.name}: ${formatQuantity(moved?.onHandAfter ?? 0)} on hand.`,
  };
}

async function submitAdjustment(
  submitter: Submitter,
  request: PageRequest,
  item: Item,
  { how, quantity, expectedOnHand, reason, reference, note }: AdjustBody,
): Promise<SubmitResult> {
  const change =
    how === 'count' ? { count: quantity } : { delta: how === 'take' ? -quantity : quantity };
  const texts = {
    ...(reference === undefined ? {} : { reference }),
    ...(note === undefined ? {} : { note }),
  };
  try {
    const payload = validateBody<AdjustmentRequest>(adjustmentRequest, {
      reason,
      ...texts,
      items: [{ itemId: item.id, ...change, expectedOnHand }],
    });
    return await submitWrite(submitter, stockWrites as WriteKind, request, payload);
  } catch (error) {
    throw error instanceof Problem ? atAdjustForm(error) : error;
  }
}
