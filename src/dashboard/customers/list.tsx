// The records of customers, by name, with what each one owes.

import { exportCustomers } from '../../customer-records/imports/export.js';
import { isAboveLimit } from '../../customers/credit/credits.js';
import { listCustomers } from '../../customers/queries.js';
import { toUnits } from '../../platform/values/money.js';
import { NOTHING_OWED, type Owed, readOwed } from '../../receivables/owed.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { addressOf, type Filters } from '../kit/lists/filters.js';
import { LIST_ROWS, type ListPage } from '../kit/lists/list-page.js';
import { ButtonLink, Empty, IfMay, Money, MoreMenu } from '../kit/ui/components.js';
import type { ListColumn } from '../kit/ui/list.js';
import { CUSTOMERS, type Customer, CustomerState } from './customer-view.js';

/** The API's filters ?hold=1 and ?archived=1. An address has at most one of them. */
type Name = 'hold' | 'archived';

export interface CustomerRow extends Customer {
  readonly owed: Owed;
}

const COLUMNS: readonly ListColumn<CustomerRow>[] = [
  { head: 'Customer', wraps: true, cell: ({ name }) => name },
  { head: 'Number', wraps: true, cell: ({ number }) => number },
  {
    head: 'Status',
    cell: row => {
      const isOver = !row.archived && isOverLimit(row.creditLimit, row.owed);
      const hasState = row.hold || row.archived || isOver;
      return hasState ? <CustomerState customer={row} isOverLimit={isOver} /> : null;
    },
  },
  { head: 'City', wraps: true, phone: 'hidden', optional: true, cell: cityOf },
  { head: 'E-mail', wraps: true, from: 'wide', optional: true, cell: ({ email }) => email },
  {
    head: 'Overdue',
    align: 'end',
    optional: true,
    cell: ({ owed: { overdue } }) =>
      overdue === '0' ? null : (
        <span class="overdue-figure">
          <Money value={overdue} />
          <span class="phone-only"> overdue</span>
        </span>
      ),
  },
  {
    head: 'Outstanding',
    align: 'end',
    phone: 'figure',
    cell: ({ owed: { outstanding } }) => <Money value={outstanding} />,
  },
];

export const CUSTOMER_LIST: ListPage<CustomerRow, Name> = {
  title: 'Customers',
  path: CUSTOMERS,
  class: 'customer-list',
  cursorName: 'customers-page',
  placeholder: 'Name, number, e-mail or tax ID',
  choices: { hold: ['1'], archived: ['1'] },
  tabsLabel: 'Status',
  tabs: [
    { label: 'All' },
    { label: 'On hold', values: { hold: '1' } },
    { label: 'Archived', values: { archived: '1' } },
  ],
  caption: 'Customers by name',
  columns: () => COLUMNS,
  async read(companyId, filters, start) {
    const { q, hold, archived } = filters;
    const filter = {
      limit: LIST_ROWS,
      hold: hold !== null,
      archived: archived !== null,
      ...(q === null ? {} : { q }),
    };
    const page = await listCustomers(companyId, filter, start?.position);
    const customers = parseDecimalJson<Customer[]>(page.body);
    return { rows: await withOwed(companyId, customers), next: page.next };
  },
  exportRows: (companyId, { q, hold, archived }, format) =>
    exportCustomers(
      companyId,
      { hold: hold !== null, archived: archived !== null, ...(q === null ? {} : { q }) },
      format,
    ),
  async hasHidden(companyId) {
    const archived = { limit: 1, archived: true };
    return String((await listCustomers(companyId, archived, undefined)).body) !== '[]';
  },
  Actions: ({ isEmpty }) => !isEmpty && <ListActions />,
  Nothing: NoCustomers,
  NoMatch,
};

async function withOwed(companyId: string, customers: readonly Customer[]): Promise<CustomerRow[]> {
  const owed = await readOwed(
    companyId,
    customers.map(({ id }) => id),
  );
  return customers.map(customer => ({
    ...customer,
    owed: owed.get(customer.id) ?? NOTHING_OWED,
  }));
}

/** True if a customer owes more than the limit, less what is unallocated. */
export function isOverLimit(
  creditLimit: string | null,
  { outstanding, unallocated }: Owed,
): boolean {
  return (
    creditLimit !== null &&
    isAboveLimit(toUnits(outstanding) - toUnits(unallocated), toUnits(creditLimit))
  );
}

function cityOf({ address }: Customer): string | null {
  return address && (address.city ?? address.country);
}

function ListActions() {
  return (
    <>
      <ButtonLink href={`${CUSTOMERS}/import`} quiet>
        Import
      </ButtonLink>
      <ButtonLink href={`${CUSTOMERS}/new`}>New customer</ButtonLink>
      <IfMay permission="change-customers">
        <MoreMenu>
          <a class="menu-link" href={`${CUSTOMERS}/names`}>
            Not saved as customers
          </a>
        </MoreMenu>
      </IfMay>
    </>
  );
}

function NoCustomers() {
  return (
    <Empty
      title="No customers yet"
      icon="customer"
      actions={
        <>
          <ButtonLink href={`${CUSTOMERS}/new`}>New customer</ButtonLink>
          <ButtonLink href={`${CUSTOMERS}/import`} quiet>
            Import CSV
          </ButtonLink>
          <ButtonLink href={`${CUSTOMERS}/names`} quiet>
            Not saved as customers
          </ButtonLink>
        </>
      }
    >
      <p class="note">
        A customer adds an address, terms, a credit limit and more to a name on your invoices.
        Invoices work with any name.
      </p>
    </Empty>
  );
}

function NoMatch({ filters }: { filters: Filters<Name> }) {
  const { q, hold, archived } = filters;
  if (q !== null)
    return (
      <Empty title={`No customer matches “${q}”`} icon="search">
        <p>
          Try part of the name, number, e-mail address or tax ID.{' '}
          <a href={addressOf(CUSTOMERS, { ...filters, q: null })}>Clear search</a>
        </p>
      </Empty>
    );
  const title =
    hold !== null
      ? 'No customer is on hold'
      : archived !== null
        ? 'No customer is archived'
        : 'All customers are archived';
  return (
    <Empty title={title} icon="customer">
      <p>
        <a href={CUSTOMERS}>Show all customers</a>
      </p>
    </Empty>
  );
}
