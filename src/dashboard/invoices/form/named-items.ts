// The lines of the form whose item field has a SKU. The API matches a line without `sku` by name
// alone, but a person types either into that field.
import { matchItems } from '../../../inventory/names/match-items.js';
import type { InvoiceRequest } from '../../../invoices/schema.js';
import { matchKey } from '../../../platform/values/text.js';

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
