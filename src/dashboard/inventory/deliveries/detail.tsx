// One delivery: its items, and the corrections that were made since.
import {
  type DeliveredItem,
  type Delivery,
  type DeliveryCorrection,
  findDelivery,
} from '../../../inventory/deliveries/queries.js';
import { may } from '../../../users/roles.js';
import { type Answer, getOr404, type PageRequest } from '../../kit/page.js';
import {
  Badge,
  ButtonLink,
  By,
  Day,
  PageHead,
  Panel,
  Price,
  Time,
} from '../../kit/ui/components.js';
import { Facts } from '../../kit/ui/facts.js';
import { formatQuantity } from '../../kit/ui/format.js';
import { List, type ListColumn, Table } from '../../kit/ui/list.js';
import { StockQuantity } from '../item-view.js';
import { correctPathOf } from '../stock-jobs.js';

/** Throws Problem `not_found`, even if another company has the delivery. */
export function getDelivery(companyId: string, id: string | undefined): Promise<Delivery> {
  return getOr404('delivery', id, uuid => findDelivery(companyId, uuid));
}

export async function showDelivery({ session, params, canSee }: PageRequest): Promise<Answer> {
  const delivery = await getDelivery(session.companyId, params.id);
  const { id, reference, items, corrections } = delivery;
  const title = reference ?? 'Delivery';
  const body = (
    <>
      <PageHead title={title} {...(reference === null ? {} : { note: 'Delivery' })}>
        {canSee(correctPathOf(':id')) && (
          <ButtonLink href={correctPathOf(id)} quiet>
            Correct
          </ButtonLink>
        )}
      </PageHead>
      <section class="panel invoice-sheet">
        <DeliveryFacts delivery={delivery} />
        <List
          caption="Items of the delivery"
          rows={items}
          hrefOf={({ itemId }) => (canSee('/inventory/:id') ? `/inventory/${itemId}` : null)}
          columns={columnsOf(delivery, may(session.role, 'see-prices'))}
        />
      </section>
      {corrections.length > 0 && <Corrections items={items} corrections={corrections} />}
    </>
  );
  return { title, body };
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { supplier, arrivedOn, note, createdAt, createdBy, corrections } = delivery;
  return (
    <Facts
      class="invoice-facts"
      facts={[
        ['Supplier', supplier],
        ['Arrived', arrivedOn && <Day key="arrived" on={arrivedOn} />],
        ['Received', <Time key="received" at={createdAt} />],
        ['By', <By key="by" actor={createdBy} />],
        ['Note', note],
        [
          'Status',
          corrections.length > 0 && (
            <Badge key="status" tone="off">
              Corrected
            </Badge>
          ),
        ],
      ]}
    />
  );
}

/** A column for what only some deliveries have appears if one of the items has it. */
function columnsOf(
  { items, corrections }: Delivery,
  maySeePrices: boolean,
): ListColumn<DeliveredItem>[] {
  const isCorrected = corrections.length > 0;
  const hasCosts = maySeePrices && items.some(({ unitCost }) => unitCost !== null);
  const corrected: ListColumn<DeliveredItem> = {
    head: 'After corrections',
    align: 'end',
    phone: 'figure',
    cell: ({ quantity, unit }) => <StockQuantity value={quantity} unit={unit} />,
  };
  const cost: ListColumn<DeliveredItem> = {
    head: 'Unit cost',
    align: 'end',
    cell: ({ unitCost }) => unitCost && <Price value={unitCost} />,
  };
  return [
    { head: 'Item', wraps: true, cell: ({ name }) => name },
    { head: 'SKU', wraps: true, cell: ({ sku }) => sku },
    {
      head: 'Received',
      align: 'end',
      phone: isCorrected ? 'hidden' : 'figure',
      cell: ({ received, unit }) => <StockQuantity value={received} unit={unit} />,
    },
    ...(isCorrected ? [corrected] : []),
    ...(hasCosts ? [cost] : []),
    {
      head: 'On hand after',
      align: 'end',
      phone: 'hidden',
      cell: ({ onHandAfter, unit }) => <StockQuantity value={onHandAfter} unit={unit} />,
    },
  ];
}

function Corrections({ items, corrections }: Pick<Delivery, 'items' | 'corrections'>) {
  const names = new Map(items.map(({ itemId, name }) => [itemId, name]));
  return (
    <Panel title="Corrections">
      <Table
        caption="Corrections of the delivery"
        rows={corrections}
        columns={[
          { head: 'Corrected', cell: ({ createdAt }) => <Time at={createdAt} /> },
          { head: 'By', cell: ({ createdBy }) => <By actor={createdBy} /> },
          {
            head: 'Changes',
            cell: correction => <Changes correction={correction} names={names} />,
          },
          { head: 'Note', cell: ({ note }) => note },
        ]}
      />
    </Panel>
  );
}

interface ChangesProps {
  readonly correction: DeliveryCorrection;
  /** The keys are ids of items. */
  readonly names: ReadonlyMap<string, string>;
}

function Changes({ correction: { changes, supplier, arrivedOn }, names }: ChangesProps) {
  return (
    <ul class="plain-list">
      {supplier !== null && <li>{supplier === '' ? 'No supplier' : `Supplier: ${supplier}`}</li>}
      {arrivedOn !== null && (
        <li>
          Arrived: <Day on={arrivedOn} />
        </li>
      )}
      {changes.map(({ itemId, delta }) => (
        <li key={itemId}>
          {names.get(itemId)}{' '}
          <span class="figure">
            {!delta.startsWith('-') && '+'}
            {formatQuantity(delta)}
          </span>
        </li>
      ))}
    </ul>
  );
}
