// The fields of the invoice form: as they come from it, and made from a request that was refused later.
import type { InvoiceRequest } from '../../invoices/schema.js';

const HEAD = ['customerName', 'date', 'reference'];
export const LINE = ['name', 'sku', 'qty', 'price'] as const;
const LINE_FIELD = /^items\.(\d{1,4})\.(name|sku|qty|price)$/u;

/**
 * The invoice's own fields, each once; lines that are blank left out and the others numbered anew from 0, so that what is
 * wrong with /items/1 stands beside items.1 when the form is shown again.
 */
export function invoiceFields(form: URLSearchParams): URLSearchParams {
  const fields = new URLSearchParams(HEAD.map(name => [name, form.get(name) ?? '']));
  const lines = new Map<number, Map<string, string>>();
  for (const [name, text] of form) {
    const [, index, field = ''] = LINE_FIELD.exec(name) ?? [];
    if (index === undefined || text.trim() === '') continue;
    const line = lines.get(Number(index)) ?? new Map();
    lines.set(Number(index), line.set(field, text));
  }
  const inOrder = [...lines].sort(([a], [b]) => a - b);
  for (const [index, [, line]] of inOrder.entries()) {
    for (const field of LINE) fields.set(`items.${index}.${field}`, line.get(field) ?? '');
  }
  return fields;
}

/** How many lines such fields have. */
export function countLines(fields: URLSearchParams): number {
  let count = 0;
  while (fields.has(`items.${count}.name`)) count += 1;
  return count;
}

/** The fields of a request, as somebody would type them. */
export function fieldsOf({
  customerName,
  date,
  reference = '',
  items,
}: InvoiceRequest): URLSearchParams {
  const fields = new URLSearchParams({ customerName, date, reference });
  for (const [index, line] of items.entries()) {
    for (const field of LINE) fields.set(`items.${index}.${field}`, String(line[field] ?? ''));
  }
  return fields;
}
