// The list of deliveries, newest first.
import type { ShownActor } from '../../../companies/actor.js';
import { listDeliveries } from '../../../inventory/deliveries/queries.js';
import { parseDecimalJson } from '../../kit/decimal-json.js';
import type { ListPage } from '../../kit/lists/list-page.js';
import { LIST_ROWS } from '../../kit/lists/ordered-list.js';
import { Badge, ButtonLink, By, Day, Empty, Time } from '../../kit/ui/components.js';
import { formatCount } from '../../kit/ui/format.js';
import type { ListColumn } from '../../kit/ui/list.js';
import { StockQuantity } from '../item-view.js';
import { DELIVERIES_PATH, RECEIVE_PATH } from '../stock-jobs.js';

export interface DeliveryRow {
  readonly id: string;
  readonly reference: string | null;
  readonly supplier: string | null;
  readonly arrivedOn: string | null;
  readonly note: string | null;
  readonly createdAt: string;
  readonly createdBy: ShownActor | null;
  readonly items: string;
  /** Null if the items have different units. */
  readonly quantity: string | null;
  readonly unit: string | null;
  readonly corrected: boolean;
}

const ReceiveButton = () => <ButtonLink href={RECEIVE_PATH}>Receive a delivery</ButtonLink>;

export const DELIVERY_NOTE_COLUMN: ListColumn<DeliveryRow> = {
  head: 'Delivery note',
  wraps: true,
  cell: ({ reference }) => reference ?? 'No delivery note',
};
export const CONTENTS_COLUMN: ListColumn<DeliveryRow> = {
  head: 'Contents',
  align: 'end',
  phone: 'figure',
  cell: ({ items }) => formatCount(items, 'item'),
};

export const DELIVERY_LIST: ListPage<DeliveryRow, 'corrected'> = {
  title: 'Deliveries',
  path: DELIVERIES_PATH,
  cursorName: 'deliveries',
  placeholder: 'Delivery note, supplier, item or SKU',
  choices: { corrected: ['1'] },
  tabsLabel: 'Status',
  tabs: [{ label: 'All' }, { label: 'Corrected', values: { corrected: '1' } }],
  caption: 'Deliveries, newest first',
  columns: () => [
    DELIVERY_NOTE_COLUMN,
    { head: 'Supplier', wraps: true, optional: true, cell: ({ supplier }) => supplier },
    {
      head: 'Arrived',
      optional: true,
      phone: 'hidden',
      from: 'medium',
      cell: ({ arrivedOn }) => arrivedOn && <Day on={arrivedOn} />,
    },
    { head: 'Received', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      head: 'By',
      wraps: true,
      phone: 'hidden',
      from: 'medium',
      cell: ({ createdBy }) => <By actor={createdBy} />,
    },
    { head: 'Note', wraps: true, phone: 'hidden', from: 'wide', cell: ({ note }) => note },
    {
      head: 'Status',
      cell: ({ corrected }) => (corrected ? <Badge tone="off">Corrected</Badge> : null),
    },
    CONTENTS_COLUMN,
    {
      head: 'Quantity',
      align: 'end',
      phone: 'hidden',
      cell: ({ quantity, unit }) =>
        quantity === null ? null : <StockQuantity value={quantity} unit={unit} />,
    },
  ],
  async read(companyId, { q, corrected }, start) {
    const filter = { limit: LIST_ROWS, corrected: corrected !== null };
    const search = q === null ? {} : { search: q };
    const page = await listDeliveries(companyId, { ...filter, ...search }, start?.position);
    return { rows: parseDecimalJson<DeliveryRow[]>(page.body), next: page.next };
  },
  Actions: ({ isEmpty }) => !isEmpty && <ReceiveButton />,
  Nothing: () => (
    <Empty title="No deliveries yet" icon="inventory" actions={<ReceiveButton />}>
      <p class="note">
        Receive what suppliers deliver, and find each delivery here by its number or its items.
      </p>
    </Empty>
  ),
  NoMatch: () => (
    <Empty title="No matching deliveries" icon="search">
      <p>
        Try part of the delivery note’s number, the supplier, or the name or SKU of an item.{' '}
        <a href={DELIVERIES_PATH}>Show all deliveries</a>
      </p>
    </Empty>
  ),
};
