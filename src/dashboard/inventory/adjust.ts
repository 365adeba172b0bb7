// Adjusts one item's stock by hand: the same write as POST /inventory/adjustments. It expects the
// stock that the page showed, so an adjustment never overwrites a newer change.
import Joi from 'joi';
import { stockWrites } from '../../inventory/adjust.js';
import { type AdjustmentRequest, adjustmentRequest, MAX_QUANTITY } from '../../inventory/schema.js';
import type { Submitter } from '../../jobs/submit/submitter.js';
import { Problem } from '../../platform/errors.js';
import { decimal, validateBody } from '../../platform/http/input/validate.js';
import type { Pager as Cursors } from '../../platform/http/pagination.js';
import type { Answer, PageRequest, RedirectAnswer } from '../kit/page.js';
import { type SubmitResult, submitWrite, submitWriteForm } from '../kit/submit-write.js';
import { formatQuantity } from '../kit/ui/format.js';
import { itemPage } from './item.js';
import { getItem, type Item } from './item-view.js';
import { ACTIONS, type Action, reasonField, reasonsOf } from './reasons.js';
import { toAdjustFormProblem } from './refusals.js';

interface AdjustForm {
  readonly how: Action;
  readonly quantity: number;
  readonly expectedOnHand: number;
  readonly reference?: string;
  readonly note?: string;
  /** The list of reasons of each action. */
  readonly [list: `${string}Reason`]: string;
}

/** Of the lists of reasons, only that of the action is checked. */
function adjustForm(how: Action | undefined, allowNegative: boolean): Joi.Schema {
  const form = Joi.object({
    how: Joi.valid(...ACTIONS.map(({ value }) => value)).required(),
    quantity: decimal(allowNegative ? -MAX_QUANTITY : 0, MAX_QUANTITY).required(),
    expectedOnHand: Joi.number().unsafe().required(),
  }).unknown();
  return how === undefined
    ? form
    : form.keys({ [reasonField(how)]: Joi.valid(...reasonsOf(how)).required() });
}

export async function adjustItem(
  request: PageRequest,
  submitter: Submitter,
  cursors: Cursors,
): Promise<Answer> {
  const { form, session, params } = request;
  const item = await getItem(session.companyId, params.id);
  const how = ACTIONS.find(({ value }) => value === form.get('how'))?.value;
  // Only a count may be negative, and only if the company allows negative stock.
  const allowNegative = session.allowNegativeStock && how === 'count';
  const outcome = await submitWriteForm<AdjustForm>(
    request,
    form,
    adjustForm(how, allowNegative),
    fields => submitAdjustment(submitter, request, item, fields),
    { numbers: ['quantity', 'expectedOnHand'] },
  );
  if (!outcome.done) {
    const forms = { adjust: outcome.state, key: outcome.key };
    return { ...(await itemPage(request, cursors, forms)), ...outcome.answer };
  }
  const { result } = outcome;
  return result.done
    ? adjustedAnswer(item, result.body)
    : { to: `/inventory/jobs/${result.jobId}` };
}

/** Leads to the item and says how much is on hand after the adjustment with this JSON. */
export function adjustedAnswer({ id, name, unit }: Item, body: string): RedirectAnswer {
  const { movements } = JSON.parse(body) as { movements: { onHandAfter: number }[] };
  const onHand = formatQuantity(movements[0]?.onHandAfter ?? 0);
  const flash = `Stock of ${name} updated: ${onHand}${unit === null ? '' : ` ${unit}`} on hand.`;
  return { to: `/inventory/${id}`, flash };
}

async function submitAdjustment(
  submitter: Submitter,
  request: PageRequest,
  item: Item,
  { how, quantity, expectedOnHand, reference, note, ...reasons }: AdjustForm,
): Promise<SubmitResult> {
  const change =
    how === 'count' ? { count: quantity } : { delta: how === 'take' ? -quantity : quantity };
  const texts = {
    ...(reference === undefined ? {} : { reference }),
    ...(note === undefined ? {} : { note }),
  };
  try {
    const payload = validateBody<AdjustmentRequest>(adjustmentRequest, {
      reason: reasons[`${how}Reason`],
      ...texts,
      items: [{ itemId: item.id, ...change, expectedOnHand }],
    });
    return await submitWrite(submitter, stockWrites, request, payload);
  } catch (error) {
    throw error instanceof Problem ? toAdjustFormProblem(error, item.name) : error;
  }
}
