// Adds new invoices and credit notes to tax_totals, for many companies in one pass. Their taxes are
// read from the stored JSON, as the summary's rollup reads the lines.
import type { ReadInvoices } from '../../invoices/issued/new-invoices.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import { arraysOf, type Columns, unnest } from '../../platform/db/rows.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import { inRange, RANGE, RANGES, type RowRange } from '../../rollups/progress.js';

export type DocumentType = 'invoice' | 'creditNote';

/** The category of documents whose lines have no tax. */
export const NO_TAX = 'none';

/** The properties of a document's JSON that are rolled up. */
interface TaxedJson {
  readonly subtotal: number;
  readonly taxes: readonly {
    readonly category: string;
    readonly rate: number;
    readonly base: number;
    readonly amount: number;
  }[];
}

interface Document {
  readonly companyId: string;
  readonly date: string;
  readonly type: DocumentType;
  readonly json: TaxedJson | null;
  /** The sums if the JSON is damaged. */
  readonly net: string;
  readonly tax: string;
}

/** Adds the invoices of one step. Returns the ranges as far as they were rolled up. */
export async function rollUpInvoiceTaxes(
  ranges: readonly RowRange[],
  readInvoices: ReadInvoices,
  tx: Transaction,
): Promise<RowRange[]> {
  const { invoices, read } = await readInvoices(ranges, tx);
  const documents = invoices.map(({ companyId, date, json, total }): Document => {
    return { companyId, date, type: 'invoice', json, net: total, tax: '0' };
  });
  await addTaxes(documents, tx);
  return read;
}

/** Adds the credit notes among the entries of these ranges. */
export async function rollUpCreditTaxes(
  ranges: readonly RowRange[],
  tx: Transaction,
): Promise<void> {
  const notes = await query<Omit<Document, 'type' | 'json'> & { body: string }>(
    `SELECT e.company_id AS "companyId", e.date::text AS date,
       e.subtotal AS net, e.tax_total AS tax, e.body
     FROM ${RANGES},
       ${inRange('entries', 'e', 'sequence')}
     WHERE e.type = 'creditNote'`,
    arraysOf(RANGE, ranges),
    tx,
  );
  const documents = notes.map(({ body, ...note }): Document => {
    return { ...note, type: 'creditNote', json: parse(body) };
  });
  await addTaxes(documents, tx);
}

function parse(body: string): TaxedJson | null {
  try {
    return JSON.parse(body) as TaxedJson;
  } catch {
    return null;
  }
}

interface Group {
  readonly category: string;
  /** Decimal text. */
  readonly rate: string;
  readonly net: bigint;
  readonly tax: bigint;
}

/**
 * The document's taxes in ten-thousandths. A document whose JSON is damaged counts with the sums of
 * its row: the audit reports it, and other documents' figures must not wait for it.
 */
function groupsOf({ json, net, tax }: Document): Group[] {
  try {
    if (json && json.taxes.length > 0)
      return json.taxes.map(({ category, rate, base, amount }) => ({
        category: String(category),
        rate: fromUnits(toUnits(rate)),
        net: toUnits(base),
        tax: toUnits(amount),
      }));
    if (json) return [{ category: NO_TAX, rate: '0', net: toUnits(json.subtotal), tax: 0n }];
  } catch {
    // Damaged: a property is missing or is not a decimal.
  }
  return [{ category: NO_TAX, rate: '0', net: toUnits(net), tax: toUnits(tax) }];
}

interface TaxTotal extends Omit<Group, 'net' | 'tax'> {
  readonly companyId: string;
  readonly month: string;
  readonly type: DocumentType;
  net: bigint;
  tax: bigint;
}

const TAX_TOTAL: Columns<TaxTotal> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  month: ['date', ({ month }) => month],
  type: ['text', ({ type }) => type],
  category: ['text', ({ category }) => category],
  rate: ['numeric', ({ rate }) => rate],
  net: ['numeric', ({ net }) => fromUnits(net)],
  tax: ['numeric', ({ tax }) => fromUnits(tax)],
};

const ADD_TAXES = `
  INSERT INTO tax_totals AS t (${Object.keys(TAX_TOTAL).join(', ')})
  SELECT *
  FROM ${unnest(TAX_TOTAL)}
  ON CONFLICT (company_id, month, type, category, rate) DO UPDATE
    SET net = t.net + excluded.net, tax = t.tax + excluded.tax`;

async function addTaxes(documents: readonly Document[], tx: Transaction): Promise<void> {
  const totals = new Map<string, TaxTotal>();
  for (const document of documents) {
    const { companyId, type } = document;
    const month = `${document.date.slice(0, 7)}-01`;
    for (const { net, tax, ...group } of groupsOf(document)) {
      const key = [companyId, month, type, group.category, group.rate].join(' ');
      const total = totals.get(key) ?? { companyId, month, type, ...group, net: 0n, tax: 0n };
      total.net += net;
      total.tax += tax;
      totals.set(key, total);
    }
  }
  if (totals.size > 0) await query(ADD_TAXES, arraysOf(TAX_TOTAL, [...totals.values()]), tx);
}
