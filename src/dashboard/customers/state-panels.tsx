// Archiving, restoring and deleting a record.
import { deleteCustomer, updateCustomer } from '../../customer-records/service.js';
import type { Permission } from '../../users/roles.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { directForm } from '../kit/forms/plain-form.js';
import { actorOf, type PageAnswer } from '../kit/page.js';
import { ButtonLink, Money, PageHead, Panel } from '../kit/ui/components.js';
import { FormActions } from '../kit/ui/field-groups.js';
import { Button, Form } from '../kit/ui/fields.js';
import { Alert } from '../kit/ui/first-focus.js';
import { callOf, loadCustomer, toOtherRecord, unlessMerged } from './customer-calls.js';
import { CUSTOMERS, type Customer, customerPath } from './customer-view.js';

/** Below the form of a record: the button that archives or restores it, and a link to delete it. */
export function ArchivePanel({ customer }: { customer: Customer }) {
  const { name, archived } = customer;
  const action = archived ? 'restore' : 'archive';
  return (
    <Panel
      title={archived ? 'Restore or delete' : 'Archive or delete'}
      note={
        archived
          ? 'The customer is archived: its terms, tax, limit and hold do not apply.'
          : 'An archived customer is hidden from the list. Its terms, tax, limit and hold no ' +
            'longer apply. Nothing may be due or unallocated.'
      }
      split
    >
      <div class="row">
        <Form action={`${customerPath(customer)}/${action}`} inline>
          <Button quiet about={name}>
            {archived ? 'Restore customer' : 'Archive customer'}
          </Button>
        </Form>
        <ButtonLink href={`${customerPath(customer)}/delete`} quiet>
          Delete…
        </ButtonLink>
      </div>
    </Panel>
  );
}

const archivingForm = (action: 'archive' | 'restore') =>
  directForm<string, Permission, Customer>({
    path: `${CUSTOMERS}/:id/${action}`,
    guard: 'change-customers',
    load: loadCustomer,
    send: request => {
      const call = { ...callOf(request), body: { archived: action === 'archive' } };
      return updateCustomer(call, request.loaded.id);
    },
    done: (_, { loaded }) => ({ to: customerPath(loaded), flash: `${loaded.name} ${action}d.` }),
    page: (state, { loaded }) => refusedPage(loaded, action, state),
  });

export const archiveForms = [...archivingForm('archive'), ...archivingForm('restore')];

function refusedPage(
  customer: Customer,
  action: 'archive' | 'restore',
  { message, refusal }: FormState,
): PageAnswer {
  const { outstanding, unallocated } = refusal?.details.members ?? {};
  const title = `${customer.name} is not ${action}d`;
  const body = (
    <>
      <PageHead title={title}>
        <ButtonLink href={customerPath(customer)}>Open customer</ButtonLink>
      </PageHead>
      <Alert>{message ?? ''}</Alert>
      {outstanding !== undefined && (
        <p>
          Outstanding: <Money value={String(outstanding)} />. Unallocated:{' '}
          <Money value={String(unallocated)} />.
        </p>
      )}
    </>
  );
  return { title, body };
}

export const deleteForm = directForm<void, Permission, Customer>({
  path: `${CUSTOMERS}/:id/delete`,
  guard: 'change-customers',
  load: loadCustomer,
  wayOn: toOtherRecord,
  initial: unlessMerged(() => newForm()),
  send: ({ session, loaded }) => deleteCustomer(session.companyId, loaded.id, actorOf(session)),
  done: (_, { loaded }) => ({ to: CUSTOMERS, flash: `${loaded.name} deleted.` }),
  page: (state, { loaded }) => deletePage(loaded, state),
});

function deletePage(customer: Customer, state: FormState): PageAnswer {
  const path = customerPath(customer);
  const body = (
    <>
      <PageHead title="Delete customer" note={customer.name} />
      <Panel title="Delete" note="It can’t be undone." class="danger-zone" split>
        <p>Only a customer without invoices and payments can be deleted. You can archive others.</p>
        <Form action={`${path}/delete`} state={state} label="Delete">
          <FormActions submit="Delete customer" cancel={path} danger />
        </Form>
      </Panel>
    </>
  );
  return { title: 'Delete customer', body };
}
