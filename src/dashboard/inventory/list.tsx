// The inventory: all items by name, those low on stock, out of stock, or archived.
import { countItems, type ItemFilter, listItems, sortedItems } from '../../inventory/queries.js';
import { COUNT_LIMIT } from '../../platform/db/list-reads.js';
import type { Page } from '../../platform/http/pagination.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { addressOf, type Filters } from '../kit/lists/filters.js';
import type { ListPage } from '../kit/lists/list-page.js';
import { LIST_ROWS, type PageStart } from '../kit/lists/ordered-list.js';
import { sortLink } from '../kit/lists/sorts.js';
import { ButtonLink, Empty, IfMay, Price } from '../kit/ui/components.js';
import type { Extent, ListColumn } from '../kit/ui/list.js';
import { type Item, ON_HAND_COLUMN, StockQuantity, StockStatus } from './item-view.js';

/** The API's filters ?low=1 and ?archived=1, and ?out=1: an address has at most one of them. */
type Name = 'low' | 'out' | 'archived' | 'order';

const OTHER_COLUMNS: readonly ListColumn<Item>[] = [
  { head: 'SKU', wraps: true, cell: ({ sku }) => sku },
  { head: 'Status', cell: item => <StockStatus item={item} /> },
  ON_HAND_COLUMN,
  {
    head: 'Reorder point',
    align: 'end',
    phone: 'hidden',
    cell: ({ reorderPoint }) => <StockQuantity value={reorderPoint} unit={null} />,
  },
  {
    head: 'Unit price',
    permission: 'see-prices',
    align: 'end',
    cell: ({ unitPrice }) => unitPrice && <Price value={unitPrice} />,
  },
];

export const ITEM_LIST: ListPage<Item, Name> = {
  title: 'Inventory',
  path: '/inventory',
  cursorName: 'inventory-page',
  placeholder: 'Name or SKU',
  choices: { low: ['1'], out: ['1'], archived: ['1'], order: ['last'] },
  tabsLabel: 'Stock',
  tabs: [
    { label: 'All' },
    { label: 'Low stock', values: { low: '1' } },
    { label: 'Out of stock', values: { out: '1' } },
    { label: 'Archived', values: { archived: '1' } },
  ],
  caption: 'Items',
  columns: filters => [
    {
      head: 'Item',
      wraps: true,
      cell: ({ name }) => name,
      sort: sortLink('/inventory', filters, { ascending: null, descending: 'last' }),
    },
    ...OTHER_COLUMNS,
  ],
  figures: {
    columns: { onHand: 'On hand', unitPrice: 'Unit price' },
    rows: 'items',
    advice: 'Search for a part of the names, or choose Low stock.',
    async read(companyId, filters, page) {
      const sorted = await sortedItems(companyId, itemFilterOf(filters), page);
      if (sorted === null) return null;
      const rows = sorted.rows.map(({ body }) => parseDecimalJson<Item>(body));
      return { ...sorted, rows, sums: [] };
    },
  },
  async read(companyId, filters, start) {
    const filter = itemFilterOf(filters);
    const page = await listItems(companyId, filter, start?.position);
    const rows = parseDecimalJson<Item[]>(page.body);
    const extent = await extentOf(companyId, filter, rows, page, start);
    return { rows, next: page.next, extent };
  },
  async hasHidden(companyId) {
    const archived = { limit: 1, low: false, archived: true };
    return String((await listItems(companyId, archived, undefined)).body) !== '[]';
  },
  Actions: ({ isEmpty }) => !isEmpty && <ListActions />,
  Nothing: NoItems,
  NoMatch,
};

function itemFilterOf({ q, low, out, archived, order }: Filters<Name>): ItemFilter {
  return {
    limit: LIST_ROWS,
    low: low !== null,
    out: out !== null,
    archived: archived !== null,
    lastFirst: order === 'last',
    ...(q === null ? {} : { search: q }),
  };
}

async function extentOf(
  companyId: string,
  filter: ItemFilter,
  items: readonly Item[],
  { next }: Page,
  start: PageStart | null,
): Promise<Extent> {
  const limit = COUNT_LIMIT;
  const [first] = items;
  if (next === null && (!first || !start)) return { total: items.length, before: 0, limit };
  const unknown = { total: null, before: start ? null : 0 };
  // Counting the matches of a search would read every item.
  if (!first || filter.search !== undefined) return { ...unknown, limit: null };
  return { ...((await countItems(companyId, filter, first)) ?? unknown), limit };
}

function ListActions() {
  return (
    <>
      <details class="popover">
        <summary class="button quiet">Export</summary>
        <div class="menu">
          <a class="menu-link" href="/inventory/export.csv">
            Items as CSV
          </a>
          <a class="menu-link" href="/inventory/movements.csv">
            Movements as CSV
          </a>
        </div>
      </details>
      <ButtonLink href="/inventory/import" quiet>
        Import
      </ButtonLink>
      <ButtonLink href="/inventory/new" quiet>
        New item
      </ButtonLink>
      <ButtonLink href="/inventory/receive">Receive a delivery</ButtonLink>
    </>
  );
}

/** The first steps of a company without items. */
export function NoItems() {
  return (
    <Empty
      title="Add your first items"
      icon="inventory"
      actions={
        <>
          <ButtonLink href="/inventory/new">Add item</ButtonLink>
          <ButtonLink href="/inventory/import" quiet>
            Import CSV
          </ButtonLink>
          <ButtonLink href="/inventory/receive" quiet>
            Receive a delivery
          </ButtonLink>
        </>
      }
    >
      <p class="note">
        <IfMay permission="set-prices">
          Import the stock list that you have, or add items one by one.{' '}
        </IfMay>
        Invoices and API requests reduce the stock of items, and you see here what runs low.
      </p>
    </Empty>
  );
}

function NoMatch({ filters }: { filters: Filters<Name> }) {
  const { q } = filters;
  if (q === null) {
    return (
      <Empty title={noneTitle(filters)} icon="inventory">
        <p>
          <a href="/inventory">Show all items</a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title={`No item matches “${q}”`} icon="search">
      <p>
        Try part of the name or SKU.{' '}
        <a href={addressOf('/inventory', { ...filters, q: null })}>Clear search</a>
      </p>
    </Empty>
  );
}

function noneTitle({ low, out, archived }: Filters<Name>): string {
  if (low !== null) return 'Every item is above its reorder point';
  if (out !== null) return 'Nothing is out of stock';
  return archived === null ? 'All items are archived' : 'No item is archived';
}
