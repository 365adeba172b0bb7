// The page of one item: its stock, the movements that led to it, and the forms that change it.

import Joi from 'joi';
import type { Actor } from '../../companies/actor.js';
import { listMovements, listStockPoints } from '../../inventory/history.js';
import { type ItemPatch, itemPatch } from '../../inventory/schema.js';
import { updateItem } from '../../inventory/service.js';
import { findInvoiceSources, type InvoiceSource } from '../../invoices/queries.js';
import type { Pager as Cursors } from '../../platform/http/pagination.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { type FormState, newForm, submitForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { By, PageHead, Pager, Panel, Price, Table, Time } from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';
import { Stat, Stats } from '../kit/ui/stats.js';
import { AdjustForm, ArchiveForm, DetailsForm, newAdjustment, newDetails } from './item-forms.js';
import { getItem, type Item, MOVEMENT_LABELS, StockQuantity, StockStatus } from './item-view.js';
import { refusedAdjustForm } from './refusals.js';
import { StockChart } from './stock-chart.js';

const ROWS = 50;

interface Movement {
  readonly id: string;
  readonly kind: string;
  readonly delta: string;
  readonly onHandAfter: string;
  readonly at: string;
  readonly invoiceId: string | null;
  readonly reference: string | null;
  readonly note: string | null;
  /** Of an adjustment; an invoice has its own. */
  readonly createdBy: Actor | null;
}

/** The states of submitted forms. A form without one shows the item's current values. */
export interface ItemForms {
  readonly adjust?: FormState;
  readonly details?: FormState;
  readonly archive?: FormState;
  /** The adjustment's key, if sending it again must not repeat it. */
  readonly key?: string | undefined;
}

/** The item's page. With ?job= the adjust form shows a refused job's request and errors. */
export async function showItem(request: PageRequest, cursors: Cursors): Promise<Answer> {
  const { session, params, query } = request;
  const id = query.get('job');
  if (id === null) return itemPage(request, cursors, {});
  const item = await getItem(session.companyId, params.id);
  return itemPage(request, cursors, {
    adjust: await refusedAdjustForm(session.companyId, id, item),
  });
}

/** The fields of the details form. An empty one that may be absent is removed from the item. */
const detailsForm = (itemPatch as Joi.ObjectSchema)
  .fork(['name', 'reorderPoint'], field => field.required())
  .keys({ archived: Joi.forbidden() });
const REMOVED = { sku: null, unit: null, unitCost: null, unitPrice: null };

/** Saves name, SKU and details, which move no stock. */
export async function changeItem(request: PageRequest, cursors: Cursors): Promise<Answer> {
  const { companyId } = request.session;
  const { id } = await getItem(companyId, request.params.id);
  const outcome = await submitForm<ItemPatch, string>(
    request.form,
    detailsForm,
    details => updateItem(companyId, id, { ...REMOVED, ...details }),
    { numbers: ['reorderPoint', 'unitCost', 'unitPrice'] },
  );
  if (!outcome.done)
    return { ...(await itemPage(request, cursors, { details: outcome.state })), ...outcome.answer };
  const { name } = JSON.parse(outcome.result) as { name: string };
  return { to: `/inventory/${id}`, flash: `${name} updated.` };
}

/** Archives the item, or restores it. */
export async function archiveItem(
  request: PageRequest,
  cursors: Cursors,
  archived: boolean,
): Promise<Answer> {
  const { companyId } = request.session;
  const { id, name } = await getItem(companyId, request.params.id);
  const work = () => updateItem(companyId, id, { archived });
  const outcome = await submitForm<object, string>(request.form, Joi.object(), work);
  if (!outcome.done) {
    // The form has no fields, so what refuses it is a message of the whole form.
    const [message = outcome.state.message] = outcome.state.errors.values();
    const state = { ...newForm(), ...(message === undefined ? {} : { message }) };
    return { ...(await itemPage(request, cursors, { archive: state })), ...outcome.answer };
  }
  return { to: `/inventory/${id}`, flash: `${name} ${archived ? 'archived' : 'restored'}.` };
}

