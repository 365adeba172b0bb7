// Names of invoices and payments without a record, and records for those that are ticked.
import { createCustomers } from '../../customer-records/service.js';
import { Problem } from '../../platform/errors.js';
import type { Cursors } from '../../platform/http/pagination.js';
import {
  listUnrecordedNames,
  type UnrecordedName,
} from '../../receivables/names-without-record.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { directForm } from '../kit/forms/plain-form.js';
import type { PageAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink, Empty, Money, PageHead, Pager } from '../kit/ui/components.js';
import { Button, Form } from '../kit/ui/fields.js';
import { formatCount } from '../kit/ui/format.js';
import { Table } from '../kit/ui/list.js';
import { callOf } from './customer-calls.js';
import { CUSTOMERS, namePath } from './customer-view.js';

export const NAMES_PATH = `${CUSTOMERS}/names`;
/** Also the most records that are created at once. */
const NAMES = 100;
const CURSOR = 'names-without-record';

/** Creates a record for each ticked name. One that has a record by now is left as it is. */
export const namesForm = (cursors: Cursors) =>
  directForm({
    path: NAMES_PATH,
    guard: 'change-customers',
    once: true,
    initial: () => newForm(),
    send: request => {
      const names = request.form.getAll('names[]');
      if (names.length === 0) throw new Problem('validation_failed', 'Tick at least one name.');
      if (names.length > NAMES)
        throw new Problem('validation_failed', `Tick at most ${NAMES} names.`);
      return createCustomers(
        callOf(request),
        names.map(name => ({ name })),
      );
    },
    done: responses => {
      const created = responses.filter(response => 'body' in response).length;
      const rest = responses.length - created;
      const left = rest === 0 ? '' : ` Already saved: ${formatCount(rest, 'name')}.`;
      return { to: NAMES_PATH, flash: `${formatCount(created, 'customer')} saved.${left}` };
    },
    page: (state, request) => namesPage(request, cursors, state),
  });

async function namesPage(
  { session, query }: PageRequest,
  cursors: Cursors,
  state: FormState,
): Promise<PageAnswer> {
  const { companyId } = session;
  const [after = ''] = cursors.position(companyId, CURSOR, query.get('cursor') ?? undefined) ?? [];
  const { rows, next } = await listUnrecordedNames(companyId, { after, limit: NAMES });
  const body = (
    <>
      <PageHead
        title="Not saved as customers"
        note="Names on invoices and payments that no customer has."
      >
        <ButtonLink href={CUSTOMERS} quiet>
          All customers
        </ButtonLink>
      </PageHead>
      {rows.length === 0 ? (
        <NoNames hasMore={next !== null} />
      ) : (
        <Names rows={rows} state={state} />
      )}
      <Pager
        first={after === '' ? null : NAMES_PATH}
        next={
          next === null ? null : `${NAMES_PATH}?cursor=${cursors.cursor(companyId, CURSOR, [next])}`
        }
      />
    </>
  );
  return { title: 'Not saved as customers', body };
}

function NoNames({ hasMore }: { hasMore: boolean }) {
  return (
    <Empty
      title={hasMore ? 'Every name on this page is saved' : 'Every name is saved as a customer'}
      icon="customer"
    >
      {hasMore && <p class="note">Continue with the next page.</p>}
    </Empty>
  );
}

function Names({ rows, state }: { rows: readonly UnrecordedName[]; state: FormState }) {
  const ticked = new Set(state.values.getAll('names[]'));
  return (
    <Form action={NAMES_PATH} state={state} label="Save as customers" wide>
      <div class="panel">
        <Table
          caption="Names not saved as customers"
          rows={rows}
          columns={[
            {
              head: 'Name',
              cell: ({ key, name }) => (
                <label class="name-choice">
                  <input
                    type="checkbox"
                    name="names[]"
                    value={name}
                    checked={ticked.has(name)}
                    key={key}
                  />
                  <span class="wraps">{name}</span>
                </label>
              ),
            },
            { head: 'Invoices', align: 'end', cell: ({ invoices }) => invoices },
            { head: 'Payments', align: 'end', cell: ({ payments }) => payments },
            {
              head: 'Outstanding',
              align: 'end',
              cell: ({ outstanding }) => <Money value={outstanding} />,
            },
            {
              head: 'Account',
              cell: ({ name }) => (
                <a href={namePath(name)}>
                  Open<span class="unseen"> {name}</span>
                </a>
              ),
            },
          ]}
        />
      </div>
      <div class="actions">
        <Button>Save ticked names as customers</Button>
      </div>
    </Form>
  );
}
