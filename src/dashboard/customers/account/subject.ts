// The customer of an account: a record, or a plain name that no record has. Both have the same
// pages, below /customers/:id and below /customers/name.

import { notFound } from '../../../platform/errors.js';
import { searchText } from '../../../platform/values/search-text.js';
import { findByName, findRecord } from '../../../receivables/customer.js';
import { addressOf } from '../../kit/lists/filters.js';
import { type Answer, type PageRequest, uuidOr404 } from '../../kit/page.js';
import { CUSTOMERS, type Customer, getCustomer } from '../customer-view.js';
import { meantName } from '../typed-customer.js';

export interface Subject {
  /** Null for a plain name. */
  readonly customer: Customer | null;
  readonly name: string;
  /** The match keys of its invoices and entries. */
  readonly keys: readonly string[];
}

/** A page below the account's own, such as /print, or the page itself. */
export function accountPath(
  { customer, name }: Pick<Subject, 'customer' | 'name'>,
  page = '',
  parameters: object = {},
): string {
  return customer === null
    ? addressOf(`${CUSTOMERS}/name${page}`, { name, ...parameters })
    : addressOf(`${CUSTOMERS}/${customer.id}${page}`, parameters);
}

/**
 * Answers with the account that the address names. The address of a merged record, or of a name
 * that a record has, leads to the record. Throws Problem `not_found`.
 */
export async function withSubject(
  request: PageRequest,
  answer: (subject: Subject) => Promise<Answer>,
): Promise<Answer> {
  const { params, query } = request;
  return params.id === undefined
    ? ofName(request, answer, searchText(query.get('name')))
    : ofRecord(request, answer, uuidOr404('customer', params.id));
}

async function ofRecord(
  request: PageRequest,
  answer: (subject: Subject) => Promise<Answer>,
  id: string,
): Promise<Answer> {
  const { companyId } = request.session;
  const [customer, found] = await Promise.all([
    getCustomer(companyId, id),
    findRecord(companyId, id),
  ]);
  if (customer.id !== id) return { to: sameAddress(request, customer) };
  return answer({ customer, name: customer.name, keys: found?.keys ?? [] });
}

async function ofName(
  request: PageRequest,
  answer: (subject: Subject) => Promise<Answer>,
  name: string,
): Promise<Answer> {
  const { companyId } = request.session;
  const meant = await meantName(companyId, name);
  const found = meant === '' ? null : await findByName(companyId, meant);
  if (!found) throw notFound('customer');
  const { id, keys } = found;
  return id === null
    ? answer({ customer: null, name: found.name, keys })
    : { to: sameAddress(request, { id }) };
}

/** The address of the request, of this record. */
export function sameAddress({ path, query }: PageRequest, { id }: { readonly id: string }): string {
  const page = path.replace(/^\/customers\/[^/]+/u, '');
  const { name: _name, ...parameters } = Object.fromEntries(query);
  return addressOf(`${CUSTOMERS}/${id}${page}`, parameters);
}
