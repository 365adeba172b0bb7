// One item: what is on hand and why, and the forms that change it.
import { listMovements, listStockPoints } from '../../inventory/history.js';
import { findItem } from '../../inventory/queries.js';
import { type ItemDetails, itemDetails } from '../../inventory/schema.js';
import { updateItemDetails } from '../../inventory/service.js';
import { findInvoiceNumbers } from '../../invoices/queries.js';
import { Problem } from '../../platform/errors.js';
import type { Pager as Cursors } from '../../platform/http/pagination.js';
import { isUuid } from '../../platform/values/ids.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { type FormState, newForm, submitForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { PageHead, Pager, Panel, Price, Table, Time } from '../kit/ui/components.js';
import { Button, Field, Form } from '../kit/ui/fields.js';
import { formatQuantity } from '../kit/ui/format.js';
import { AdjustForm, newAdjustment } from './adjust-form.js';
import { Amount, type Item, KINDS, StockState } from './item-view.js';
import { refusedAdjustment } from './refusals.js';
import { StockChart } from './stock-chart.js';

const ROWS = 50;
const LIST = 'movements';

interface Movement {
  readonly id: string;
  readonly kind: string;
  readonly delta: string;
  readonly onHandAfter: string;
  readonly at: string;
  readonly invoiceId: string | null;
  readonly reference: string | null;
  readonly note: string | null;
}

/** The forms of the page as they are to be shown; those that nobody sent are filled with what is. */
export interface ItemForms {
  readonly adjust?: FormState;
  readonly details?: FormState;
  /** Of the adjustment, where sending it again must not repeat it. */
  readonly key?: string;
}

/** The item; with ?job= what an adjustment was refused for as a job, beside what it asked for. */
export async function showItem(request: PageRequest, cursors: Cursors): Promise<Answer> {
  const id = request.query.get('job');
  if (id === null) return itemPage(request, cursors, {});
  return itemPage(request, cursors, {
    adjust: await refusedAdjustment(request.session.companyId, id, await getItem(request)),
  });
}

/** Sets the details that move no stock. */
export async function changeItem(request: PageRequest, cursors: Cursors): Promise<Answer> {
  const { companyId } = request.session;
  const { id, name } = await getItem(request);
  const outcome = await submitForm<ItemDetails, void>(
    request.form,
    itemDetails,
    details => updateItemDetails(companyId, id, details),
    { numbers: ['reorderPoint', 'unitCost', 'unitPrice'] },
  );
  if (!outcome.done)
    return { ...(await itemPage(request, cursors, { details: outcome.state })), ...outcome.answer };
  return { to: `/inventory/${id}`, flash: `${name} is changed.` };
}

/** The item of the address. Throws Problem `not_found`. */
export async function getItem({ session, params: { id = '' } }: PageRequest): Promise<Item> {
  const body = isUuid(id) ? await findItem(session.companyId, id) : null;
  if (body === null) throw new Problem('not_found', 'There is no such item.');
  return parseDecimalJson<Item>(body);
}

export async function itemPage(
  request: PageRequest,
  cursors: Cursors,
  forms: ItemForms,
): Promise<PageAnswer> {
  const { companyId } = request.session;
  const item = await getItem(request);
  const position = cursors.position(
    companyId,
    `${LIST} ${item.id}`,
    request.query.get('cursor') ?? undefined,
  );
  const [page, points] = await Promise.all([
    listMovements(companyId, item.id, ROWS, position),
    listStockPoints(companyId, item.id),
  ]);
  const movements = parseDecimalJson<Movement[]>(page.body);
  const invoiceIds = movements.flatMap(({ invoiceId }) => invoiceId ?? []);
  const numbers = await findInvoiceNumbers(companyId, invoiceIds);
  const here = `/inventory/${item.id}`;
  const body = (
    <>
      <PageHead title={item.name} {...(item.sku === null ? {} : { note: item.sku })} />
      <Figures item={item} />
      <StockChart points={points} onHand={item.onHand} unit={item.unit} />
      <div class="columns">
        <Panel title="Adjust stock">
          <AdjustForm item={item} state={forms.adjust ?? newAdjustment()} formKey={forms.key} />
        </Panel>
        <Panel title="Details">
          <DetailsForm item={item} state={forms.details ?? newForm(detailsOf(item))} />
        </Panel>
      </div>
      <Panel title="Movements" note="Newest first">
        <Movements item={item} movements={movements} numbers={numbers} request={request} />
        <Pager
          first={position ? here : null}
          next={
            page.next &&
            `${here}?cursor=${cursors.cursor(companyId, `${LIST} ${item.id}`, page.next)}`
          }
        />
      </Panel>
    </>
  );
  return { title: item.name, body, scripts: ['chart.js'] };
}

