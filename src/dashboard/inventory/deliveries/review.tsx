// The review of a delivery: what its lines would do to stock, and which items are new. Its form
// carries the lines in hidden fields.

import { useContext } from 'preact/hooks';
import type { MatchedItem } from '../../../inventory/names/match-items.js';
import type { FormFields } from '../../../platform/http/input/form-fields.js';
import { fromUnits, toUnits } from '../../../platform/values/money.js';
import { matchKey } from '../../../platform/values/text.js';
import { showTotal } from '../../invoices/form/amounts.js';
import { newForm } from '../../kit/forms/form-state.js';
import type { PageAnswer } from '../../kit/page.js';
import { Badge, Day, IfMay, PageContext, PageHead, Panel, Price } from '../../kit/ui/components.js';
import { Facts } from '../../kit/ui/facts.js';
import { Button, Form } from '../../kit/ui/fields.js';
import { formatQuantity } from '../../kit/ui/format.js';
import { type Column, Table } from '../../kit/ui/list.js';
import { HiddenFields } from '../../kit/unsent-form.js';
import { StockQuantity } from '../item-view.js';
import { RECEIVE_PATH } from '../stock-jobs.js';
import { EDIT, SEND } from './form.js';

export interface DeliveryLine {
  readonly item: string;
  readonly itemId?: string;
  readonly quantity: number;
  readonly unitCost?: number;
}

/** A line with its item, null if it is new, and its stock before and after. */
interface ReviewedLine {
  readonly line: DeliveryLine;
  readonly found: MatchedItem | null;
  readonly before: string;
  readonly after: string;
}

interface Review {
  readonly reference?: string;
  readonly supplier?: string;
  readonly arrivedOn?: string;
  readonly lines: readonly DeliveryLine[];
  /** The item of each line. */
  readonly found: readonly (MatchedItem | null)[];
  /** The fields that send the delivery. */
  readonly fields: FormFields;
  readonly key: string;
}

export function deliveryReviewPage(review: Review): PageAnswer {
  const { reference, supplier, arrivedOn, lines, found, fields, key } = review;
  const reviewed = followStock(lines, found);
  const newNames = new Set(reviewed.flatMap(row => (row.found ? [] : [matchKey(row.line.item)])));
  const title = 'Review delivery';
  const body = (
    <>
      <PageHead title={title} note="Nothing has been received yet." />
      <Panel
        title={reference === undefined ? 'Items' : `Delivery note ${reference}`}
        note={lines.length === 1 ? '1 line' : `${formatQuantity(lines.length)} lines`}
      >
        <Facts
          class="invoice-facts"
          facts={[
            ['Supplier', supplier ?? null],
            ['Arrived', arrivedOn ? <Day key="arrived" on={arrivedOn} /> : null],
          ]}
        />
        {newNames.size > 0 && <NewItems count={newNames.size} />}
        <Table caption="Lines of the delivery" rows={reviewed} columns={COLUMNS} />
        <IfMay permission="see-prices">
          <TotalCost lines={lines} />
        </IfMay>
      </Panel>
      <Form action={RECEIVE_PATH} state={{ ...newForm(), key }} wide>
        <HiddenFields fields={fields} />
        <div class="actions">
          <Button name="do" value={SEND}>
            Receive delivery
          </Button>
          <Button quiet name="do" value={EDIT}>
            Edit
          </Button>
        </div>
      </Form>
    </>
  );
  return { title, body };
}

function NewItems({ count }: { count: number }) {
  return (
    <p class="message warn">
      {count === 1 ? '1 item is new' : `${formatQuantity(count)} items are new`} and will be added
      to your inventory. If that’s a typo, choose Edit.
    </p>
  );
}

const COLUMNS: readonly Column<ReviewedLine>[] = [
  {
    head: 'Item',
    cell: ({ line, found }) => (
      <>
        {found?.name ?? line.item}
        {found === null && (
          <>
            {' '}
            <Badge tone="warn">New item</Badge>
          </>
        )}
        {found?.sku != null && <span class="note below">{found.sku}</span>}
      </>
    ),
  },
  {
    head: 'Quantity',
    align: 'end',
    cell: ({ line, found }) => (
      <StockQuantity value={String(line.quantity)} unit={found?.unit ?? null} />
    ),
  },
  {
    head: 'On hand',
    align: 'end',
    cell: ({ before, after }) => (
      <span class="figure">{`${formatQuantity(before)} → ${formatQuantity(after)}`}</span>
    ),
  },
  {
    head: 'Unit cost',
    align: 'end',
    permission: 'see-prices',
    cell: row => <UnitCost row={row} />,
  },
];

function UnitCost({ row: { line, found } }: { row: ReviewedLine }) {
  const before = found?.unitCost ?? null;
  if (line.unitCost === undefined)
    return <span class="note">{before === null ? '–' : 'Unchanged'}</span>;
  return (
    <>
      <Price value={String(line.unitCost)} />
      {before !== null && Number(before) !== line.unitCost && (
        <span class="note below">
          was <Price value={before} />
        </span>
      )}
    </>
  );
}

/** The total to compare with the delivery note, if each line has a cost. */
function TotalCost({ lines }: { lines: readonly DeliveryLine[] }) {
  const { currency } = useContext(PageContext);
  if (lines.some(({ unitCost }) => unitCost === undefined)) return null;
  const typed = lines.map(({ quantity, unitCost }) => ({
    qty: String(quantity),
    price: String(unitCost),
  }));
  return (
    <p class="invoice-total">
      Total cost <span class="figure">{showTotal(typed, currency)}</span>
    </p>
  );
}

/** Each item's stock before and after its line, if it is on several. */
function followStock(
  lines: readonly DeliveryLine[],
  found: readonly (MatchedItem | null)[],
): ReviewedLine[] {
  const stock = new Map<string, bigint>();
  return lines.map((line, index) => {
    const item = found[index] ?? null;
    const key = item?.id ?? `new ${matchKey(line.item)}`;
    const before = stock.get(key) ?? toUnits(item?.onHand ?? 0);
    const after = before + toUnits(line.quantity);
    stock.set(key, after);
    return { line, found: item, before: fromUnits(before), after: fromUnits(after) };
  });
}
