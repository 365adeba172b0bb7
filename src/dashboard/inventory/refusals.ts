// Refused stock writes in the terms of the form that sent them. A job that was refused later fills
// its form again from its payload. The API can also send writes that neither form could.

import type { AdjustmentEntry, AdjustmentRequest } from '../../inventory/schema.js';
import type { JobState } from '../../jobs/queries.js';
import { Problem } from '../../platform/errors.js';
import { invalidField } from '../../platform/field-errors.js';
import { FormFields } from '../../platform/http/input/form-fields.js';
import { type FormState, refusedForm } from '../kit/form.js';
import { getJobState, problemOf } from '../kit/submit-write.js';
import { formatQuantity } from '../kit/ui/format.js';
import { fieldsOfRequest } from './deliveries/fields.js';
import type { Item } from './item-view.js';
import { reasonField } from './reasons.js';

/** The page whose form could have sent this job; null if none could, or if its payload is gone. */
export function formPathOf({ payload }: JobState): string | null {
  if (payload === null) return null;
  const { reason, items } = payload as AdjustmentRequest;
  if (reason === 'received' && items.every(isDeliveryLine)) return '/inventory/receive';
  const [entry] = items;
  if (entry === undefined || items.length > 1) return null;
  if (entry.itemId !== undefined) return `/inventory/${entry.itemId}`;
  return reason === 'received' && entry.expectedOnHand === 0 && entry.delta !== undefined
    ? '/inventory/new'
    : null;
}

/** A line of a delivery adds to whatever is on hand. */
function isDeliveryLine({ delta = 0, expectedOnHand }: AdjustmentEntry): boolean {
  return delta > 0 && expectedOnHand === undefined;
}

/**
 * The item's adjust form, filled from a refused job of that form. Throws Problem `not_found` for
 * any other job.
 */
export async function refusedAdjustForm(
  companyId: string,
  jobId: string,
  item: Item,
): Promise<FormState> {
  const { problem, payload } = await getRefusedJob(companyId, jobId, `/inventory/${item.id}`);
  return refusedForm(adjustFields(payload), toAdjustFormProblem(problem, item.name, item.onHand));
}

/**
 * The form of a new item, filled from a refused job of that form. Throws Problem `not_found` for
 * any other job.
 */
export async function refusedItemForm(companyId: string, jobId: string): Promise<FormState> {
  const { problem, payload } = await getRefusedJob(companyId, jobId, '/inventory/new');
  return refusedForm(itemFields(payload), toItemFormProblem(problem, payload.items[0]?.sku));
}

/** The same for the form of a delivery. */
export async function refusedDeliveryForm(companyId: string, jobId: string): Promise<FormState> {
  const { problem, payload } = await getRefusedJob(companyId, jobId, '/inventory/receive');
  const values = await fieldsOfRequest(companyId, payload);
  return refusedForm(values, toDeliveryProblem(problem));
}

async function getRefusedJob(
  companyId: string,
  jobId: string,
  formPath: string,
): Promise<{ problem: Problem; payload: AdjustmentRequest }> {
  const job = await getJobState(companyId, jobId, 'inventory.adjust');
  if (job.problem === null || formPathOf(job) !== formPath)
    throw new Problem('not_found', 'There is no such job.');
  return { problem: problemOf(job.problem), payload: job.payload as AdjustmentRequest };
}

/**
 * Moves an adjustment's errors to the fields of its form. `currentOnHand` is more recent than the
 * stock in the problem of a job that was refused earlier.
 */
export function toAdjustFormProblem(
  problem: Problem,
  itemName: string,
  currentOnHand?: string,
): Problem {
  const { errors = [] } = problem.details;
  if (problem.code === 'stock_conflict') {
    const onHand = formatQuantity(currentOnHand ?? Number(errors[0]?.onHand ?? 0));
    return new Problem(
      'stock_conflict',
      `Stock of ${itemName} changed to ${onHand} in the meantime. Check and submit again.`,
    );
  }
  const moved = errors.map(error => ({
    ...error,
    pointer: error.pointer.replace(/^\/items\/0\/(delta|count)$/u, '/quantity'),
  }));
  return new Problem(problem.code, problem.message, moved.length === 0 ? {} : { errors: moved });
}

/**
 * Moves a new item's errors to the fields of its form (/items/0/delta is the field delta). If
 * another write created the item first, that is a conflict when found by the same name or sku,
 * and an unknown item when the name now has another sku.
 */
export function toItemFormProblem(problem: Problem, sku: string | undefined): Problem {
  if (problem.code === 'stock_conflict') return itemExists(sku === undefined ? 'name' : 'sku');
  const { errors } = problem.details;
  if (errors === undefined) return problem;
  if (errors.some(({ code }) => code === 'unknown_item')) return itemExists('name');
  const moved = errors.map(error => ({
    ...error,
    pointer: error.pointer.replace(/^\/items\/0\//u, '/'),
  }));
  return new Problem(problem.code, problem.message, { errors: moved });
}

/** Moves a delivery's errors to the fields of its lines. */
export function toDeliveryProblem(problem: Problem): Problem {
  const { errors } = problem.details;
  if (errors === undefined) return problem;
  const moved = errors.map(error => ({
    ...error,
    ...(error.code === 'unknown_item' ? { detail: 'This item is no longer in use.' } : {}),
    pointer: error.pointer
      .replace(/\/(?:name|sku|itemId)$/u, '/item')
      .replace(/\/delta$/u, '/quantity'),
  }));
  return new Problem(problem.code, problem.message, { errors: moved });
}

export function itemExists(field: 'name' | 'sku'): Problem {
  const label = field === 'sku' ? 'SKU' : field;
  return invalidField(
    field,
    `You already have an item with this ${label}. Open it in the inventory to add stock.`,
  );
}

function adjustFields({
  reason,
  reference = '',
  note = '',
  items: [entry],
}: AdjustmentRequest): FormFields {
  const { delta = 0, count } = entry ?? {};
  const how = count !== undefined ? 'count' : delta < 0 ? 'take' : 'add';
  const quantity = String(count ?? Math.abs(delta));
  return new FormFields({ how, quantity, [reasonField(how)]: reason, reference, note });
}

function itemFields({ items: [entry] }: AdjustmentRequest): FormFields {
  return new FormFields(ITEM_FIELDS.map(name => [name, String(entry?.[name] ?? '')]));
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
