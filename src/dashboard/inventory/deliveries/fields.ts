// The fields of the form for a delivery, read from a form, a pasted list or a refused request.

import type { PastedLine } from '../../../inventory/imports/pasted-list.js';
import { findItemNames, matchItems } from '../../../inventory/names/match-items.js';
import type { AdjustmentRequest } from '../../../inventory/schema.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { calendarDate, MAX_ITEMS, text } from '../../../platform/http/input/validate.js';
import type { DecimalMark } from '../../../platform/values/csv.js';
import { matchKey } from '../../../platform/values/text.js';
import { filledNumber } from '../../kit/typed-number.js';

/** The schema of what a delivery has beyond other adjustments. */
export const SUPPLY_FIELDS = { supplier: text(255), arrivedOn: calendarDate() };

/** `itemId` is set by the review, for a line whose item it found. */
export const LINE_FIELDS = ['item', 'quantity', 'unitCost', 'itemId'] as const;
const LINE_FIELD = /^items\.(\d{1,4})\.(item|quantity|unitCost|itemId)$/u;

export type Line = Readonly<Partial<Record<(typeof LINE_FIELDS)[number], string>>>;

/** The lines of a form that have any input, in order, up to the first line too many. */
export function deliveryLines(form: FormFields): Line[] {
  const lines = new Map<number, Record<string, string>>();
  for (const [name, typed] of form) {
    const [, index, field = ''] = LINE_FIELD.exec(name) ?? [];
    if (index === undefined || typed.trim() === '') continue;
    const line = lines.get(Number(index)) ?? {};
    line[field] = typed;
    lines.set(Number(index), line);
  }
  return [...lines]
    .sort(([a], [b]) => a - b)
    .slice(0, MAX_ITEMS + 1)
    .map(([, line]) => line);
}

/** The fields above the lines. */
const HEAD_FIELDS = ['reference', 'supplier', 'arrivedOn'] as const;
export type DeliveryHead = Readonly<Partial<Record<(typeof HEAD_FIELDS)[number], string>>>;

export function deliveryHead(form: FormFields): DeliveryHead {
  return Object.fromEntries(HEAD_FIELDS.map(name => [name, form.get(name) ?? '']));
}

/** The fields of a form with these lines, renumbered from 0. */
export function deliveryFields(head: DeliveryHead, lines: readonly Line[]): FormFields {
  const fields = new FormFields(HEAD_FIELDS.map(name => [name, head[name] ?? ''] as const));
  for (const [index, line] of lines.entries()) {
    for (const field of LINE_FIELDS) {
      const typed = line[field];
      if (typed !== undefined) fields.set(`items.${index}.${field}`, typed);
    }
  }
  return fields;
}

/** A pasted line with a SKU and a name is about the item with that SKU, if there is one. */
export async function linesOfPasted(
  companyId: string,
  pasted: readonly PastedLine[],
  mark: DecimalMark,
): Promise<Line[]> {
  const skus = pasted.flatMap(({ sku }) => sku ?? []);
  const found = skus.length === 0 ? [] : await matchItems(companyId, skus);
  const known = new Set(found.flatMap(item => (item?.sku == null ? [] : [matchKey(item.sku)])));
  return pasted.map(({ item, sku, quantity, unitCost }) => ({
    item: sku !== null && known.has(matchKey(sku)) ? sku : item,
    quantity: filledNumber(quantity, mark),
    unitCost: filledNumber(unitCost, mark),
  }));
}

/** The form's fields that send this request. */
export async function fieldsOfRequest(
  companyId: string,
  { items, ...head }: AdjustmentRequest,
): Promise<FormFields> {
  const ids = items.flatMap(({ itemId }) => itemId ?? []);
  const names = await findItemNames(companyId, ids);
  const lines = items.map(({ name, sku, itemId, delta, unitCost }) => ({
    item: name ?? sku ?? names.get(itemId ?? '') ?? '',
    quantity: String(delta ?? ''),
    unitCost: String(unitCost ?? ''),
  }));
  return deliveryFields(head, lines);
}
