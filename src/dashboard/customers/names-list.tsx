// The customers of people who may see names but no record: no money, no address, no tax data.
import { listCustomerNames, type NamedCustomer } from '../../customers/queries.js';
import type { ListPage } from '../kit/lists/list-page.js';
import { LIST_ROWS } from '../kit/lists/ordered-list.js';
import { Empty } from '../kit/ui/components.js';
import { CUSTOMERS } from './customer-view.js';

/** Its search reads names only: a search by tax ID would tell whose it is. */
export const CUSTOMER_NAMES: ListPage<NamedCustomer, never> = {
  title: 'Customers',
  path: CUSTOMERS,
  cursorName: 'customer-names',
  placeholder: 'Name',
  choices: {},
  tabsLabel: 'Customers',
  tabs: [],
  caption: 'Customers by name',
  hrefOf: () => null,
  columns: () => [
    { head: 'Customer', wraps: true, cell: ({ name }) => name },
    { head: 'Number', wraps: true, phone: 'figure', cell: ({ number }) => number },
  ],
  read: (companyId, { q }, start) =>
    listCustomerNames(companyId, { text: q, limit: LIST_ROWS }, start?.position),
  Nothing: () => (
    <Empty title="No customers yet" icon="customer">
      <p class="note">An owner or member can add customers.</p>
    </Empty>
  ),
  NoMatch: ({ filters: { q } }) => (
    <Empty title={`No customer matches “${q}”`} icon="search">
      <p>
        Try part of the name. <a href={CUSTOMERS}>Clear search</a>
      </p>
    </Empty>
  ),
};
