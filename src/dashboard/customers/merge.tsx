// Merging another record into one: the choice of the other, then both side by side.

import { mergeCustomers } from '../../customer-records/service.js';
import { listCustomers } from '../../customers/queries.js';
import { Problem } from '../../platform/errors.js';
import { isUuid } from '../../platform/values/ids.js';
import { searchText } from '../../platform/values/search-text.js';
import type { Permission } from '../../users/roles.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { directForm } from '../kit/forms/plain-form.js';
import { SearchForm } from '../kit/lists/search-form.js';
import type { PageAnswer } from '../kit/page.js';
import { ButtonLink, Empty, PageHead, Panel } from '../kit/ui/components.js';
import { FormActions } from '../kit/ui/field-groups.js';
import { Form, Hidden } from '../kit/ui/fields.js';
import { List } from '../kit/ui/list.js';
import { callOf, loadCustomer, writtenBy } from './customer-calls.js';
import {
  CUSTOMERS,
  type Customer,
  CustomerState,
  customerPath,
  getCustomer,
} from './customer-view.js';
import { FIELD_NAMES, LABELS, textsOf } from './fields.js';
import { shownText } from './history.js';

const CHOICES = 50;

/** With ?with= both records; without it, the records to choose from. */
export const mergeForm = directForm<Customer, Permission, Customer>({
  path: `${CUSTOMERS}/:id/merge`,
  guard: 'change-customers',
  once: true,
  load: loadCustomer,
  initial: ({ session, query, loaded }) =>
    isUuid(query.get('with') ?? '')
      ? newForm()
      : choosePage(session.companyId, loaded, searchText(query.get('q'))),
  send: async request => {
    const customerId = request.form.get('customerId') ?? '';
    const call = { ...callOf(request), body: { customerId } };
    return sayAtOnce(async () => writtenBy(await mergeCustomers(request.loaded.id, call)));
  },
  done: (_, { loaded }) => ({
    to: customerPath(loaded),
    flash: `The records are merged into ${loaded.name}.`,
  }),
  page: async (state, { session, query, form, loaded }) => {
    const otherId = form.get('customerId') ?? query.get('with') ?? '';
    return comparePage(loaded, await getCustomer(session.companyId, otherId), state);
  },
});

/** The form has no fields, so the errors of fields become its message. */
async function sayAtOnce<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const errors = error instanceof Problem ? (error.details.errors ?? []) : [];
    if (!(error instanceof Problem) || errors.length === 0) throw error;
    throw new Problem(error.code, [...new Set(errors.map(({ detail }) => detail))].join(' '));
  }
}

async function choosePage(
  companyId: string,
  customer: Customer,
  text: string,
): Promise<PageAnswer> {
  const path = `${customerPath(customer)}/merge`;
  const filter = { limit: CHOICES + 1, ...(text === '' ? {} : { q: text }) };
  const { body: found } = await listCustomers(companyId, filter, undefined);
  const others = parseDecimalJson<Customer[]>(found).filter(({ id }) => id !== customer.id);
  const body = (
    <>
      <PageHead
        title="Merge customers"
        note={`Choose the record that ends. Its names become names of ${customer.name}.`}
      >
        <ButtonLink href={customerPath(customer)} quiet>
          Cancel
        </ButtonLink>
      </PageHead>
      <div class="filters">
        <SearchForm
          path={path}
          text={text === '' ? null : text}
          placeholder="Name, number, e-mail or tax ID"
          autofocus
        />
      </div>
      {others.length === 0 ? (
        <Empty title="No other customer found" icon="search" />
      ) : (
        <div class="panel list-panel">
          <List
            caption="Customers to merge"
            rows={others.slice(0, CHOICES)}
            hrefOf={({ id }) => `${path}?with=${id}`}
            columns={[
              { head: 'Customer', wraps: true, cell: ({ name }) => name },
              { head: 'Status', cell: row => <CustomerState customer={row} /> },
              { head: 'Number', wraps: true, phone: 'figure', cell: ({ number }) => number },
            ]}
          />
        </div>
      )}
    </>
  );
  return { title: 'Merge customers', body };
}

function comparePage(customer: Customer, other: Customer, state: FormState): PageAnswer {
  const path = `${customerPath(customer)}/merge`;
  const body = (
    <>
      <PageHead title="Merge customers">
        <ButtonLink href={`${customerPath(other)}/merge?with=${customer.id}`} quiet>
          Swap
        </ButtonLink>
      </PageHead>
      <div class="panel">
        <Comparison customer={customer} other={other} />
      </div>
      <Panel title="Merge" note="It can’t be undone." class="danger-zone" split>
        <p>
          <strong>{other.name}</strong> ends. Its names become names of{' '}
          <strong>{customer.name}</strong>, with all invoices and payments. {customer.name} keeps
          its own values. The other ones remain in the history only.
        </p>
        <Form action={path} state={state} label="Merge">
          <Hidden name="customerId" value={other.id} />
          <FormActions submit="Merge customers" cancel={path} danger />
        </Form>
      </Panel>
    </>
  );
  return { title: 'Merge customers', body };
}

/** The fields that one of them has. */
function Comparison({ customer, other }: { customer: Customer; other: Customer }) {
  const [own, others] = [textsOf(customer), textsOf(other)];
  const rows = FIELD_NAMES.filter(name => own.has(name) || others.has(name));
  return (
    <table class="comparison">
      <caption class="unseen">Both records</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">Field</span>
          </th>
          <th scope="col">Remains</th>
          <th scope="col">Ends</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(name => (
          <tr key={name}>
            <th scope="row">{LABELS[name]}</th>
            <td>{shownText(name, own.get(name) ?? '') || '–'}</td>
            <td>{shownText(name, others.get(name) ?? '') || '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
