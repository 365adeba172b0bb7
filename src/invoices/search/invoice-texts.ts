// The searchable texts of invoices: the customer, the numbers, the lines and the total.
import type { Transaction } from '../../platform/db/connection.js';
import { readRows } from '../../platform/db/list-reads.js';
import { storeSearchTexts } from '../../search/store-texts.js';
import { isOfCustomer, type SearchedWord, type TextQuery } from '../../search/text-query.js';
import { isFound, NEW_MAX, type SearchableRow } from '../../search/texts.js';
import { invoiceNumber } from '../invoice-json.js';
import type { InvoiceJson } from '../issued/invoice-shape.js';
import { parseInvoice } from '../issued-invoice.js';

export interface SearchedInvoice {
  readonly companyId: string;
  readonly number: string;
  readonly date: string;
  readonly total: string;
  readonly customerKey: string;
  readonly numberPrefix: string;
  readonly reference: string | null;
  /** Null if the body is not JSON. */
  readonly json: InvoiceJson | null;
}

/** Stores the texts of invoices, in the order of company and number. */
export async function storeInvoiceTexts(
  invoices: readonly SearchedInvoice[],
  tx: Transaction,
): Promise<void> {
  await storeSearchTexts('invoices', invoices.map(searchableRow), tx);
}

/** The texts of an invoice that a line has. */
export function searchableRow(invoice: SearchedInvoice): SearchableRow {
  const { companyId, number: position, date, total: amount, customerKey, reference } = invoice;
  const fullNumber = invoiceNumber(invoice.numberPrefix, position);
  const texts = [fullNumber, reference, ...(invoice.json ? textsOf(invoice.json) : [])];
  return { companyId, position, date, amount, customerKey, texts };
}

/** An invoice whose JSON is damaged is found by its other fields. The audit reports it. */
function textsOf({ orderReference, items }: InvoiceJson): (string | null)[] {
  if (!Array.isArray(items)) return [];
  const texts = [orderReference, ...items.flatMap(line => [line?.name, line?.sku])];
  return texts.filter(text => typeof text === 'string');
}

/** The columns of an invoice with its body. */
export const SEARCHED = `i.company_id AS "companyId", i.number, i.date::text AS date, i.total,
  i.customer_key AS "customerKey", i.number_prefix AS "numberPrefix", i.reference, i.body`;

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
         (SELECT texts_number FROM summaries WHERE company_id = $1), 0)
     ORDER BY i.number DESC
     LIMIT ${NEW_MAX}`,
    [companyId],
  );
  return rows.filter(row => isMatch(query, row)).map(({ number }) => number);
}

export type InvoiceWithBody = Omit<SearchedInvoice, 'json'> & { readonly body: string };

/** Whether a search finds an invoice. */
export function isMatch(query: TextQuery, { body, ...row }: InvoiceWithBody): boolean {
  if (isFound(query, searchableRow({ ...row, json: null }))) return true;
  return (
    query.words.every(word => mayContain(body, word.folded) || isFoundApart(word, row)) &&
    isFound(query, searchableRow({ ...row, json: parseInvoice(body) }))
  );
}

/** Whether an invoice may have a word that its JSON has not, as it has the customer's record. */
function isFoundApart(
  word: SearchedWord,
  { customerKey }: Pick<SearchedInvoice, 'customerKey'>,
): boolean {
  return word.amounts.length > 0 || isOfCustomer(word, customerKey);
}

/** Only these texts are in the JSON as they are, but for case and white space. */
const PLAIN = /^[ !#-[\]-~]*$/u;
const UNESCAPED = /^[ -[\]-~]*$/u;

/** False if no text in the JSON contains a folded text. Parsing it takes ten times as long. */
function mayContain(body: string, folded: string): boolean {
  if (!PLAIN.test(folded) || !UNESCAPED.test(body)) return true;
  return body.toLowerCase().includes(folded);
}
