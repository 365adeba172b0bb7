// Adjusts one item's stock by hand: the same write as POST /inventory/adjustments. It expects the
// stock that the page showed, so an adjustment never overwrites a newer change.
import Joi from 'joi';
import { type AdjustmentRequest, adjustmentRequest, MAX_QUANTITY } from '../../inventory/schema.js';
import { Problem } from '../../platform/errors.js';
import { FormFields } from '../../platform/http/input/form-fields.js';
import { decimal, validateBody } from '../../platform/http/input/validate.js';
import type { Cursors } from '../../platform/http/pagination.js';
import type { FormRequest } from '../kit/forms/plain-form.js';
import { type DeclaredForm, writeForm } from '../kit/forms/write-form.js';
import type { RedirectAnswer } from '../kit/page.js';
import { formatQuantity } from '../kit/ui/format.js';
import { itemPage } from './item.js';
import { adjustmentBody } from './item-schemas.js';
import { getItem, type Item } from './item-view.js';
import { ACTIONS, type Action, reasonField, reasonsOf } from './reasons.js';
import { adjustedItems, STOCK_FORM, STOCK_UPDATED } from './stock-jobs.js';

interface AdjustBody {
  readonly how: Action;
  readonly quantity: number;
  readonly expectedOnHand: number;
  readonly reference?: string;
  readonly note?: string;
  /** The list of reasons of each action. */
  readonly [list: `${string}Reason`]: string;
}

/** The form of the item's page. */
export function adjustForm(cursors: Cursors): DeclaredForm {
  return writeForm<AdjustBody, AdjustmentRequest, Item>({
    ...STOCK_FORM,
    path: '/inventory/:id/adjust',
    job: {
      ...STOCK_FORM.job,
      title: 'Updating stock',
      subject: 'The change',
      done: async ({ body }, companyId) => {
        const [item, ...others] = adjustedItems(body);
        return item === undefined || others.length > 0
          ? STOCK_UPDATED
          : adjustedAnswer(await getItem(companyId, item.itemId), body);
      },
    },
    load: ({ session, params }) => getItem(session.companyId, params.id),
    refill: (payload, { loaded: { name, onHand } }) => ({
      fields: adjustFields(payload),
      instead: problem => conflictOf(problem, name, onHand),
    }),
    schema: adjustSchema,
    at: { 'items.0.delta': 'quantity', 'items.0.count': 'quantity' },
    read: ({ form, loaded: { name } }) => ({
      fields: form,
      instead: problem => conflictOf(problem, name),
    }),
    payload: ({ how, quantity, expectedOnHand, reference, note, ...reasons }, { loaded }) => {
      const change =
        how === 'count' ? { count: quantity } : { delta: how === 'take' ? -quantity : quantity };
      return validateBody(adjustmentRequest, {
        reason: reasons[`${how}Reason`],
        ...(reference === undefined ? {} : { reference }),
        ...(note === undefined ? {} : { note }),
        items: [{ itemId: loaded.id, ...change, expectedOnHand }],
      });
    },
    done: ({ body }, { loaded }) => adjustedAnswer(loaded, body),
    page: (state, request) => itemPage(request, cursors, { adjust: state }),
  });
}

/** Checks the list of reasons of the chosen action, and ignores the other lists. */
function adjustSchema({ form, session }: FormRequest<Item>): Joi.Schema {
  const how = ACTIONS.find(({ value }) => value === form.get('how'))?.value;
  // Only a count may be negative, and only if the company allows negative stock.
  const isBelowZero = session.allowNegativeStock && how === 'count';
  return adjustmentBody.keys({
    ...(isBelowZero ? { quantity: decimal(-MAX_QUANTITY, MAX_QUANTITY).required() } : {}),
    ...(how ? { [reasonField(how)]: Joi.valid(...reasonsOf(how)).required() } : {}),
  });
}

/** Leads to the item and says how much is on hand after the adjustment with this JSON. */
function adjustedAnswer({ id, name, unit }: Item, body: string): RedirectAnswer {
  const onHand = formatQuantity(adjustedItems(body)[0]?.onHandAfter ?? 0);
  const flash = `Stock of ${name} updated: ${onHand}${unit === null ? '' : ` ${unit}`} on hand.`;
  return { to: `/inventory/${id}`, flash };
}

/**
 * The problem of a stock that changed meanwhile. `currentOnHand` is more recent than the stock in
 * the problem of a job that was refused earlier.
 */
function conflictOf(problem: Problem, itemName: string, currentOnHand?: string): Problem | null {
  if (problem.code !== 'stock_conflict') return null;
  const { errors = [] } = problem.details;
  const onHand = formatQuantity(currentOnHand ?? Number(errors[0]?.onHand ?? 0));
  return new Problem(
    'stock_conflict',
    `Stock of ${itemName} changed to ${onHand} in the meantime. Check and submit again.`,
  );
}

/** The fields that send this adjustment. */
function adjustFields({ reason, reference = '', note = '', items }: AdjustmentRequest): FormFields {
  const { delta = 0, count } = items[0] ?? {};
  const how = count !== undefined ? 'count' : delta < 0 ? 'take' : 'add';
  const quantity = String(count ?? Math.abs(delta));
  return new FormFields({ how, quantity, [reasonField(how)]: reason, reference, note });
}
