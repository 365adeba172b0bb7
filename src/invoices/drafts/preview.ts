// The JSON that an invoice would have, if it was issued now. Nothing is stored.
import { matchItems } from '../../inventory/names/match-items.js';
import { renderInvoice } from '../invoice-json.js';
import type { InvoiceJson } from '../issued/invoice-shape.js';
import { priceRequest } from '../rules.js';
import type { InvoiceRequest } from '../schema.js';

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Takes a checked request. The invoice has no number yet. */
export async function previewInvoice(
  companyId: string,
  request: InvoiceRequest,
  currency: string,
): Promise<InvoiceJson> {
  const { customerName, date, items, reference = null } = request;
  const { lines, total, details } = priceRequest(request, currency);
  const found = await matchItems(
    companyId,
    items.map(({ name }) => name),
    'name',
  );
  const body = renderInvoice({
    ...{ id: NO_ID, numberPrefix: '', number: '', status: 'open', currency, date, reference },
    customerName: customerName ?? '',
    lines: lines.map((line, index) => ({
      ...line,
      sku: items[index]?.sku ?? found[index]?.sku ?? null,
    })),
    ...{ total, details, createdAt: new Date().toISOString() },
    settlement: { paid: '0', credited: '0', due: total, settledOn: null },
  });
  return { ...(JSON.parse(body) as InvoiceJson), number: '' };
}
