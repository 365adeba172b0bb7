// The stock that an invoice moved: the goods it took, then those that came back with each of its
// credit notes.
import type {
  InvoiceMovement,
  InvoiceMovements as Movements,
} from '../../ledger/invoice/movements.js';
import { StockQuantity } from '../inventory/item-view.js';
import { Day, Panel } from '../kit/ui/components.js';
import { formatCount } from '../kit/ui/format.js';
import { List, type ListColumn } from '../kit/ui/list.js';

/** Of a longer list only these are shown at first: 250 lines and four credit notes are 500 KB. */
const MAX_SHOWN = 10;

interface StockEffectProps extends Movements {
  /** The address of the page with all movements; null on that page. */
  readonly hrefOfAll: string | null;
  readonly linkItems: boolean;
  readonly linkNotes: boolean;
}

export function StockEffect(props: StockEffectProps) {
  const { sales, returns, isCut, hrefOfAll, linkItems, linkNotes } = props;
  const count = returns.reduce((sum, { movements }) => sum + movements.length, sales.length);
  return (
    <Panel
      title="Stock"
      note={isCut ? 'Without the earliest returns' : count > 0 && formatCount(count, 'movement')}
    >
      {count === 0 && <p class="note">No line matches a stock item, so stock did not change.</p>}
      {sales.length > 0 && (
        <section>
          {returns.length > 0 && <h3>Sold</h3>}
          <MovementList
            caption="Stock movements of the invoice"
            rows={sales}
            hrefOfAll={hrefOfAll}
            linkItems={linkItems}
          />
        </section>
      )}
      {returns.map(({ id, number, date, movements }) => (
        <section key={id}>
          <h3>
            Returned with {linkNotes ? <a href={`/credit-notes/${id}`}>{number}</a> : number}
            {' on '}
            <Day on={date} />
          </h3>
          <MovementList
            caption={`Stock movements of ${number}`}
            rows={movements}
            hrefOfAll={hrefOfAll}
            linkItems={linkItems}
          />
        </section>
      ))}
    </Panel>
  );
}

interface MovementListProps extends Pick<StockEffectProps, 'hrefOfAll' | 'linkItems'> {
  readonly caption: string;
  readonly rows: readonly InvoiceMovement[];
}

function MovementList({ caption, rows, hrefOfAll, linkItems }: MovementListProps) {
  const shown = hrefOfAll === null ? rows : rows.slice(0, MAX_SHOWN);
  return (
    <>
      <List
        caption={caption}
        rows={shown}
        hrefOf={({ itemId }) => (linkItems ? `/inventory/${itemId}` : null)}
        columns={COLUMNS}
      />
      {hrefOfAll !== null && shown.length < rows.length && (
        <p>
          <a href={hrefOfAll}>
            Show all {rows.length} items<span class="unseen"> of {caption}</span>
          </a>
        </p>
      )}
    </>
  );
}

const COLUMNS: readonly ListColumn<InvoiceMovement>[] = [
  { head: 'Item', wraps: true, cell: ({ name }) => name },
  { head: 'Change', align: 'end', phone: 'figure', cell: changeOf },
  {
    head: 'On hand after',
    align: 'end',
    cell: ({ onHandAfter, unit }) => (
      <>
        <StockQuantity value={onHandAfter} unit={unit} />
        <span class="phone-only"> on hand</span>
      </>
    ),
  },
];

function changeOf({ delta, unit }: InvoiceMovement) {
  const isReturn = !delta.startsWith('-');
  return (
    <span class={isReturn ? 'increase' : undefined}>
      {isReturn && '+'}
      <StockQuantity value={delta} unit={unit} />
    </span>
  );
}
