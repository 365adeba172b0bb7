// Archiving, restoring and deleting a record.
import { deleteCustomer, updateCustomer } from '../../customers/service.js';
import { refusalOf } from '../kit/forms/form.js';
import type { FormState } from '../kit/forms/form-state.js';
import { type Answer, actorOf, type PageAnswer, type PageRequest } from '../kit/page.js';
import { ButtonLink, Money, PageHead, Panel } from '../kit/ui/components.js';
import { FormActions } from '../kit/ui/field-groups.js';
import { Button, Form } from '../kit/ui/fields.js';
import { Alert } from '../kit/ui/first-focus.js';
import { CUSTOMERS, type Customer, customerPath, getCustomer } from './customer-view.js';

/** Below the form of a record: the button that archives or restores it, and a link to delete it. */
export function ArchivePanel({ customer }: { customer: Customer }) {
  const { name, archived } = customer;
  const action = archived ? 'restore' : 'archive';
  return (
    <Panel
      title={archived ? 'Restore or delete' : 'Archive or delete'}
      note={
        archived
          ? 'The record is archived: its terms, tax, limit and hold do not apply.'
          : 'An archived record is hidden from the list. Its terms, tax, limit and hold no ' +
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

export function archiveCustomer(request: PageRequest): Promise<Answer> {
  return setArchived(request, true);
}

export function restoreCustomer(request: PageRequest): Promise<Answer> {
  return setArchived(request, false);
}

async function setArchived(request: PageRequest, archived: boolean): Promise<Answer> {
  const { companyId } = request.session;
  const customer = await getCustomer(companyId, request.params.id);
  const call = { companyId, changedBy: actorOf(request.session), body: { archived } };
  try {
    await updateCustomer(call, customer.id);
  } catch (error) {
    const { state, answer } = refusalOf(request.form, error);
    return { ...refusedPage(customer, error, state), ...answer };
  }
  const flash = `${customer.name} ${archived ? 'archived' : 'restored'}.`;
  return { to: customerPath(customer), flash };
}

function refusedPage(customer: Customer, error: unknown, { message }: FormState): PageAnswer {
  const { outstanding, unallocated } = membersOf(error);
  const title = `${customer.name} is not archived`;
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

function membersOf(error: unknown): { outstanding?: number; unallocated?: number } {
  return (error as { details?: { members?: object } }).details?.members ?? {};
}

export async function showDelete({ session, params }: PageRequest): Promise<Answer> {
  return deletePage(await getCustomer(session.companyId, params.id));
}

export async function removeCustomer(request: PageRequest): Promise<Answer> {
  const { session, params, form } = request;
  const customer = await getCustomer(session.companyId, params.id);
  try {
    await deleteCustomer(session.companyId, customer.id, actorOf(session));
  } catch (error) {
    const { state, answer } = refusalOf(form, error);
    return { ...deletePage(customer, state), ...answer };
  }
  return { to: CUSTOMERS, flash: `${customer.name} deleted.` };
}

function deletePage(customer: Customer, state?: FormState): PageAnswer {
  const path = customerPath(customer);
  const body = (
    <>
      <PageHead title="Delete customer" note={customer.name} />
      <Panel title="Delete" note="It can’t be undone." class="danger-zone" split>
        <p>
          Only a record whose names no invoice and no payment has can be deleted. You can archive
          others.
        </p>
        <Form action={`${path}/delete`} label="Delete" {...(state ? { state } : {})}>
          <FormActions submit="Delete customer" cancel={path} danger />
        </Form>
      </Panel>
    </>
  );
  return { title: 'Delete customer', body };
}
