// The invariants of an invoice by itself: what its row and its JSON say. They are checked here and
// not in SQL, because the JSON is rendered here and parsing it in Postgres takes longer.
import { type InvoiceLine, renderInvoice } from '../invoices/invoice-json.js';
import { fromUnits, lineAmount, minorUnits, toUnits } from '../platform/values/money.js';
import type { Violation } from './violation.js';

export const CONTENTS = {
  total: "an invoice's total is the sum of its lines",
  amount: "a line's amount is qty × price rounded half up to the currency's minor unit",
  body: "an invoice's stored JSON matches its row and lines",
  keys: "a line counts towards its item's figures, or towards its name's",
  currency: "an invoice is in its company's currency",
} as const;

export interface StoredInvoice {
  readonly companyId: string;
  readonly companyCurrency: string;
  readonly id: string;
  readonly submissionId: string;
  readonly number: string;
  readonly numberPrefix: string;
  readonly status: string;
  readonly customerName: string;
  readonly date: string;
  readonly currency: string;
  readonly total: string;
  readonly reference: string | null;
  readonly createdAt: Date;
  readonly body: string;
  readonly nameKeys: readonly (string | null)[] | null;
}

/** The columns of a StoredInvoice, with the invoice as i and its company as c. */
export const STORED_INVOICE = `
  i.company_id AS "companyId", trim(c.currency) AS "companyCurrency",
  i.id, i.submission_id AS "submissionId",
  i.number, i.number_prefix AS "numberPrefix", i.status,
  i.customer_name AS "customerName", i.date::text AS date,
  trim(i.currency) AS currency, i.total, i.reference,
  i.created_at AS "createdAt", i.body, i.name_keys AS "nameKeys"`;

export interface CheckedInvoice {
  readonly violations: readonly Violation[];
  /** Empty if the JSON cannot be read. */
  readonly lines: readonly InvoiceLine[];
}

export function checkContents(invoice: StoredInvoice): CheckedInvoice {
  const lines = linesOf(invoice.body);
  const total = fromUnits(toUnits(invoice.total));
  const found: Violation[] = [];
  const report = (name: keyof typeof CONTENTS, details = {}) => {
    const { companyId, id } = invoice;
    found.push({ violation: CONTENTS[name], companyId, invoiceId: id, ...details });
  };
  const { companyCurrency, currency, nameKeys } = invoice;
  if (currency !== companyCurrency) report('currency', { currency, companyCurrency });
  if (!lines) {
    report('body');
    return { violations: found, lines: [] };
  }
  const sumOfLines = fromUnits(lines.reduce((sum, { amount }) => sum + toUnits(amount), 0n));
  if (sumOfLines !== total) report('total', { total, sumOfLines });
  const places = minorUnits(companyCurrency);
  const scale = 10n ** BigInt(4 - places);
  const wrong = lines.findIndex(
    ({ qty, price, amount }) =>
      lineAmount(toUnits(qty), toUnits(price), places) * scale !== toUnits(amount),
  );
  if (wrong >= 0) report('amount', { position: wrong + 1 });
  const unnamed = lines.findIndex(
    ({ itemId }, index) => itemId === null && typeof nameKeys?.[index] !== 'string',
  );
  if (unnamed >= 0) report('keys', { position: unnamed + 1 });
  const createdAt = invoice.createdAt.toISOString();
  if (renderInvoice({ ...invoice, createdAt, total, lines }) !== invoice.body) report('body');
  return { violations: found, lines };
}

/** The lines of an invoice's JSON, or null if it has none that can be read. */
function linesOf(body: string): InvoiceLine[] | null {
  try {
    const { items } = JSON.parse(body);
    const decimal = (value: number) => fromUnits(toUnits(value));
    return items.map((line: Record<keyof InvoiceLine, never>) => ({
      name: line.name,
      sku: line.sku,
      qty: decimal(line.qty),
      price: decimal(line.price),
      amount: decimal(line.amount),
      itemId: line.itemId,
    }));
  } catch {
    return null;
  }
}
