// The invariants of a single invoice: its row and its JSON. They are checked here and not in SQL,
// because renderInvoice and the arithmetic are TypeScript.
import { type InvoiceLine, renderInvoice } from '../invoices/invoice-json.js';
import type { InvoiceJson } from '../invoices/issued/invoice-shape.js';
import type { StoredInvoice } from '../invoices/issued/stored-invoice.js';
import { type IssuedInvoice, parseInvoice, toIssuedInvoice } from '../invoices/issued-invoice.js';
import { fromMinor, fromUnits, toUnits } from '../platform/values/money.js';
import { isKeyOf } from '../platform/values/text.js';
import type { Violation } from './violation.js';

export const CONTENTS = {
  total: "an invoice's total is its lines less its discount plus its tax",
  amount: "a line's amount is qty × price less its discount, each rounded half up",
  discount: 'a discount is its percentage rounded half up, and at most what it reduces',
  tax: 'tax is rounded half up once for all lines of one category and rate',
  body: "an invoice's stored JSON matches its row and lines",
  keys: "a line counts towards its item's figures, or towards its name's",
  currency: "an invoice is in its company's currency",
} as const;

export interface CheckedInvoice {
  readonly violations: readonly Violation[];
  /** Empty if the JSON cannot be read. */
  readonly lines: readonly InvoiceLine[];
}

/** `json` is the parsed body. */
export function checkContents(
  invoice: StoredInvoice,
  json = parseInvoice(invoice.body),
): CheckedInvoice {
  const found: Violation[] = [];
  const report = (name: keyof typeof CONTENTS, details = {}) => {
    const { companyId, id } = invoice;
    found.push({ violation: CONTENTS[name], companyId, invoiceId: id, ...details });
  };
  const { companyCurrency, currency, nameKeys } = invoice;
  if (currency !== companyCurrency) report('currency', { currency, companyCurrency });
  const issued = issuedFrom(json);
  if (!issued) {
    report('body');
    return { violations: found, lines: [] };
  }
  const { lines } = issued;
  const total = fromUnits(toUnits(invoice.total));
  const recounted = fromMinor(issued.pricing.total, issued.decimals);
  if (recounted !== total) report('total', { total, recounted });
  const wrongLine = findWrongLine(issued);
  if (wrongLine >= 0) report('amount', { position: wrongLine + 1 });
  if (!hasRightDiscounts(issued)) report('discount');
  if (!hasRightTaxes(issued)) report('tax');
  const wrongKey = findWrongKey(lines, nameKeys);
  if (wrongKey >= 0) report('keys', { position: wrongKey + 1 });
  if (rendered(invoice, total, issued) !== invoice.body) report('body');
  return { violations: found, lines };
}

/** Null if the JSON cannot be read. */
function issuedFrom(json: InvoiceJson | null): IssuedInvoice | null {
  try {
    return json && toIssuedInvoice(json);
  } catch {
    return null;
  }
}

/** A line that moves stock has no key; without any other line there is no list. */
function findWrongKey(
  lines: readonly InvoiceLine[],
  nameKeys: readonly (string | null)[] | null,
): number {
  if (nameKeys === null) return lines.findIndex(({ itemId }) => itemId === null);
  if (nameKeys.length !== lines.length) return lines.length - 1;
  return lines.findIndex(({ itemId, name }, index) =>
    itemId === null ? !isKeyOf(nameKeys[index], name) : nameKeys[index] !== null,
  );
}

function findWrongLine({ lines, pricing, decimals }: IssuedInvoice): number {
  return lines.findIndex(
    ({ amount }, index) => amount !== fromMinor(pricing.lines[index]?.amount ?? -1n, decimals),
  );
}

function hasRightDiscounts({ lines, details, pricing, decimals }: IssuedInvoice): boolean {
  const { discount } = details;
  return (
    lines.every(
      ({ discount: of }, index) =>
        !of || of.amount === fromMinor(pricing.lines[index]?.discount ?? -1n, decimals),
    ) &&
    pricing.lines.every(({ amount }) => amount >= 0n) &&
    (!discount || discount.amount === fromMinor(pricing.discount, decimals)) &&
    pricing.subtotal >= 0n
  );
}

/** All lines have a tax or none has one, and the tax groups match the lines. */
function hasRightTaxes({ lines, details, pricing, decimals }: IssuedInvoice): boolean {
  const text = (minor: bigint) => fromMinor(minor, decimals);
  if (details.subtotal !== text(pricing.subtotal) || details.taxTotal !== text(pricing.taxTotal))
    return false;
  if (details.taxes.length === 0 && pricing.groups.length === 0) return true;
  const groups = pricing.groups.map(({ category, rate, base, tax }) =>
    [category, fromUnits(rate), text(base), text(tax)].join(' '),
  );
  const stored = details.taxes.map(({ category, rate, base, amount }) =>
    [category, rate, base, amount].join(' '),
  );
  const taxed = lines.filter(({ tax }) => tax !== undefined).length;
  return (taxed === 0 || taxed === lines.length) && groups.join('\n') === stored.join('\n');
}

/** The text of a column for nothing paid or credited. */
const NOTHING = '0.0000';

/** The JSON that the row and the lines should have. */
function rendered(invoice: StoredInvoice, total: string, issued: IssuedInvoice): string {
  const isNew = invoice.paid === NOTHING && invoice.credited === NOTHING;
  const [paid, credited] = isNew ? [0n, 0n] : [toUnits(invoice.paid), toUnits(invoice.credited)];
  return renderInvoice({
    ...invoice,
    createdAt: invoice.createdAt.toISOString(),
    total,
    lines: issued.lines,
    details: { ...issued.details, dueDate: invoice.dueDate },
    settlement: {
      paid: fromUnits(paid),
      credited: fromUnits(credited),
      due: isNew ? total : fromUnits(toUnits(total) - paid - credited),
      settledOn: invoice.settledOn,
    },
  });
}
