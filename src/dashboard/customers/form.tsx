// The forms that create and change a record. They send the API's bodies to the API's use cases.
import { v7 as uuidv7 } from 'uuid';
import { createCustomer, updateCustomer } from '../../customers/service.js';
import { Problem } from '../../platform/errors.js';
import type { FormFields } from '../../platform/http/input/form-fields.js';
import { searchText } from '../../platform/values/search-text.js';
import { refusalOf } from '../kit/forms/form.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { idempotencyKeyOf, problemOf, REUSED } from '../kit/forms/submit-write.js';
import { type Answer, actorOf, type PageAnswer, type PageRequest } from '../kit/page.js';
import { PageHead } from '../kit/ui/components.js';
import { type Customer, customerPath, getCustomer } from './customer-view.js';
import { createBody, fieldsOf, patchBody, withListErrors } from './fields.js';
import { CustomerForm } from './form-page.js';
import { ArchivePanel } from './state-panels.js';

export const NEW_CUSTOMER = '/customers/new';

/** The empty form. With ?name= it has that name. */
export function showNewCustomer({ query }: PageRequest): Answer {
  const name = searchText(query.get('name'));
  return newPage({ ...newForm(name === '' ? {} : { name }), key: uuidv7() }, null);
}

export async function addCustomer({ session, form }: PageRequest): Promise<Answer> {
  const response = await createCustomer({
    companyId: session.companyId,
    changedBy: actorOf(session),
    body: createBody(form),
    idempotencyKey: idempotencyKeyOf(form),
  });
  if ('body' in response) {
    const { id, name } = JSON.parse(response.body) as Customer;
    return { to: customerPath({ id }), flash: `${name} added.` };
  }
  const { existingId = null } = response.problem as { existingId?: string };
  return refused(form, ownProblem(problemOf(response.problem)), state =>
    newPage({ ...state, key: uuidv7() }, existingId),
  );
}

/** The Problem of a customer's write in the words of a form. */
export function ownProblem(problem: Problem): Problem {
  return problem.code === 'idempotency_key_reused'
    ? new Problem('validation_failed', REUSED)
    : problem;
}

export async function showEditCustomer({ session, params }: PageRequest): Promise<Answer> {
  const customer = await getCustomer(session.companyId, params.id);
  return editPage(customer, newForm(fieldsOf(customer)));
}

/** Saves the fields that were changed since the page was opened. */
export async function editCustomer({ session, params, form }: PageRequest): Promise<Answer> {
  const { companyId } = session;
  const customer = await getCustomer(companyId, params.id);
  const call = { companyId, changedBy: actorOf(session), body: patchBody(form) };
  try {
    const { name } = JSON.parse(await updateCustomer(call, customer.id)) as Customer;
    return { to: customerPath(customer), flash: `${name} updated.` };
  } catch (error) {
    const existingId = error instanceof Problem ? error.details.members?.existingId : undefined;
    return refused(form, error, state =>
      editPage(customer, state, typeof existingId === 'string' ? existingId : null),
    );
  }
}

function refused(
  form: FormFields,
  error: unknown,
  page: (state: FormState) => PageAnswer,
): PageAnswer {
  const { state, answer } = refusalOf(form, error);
  return { ...page({ ...state, errors: withListErrors(state.errors) }), ...answer };
}

function newPage(state: FormState, existingId: string | null): PageAnswer {
  const body = (
    <>
      <PageHead title="New customer" />
      <CustomerForm state={state} action={NEW_CUSTOMER} id={null} existingId={existingId} />
    </>
  );
  return { title: 'New customer', body };
}

function editPage(
  customer: Customer,
  state: FormState,
  existingId: string | null = null,
): PageAnswer {
  const { id, name, number } = customer;
  const body = (
    <>
      <PageHead title={name} note={number} />
      <CustomerForm
        state={state}
        action={`${customerPath(customer)}/edit`}
        id={id}
        existingId={existingId}
      />
      <ArchivePanel customer={customer} />
    </>
  );
  return { title: `Edit ${name}`, body };
}
