// Merging another record into one: the choice of the other, then both side by side.

import { mergeCustomers } from '../../customer-records/service.js';
import { listCustomers } from '../../customers/queries.js';
import { Problem } from '../../platform/errors.js';
import { isUuid } from '../../platform/values/ids.js';
import { searchText } from '../../platform/values/search-text.js';
import { countInvoicesOf, NOTHING_OWED, type Owed, readOwed } from '../../receivables/owed.js';
import type { Permission } from '../../users/roles.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { directForm } from '../kit/forms/plain-form.js';
import { SearchForm } from '../kit/lists/search-form.js';
import type { PageAnswer } from '../kit/page.js';
import { ButtonLink, Empty, Money, PageHead, Panel } from '../kit/ui/components.js';
import { FormActions } from '../kit/ui/field-groups.js';
import { Form, Hidden } from '../kit/ui/fields.js';
import { formatQuantity } from '../kit/ui/format.js';
import { List } from '../kit/ui/list.js';
import { callOf, loadCustomer, toOtherRecord, unlessMerged, writtenBy } from './customer-calls.js';
import {
  CUSTOMERS,
  type Customer,
  CustomerState,
  customerPath,
  getCustomer,
  getOwnCustomer,
} from './customer-view.js';
import { FIELD_NAMES, LABELS, textsOf } from './fields.js';
import { shownText } from './history.js';

const CHOICES = 50;
/** Invoices of a customer that are counted exactly. */
const MAX_COUNT = 10_000;

/** With ?with= both records; without it, the records to choose from. */
export const mergeForm = directForm<Customer, Permission, Customer>({
  path: `${CUSTOMERS}/:id/merge`,
  guard: 'change-customers',
  once: true,
  load: loadCustomer,
  wayOn: toOtherRecord,
  initial: unlessMerged(async ({ session: { companyId }, query, loaded }) => {
    const chosen = query.get('with') ?? '';
    const other = isUuid(chosen) ? await getCustomer(companyId, chosen) : null;
    return other === null || other.id === loaded.id
      ? choosePage(companyId, loaded, searchText(query.get('q')))
      : newForm();
  }),
  send: async request => {
    const customerId = request.form.get('customerId') ?? '';
    const call = { ...callOf(request), body: { customerId } };
    return sayAtOnce(async () => writtenBy(await mergeCustomers(request.loaded.id, call)));
  },
  done: (_, { loaded }) => ({
    to: customerPath(loaded),
    flash: `The customers are merged into ${loaded.name}.`,
  }),
  page: async (state, { session: { companyId }, query, form, loaded }) => {
    const sentId = form.get('customerId');
    const other =
      sentId === null
        ? await getCustomer(companyId, query.get('with') ?? '')
        : await getOwnCustomer(companyId, sentId);
    const both = await Promise.all([loaded, other].map(each => readMerged(companyId, each)));
    return comparePage(both as [MergedCustomer, MergedCustomer], state);
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
        note={`Choose the duplicate. Its invoices and payments move to ${customer.name}.`}
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

interface MergedCustomer {
  readonly customer: Customer;
  readonly owed: Owed;
  readonly invoices: number;
}

async function readMerged(companyId: string, customer: Customer): Promise<MergedCustomer> {
  const { id } = customer;
  const [owed, invoices] = await Promise.all([
    readOwed(companyId, [id]),
    countInvoicesOf(companyId, id, MAX_COUNT),
  ]);
  return { customer, owed: owed.get(id) ?? NOTHING_OWED, invoices };
}

function comparePage(
  both: readonly [MergedCustomer, MergedCustomer],
  state: FormState,
): PageAnswer {
  const [{ customer }, { customer: other }] = both;
  const path = `${customerPath(customer)}/merge`;
  const body = (
    <>
      <PageHead title="Merge customers">
        <ButtonLink href={`${customerPath(other)}/merge?with=${customer.id}`} quiet>
          Swap
        </ButtonLink>
      </PageHead>
      <div class="panel">
        <Comparison both={both} />
      </div>
      <Panel title="Merge" note="It can’t be undone." class="danger-zone" split>
        <p>
          All invoices and payments of <strong>{other.name}</strong> move to{' '}
          <strong>{customer.name}</strong>, and its names become other names of {customer.name},
          which keeps its own values. Those of the duplicate remain in the history only.
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

/** The documents that move, and the fields that one of the two has. */
function Comparison({ both }: { both: readonly [MergedCustomer, MergedCustomer] }) {
  const texts = both.map(({ customer }) => textsOf(customer));
  const { currency } = both[0].customer;
  const rows = FIELD_NAMES.filter(name => texts.some(each => each.has(name)));
  return (
    <table class="comparison">
      <caption class="unseen">Both customers</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">Field</span>
          </th>
          <th scope="col">Keep</th>
          <th scope="col">Duplicate</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Outstanding</th>
          {both.map(({ customer, owed }) => (
            <td key={customer.id}>
              <Money value={owed.outstanding} />
            </td>
          ))}
        </tr>
        <tr>
          <th scope="row">Invoices</th>
          {both.map(({ customer, invoices }) => (
            <td key={customer.id}>
              {invoices > MAX_COUNT
                ? `More than ${formatQuantity(MAX_COUNT)}`
                : formatQuantity(invoices)}
            </td>
          ))}
        </tr>
        {rows.map(name => (
          <tr key={name}>
            <th scope="row">{LABELS[name]}</th>
            {both.map(({ customer }, index) => (
              <td key={customer.id}>
                {shownText(name, texts[index]?.get(name) ?? '', currency) || '–'}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
