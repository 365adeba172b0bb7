// The page of one item: its stock and the form that adjusts it, then the chart, the details and the
// movements that led to its stock.
import { listMovements, listStockPoints } from '../../inventory/history.js';
import { findInvoiceSources } from '../../invoices/queries.js';
import { findCreditNoteSources } from '../../ledger/history.js';
import type { Cursors } from '../../platform/http/pagination.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import type { FormState } from '../kit/forms/form-state.js';
import type { DeclaredForm } from '../kit/forms/write-form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { IfMay, PageHead, Pager, Panel, Price } from '../kit/ui/components.js';
import { AdjustForm, ArchiveForm, DetailsForm, newAdjustment, newDetails } from './item-forms.js';
import { getItem, type Item, StockQuantity, StockStatus } from './item-view.js';
import { type Movement, Movements } from './movements.js';
import { StockChart } from './stock-chart.js';

/** A page of movements. More of them push the rest of the page out of sight. */
const ROWS = 15;

/** The states of submitted forms. A form without one shows the item's current values. */
export interface ItemForms {
  readonly adjust?: FormState;
  readonly details?: FormState;
  readonly archive?: FormState;
}

/** The item's page. With ?job= the adjust form shows a refused job's request and errors. */
export async function showItem(
  request: PageRequest,
  cursors: Cursors,
  adjust: DeclaredForm,
): Promise<Answer> {
  const forms = request.query.has('job') ? { adjust: await adjust.refusedJob(request) } : {};
  return itemPage(request, cursors, forms);
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
  const noteIds = movements.flatMap(({ creditNoteId }) => creditNoteId ?? []);
  const [invoices, notes] = await Promise.all([
    findInvoiceSources(companyId, invoiceIds),
    findCreditNoteSources(companyId, noteIds),
  ]);
  const path = `/inventory/${item.id}`;
  const cursor = page.next && cursors.cursor(companyId, list, page.next);
  const next = cursor && `${path}?cursor=${cursor}#movements`;
  const body = (
    <>
      <PageHead title={item.name} {...(item.sku === null ? {} : { note: item.sku })} />
      <div class="item-page">
        <Stock item={item} />
        <div class="item-side">
          {!item.archived && (
            <IfMay permission="change-stock">
              <Panel title="Adjust stock">
                <AdjustForm item={item} state={forms.adjust ?? newAdjustment()} />
              </Panel>
            </IfMay>
          )}
          <Details item={item} forms={forms} />
        </div>
        <div class="item-chart">
          <StockChart points={points} onHand={item.onHand} unit={item.unit} />
        </div>
        <Panel
          title="Movements"
          note={<a href={`${path}/movements.csv`}>Export CSV</a>}
          class="item-movements"
        >
          <div id="movements">
            <Movements
              item={item}
              movements={movements}
              sources={new Map([...invoices, ...notes])}
              canSee={request.canSee}
            />
          </div>
          <Pager first={position ? `${path}#movements` : null} next={next} />
        </Panel>
      </div>
    </>
  );
  return { title: item.name, body, scripts: ['chart.js'] };
}

/** The stock on hand and its status. */
function Stock({ item }: { item: Item }) {
  const { onHand, unit, reorderPoint } = item;
  return (
    <section class="panel item-stock" aria-label="Stock">
      <div>
        <p class="note">On hand</p>
        <p class="item-quantity">
          <StockQuantity value={onHand} unit={unit} />
        </p>
      </div>
      <div class="item-status">
        <StockStatus item={item} />
        <p class="note">
          Reorder point <StockQuantity value={reorderPoint} unit={unit} />
        </p>
      </div>
    </section>
  );
}

/** The details, their form behind a summary, and archiving. */
function Details({ item, forms }: { item: Item; forms: ItemForms }) {
  const { sku, unit, unitCost, unitPrice } = item;
  return (
    <Panel title="Details">
      <dl class="facts">
        <dt>SKU</dt>
        <dd>{sku ?? '–'}</dd>
        <dt>Unit</dt>
        <dd>{unit ?? '–'}</dd>
        <IfMay permission="see-prices">
          <dt>Unit cost</dt>
          <dd>{unitCost === null ? '–' : <Price value={unitCost} />}</dd>
          <dt>Unit price</dt>
          <dd>{unitPrice === null ? '–' : <Price value={unitPrice} />}</dd>
        </IfMay>
      </dl>
      <IfMay permission="change-stock">
        <details class="disclosure" open={forms.details !== undefined}>
          <summary>Edit name and details</summary>
          <DetailsForm item={item} state={forms.details ?? newDetails(item)} />
        </details>
        <ArchiveForm item={item} state={forms.archive} />
      </IfMay>
    </Panel>
  );
}
