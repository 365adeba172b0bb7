// The items to reorder, the most urgent first.
import { type Item, StockQuantity, StockStatus } from '../inventory/item-view.js';
import { IfMay, Panel, Quantity } from '../kit/ui/components.js';
import { formatCount } from '../kit/ui/format.js';

/** The page that receives a delivery of several items. */
const RECEIVE = '/inventory/receive';

interface LowStockProps {
  readonly count: string;
  readonly items: readonly Item[];
  readonly canSee: (path: string) => boolean;
}

export function LowStock({ count, items, canSee }: LowStockProps) {
  const receiveHref = (id: string) =>
    canSee(RECEIVE) ? `${RECEIVE}?item=${id}` : `/inventory/${id}#adjust`;
  return (
    <Panel title="Low stock" note={formatCount(count, 'item')}>
      {items.length === 0 && <p class="note">Every item is above its reorder point.</p>}
      <ol class="low-stock">
        {items.map(item => (
          <li key={item.id}>
            <a class="low-name" href={`/inventory/${item.id}`}>
              {item.name}
            </a>
            <span class="low-status">
              <StockStatus item={item} />
            </span>
            <span class="low-figures">
              <Quantity value={item.onHand} />
              <span class="note"> on hand, reorder at </span>
              <StockQuantity value={item.reorderPoint} unit={item.unit} />
            </span>
            <IfMay permission="change-stock">
              <a class="low-action" href={receiveHref(item.id)}>
                Receive<span class="unseen"> {item.name}</span>
              </a>
            </IfMay>
          </li>
        ))}
      </ol>
      {Number(count) > items.length && <a href="/inventory?low=1">All low-stock items</a>}
    </Panel>
  );
}
