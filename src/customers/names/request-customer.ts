// The customer of a request: by the name, the id or the number of a record. The schema checks the
// fields by themselves; a body may be invalid.
import type { FieldError } from '../../platform/errors.js';
import { fieldError } from '../../platform/field-errors.js';
import { isUuid } from '../../platform/values/ids.js';
import { matchKey, possibleCode, possibleText } from '../../platform/values/text.js';
import { MAX_CUSTOMER_NAME } from '../schema.js';
import { readRemaining } from './names.js';
import {
  type CustomerTerms,
  findKnownName,
  type NumberedRecord,
  TERMS_COLUMNS,
  type TermsState,
} from './terms.js';

/** The members of a body that name its customer. */
const CUSTOMER_MEMBERS = ['customerName', 'customerId', 'customerNumber'] as const;
type CustomerMembers = { readonly [Member in (typeof CUSTOMER_MEMBERS)[number]]?: unknown };

export interface RequestCustomer {
  /** The record that was named by id or number: its name, and the member that named it. */
  readonly record?: { readonly name: string; readonly member: 'customerId' | 'customerNumber' };
  /** The terms of the customer's record; null without one, or if it has none. */
  readonly terms: CustomerTerms | null;
  readonly errors: readonly FieldError[];
}

interface RecordRow extends CustomerTerms {
  readonly name: string;
  readonly archived: boolean;
}

const MAX_NUMBER = 30;
const UNNAMED: RequestCustomer = { terms: null, errors: [] };

/** True if the body names its customer by a record's id or number. */
export function namesRecord(body: unknown): boolean {
  const { customerId, customerNumber } = (body ?? {}) as CustomerMembers;
  return customerId != null || customerNumber != null;
}

/** The customers of requests, in their order. A company without records reads nothing. */
export async function findRequestCustomers(
  company: TermsState,
  bodies: readonly unknown[],
): Promise<RequestCustomer[]> {
  const requests = bodies.map(body => (body ?? {}) as CustomerMembers);
  const [ids, numbers] = [requests.flatMap(idOf), requests.flatMap(numberKeyOf)];
  if (ids.length + numbers.length === 0 && company.customerCount === 0)
    return requests.map(request => ({ ...UNNAMED, errors: severalNamed(request) }));
  const columns = `c.name, c.archived, ${TERMS_COLUMNS}`;
  const [byId, byNumber] = await Promise.all([
    readRemaining<RecordRow>(company.companyId, 'id', ids, columns),
    readRemaining<RecordRow>(company.companyId, 'number_key', numbers, columns),
  ]);
  return Promise.all(
    requests.map(async request => {
      const [id] = idOf(request);
      const [number] = numberKeyOf(request);
      const named =
        id !== undefined
          ? fromRecord(byId.get(id), 'customerId')
          : number !== undefined
            ? fromRecord(byNumber.get(number), 'customerNumber')
            : await byName(company, request);
      return { ...named, errors: [...severalNamed(request), ...named.errors] };
    }),
  );
}

/** Its only element is a valid id. */
function idOf({ customerId }: CustomerMembers): string[] {
  return typeof customerId === 'string' && isUuid(customerId) ? [customerId.toLowerCase()] : [];
}

/** Its only element is the match key of a valid number. */
function numberKeyOf({ customerNumber }: CustomerMembers): string[] {
  const number = possibleCode(customerNumber, MAX_NUMBER);
  return number === null ? [] : [matchKey(number)];
}

function fromRecord(
  record: RecordRow | undefined,
  member: 'customerId' | 'customerNumber',
): RequestCustomer {
  if (!record || record.archived)
    return { terms: null, errors: [fieldError([member], 'unknown_customer')] };
  const { name, termsDays, tax } = record;
  return { record: { name, member }, terms: { termsDays, tax }, errors: [] };
}

async function byName(
  company: TermsState,
  { customerName }: CustomerMembers,
): Promise<RequestCustomer> {
  const name = possibleText(customerName, MAX_CUSTOMER_NAME);
  if (name === null) return UNNAMED;
  const { terms, numberOf } = await findKnownName(company, matchKey(name));
  return { terms, errors: numberOf ? [numberAsName(numberOf)] : [] };
}

/** The number alone would make a second customer without terms, limit or hold. */
function numberAsName({ id, name, archived }: NumberedRecord): FieldError {
  const sentence = archived
    ? `This is the number of ${name}, which is archived. Restore the record first.`
    : `This is the number of ${name}. Send it as customerNumber.`;
  return { ...fieldError(['customerName'], 'invalid_value', sentence), existingId: id };
}

function severalNamed(request: CustomerMembers): FieldError[] {
  const present = CUSTOMER_MEMBERS.filter(member => request[member] != null);
  if (present.length < 2) return [];
  const at = present.includes('customerName') ? 'customerName' : 'customerNumber';
  return [fieldError([at], 'invalid_value', { present })];
}
