// The calls of the API's use cases that the forms of a record make.
import type { StoredResponse } from '../../jobs/stored-responses.js';
import { Problem } from '../../platform/errors.js';
import { idempotencyKeyOf, problemOf, REUSED } from '../kit/forms/submit-write.js';
import { actorOf, type PageRequest } from '../kit/page.js';
import { type Customer, getCustomer } from './customer-view.js';

/** The record of the address. Throws Problem `not_found`. */
export function loadCustomer({ session, params }: PageRequest): Promise<Customer> {
  return getCustomer(session.companyId, params.id);
}

/** The part of a customer's write that each form has. */
export function callOf({ session, form }: PageRequest) {
  return {
    companyId: session.companyId,
    changedBy: actorOf(session),
    idempotencyKey: idempotencyKeyOf(form),
  };
}

/** The record of a response. Throws the Problem of a refusal in the words of a form. */
export function writtenBy(response: StoredResponse): Customer {
  if ('body' in response) return JSON.parse(response.body) as Customer;
  const problem = problemOf(response.problem);
  throw problem.code === 'idempotency_key_reused'
    ? new Problem('validation_failed', REUSED)
    : problem;
}