function Figures({ item }: { item: Item }) {
  const { onHand, unit, reorderPoint, unitCost, unitPrice } = item;
  return (
    <dl class="stats">
      <div>
        <dt>On hand</dt>
        <dd>
          <Amount value={onHand} unit={unit} />
        </dd>
        <dd class="note">
          <StockState item={item} />
        </dd>
      </div>
      <div>
        <dt>Reorder at</dt>
        <dd>
          <Amount value={reorderPoint} unit={unit} />
        </dd>
      </div>
      <div>
        <dt>Unit cost</dt>
        <dd>{unitCost === null ? '–' : <Price value={unitCost} />}</dd>
      </div>
      <div>
        <dt>Unit price</dt>
        <dd>{unitPrice === null ? '–' : <Price value={unitPrice} />}</dd>
      </div>
    </dl>
  );
}

function detailsOf({ reorderPoint, unitCost, unitPrice, unit }: Item): Record<string, string> {
  return { reorderPoint, unitCost: unitCost ?? '', unitPrice: unitPrice ?? '', unit: unit ?? '' };
}

function DetailsForm({ item: { id, name }, state }: { item: Item; state: FormState }) {
  return (
    <Form action={`/inventory/${id}/details`} state={state} label={`Details of ${name}`}>
      <Field
        name="reorderPoint"
        label="Reorder point"
        hint="At or below it, the item is low."
        decimal
      />
      <Field name="unitCost" label="Unit cost" optional decimal />
      <Field name="unitPrice" label="Unit price" hint="Net." optional decimal />
      <Field
        name="unit"
        label="Unit"
        hint="What is counted: pc, m, kg, box."
        optional
        maxLength={30}
      />
      <Button>Save details</Button>
    </Form>
  );
}

interface MovementsProps {
  readonly item: Item;
  readonly movements: readonly Movement[];
  readonly numbers: ReadonlyMap<string, string>;
  readonly request: PageRequest;
}

function Movements({ item: { name, unit }, movements, numbers, request }: MovementsProps) {
  if (movements.length === 0) return <p class="note">Nothing has moved yet.</p>;
  return (
    <Table
      caption={`Movements of ${name}`}
      rows={movements}
      columns={[
        { head: 'When', cell: ({ at }) => <Time at={at} /> },
        { head: 'What', cell: ({ kind }) => KINDS[kind] ?? kind },
        {
          head: 'Source',
          cell: movement => <Source movement={movement} numbers={numbers} request={request} />,
        },
        {
          head: 'Change',
          align: 'end',
          cell: ({ delta }) => <span class="figure">{signed(delta)}</span>,
        },
        {
          head: 'On hand after',
          align: 'end',
          cell: ({ onHandAfter }) => <Amount value={onHandAfter} unit={unit} />,
        },
      ]}
    />
  );
}

function signed(delta: string): string {
  return delta.startsWith('-') || delta === '0'
    ? formatQuantity(delta)
    : `+${formatQuantity(delta)}`;
}

function Source({
  movement,
  numbers,
  request,
}: { movement: Movement } & Pick<MovementsProps, 'numbers' | 'request'>) {
  const { invoiceId, reference, note } = movement;
  if (invoiceId !== null) {
    const number = numbers.get(invoiceId) ?? 'Invoice';
    return request.canSee('/invoices/:id') ? (
      <a href={`/invoices/${invoiceId}`}>{number}</a>
    ) : (
      <span>{number}</span>
    );
  }
  if (reference === null && note === null) return <span class="note">–</span>;
  return (
    <>
      {reference}
      {note !== null && <span class="note below">{note}</span>}
    </>
  );
}
