// Customers for the script of the invoice form: those that match a text, and what the record of a
// name has.
import { renderToString } from 'preact-render-to-string';
import { listCustomers } from '../../../customers/queries.js';
import { searchText } from '../../../platform/values/search-text.js';
import { suggestPlainNames } from '../../../receivables/names-without-record.js';
import type { Customer } from '../../customers/customer-view.js';
import { parseDecimalJson } from '../../kit/decimal-json.js';
import type { ContentAnswer, PageRequest } from '../../kit/page.js';
import type { LimitLeft } from './credit.js';
import { categoryOf, newNameOf, noCustomer, rateOf, readFormCustomer } from './customer.js';
import { CustomerNote } from './customer-note.js';

const RECORDS = 8;
const PLAIN_NAMES = 4;

/** A customer that the form offers. */
export interface OfferedCustomer {
  readonly name: string;
  /** The number and the other names of a record; empty for a plain name. */
  readonly details: string;
}

/** The values that the form takes from the customer that a text means. */
export interface SuggestedTerms {
  /** The name of the record; else the text. */
  readonly name: string;
  readonly termsKey: string;
  readonly termsDays: number | null;
  readonly taxRate: string;
  readonly taxCategory: string;
  readonly taxReason: string;
  /** The match key of a new name; empty for a known one. */
  readonly newName: string;
  readonly credit: LimitLeft | null;
  /** The note for the page, as HTML. */
  readonly note: string;
}

/** The records and then the plain names that match ?q=, or what the text of ?named= means. */
export async function suggestCustomers(request: PageRequest): Promise<ContentAnswer> {
  const { session, query } = request;
  const named = query.get('named');
  const content =
    named === null
      ? await offer(session.companyId, searchText(query.get('q')))
      : await termsOf(session, named);
  return { type: 'json', content: JSON.stringify(content) };
}

async function offer(companyId: string, text: string): Promise<OfferedCustomer[]> {
  if (text === '') return [];
  const [records, names] = await Promise.all([
    listCustomers(companyId, { limit: RECORDS, q: text }, undefined),
    suggestPlainNames(companyId, text, PLAIN_NAMES),
  ]);
  return [
    ...parseDecimalJson<Customer[]>(records.body).map(({ name, number, aliases }) => ({
      name,
      details: [number, ...aliases.slice(0, 2)].join(' · '),
    })),
    ...names.map(name => ({ name, details: '' })),
  ];
}

async function termsOf(session: PageRequest['session'], name: string): Promise<SuggestedTerms> {
  const customer = await readFormCustomer(session, name);
  const { termsKey, settings } = customer ?? noCustomer(session);
  return {
    name: customer?.typed.name ?? '',
    termsKey,
    termsDays: settings.termsDays,
    taxRate: rateOf(settings),
    taxCategory: categoryOf(settings),
    taxReason: settings.defaultTaxReason ?? '',
    newName: newNameOf(customer),
    credit: customer?.credit ?? null,
    note: renderToString(<CustomerNote customer={customer} currency={session.currency} />),
  };
}
