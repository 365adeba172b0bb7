// The jobs of adjustments: the words of their page, and the form that could have sent one. The API
// can send adjustments that no form could.

import { stockWrites } from '../../inventory/adjust.js';
import { findItemNames } from '../../inventory/names/match-items.js';
import type { AdjustmentEntry, AdjustmentRequest } from '../../inventory/schema.js';
import type { Problem } from '../../platform/errors.js';
import type { Explanation } from '../kit/forms/job-page.js';

export const RECEIVE_PATH = '/inventory/receive';
export const NEW_ITEM_PATH = '/inventory/new';
export const DELIVERIES_PATH = '/inventory/deliveries';

/** The page that corrects a delivery. */
export const correctPathOf = (id: string) => `${DELIVERIES_PATH}/${id}/correct`;

/** The page that undoes an adjustment that is no delivery. */
export const undoPathOf = (id: string) => `/inventory/adjustments/${id}/undo`;

export const COUNTS_PATH = '/inventory/counts';
export const sheetPathOf = (id: string) => `${COUNTS_PATH}/${id}`;
export const reviewPathOf = (id: string) => `${sheetPathOf(id)}/review`;

/** The parts that all forms of adjustments have in common. */
export const STOCK_FORM = {
  guard: 'change-stock',
  kind: stockWrites,
  job: {
    path: '/inventory/jobs',
    failed: 'Stock could not be updated',
    note: ({ items }: AdjustmentRequest, companyId: string) => nameOf(companyId, items[0]),
    formPath: formPathOf,
  },
} as const;

/** The answer after an adjustment of several items. */
export const STOCK_UPDATED = { to: '/inventory', flash: 'Stock updated.' };

interface AdjustedItem {
  readonly itemId: string;
  readonly name: string;
  readonly delta: number;
  readonly onHandAfter: number;
}

/** The items in an adjustment's JSON. */
export function adjustedItems(body: string): readonly AdjustedItem[] {
  const { movements = [] } = JSON.parse(body) as { movements?: AdjustedItem[] };
  return movements;
}

/** The page whose form could have sent this adjustment; null if none could. */
function formPathOf(payload: AdjustmentRequest | null): string | null {
  if (payload === null) return null;
  const { reason, items, corrects, countSheet } = payload;
  if (countSheet !== undefined) return reviewPathOf(countSheet.id);
  if (corrects !== undefined)
    return corrects.undoes ? undoPathOf(corrects.id) : correctPathOf(corrects.id);
  if (reason === 'received' && items.every(isDeliveryLine)) return RECEIVE_PATH;
  const [entry] = items;
  if (entry === undefined || items.length > 1) return null;
  if (entry.itemId !== undefined) return `/inventory/${entry.itemId}`;
  return reason === 'received' && entry.expectedOnHand === 0 && entry.delta !== undefined
    ? NEW_ITEM_PATH
    : null;
}

/** A line of a delivery adds to whatever is on hand. */
function isDeliveryLine({ delta = 0, expectedOnHand }: AdjustmentEntry): boolean {
  return delta > 0 && expectedOnHand === undefined;
}

/** The name of an entry's item, if the entry has it or its id. */
async function nameOf(companyId: string, entry: AdjustmentEntry | undefined): Promise<string> {
  const { itemId, name } = entry ?? {};
  if (name !== undefined || itemId === undefined) return name ?? '';
  return (await findItemNames(companyId, [itemId])).get(itemId) ?? '';
}

/** Explains the refusal of a job that no form can show, such as one of the API. */
export function explainAdjustment({ message, details }: Problem): Explanation {
  const { errors = [] } = details;
  const text = errors.length === 0 ? message : 'Nothing was written. These fields have errors:';
  return { title: 'Stock was not updated', text, errors };
}
