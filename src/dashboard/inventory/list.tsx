// What is in stock: all of it by name, what is low, what is out.
import { type ItemFilter, listItems } from '../../inventory/queries.js';
import type { Pager as Cursors } from '../../platform/http/pagination.js';
import { cleanText } from '../../platform/values/text.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { ButtonLink, Empty, PageHead, Pager, Price, Table } from '../kit/ui/components.js';
import { Button } from '../kit/ui/fields.js';
import { Amount, type Item, StockState } from './item-view.js';

const ROWS = 50;
/** As long as a name. */
const MAX_TEXT = 255;
const LIST = 'inventory-page';

/** What is shown; in the address `low=1` and `out=1`, as the API has it. */
const SHOWN = { all: 'All items', low: 'Low', out: 'Out of stock' } as const;
type Shown = keyof typeof SHOWN;

interface Wanted {
  readonly shown: Shown;
  readonly text: string;
}

export async function showInventory(
  { session: { companyId }, query }: PageRequest,
  cursors: Cursors,
): Promise<Answer> {
  const shown: Shown = query.get('out') === '1' ? 'out' : query.get('low') === '1' ? 'low' : 'all';
  const wanted: Wanted = {
    shown,
    text: [...cleanText(query.get('q') ?? '')].slice(0, MAX_TEXT).join(''),
  };
  const position = cursors.position(companyId, LIST, query.get('cursor') ?? undefined);
  const filter: ItemFilter = {
    limit: ROWS,
    low: shown === 'low',
    out: shown === 'out',
    ...(wanted.text === '' ? {} : { search: wanted.text }),
  };
  const page = await listItems(companyId, filter, position);
  const items = parseDecimalJson<Item[]>(page.body);
  const isEmpty = items.length === 0 && wanted.text === '' && shown === 'all' && !position;
  const body = (
    <>
      <PageHead title="Inventory">
        {!isEmpty && (
          <ButtonLink href="/inventory/export.csv" quiet>
            Export CSV
          </ButtonLink>
        )}
        <ButtonLink href="/inventory/import" quiet>
          Import CSV
        </ButtonLink>
        <ButtonLink href="/inventory/new">New item</ButtonLink>
      </PageHead>
      {isEmpty ? (
        <NoItems />
      ) : (
        <>
          <Search wanted={wanted} />
          {items.length === 0 ? <NoMatch wanted={wanted} /> : <Items items={items} />}
          <Pager
            first={position ? hrefOf(wanted) : null}
            next={page.next && hrefOf(wanted, cursors.cursor(companyId, LIST, page.next))}
          />
        </>
      )}
    </>
  );
  return { title: 'Inventory', body };
}

function NoItems() {
  return (
    <Empty title="Nothing in stock yet.">
      <p>
        <a href="/inventory/new">Add the first item</a>, or{' '}
        <a href="/inventory/import">import a CSV file</a> with everything you have. Invoices then
        take what they sell out of stock.
      </p>
    </Empty>
  );
}

function NoMatch({ wanted: { shown, text } }: { wanted: Wanted }) {
  if (text === '') {
    const title =
      shown === 'low' ? 'Every item is above its reorder point.' : 'Nothing is out of stock.';
    return (
      <Empty title={title}>
        <a href="/inventory">Show all items</a>
      </Empty>
    );
  }
  return (
    <Empty title={`No item matches “${text}”.`}>
      <p>
        Try a part of the name or of the sku.{' '}
        <a href={hrefOf({ shown, text: '' })}>Clear the search</a>
      </p>
    </Empty>
  );
}

function Search({ wanted }: { wanted: Wanted }) {
  const { shown, text } = wanted;
  return (
    <div class="stock-search">
      <nav aria-label="Show">
        {(Object.keys(SHOWN) as Shown[]).map(one => (
          <a
            key={one}
            href={hrefOf({ shown: one, text })}
            aria-current={one === shown ? 'page' : undefined}
          >
            {SHOWN[one]}
          </a>
        ))}
      </nav>
      <search>
        <form method="get" action="/inventory">
          {shown !== 'all' && <input type="hidden" name={shown} value="1" />}
          <label for="stock-q" class="unseen">
            Name or sku
          </label>
          <input
            id="stock-q"
            type="search"
            name="q"
            value={text}
            maxlength={MAX_TEXT}
            placeholder="Name or sku"
            autocomplete="off"
          />
          <Button quiet>Search</Button>
        </form>
      </search>
    </div>
  );
}

function Items({ items }: { items: readonly Item[] }) {
  const price = (value: string | null) =>
    value === null ? <span class="note">–</span> : <Price value={value} />;
  return (
    <div class="panel">
      <Table
        caption="Items in stock, by name"
        rows={items}
        columns={[
          { head: 'Item', cell: item => <ItemName item={item} /> },
          { head: 'State', cell: item => <StockState item={item} /> },
          {
            head: 'On hand',
            align: 'end',
            cell: ({ onHand, unit }) => <Amount value={onHand} unit={unit} />,
          },
          {
            head: 'Reorder at',
            align: 'end',
            cell: ({ reorderPoint }) => <Amount value={reorderPoint} unit={null} />,
          },
          { head: 'Unit price', align: 'end', cell: ({ unitPrice }) => price(unitPrice) },
        ]}
      />
    </div>
  );
}

function ItemName({ item: { id, name, sku } }: { item: Item }) {
  return (
    <>
      <a href={`/inventory/${id}`}>{name}</a>
      {sku !== null && <span class="note below">{sku}</span>}
    </>
  );
}

function hrefOf({ shown, text }: Wanted, cursor?: string): string {
  const query = new URLSearchParams();
  if (shown !== 'all') query.set(shown, '1');
  if (text !== '') query.set('q', text);
  if (cursor !== undefined) query.set('cursor', cursor);
  return query.size === 0 ? '/inventory' : `/inventory?${query}`;
}
