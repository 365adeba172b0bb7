// The searchable texts of invoices: the order number, the lines and the total. Searches read the
// customer and the reference, which may be corrected, from the invoices' indexes, but for those
// with accents: Postgres would take three times as long to fold them.
import type { Transaction } from '../../platform/db/connection.js';
import { readRows } from '../../platform/db/list-reads.js';
import { foldText } from '../../platform/values/folded-text.js';
import { storeSearchTexts } from '../../search/store-texts.js';
import type { TextQuery } from '../../search/text-query.js';
import { isFound, NEW_MAX, type SearchableRow } from '../../search/texts.js';
import type { InvoiceJson } from '../issued/invoice-shape.js';
import { parseInvoice } from '../issued-invoice.js';

export interface SearchedInvoice {
  readonly companyId: string;
  readonly number: string;
  readonly date: string;
  readonly total: string;
  readonly customerKey: string;
  readonly reference: string | null;
  /** Null if the body is not JSON. */
  readonly json: InvoiceJson | null;
}

/** Stores the texts of invoices, in the order of company and number. */
export async function storeInvoiceTexts(
  invoices: readonly SearchedInvoice[],
  tx: Transaction,
): Promise<void> {
  await storeSearchTexts('invoice', invoices.map(searchableRow), tx);
}

/** The texts of an invoice that a line has. */
export function searchableRow(invoice: SearchedInvoice): SearchableRow {
  const {
    companyId,
    number: position,
    date,
    total: amount,
    customerKey,
    reference,
    json,
  } = invoice;
  const texts = [
    foldText(customerKey) === customerKey ? null : customerKey,
    reference === null || foldText(reference) === reference.toLowerCase() ? null : reference,
    ...(json ? textsOf(json) : []),
  ];
  return { companyId, position, date, amount, texts };
}

/** An invoice whose JSON is damaged is found by its other fields. The audit reports it. */
function textsOf({ orderReference, items }: InvoiceJson): (string | null)[] {
  if (!Array.isArray(items)) return [];
  const texts = [orderReference, ...items.flatMap(line => [line?.name, line?.sku])];
  return texts.filter(text => typeof text === 'string');
}

/** The columns of an invoice with its body. */
export const SEARCHED = `i.company_id AS "companyId", i.number, i.date::text AS date, i.total,
  i.customer_key AS "customerKey", i.reference, i.body`;

/**
 * The numbers of the newest invoices, which have no stored text yet, that a search finds. A search
 * that reads the stored texts after this misses none of them.
 */
export async function findNewInvoices(companyId: string, query: TextQuery): Promise<string[]> {
  const rows = await readRows<InvoiceWithBody>(
    companyId,
    `SELECT ${SEARCHED}
     FROM invoices i
     WHERE i.company_id = $1
       AND i.number > COALESCE(
         (SELECT searchable_number FROM summaries WHERE company_id = $1), 0)
     ORDER BY i.number DESC
     LIMIT ${NEW_MAX}`,
    [companyId],
  );
  return rows.filter(row => isMatch(query, row)).map(({ number }) => number);
}

export type InvoiceWithBody = Omit<SearchedInvoice, 'json'> & { readonly body: string };

/** Whether a search finds an invoice by anything but its number. */
export function isMatch(query: TextQuery, { body, ...row }: InvoiceWithBody): boolean {
  const { number: position, total: amount, customerKey, reference } = row;
  if (isFound(query, { ...row, position, amount, texts: [customerKey, reference] })) return true;
  return (
    mayContain(body, query.folded) &&
    isFound(query, searchableRow({ ...row, json: parseInvoice(body) }))
  );
}

/** Only these texts are in the JSON as they are, but for case and white space. */
const PLAIN = /^[ !#-[\]-~]*$/u;
const UNESCAPED = /^[ -[\]-~]*$/u;

/** False if no text in the JSON contains a folded text. Parsing it takes ten times as long. */
function mayContain(body: string, folded: string): boolean {
  if (!PLAIN.test(folded) || !UNESCAPED.test(body)) return true;
  const lower = body.toLowerCase();
  return folded.split(' ').every(word => lower.includes(word));
}
