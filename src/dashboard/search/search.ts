// One search over customers, invoices, payments, credit notes and items: a few of each kind, best
// first.

import { searchQuery } from '../../customers/names/search-words.js';
import { listCustomers } from '../../customers/queries.js';
import { listDeliveries } from '../../inventory/deliveries/queries.js';
import { type ItemSuggestion, searchItems } from '../../inventory/short-lists.js';
import { invoicesNumbered, searchNewestInvoices } from '../../invoices/search/search.js';
import type { ListedInvoice } from '../../invoices/search/types.js';
import type { CreditNote, Payment } from '../../ledger/entry-json.js';
import type { FoundType } from '../../ledger/search/entries.js';
import { entriesNumbered, searchNewestEntries } from '../../ledger/search/search.js';
import type { TextQuery } from '../../search/text-query.js';
import { hasTexts } from '../../search/texts.js';
import type { Customer } from '../customers/customer-view.js';
import { searchedName } from '../customers/typed-customer.js';
import type { DeliveryRow } from '../inventory/deliveries/list.js';
import { parseDecimalJson } from '../kit/decimal-json.js';

/** Rows of a kind. Its list shows the others. */
const SHOWN = 10;

export interface Found<Row> {
  readonly rows: readonly Row[];
  /** How many there are if more are found; null: not counted. */
  readonly more: { readonly total: number | null } | null;
}

export interface FoundEverywhere {
  /** False if older invoices, payments or credit notes may be missing. */
  readonly isComplete: boolean;
  readonly customers: Found<Customer>;
  readonly invoices: Found<ListedInvoice>;
  readonly payments: Found<Payment>;
  readonly creditNotes: Found<CreditNote>;
  readonly items: Found<ItemSuggestion>;
  readonly deliveries: Found<DeliveryRow>;
}

export async function searchEverywhere(companyId: string, text: string): Promise<FoundEverywhere> {
  const named = await searchedName(companyId, text);
  const query = searchQuery(companyId, named);
  const [isComplete, customers, invoices, payments, creditNotes, stock] = await Promise.all([
    hasTexts(companyId),
    findCustomers(companyId, text),
    findInvoices(companyId, named, query),
    findEntries<Payment>(companyId, 'payment', named, query),
    findEntries<CreditNote>(companyId, 'creditNote', named, query),
    findStock(companyId, text),
  ]);
  return { isComplete, customers, invoices, payments, creditNotes, ...stock };
}

/** The search of people who may not see sales. */
export async function searchStock(companyId: string, text: string): Promise<FoundEverywhere> {
  const none = { rows: [], more: null };
  const stock = await findStock(companyId, text);
  const sales = { customers: none, invoices: none, payments: none, creditNotes: none };
  return { isComplete: true, ...sales, ...stock };
}

/** The records in use, by name. */
async function findCustomers(companyId: string, text: string): Promise<Found<Customer>> {
  const page = await listCustomers(companyId, { limit: SHOWN + 1, q: text }, undefined);
  return bestOf([], parseDecimalJson<Customer[]>(page.body), null);
}

async function findStock(companyId: string, text: string) {
  const filter = { limit: SHOWN + 1, corrected: false, search: text };
  const [items, delivered] = await Promise.all([
    searchItems(companyId, text, SHOWN + 1),
    listDeliveries(companyId, filter, undefined),
  ]);
  const deliveries = parseDecimalJson<DeliveryRow[]>(delivered.body);
  return { items: bestOf([], items, null), deliveries: bestOf([], deliveries, null) };
}

async function findInvoices(
  companyId: string,
  text: string,
  query: Promise<TextQuery>,
): Promise<Found<ListedInvoice>> {
  const [numbered, { rows, next, total }] = await Promise.all([
    invoicesNumbered(companyId, text),
    query.then(searched => searchNewestInvoices(companyId, searched, SHOWN)),
  ]);
  return bestOf(numbered, rows, total, next !== null);
}

async function findEntries<Row extends { readonly id: string }>(
  companyId: string,
  type: FoundType,
  text: string,
  query: Promise<TextQuery>,
): Promise<Found<Row>> {
  const [numbered, { rows, total }] = await Promise.all([
    entriesNumbered(companyId, type, text, SHOWN),
    query.then(searched => searchNewestEntries(companyId, type, searched, SHOWN)),
  ]);
  const read = ({ body }: { readonly body: string }) => parseDecimalJson<Row>(body);
  return bestOf(numbered.map(read), rows.map(read), total);
}

/** The best rows before the others, of which one more may have been read. */
function bestOf<Row extends { readonly id: string }>(
  best: readonly Row[],
  others: readonly Row[],
  total: number | null,
  hasMore = others.length > SHOWN,
): Found<Row> {
  const rows = [...new Map([...best, ...others].map(row => [row.id, row])).values()];
  return {
    rows: rows.slice(0, SHOWN),
    more: hasMore || rows.length > SHOWN ? { total } : null,
  };
}
