// Merging another record into one: the choice of the other, then both side by side.
import { v7 as uuidv7 } from 'uuid';
import { listCustomers } from '../../customers/queries.js';
import { mergeCustomers } from '../../customers/service.js';
import { Problem } from '../../platform/errors.js';
import { isUuid } from '../../platform/values/ids.js';
import { searchText } from '../../platform/values/search-text.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { refusalOf } from '../kit/forms/form.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { idempotencyKeyOf, problemOf } from '../kit/forms/submit-write.js';
import { SearchForm } from '../kit/lists/search-form.js';
import { type Answer, actorOf, type PageAnswer, type PageRequest } from '../kit/page.js';
import { ButtonLink, Empty, PageHead, Panel } from '../kit/ui/components.js';
import { FormActions } from '../kit/ui/field-groups.js';
import { Form, Hidden } from '../kit/ui/fields.js';
import { List } from '../kit/ui/list.js';
import { type Customer, CustomerState, customerPath, getCustomer } from './customer-view.js';
import { FIELD_NAMES, LABELS, textsOf } from './fields.js';
import { ownProblem } from './form.js';
import { shownText } from './history.js';

const CHOICES = 50;

/** With ?with= both records; without it, the records to choose from. */
export async function showMerge({ session, params, query }: PageRequest): Promise<Answer> {
  const { companyId } = session;
  const customer = await getCustomer(companyId, params.id);
  const otherId = query.get('with') ?? '';
  if (!isUuid(otherId)) return choosePage(companyId, customer, searchText(query.get('q')));
  const other = await getCustomer(companyId, otherId);
  return comparePage(customer, other, { ...newForm(), key: uuidv7() });
}

export async function mergeRecord({ session, params, form }: PageRequest): Promise<Answer> {
  const { companyId } = session;
  const customer = await getCustomer(companyId, params.id);
  const otherId = form.get('customerId') ?? '';
  const response = await mergeCustomers(customer.id, {
    companyId,
    changedBy: actorOf(session),
    body: { customerId: otherId },
    idempotencyKey: idempotencyKeyOf(form),
  });
  if ('body' in response)
    return { to: customerPath(customer), flash: `The records are merged into ${customer.name}.` };
  const problem = ownProblem(problemOf(response.problem));
  const message = [...new Set(problem.details.errors?.map(({ detail }) => detail) ?? [])].join(' ');
  const own = message === '' ? problem : new Problem(problem.code, message);
  const { state, answer } = refusalOf(form, own);
  const other = await getCustomer(companyId, otherId);
  return { ...comparePage(customer, other, { ...state, key: uuidv7() }), ...answer };
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
