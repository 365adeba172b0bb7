// The fields of the invoice form: read from a form, or made from a request that was refused later
// or from an invoice to duplicate. A discount is one field, 10% or 5.00, and two in a request.

import { DRAFT_FIELD, type DraftRef } from '../../../invoices/drafts/draft-ref.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { MAX_ITEMS } from '../../../platform/http/input/validate.js';
import { isUuid } from '../../../platform/values/ids.js';
import type { Session } from '../../../users/sessions.js';
import { confirmName } from '../../kit/forms/date-question.js';
import { markOf } from '../../kit/forms/field-limits.js';
import { filledNumber } from '../../kit/typed-number.js';
import { splitDiscount, type TypedInvoice, typedPrice } from './amounts.js';

const HEAD_FIELDS = ['customerName', 'date'];
/** The fields that most invoices leave as they are. The form collapses them. */
export const MORE_FIELDS = [
  'dueDate',
  'reference',
  'orderReference',
  'deliveryDate',
  'discount',
  'discount.reason',
  'taxReason',
  'note',
];
/** The match key of the customer whose terms and tax the form suggests; empty for none. */
export const TERMS_FIELD = 'termsOf';
/** The match key of the new name that the page has pointed out; empty for none. */
export const NEW_NAME_FIELD = 'newName';
/** Sent after a refusal for a hold or a credit limit. No draft stores it. */
export const IGNORE_CREDIT = 'ignoreCredit';
/** Fields of the form that are not part of the request: its draft, and confirmed dates. */
const VERSION_FIELD = 'draftVersion';
const FORM_FIELDS = [
  ...[DRAFT_FIELD, VERSION_FIELD, confirmName('date'), confirmName('dueDate')],
  ...[TERMS_FIELD, NEW_NAME_FIELD],
];
const LINE_FIELDS = [
  ...['name', 'sku', 'qty', 'price', 'discount'],
  // A line that has only these counts as blank, because the form suggests them.
  ...['taxRate', 'taxCategory'],
];
/** The fields of a line that the form collapses. */
export const FOLDED_LINE_FIELDS = LINE_FIELDS.slice(4);
const SUGGESTED = LINE_FIELDS.slice(5);
const LINE_FIELD = new RegExp(`^items\\.(\\d{1,4})\\.(${LINE_FIELDS.join('|')})$`, 'u');
const DISCOUNT = /^(?:items\.\d+\.)?discount$/u;

/**
 * Returns the form's own fields, each once. Blank lines are dropped and the others renumbered from
 * 0, so that an error at /items/1 appears beside items.1 when the form is shown again. Stops at
 * the first line too many, for which the schema refuses the form.
 */
export function invoiceFields(form: FormFields): FormFields {
  const head = [...HEAD_FIELDS, ...MORE_FIELDS, ...FORM_FIELDS, IGNORE_CREDIT];
  const fields = new FormFields(head.map(name => [name, form.get(name) ?? '']));
  const lines = new Map<number, Map<string, string>>();
  for (const [name, text] of form) {
    const [, index, field = ''] = LINE_FIELD.exec(name) ?? [];
    if (index === undefined || text.trim() === '') continue;
    const line = lines.get(Number(index)) ?? new Map();
    lines.set(Number(index), line.set(field, text));
  }
  const inOrder = [...lines]
    .filter(([, line]) => [...line.keys()].some(field => !SUGGESTED.includes(field)))
    .sort(([a], [b]) => a - b)
    .slice(0, MAX_ITEMS + 1);
  for (const [index, [, line]] of inOrder.entries()) {
    for (const field of LINE_FIELDS) fields.set(`items.${index}.${field}`, line.get(field) ?? '');
  }
  return fields;
}

/** Counts the lines in the result of `invoiceFields`. */
export function countLines(fields: FormFields): number {
  let count = 0;
  while (fields.has(`items.${count}.name`)) count += 1;
  return count;
}

/** The texts that the amounts are computed from. */
export function typedInvoice(fields: FormFields, rows = countLines(fields)): TypedInvoice {
  const text = (name: string) => fields.get(name) ?? '';
  return {
    lines: Array.from({ length: rows }, (_, index) => ({
      qty: text(`items.${index}.qty`),
      price: text(`items.${index}.price`),
      discount: text(`items.${index}.discount`),
      taxRate: text(`items.${index}.taxRate`),
      taxCategory: text(`items.${index}.taxCategory`),
    })),
    discount: text('discount'),
    discountReason: text('discount.reason'),
    taxReason: text('taxReason'),
  };
}

