// The lines of the form whose item field has a SKU, and those that leave their price to the item.
// The API matches a line without `sku` by name alone, but a person types either into that field.
import { matchItems } from '../../../inventory/names/match-items.js';
import type { InvoiceRequest } from '../../../invoices/schema.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { matchKey } from '../../../platform/values/text.js';
import type { Session } from '../../../users/sessions.js';
import { markOf } from '../../kit/forms/field-limits.js';
import { typedPrice } from './amounts.js';
import { countLines } from './fields.js';

/** Gives lines whose name is the SKU of an item, and no item's name, that item's name and SKU. */
export async function withNamedItems(
  companyId: string,
  request: InvoiceRequest,
): Promise<InvoiceRequest> {
  const open = request.items.filter(({ sku }) => sku === undefined);
  if (open.length === 0) return request;
  const found = await matchItems(
    companyId,
    open.map(({ name }) => name),
    'name',
  );
  const itemOf = new Map(open.map((line, index) => [line, found[index]]));
  const items = request.items.map(line => {
    const { name, sku } = itemOf.get(line) ?? {};
    return name && sku && matchKey(sku) === matchKey(line.name) ? { ...line, name, sku } : line;
  });
  return { ...request, items };
}

/** The fields in which each line without a price has that of its item, found by SKU or by name. */
export async function withItemPrices(
  session: Pick<Session, 'companyId' | 'currency' | 'csvFormat'>,
  fields: FormFields,
): Promise<FormFields> {
  const { companyId, currency } = session;
  const text = (index: number, field: string) =>
    (fields.get(`items.${index}.${field}`) ?? '').trim();
  const open = [...Array(countLines(fields)).keys()].filter(index => text(index, 'price') === '');
  if (open.length === 0) return fields;
  const named = open.map(index => text(index, 'sku') || text(index, 'name'));
  const found = await matchItems(companyId, named, 'name');
  const priced = new FormFields(fields);
  for (const [at, index] of open.entries()) {
    const { sku = null, unitPrice = null } = found[at] ?? {};
    const typed = text(index, 'sku');
    const isMeant = typed === '' || (sku !== null && matchKey(sku) === matchKey(typed));
    if (isMeant && unitPrice !== null)
      priced.set(`items.${index}.price`, typedPrice(unitPrice, currency, markOf(session)));
  }
  return priced;
}
