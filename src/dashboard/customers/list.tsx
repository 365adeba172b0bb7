// The records of customers, by name, with what each one owes.

import { exportCustomers } from '../../customer-records/imports/export.js';
import { isAboveLimit } from '../../customers/credit/credits.js';
import { customerBodies, listCustomers } from '../../customers/queries.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import { listOwingCustomers, type OwingFilter } from '../../receivables/customer-list.js';
import type { Owed } from '../../receivables/owed.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { addressOf, type Filters } from '../kit/lists/filters.js';
import type { ListPage } from '../kit/lists/list-page.js';
import { LIST_ROWS } from '../kit/lists/ordered-list.js';
import { type ColumnOrders, sortLink } from '../kit/lists/sorts.js';
import { ButtonLink, Empty, IfMay, Money, MoreMenu } from '../kit/ui/components.js';
import type { ListColumn } from '../kit/ui/list.js';
import { CUSTOMERS, type Customer, CustomerState } from './customer-view.js';

/** Filters as in the API, of which an address has at most one, and the order. */
type Name = 'hold' | 'archived' | 'overdue' | 'overLimit' | 'sort';

export interface CustomerRow extends Customer {
  readonly owed: Owed;
}

function columnsOf(filters: Filters<Name>): readonly ListColumn<CustomerRow>[] {
  const sortBy = (orders: ColumnOrders) => sortLink(CUSTOMERS, filters, orders, 'sort');
  return [
    { head: 'Customer', wraps: true, cell: ({ name }) => name, sort: sortBy({ ascending: null }) },
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
      head: 'Credit limit',
      align: 'end',
      phone: 'hidden',
      from: filters.overLimit === null ? 'wide' : 'medium',
      optional: true,
      cell: ({ creditLimit }) => creditLimit && <Money value={creditLimit} />,
    },
    ...(filters.overLimit === null ? [] : [OVER_LIMIT]),
    {
      head: 'Overdue',
      align: 'end',
      sort: sortBy({ descending: 'overdue' }),
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
      sort: sortBy({ descending: 'outstanding' }),
    },
  ];
}

/** How far a customer's balance is above the credit limit. */
const OVER_LIMIT: ListColumn<CustomerRow> = {
  head: 'Over by',
  align: 'end',
  cell: ({ creditLimit, owed: { outstanding, unallocated } }) =>
    creditLimit && (
      <span class="overdue-figure">
        <Money
          value={fromUnits(toUnits(outstanding) - toUnits(unallocated) - toUnits(creditLimit))}
        />
        <span class="phone-only"> over limit</span>
      </span>
    ),
};

export const CUSTOMER_LIST: ListPage<CustomerRow, Name> = {
  title: 'Customers',
  path: CUSTOMERS,
  class: 'customer-list',
  cursorName: 'customers-page',
  placeholder: 'Name, number, phone, contact, city or e-mail',
  choices: {
    hold: ['1'],
    archived: ['1'],
    overdue: ['1'],
    overLimit: ['1'],
    sort: ['overdue', 'outstanding'],
  },
  tabsLabel: 'Status',
  tabs: [
    { label: 'All' },
    { label: 'Overdue', values: { overdue: '1' } },
    { label: 'Over limit', values: { overLimit: '1' } },
    { label: 'On hold', values: { hold: '1' } },
    { label: 'Archived', values: { archived: '1' } },
  ],
  caption: 'Customers',
  columns: columnsOf,
  async read(companyId, filters, start) {
    const filter = filterOf(filters);
    const page = await listOwingCustomers(companyId, filter, LIST_ROWS, start?.position);
    const { total, before, sums, next } = page;
    const bodies = await customerBodies(
      companyId,
      page.rows.map(({ id }) => id),
    );
    const rows = page.rows.flatMap(({ id, owed }) => {
      const body = bodies.get(id);
      return body === undefined ? [] : [{ ...parseDecimalJson<Customer>(body), owed }];
    });
    return {
      rows,
      next,
      extent: { total, before, limit: null },
      sums: [
        { label: 'Outstanding', amount: sums.outstanding },
        { label: 'Overdue', amount: sums.overdue },
      ],
    };
  },
  exportRows: (companyId, filters, format) => exportCustomers(companyId, filterOf(filters), format),
  async hasHidden(companyId) {
    const archived = { limit: 1, archived: true };
    return String((await listCustomers(companyId, archived, undefined)).body) !== '[]';
  },
  Actions: ({ isEmpty }) => !isEmpty && <ListActions />,
  Nothing: NoCustomers,
  NoMatch,
};

function filterOf({ q, hold, archived, overdue, overLimit, sort }: Filters<Name>): OwingFilter {
  return {
    hold: hold !== null,
    archived: archived !== null,
    overdue: overdue !== null,
    overLimit: overLimit !== null,
    sort: (sort ?? 'name') as OwingFilter['sort'],
    ...(q === null ? {} : { q }),
  };
}

/** True if a customer owes more than the limit, less what is unallocated. */
export function isOverLimit(
  creditLimit: string | null,
  { outstanding, unallocated }: Pick<Owed, 'outstanding' | 'unallocated'>,
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
  const { q, hold, archived, overdue, overLimit } = filters;
  if (q !== null)
    return (
      <Empty title={`No customer matches “${q}”`} icon="search">
        <p>
          Try part of the name, number, phone number, contact, city, address or e-mail address.{' '}
          <a href={addressOf(CUSTOMERS, { ...filters, q: null })}>Clear search</a>
        </p>
      </Empty>
    );
  const isOwing = overdue !== null || overLimit !== null;
  const title = isOwing
    ? `No customer is ${overdue === null ? 'over the limit' : 'overdue'}`
    : hold !== null
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
