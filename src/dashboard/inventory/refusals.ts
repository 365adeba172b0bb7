// Stock writes that were refused, in terms of the form they came from: at once, or as a job, whose request is then made into
// fields again. A job of the API may ask for what neither form can.
import type { AdjustmentEntry, AdjustmentRequest } from '../../inventory/schema.js';
import { findJobState, type JobState } from '../../jobs/queries.js';
import { Problem } from '../../platform/errors.js';
import { invalidField } from '../../platform/field-errors.js';
import { isUuid } from '../../platform/values/ids.js';
import { type FormState, refusedForm } from '../kit/form.js';
import { problemOf } from '../kit/submit-write.js';
import { formatQuantity } from '../kit/ui/format.js';
import type { Item } from './item-view.js';

/** The company's job that writes stock. Throws Problem `not_found`. */
export async function getStockJob(companyId: string, id: string): Promise<JobState> {
  const job = isUuid(id) ? await findJobState(companyId, id) : null;
  if (job?.type !== 'inventory.adjust') throw noJob();
  return job;
}

/** The page whose form could have asked for this, null where none could. */
export function formOf({ payload }: JobState): string | null {
  if (payload === null) return null;
  const { reason, items } = payload as AdjustmentRequest;
  const [entry] = items;
  if (entry === undefined || items.length > 1) return null;
  if (entry.itemId !== undefined) return `/inventory/${entry.itemId}`;
  return reason === 'received' && entry.expectedOnHand === 0 && entry.delta !== undefined
    ? '/inventory/new'
    : null;
}

/** The item's adjust form as a job that was refused asked for it. Throws Problem `not_found` for any other job. */
export async function refusedAdjustment(
  companyId: string,
  jobId: string,
  item: Item,
): Promise<FormState> {
  const job = await getStockJob(companyId, jobId);
  if (job.problem === null || formOf(job) !== `/inventory/${item.id}`) throw noJob();
  return refusedForm(
    adjustFields(job.payload as AdjustmentRequest),
    atAdjustForm(problemOf(job.problem), item.onHand),
  );
}

/** The new item's form as a job that was refused asked for it. Throws Problem `not_found` for any other job. */
export async function refusedItem(companyId: string, jobId: string): Promise<FormState> {
  const job = await getStockJob(companyId, jobId);
  if (job.problem === null || formOf(job) !== '/inventory/new') throw noJob();
  const payload = job.payload as AdjustmentRequest;
  return refusedForm(
    itemFields(payload),
    atItemForm(problemOf(job.problem), payload.items[0]?.sku),
  );
}

/** The refusal of an adjustment at the fields of its form; what is on hand by now, where more is known than it says. */
export function atAdjustForm(problem: Problem, onHandNow?: string): Problem {
  const { errors = [] } = problem.details;
  if (problem.code === 'stock_conflict') {
    const onHand = formatQuantity(onHandNow ?? Number(errors[0]?.onHand ?? 0));
    return new Problem(
      'stock_conflict',
      `Stock changed while you were here: ${onHand} on hand now. Nothing was written. Look again, and send it once more.`,
    );
  }
  const named = errors.map(error => ({
    ...error,
    pointer: error.pointer.replace(/^\/items\/0\/(delta|count)$/u, '/quantity'),
  }));
  return new Problem(problem.code, problem.message, named.length === 0 ? {} : { errors: named });
}

/**
 * The refusal of a new item at the fields of its form: the pointer /items/0/delta is the field delta there. What somebody
 * made meanwhile is a conflict where it was found, and unknown where its name has another sku.
 */
export function atItemForm(problem: Problem, sku: string | undefined): Problem {
  if (problem.code === 'stock_conflict') return taken(sku === undefined ? 'name' : 'sku');
  const { errors } = problem.details;
  if (errors === undefined) return problem;
  if (errors.some(({ code }) => code === 'unknown_item')) return taken('name');
  const own = errors.map(error => ({
    ...error,
    pointer: error.pointer.replace(/^\/items\/0\//u, '/'),
  }));
  return new Problem(problem.code, problem.message, { errors: own });
}

export function taken(field: 'name' | 'sku'): Problem {
  return invalidField(
    field,
    `You have an item with this ${field} already. Look for it in the inventory to add to it.`,
  );
}

function adjustFields({
  reason,
  reference = '',
  note = '',
  items: [entry],
}: AdjustmentRequest): URLSearchParams {
  const { delta = 0, count } = entry ?? {};
  const how = count !== undefined ? 'count' : delta < 0 ? 'take' : 'add';
  return new URLSearchParams({
    how,
    quantity: String(count ?? Math.abs(delta)),
    reason,
    reference,
    note,
  });
}

function itemFields({ items: [entry] }: AdjustmentRequest): URLSearchParams {
  const fields = ITEM_FIELDS.map(name => [name, String(entry?.[name] ?? '')]);
  return new URLSearchParams(fields);
}
const ITEM_FIELDS = [
  'name',
  'sku',
  'delta',
  'unit',
  'reorderPoint',
  'unitCost',
  'unitPrice',
] as const satisfies (keyof AdjustmentEntry)[];

function noJob(): Problem {
  return new Problem('not_found', 'There is no such job.');
}
