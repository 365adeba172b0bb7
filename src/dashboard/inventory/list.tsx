// The inventory: all items by name, those low on stock, out of stock, or archived.
import { COUNT_LIMIT, countItems, type ItemFilter, listItems } from '../../inventory/queries.js';
import type { Pager as Cursors, Page } from '../../platform/http/pagination.js';
import { cleanText } from '../../platform/values/text.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { ButtonLink, Empty, PageHead, Price } from '../kit/ui/components.js';
import { Button } from '../kit/ui/fields.js';
import { type Extent, List, ListFoot, Tabs } from '../kit/ui/list.js';
import { type Item, StockQuantity, StockStatus } from './item-view.js';

const ROWS = 50;
/** The longest name, in characters. */
const MAX_TEXT = 255;
const LIST = 'inventory-page';

/** Filters. The query parameters are the API's `low=1` and `archived=1`, and `out=1`. */
const FILTERS = {
  all: 'All',
  low: 'Low stock',
  out: 'Out of stock',
  archived: 'Archived',
} as const;
type StockFilter = keyof typeof FILTERS;

interface Search {
  readonly stock: StockFilter;
  readonly text: string;
}

export async function showInventory(
  { session: { companyId }, query }: PageRequest,
  cursors: Cursors,
): Promise<Answer> {
  const search = readSearch(query);
  const { stock, text } = search;
  const position = cursors.position(companyId, LIST, query.get('cursor') ?? undefined);
  const filter: ItemFilter = {
    limit: ROWS,
    low: stock === 'low',
    out: stock === 'out',
    archived: stock === 'archived',
    ...(text === '' ? {} : { search: text }),
  };
  const page = await listItems(companyId, filter, position);
  const items = parseDecimalJson<Item[]>(page.body);
  const extent = await extentOf(companyId, filter, items, page, position);
  const isUnfiltered = text === '' && stock === 'all' && !position;
  const isEmpty = items.length === 0 && isUnfiltered && !(await hasArchived(companyId));
  const body = (
    <>
      <PageHead title="Inventory">{!isEmpty && <ListActions />}</PageHead>
      {isEmpty ? (
        <NoItems />
      ) : (
        <>
          <SearchForm search={search} />
          {items.length === 0 ? <NoMatch search={search} /> : <Items items={items} />}
          <ListFoot
            extent={extent}
            count={items.length}
            first={position ? hrefOf(search) : null}
            next={page.next && hrefOf(search, cursors.cursor(companyId, LIST, page.next))}
          />
        </>
      )}
    </>
  );
  return { title: 'Inventory', body };
}

async function extentOf(
  companyId: string,
  filter: ItemFilter,
  items: readonly Item[],
  { next }: Page,
  position: string[] | undefined,
): Promise<Extent> {
  const limit = COUNT_LIMIT;
  const [first] = items;
  if (next === null && (!first || !position)) return { total: items.length, before: 0, limit };
  const unknown = { total: null, before: position ? null : 0 };
  // To count what a search finds would read every item.
  if (!first || filter.search !== undefined) return { ...unknown, limit: null };
  return { ...((await countItems(companyId, filter, first)) ?? unknown), limit };
}

async function hasArchived(companyId: string): Promise<boolean> {
  const { body } = await listItems(companyId, { limit: 1, low: false, archived: true }, undefined);
  return String(body) !== '[]';
}

function readSearch(query: URLSearchParams): Search {
  const text = [...cleanText(query.get('q') ?? '')].slice(0, MAX_TEXT).join('');
  const filters = Object.keys(FILTERS) as StockFilter[];
  return { stock: filters.find(filter => query.get(filter) === '1') ?? 'all', text };
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
      <ButtonLink href="/inventory/receive" quiet>
        Receive a delivery
      </ButtonLink>
      <ButtonLink href="/inventory/new">New item</ButtonLink>
    </>
  );
}

function NoItems() {
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
        Import the stock list that you have, or add items one by one. Invoices and API requests then
        reduce their stock, and you see here what runs low.
      </p>
    </Empty>
  );
}

function NoMatch({ search: { stock, text } }: { search: Search }) {
  if (text === '') {
    return (
      <Empty title={NOTHING[stock]}>
        <a href="/inventory">Show all items</a>
      </Empty>
    );
  }
  return (
    <Empty title={`No item matches “${text}”.`}>
      <p>
        Try part of the name or SKU. <a href={hrefOf({ stock, text: '' })}>Clear search</a>
      </p>
    </Empty>
  );
}

const NOTHING: Readonly<Record<StockFilter, string>> = {
  all: 'All items are archived.',
  low: 'Every item is above its reorder point.',
  out: 'Nothing is out of stock.',
  archived: 'No item is archived.',
};

function SearchForm({ search: { stock, text } }: { search: Search }) {
  return (
    <div class="filters">
      <Tabs
        label="Stock"
        tabs={(Object.keys(FILTERS) as StockFilter[]).map(filter => ({
          label: FILTERS[filter],
          href: hrefOf({ stock: filter, text }),
          isCurrent: filter === stock,
        }))}
      />
      <search>
        <form method="get" action="/inventory">
          {stock !== 'all' && <input type="hidden" name={stock} value="1" />}
          <label for="stock-q" class="unseen">
            Name or SKU
          </label>
          <input
            id="stock-q"
            type="search"
            name="q"
            value={text}
            maxlength={MAX_TEXT}
            placeholder="Name or SKU"
            autocomplete="off"
          />
          <Button quiet>Search</Button>
        </form>
      </search>
    </div>
  );
}

function Items({ items }: { items: readonly Item[] }) {
  return (
    <div class="panel list-panel">
      <List
        caption="Items by name"
        rows={items}
        hrefOf={({ id }) => `/inventory/${id}`}
        columns={[
          { head: 'Item', wraps: true, cell: ({ name }) => name },
          { head: 'SKU', wraps: true, cell: ({ sku }) => sku },
          { head: 'Status', cell: item => <StockStatus item={item} /> },
          {
            head: 'On hand',
            align: 'end',
            phone: 'figure',
            cell: ({ onHand, unit }) => <StockQuantity value={onHand} unit={unit} />,
          },
          {
            head: 'Reorder point',
            align: 'end',
            phone: 'hidden',
            cell: ({ reorderPoint }) => <StockQuantity value={reorderPoint} unit={null} />,
          },
          {
            head: 'Unit price',
            align: 'end',
            cell: ({ unitPrice }) => unitPrice && <Price value={unitPrice} />,
          },
        ]}
      />
    </div>
  );
}

function hrefOf({ stock, text }: Search, cursor?: string): string {
  const query = new URLSearchParams();
  if (stock !== 'all') query.set(stock, '1');
  if (text !== '') query.set('q', text);
  if (cursor !== undefined) query.set('cursor', cursor);
  return query.size === 0 ? '/inventory' : `/inventory?${query}`;
}
