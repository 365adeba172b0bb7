// The forms that create and change a record. They send the API's bodies to the API's use cases.

import { createCustomer, updateCustomer } from '../../customer-records/service.js';
import { customerRequest } from '../../customers/schema.js';
import { searchText } from '../../platform/values/search-text.js';
import type { Permission } from '../../users/roles.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { directForm } from '../kit/forms/plain-form.js';
import type { PageAnswer, PageRequest } from '../kit/page.js';
import { PageHead } from '../kit/ui/components.js';
import { callOf, loadCustomer, toOtherRecord, unlessMerged, writtenBy } from './customer-calls.js';
import { CUSTOMERS, type Customer, customerPath } from './customer-view.js';
import { createBody, customerFields, LIST_ERRORS, patchBody, refuseLostChanges } from './fields.js';
import { CustomerForm } from './form-page.js';
import { ArchivePanel } from './state-panels.js';

const NEW_CUSTOMER = '/customers/new';

/** The new record's form. With ?name= it starts with that name. */
export const newCustomerForm = directForm<Customer>({
  path: NEW_CUSTOMER,
  guard: 'change-customers',
  schema: customerRequest,
  at: LIST_ERRORS,
  wayOn: toOtherRecord,
  once: true,
  initial: ({ query }) => {
    const name = searchText(query.get('name'));
    return newForm(name === '' ? {} : { name });
  },
  send: async request =>
    writtenBy(await createCustomer({ ...callOf(request), body: createBody(request) })),
  done: customer => ({ to: customerPath(customer), flash: `${customer.name} added.` }),
  page: newPage,
});

/** Saves the fields that were changed since the page was opened. */
export const editCustomerForm = directForm<Customer, Permission, Customer>({
  path: `${CUSTOMERS}/:id/edit`,
  guard: 'change-customers',
  schema: customerRequest,
  at: LIST_ERRORS,
  wayOn: toOtherRecord,
  load: loadCustomer,
  initial: unlessMerged(({ loaded }) => newForm(customerFields(loaded))),
  send: async request => {
    const call = { ...callOf(request), body: patchBody(request) };
    const checkCurrent = (body: string) => refuseLostChanges(request, JSON.parse(body) as Customer);
    return JSON.parse(await updateCustomer(call, request.loaded.id, checkCurrent)) as Customer;
  },
  done: ({ name }, { loaded }) => ({ to: customerPath(loaded), flash: `${name} updated.` }),
  page: (state, { loaded, session }) => editPage(loaded, state, session),
});

function newPage(state: FormState, { session }: PageRequest): PageAnswer {
  const body = (
    <>
      <PageHead title="New customer" />
      <CustomerForm state={state} action={NEW_CUSTOMER} id={null} company={session} />
    </>
  );
  return { title: 'New customer', body };
}

function editPage(
  customer: Customer,
  state: FormState,
  session: PageRequest['session'],
): PageAnswer {
  const { id, name, number } = customer;
  const body = (
    <>
      <PageHead title={name} note={number} />
      <CustomerForm
        state={state}
        action={`${customerPath(customer)}/edit`}
        id={id}
        company={session}
      />
      {customer.mergedInto === null && <ArchivePanel customer={customer} />}
    </>
  );
  return { title: `Edit ${name}`, body };
}