export async function itemPage(
  request: PageRequest,
  cursors: Cursors,
  forms: ItemForms,
): Promise<PageAnswer> {
  const { session, params, query } = request;
  const { companyId } = session;
  const item = await getItem(companyId, params.id);
  const list = `movements ${item.id}`;
  const position = cursors.position(companyId, list, query.get('cursor') ?? undefined);
  const [page, points] = await Promise.all([
    listMovements(companyId, item.id, ROWS, position),
    listStockPoints(companyId, item.id),
  ]);
  const movements = parseDecimalJson<Movement[]>(page.body);
  const invoiceIds = movements.flatMap(({ invoiceId }) => invoiceId ?? []);
  const invoices = await findInvoiceSources(companyId, invoiceIds);
  const path = `/inventory/${item.id}`;
  const body = (
    <>
      <PageHead title={item.name} {...(item.sku === null ? {} : { note: item.sku })} />
      <Figures item={item} />
      <StockChart points={points} onHand={item.onHand} unit={item.unit} />
      <div class="columns">
        {!item.archived && (
          <Panel title="Adjust stock">
            <AdjustForm item={item} state={forms.adjust ?? newAdjustment()} formKey={forms.key} />
          </Panel>
        )}
        <Panel title="Details">
          <DetailsForm item={item} state={forms.details ?? newDetails(item)} />
        </Panel>
        <Panel title={item.archived ? 'Archived' : 'Archive'}>
          <ArchiveForm item={item} state={forms.archive} />
        </Panel>
      </div>
      <Panel title="Movements" note={<a href={`${path}/movements.csv`}>Export CSV</a>}>
        <Movements item={item} movements={movements} invoices={invoices} request={request} />
        <Pager
          first={position ? path : null}
          next={page.next && `${path}?cursor=${cursors.cursor(companyId, list, page.next)}`}
        />
      </Panel>
    </>
  );
  return { title: item.name, body, scripts: ['chart.js'] };
}

function Figures({ item }: { item: Item }) {
  const { onHand, unit, reorderPoint, unitCost, unitPrice } = item;
  return (
    <Stats>
      <Stat label="On hand" note={<StockStatus item={item} />}>
        <StockQuantity value={onHand} unit={unit} />
      </Stat>
      <Stat label="Reorder point">
        <StockQuantity value={reorderPoint} unit={unit} />
      </Stat>
      <Stat label="Unit cost">{unitCost === null ? '–' : <Price value={unitCost} />}</Stat>
      <Stat label="Unit price">{unitPrice === null ? '–' : <Price value={unitPrice} />}</Stat>
    </Stats>
  );
}

interface MovementsProps {
  readonly item: Item;
  readonly movements: readonly Movement[];
  /** By invoice id. */
  readonly invoices: ReadonlyMap<string, InvoiceSource>;
  readonly request: PageRequest;
}

function Movements({ item: { name, unit }, movements, invoices, request }: MovementsProps) {
  if (movements.length === 0) return <p class="note">No movements yet.</p>;
  return (
    <Table
      caption={`Movements of ${name}`}
      rows={movements}
      columns={[
        { head: 'When', cell: ({ at }) => <Time at={at} /> },
        { head: 'Type', cell: ({ kind }) => MOVEMENT_LABELS[kind] ?? kind },
        {
          head: 'Source',
          cell: movement => <Source movement={movement} invoices={invoices} request={request} />,
        },
        {
          head: 'By',
          cell: ({ invoiceId, createdBy }) => (
            <By
              actor={invoiceId === null ? createdBy : (invoices.get(invoiceId)?.createdBy ?? null)}
            />
          ),
        },
        {
          head: 'Change',
          align: 'end',
          cell: ({ delta }) => <span class="figure">{signed(delta)}</span>,
        },
        {
          head: 'On hand after',
          align: 'end',
          cell: ({ onHandAfter }) => <StockQuantity value={onHandAfter} unit={unit} />,
        },
      ]}
    />
  );
}

function signed(delta: string): string {
  const isPositive = !delta.startsWith('-') && delta !== '0';
  return `${isPositive ? '+' : ''}${formatQuantity(delta)}`;
}

function Source({
  movement: { invoiceId, reference, note },
  invoices,
  request,
}: { movement: Movement } & Pick<MovementsProps, 'invoices' | 'request'>) {
  if (invoiceId !== null) {
    const number = invoices.get(invoiceId)?.number ?? 'Invoice';
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