/** The draft that the form was opened with; null for none. */
export function draftOf(fields: FormFields): DraftRef | null {
  const [id = '', version = ''] = [fields.get(DRAFT_FIELD) ?? '', fields.get(VERSION_FIELD) ?? ''];
  return isUuid(id) && /^[1-9]\d{0,8}$/u.test(version)
    ? { id: id.toLowerCase(), version: Number(version) }
    : null;
}

/** The fields with that draft, or with none. */
export function withDraft(fields: FormFields, draft: DraftRef | null): FormFields {
  const changed = new FormFields(fields);
  changed.set(DRAFT_FIELD, draft?.id ?? '');
  changed.set(VERSION_FIELD, draft ? String(draft.version) : '');
  return changed;
}

/** The fields that a draft stores: those with text. */
export function storedFields(fields: FormFields): FormFields {
  return new FormFields(
    [...fields].filter(
      ([name, text]) => text.trim() !== '' && name !== IGNORE_CREDIT && !FORM_FIELDS.includes(name),
    ),
  );
}

/** The fields as they are sent: a discount as its percent or its amount. */
export function toRequestFields(fields: FormFields): FormFields {
  const sent = [...fields].filter(([name]) => !FORM_FIELDS.includes(name));
  return new FormFields(
    sent.map(([name, text]) => {
      if (!DISCOUNT.test(name) || text.trim() === '') return [name, text];
      const [kind, number] = splitDiscount(text);
      return [`${name}.${kind}`, number];
    }),
  );
}

/** A discount is one field of the form and two of the request. */
export const DISCOUNT_ERRORS = {
  'discount.percent': 'discount',
  'discount.amount': 'discount',
  'items.*.discount.percent': 'items.*.discount',
  'items.*.discount.amount': 'items.*.discount',
};

type Figure = number | string;

interface DiscountValue {
  readonly percent?: Figure | null;
  readonly amount?: Figure;
  readonly reason?: string | null;
}

/** A request, or an invoice with its figures as text. */
interface InvoiceValues {
  readonly customerName: string;
  readonly date: string;
  readonly dueDate?: string | null;
  readonly reference?: string | null;
  readonly orderReference?: string | null;
  readonly deliveryDate?: string | null;
  readonly note?: string | null;
  readonly discount?: DiscountValue | null;
  readonly taxReason?: string | null;
  readonly items: readonly {
    readonly name: string;
    readonly sku?: string | null;
    readonly qty: Figure;
    readonly price: Figure;
    readonly discount?: DiscountValue | null | undefined;
    readonly taxRate?: Figure;
    readonly taxCategory?: string;
  }[];
}

/** The fields that send such an invoice. */
export function fieldsOfInvoice(
  invoice: InvoiceValues,
  session: Pick<Session, 'currency' | 'csvFormat'>,
): FormFields {
  const mark = markOf(session);
  const priceText = (price: Figure) => typedPrice(String(price), session.currency, mark);
  const { customerName, date, items } = invoice;
  const fields = new FormFields({
    customerName,
    date,
    dueDate: invoice.dueDate ?? '',
    reference: invoice.reference ?? '',
    orderReference: invoice.orderReference ?? '',
    deliveryDate: invoice.deliveryDate ?? '',
    note: invoice.note ?? '',
    discount: discountField(invoice.discount, priceText),
    'discount.reason': invoice.discount?.reason ?? '',
    taxReason: invoice.taxReason ?? '',
  });
  for (const [index, { name, sku, qty, price, ...line }] of items.entries()) {
    fields.set(`items.${index}.name`, name);
    fields.set(`items.${index}.sku`, sku ?? '');
    fields.set(`items.${index}.qty`, filledNumber(String(qty), mark));
    fields.set(`items.${index}.price`, priceText(price));
    fields.set(`items.${index}.discount`, discountField(line.discount, priceText));
    fields.set(`items.${index}.taxRate`, String(line.taxRate ?? ''));
    fields.set(`items.${index}.taxCategory`, typedCategory(line.taxCategory));
  }
  return fields;
}

/** The category as the form has it: empty for S and Z, which follow from the rate. */
export function typedCategory(category = ''): string {
  return /^[SZ]$/u.test(category) ? '' : category;
}

function discountField(
  discount: DiscountValue | null | undefined,
  priceText: (price: Figure) => string,
): string {
  if (discount == null) return '';
  const { percent, amount = 0 } = discount;
  return percent == null ? priceText(amount) : `${percent}%`;
}
