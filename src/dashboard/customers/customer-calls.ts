// The calls of the API's use cases that the forms of a record make.
import type { StoredResponse } from '../../jobs/stored-responses.js';
import { Problem } from '../../platform/errors.js';
import type { WayOn } from '../kit/forms/error-places.js';
import type { FormState } from '../kit/forms/form-state.js';
import type { FormRequest, MaybePromise } from '../kit/forms/plain-form.js';
import { idempotencyKeyOf, problemOf, REUSED } from '../kit/forms/submit-write.js';
import { type Answer, actorOf, type PageRequest } from '../kit/page.js';
import { sameAddress } from './account/subject.js';
import { type Customer, customerPath, getCustomer, getOwnCustomer } from './customer-view.js';

/**
 * The record of the address, even if it is merged: a form that was opened before the merge must
 * not change the record that remains. Throws Problem `not_found`.
 */
export function loadCustomer({ session, params }: PageRequest): Promise<Customer> {
  return getOwnCustomer(session.companyId, params.id);
}

/** The start of a form. The address of a merged record leads to the record that remains. */
export function unlessMerged(
  start: (request: FormRequest<Customer>) => MaybePromise<FormState | Answer>,
) {
  return async (request: FormRequest<Customer>): Promise<FormState | Answer> => {
    const { session, loaded } = request;
    if (loaded.mergedInto === null) return start(request);
    return { to: sameAddress(request, await getCustomer(session.companyId, loaded.id)) };
  };
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

/** Leads to the record that has a refused value, or that a merged one is part of. */
export function toOtherRecord({ details: { members = {}, errors = [] } }: Problem): WayOn | null {
  const { existingId, mergedInto } = members;
  if (typeof mergedInto === 'string')
    return { href: customerPath({ id: mergedInto }), text: 'Open the remaining customer' };
  const [id] = [existingId, ...errors.map(each => each.existingId)].filter(
    each => typeof each === 'string',
  );
  return id === undefined
    ? null
    : { href: customerPath({ id }), text: 'Open the customer with it' };
}
