// The invariants of an invoice by itself: what its row and its JSON say. They are checked here and
// not in SQL, because renderInvoice is TypeScript.
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

/** The columns of a StoredInvoice. `i` is the invoice with its company's currency. */
export const STORED_INVOICE = `
  i.company_id AS "companyId", trim(i.company_currency) AS "companyCurrency",
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
  const parsed = parseLines(invoice.body);
  const total = fromUnits(toUnits(invoice.total));
  const found: Violation[] = [];
  const report = (name: keyof typeof CONTENTS, details = {}) => {
    const { companyId, id } = invoice;
    found.push({ violation: CONTENTS[name], companyId, invoiceId: id, ...details });
  };
  const { companyCurrency, currency, nameKeys } = invoice;
  if (currency !== companyCurrency) report('currency', { currency, companyCurrency });
  if (!parsed) {
    report('body');
    return { violations: found, lines: [] };
  }
  const sumOfLines = fromUnits(parsed.reduce((sum, { amount }) => sum + toUnits(amount), 0n));
  if (sumOfLines !== total) report('total', { total, sumOfLines });
  const places = minorUnits(companyCurrency);
  const scale = 10n ** BigInt(4 - places);
  const wrong = parsed.findIndex(
    ({ qty, price, amount }) =>
      lineAmount(toUnits(qty), toUnits(price), places) * scale !== toUnits(amount),
  );
  if (wrong >= 0) report('amount', { position: wrong + 1 });
  const unnamed = parsed.findIndex(
    ({ itemId }, index) => itemId === null && typeof nameKeys?.[index] !== 'string',
  );
  if (unnamed >= 0) report('keys', { position: unnamed + 1 });
  const lines = parsed.map(toLine);
  const createdAt = invoice.createdAt.toISOString();
  if (renderInvoice({ ...invoice, createdAt, total, lines }) !== invoice.body) report('body');
  return { violations: found, lines };
}

interface ParsedLine extends Omit<InvoiceLine, 'qty' | 'price' | 'amount'> {
  readonly qty: number;
  readonly price: number;
  readonly amount: number;
}

/** The lines of an invoice's JSON, or null if it has none that can be read. */
function parseLines(body: string): ParsedLine[] | null {
  try {
    const { items } = JSON.parse(body) as { items: ParsedLine[] };
    // Throws for what is not a decimal.
    for (const { qty, price, amount } of items) [qty, price, amount].forEach(toUnits);
    return items;
  } catch {
    return null;
  }
}

/** As posting rendered it: a number's shortest form. */
function toLine({ name, sku, qty, price, amount, itemId }: ParsedLine): InvoiceLine {
  return { name, sku, qty: String(qty), price: String(price), amount: String(amount), itemId };
}
