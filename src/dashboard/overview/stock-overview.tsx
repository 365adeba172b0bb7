// The start page of people who see stock and no money: figures of the stock, and items to reorder.
import { listLowItems } from '../../inventory/short-lists.js';
import { readSummary } from '../../summary/queries.js';
import type { Item } from '../inventory/item-view.js';
import { NoItems } from '../inventory/list.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { ButtonLink, PageHead } from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';
import { LowStock } from './low-stock.js';
import { Tile } from './tile.js';
import type { StockSummary } from './tiles.js';

const MAX_LOW_SHOWN = 20;

export async function showStockOverview(request: PageRequest): Promise<Answer> {
  const { companyId, currency, timeZone } = request.session;
  const [summary, low] = await Promise.all([
    readSummary(companyId, currency, timeZone),
    listLowItems(companyId, MAX_LOW_SHOWN),
  ]);
  const { inventory } = parseDecimalJson<{ inventory: StockSummary }>(summary ?? '{}');
  const isEmpty = inventory.items === '0';
  const body = (
    <div class="overview">
      <PageHead title="Overview">
        {!isEmpty && <ButtonLink href="/inventory/receive">Receive a delivery</ButtonLink>}
      </PageHead>
      {isEmpty ? (
        <NoItems />
      ) : (
        <>
          <StockTiles stock={inventory} />
          <LowStock
            count={inventory.low}
            items={parseDecimalJson<Item[]>(low)}
            canSee={request.canSee}
          />
        </>
      )}
    </div>
  );
  return { title: 'Overview', body };
}

function StockTiles({ stock: { items, low, outOfStock } }: { stock: StockSummary }) {
  return (
    <div class="tiles small">
      <Tile label="Items" text={formatQuantity(items)} href="/inventory" />
      <Tile label="Low stock" text={formatQuantity(low)} href="/inventory?low=1" />
      <Tile label="Out of stock" text={formatQuantity(outOfStock)} href="/inventory?out=1" />
    </div>
  );
}
