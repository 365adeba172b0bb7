// The fields of the invoice form: read from a form, or made from a request that was refused later
// or from an invoice to duplicate.
import { typedPrice } from './amounts.js';

const HEAD_FIELDS = ['customerName', 'date', 'reference'];
const LINE_FIELDS = ['name', 'sku', 'qty', 'price'] as const;
const LINE_FIELD = /^items\.(\d{1,4})\.(name|sku|qty|price)$/u;

/**
 * Returns the form's own fields, each once. Blank lines are dropped and the others renumbered from
 * 0, so that an error at /items/1 appears beside items.1 when the form is shown again.
 */
export function invoiceFields(form: URLSearchParams): URLSearchParams {
  const fields = new URLSearchParams(HEAD_FIELDS.map(name => [name, form.get(name) ?? '']));
  const lines = new Map<number, Map<string, string>>();
  for (const [name, text] of form) {
    const [, index, field = ''] = LINE_FIELD.exec(name) ?? [];
    if (index === undefined || text.trim() === '') continue;
    const line = lines.get(Number(index)) ?? new Map();
    lines.set(Number(index), line.set(field, text));
  }
  const inOrder = [...lines].sort(([a], [b]) => a - b);
  for (const [index, [, line]] of inOrder.entries()) {
    for (const field of LINE_FIELDS) fields.set(`items.${index}.${field}`, line.get(field) ?? '');
  }
  return fields;
}

/** Counts the lines in the result of `invoiceFields`. */
export function countLines(fields: URLSearchParams): number {
  let count = 0;
  while (fields.has(`items.${count}.name`)) count += 1;
  return count;
}

/** A request, or an invoice with its figures as text. */
interface InvoiceValues {
  readonly customerName: string;
  readonly date: string;
  readonly reference?: string | null;
  readonly items: readonly {
    readonly name: string;
    readonly sku?: string | null;
    readonly qty: number | string;
    readonly price: number | string;
  }[];
}

/** The fields that send such an invoice. */
export function fieldsOf(
  { customerName, date, reference, items }: InvoiceValues,
  currency: string,
): URLSearchParams {
  const fields = new URLSearchParams({ customerName, date, reference: reference ?? '' });
  for (const [index, { name, sku, qty, price }] of items.entries()) {
    fields.set(`items.${index}.name`, name);
    fields.set(`items.${index}.sku`, sku ?? '');
    fields.set(`items.${index}.qty`, String(qty));
    fields.set(`items.${index}.price`, typedPrice(String(price), currency));
  }
  return fields;
}
