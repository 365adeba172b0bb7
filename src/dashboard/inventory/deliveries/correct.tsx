// Correcting a delivery: the form takes the quantities that should have been received, and the
// write books the differences. It is refused if the delivery was corrected after the page was
// opened, since the differences would then be wrong.
import Joi from 'joi';
import { outdated } from '../../../inventory/deliveries/corrections.js';
import { type Delivery, findCorrectedDelivery } from '../../../inventory/deliveries/queries.js';
import {
  type AdjustmentRequest,
  adjustmentRequest,
  MAX_QUANTITY,
} from '../../../inventory/schema.js';
import { Problem } from '../../../platform/errors.js';
import { BODY_LIMIT_BYTES } from '../../../platform/http/input/body.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { uuid } from '../../../platform/http/input/uuid.js';
import { decimal } from '../../../platform/http/input/validate.js';
import { today } from '../../../platform/values/days.js';
import { fromUnits, toUnits } from '../../../platform/values/money.js';
import { askAboutDates, confirmName } from '../../kit/forms/date-question.js';
import type { Explained } from '../../kit/forms/error-places.js';
import { fieldTypesOf } from '../../kit/forms/field-limits.js';
import { bodyOf } from '../../kit/forms/form.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import type { FormRequest } from '../../kit/forms/plain-form.js';
import { writeForm } from '../../kit/forms/write-form.js';
import type { PageAnswer, RedirectAnswer } from '../../kit/page.js';
import { PageHead, Panel } from '../../kit/ui/components.js';
import { DateField } from '../../kit/ui/date-field.js';
import { FormActions, LineGroup } from '../../kit/ui/field-groups.js';
import { Field, Form, Hidden } from '../../kit/ui/fields.js';
import { formatQuantity } from '../../kit/ui/format.js';
import { StockQuantity } from '../item-view.js';
import { correctPathOf, DELIVERIES_PATH, STOCK_FORM, STOCK_UPDATED } from '../stock-jobs.js';
import { getDelivery } from './detail.js';
import { SUPPLY_FIELDS } from './fields.js';

interface CorrectedLine {
  readonly itemId: string;
  readonly quantity: number;
}

interface Correction {
  /** The number of corrections that the page showed. */
  readonly after: number;
  readonly note?: string;
  readonly supplier?: string;
  readonly arrivedOn?: string;
  readonly items: readonly CorrectedLine[];
}

export const correctForm = writeForm<Correction, AdjustmentRequest, Delivery>({
  ...STOCK_FORM,
  path: `${DELIVERIES_PATH}/:id/correct`,
  maxBytes: BODY_LIMIT_BYTES,
  job: {
    ...STOCK_FORM.job,
    made: 'correction',
    title: 'Correcting the delivery',
    subject: 'The correction',
    failed: 'The delivery was not corrected',
    note: ({ reference = '' }) => reference,
    done: async ({ resultId }, companyId) => {
      const id = await findCorrectedDelivery(companyId, resultId);
      return id === null ? STOCK_UPDATED : correctedAnswer(await getDelivery(companyId, id));
    },
  },
  load: ({ session, params }) => getDelivery(session.companyId, params.id),
  initial: ({ loaded }) => newForm(correctionFields(loaded)),
  refill: ({ note = '', items, corrects, ...supply }, { loaded }) => {
    const isCurrent = corrects?.after === loaded.corrections.length;
    const deltas = new Map(items.map(({ itemId = '', delta = 0 }) => [itemId, delta]));
    const ids = items.map(({ itemId = '' }) => itemId);
    return {
      fields: correctionFields({ ...loaded, ...supply }, note, isCurrent ? deltas : new Map()),
      ...placesOf(loaded, ids),
    };
  },
  schema: correctionSchema,
  read: ({ form, loaded, session }) => {
    const types = fieldTypesOf(correctionSchema({ loaded }), session);
    const items = linesOf(bodyOf(form, types));
    return {
      fields: new FormFields([...form].filter(([name]) => name !== confirmName('arrivedOn'))),
      review: body => {
        refuseUseless(body, loaded);
        // A day that the delivery has already is not asked about again.
        if (body.arrivedOn !== loaded.arrivedOn)
          askAboutDates(form, today(session), { arrivedOn: 'money' });
      },
      ...placesOf(
        loaded,
        changesOf(items, loaded).map(({ itemId }) => itemId),
      ),
    };
  },
  payload: ({ after, note, ...should }, { loaded }) => ({
    reason: 'correction',
    ...(loaded.reference === null ? {} : { reference: loaded.reference }),
    ...(note === undefined ? {} : { note }),
    ...supplyChanges(should, loaded),
    items: changesOf(should.items, loaded),
    corrects: { id: loaded.id, after },
  }),
  // The same form sent again is the same request, although the delivery has changed by then.
  identity: body => body,
  done: (_, { loaded }) => correctedAnswer(loaded),
  page: (state, { loaded }) => correctPage(state, loaded),
});

/** Only a line that took stock out may have a quantity below zero. */
function correctionSchema({
  loaded: { items, arrivedOn },
}: Pick<FormRequest<Delivery>, 'loaded'>): Joi.Schema {
  const takesOut = items.some(({ received }) => received.startsWith('-'));
  return Joi.object({
    after: Joi.number().integer().min(0).required(),
    note: (adjustmentRequest as Joi.ObjectSchema).extract('note'),
    ...SUPPLY_FIELDS,
    // A day of arrival can be changed, but not removed.
    ...(arrivedOn === null ? {} : { arrivedOn: SUPPLY_FIELDS.arrivedOn.required() }),
    items: Joi.array()
      .items(
        Joi.object({
          itemId: uuid()
            .valid(...items.map(({ itemId }) => itemId))
            .required(),
          quantity: decimal(takesOut ? -MAX_QUANTITY : 0, MAX_QUANTITY).required(),
        }),
      )
      .length(items.length)
      .required(),
  });
}

/** Throws Problem `stock_conflict` or `validation_failed`. */
function refuseUseless({ after, ...should }: Correction, delivery: Delivery): void {
  if (after !== delivery.corrections.length) throw outdated();
  const isSame = Object.keys(supplyChanges(should, delivery)).length === 0;
  if (isSame && changesOf(should.items, delivery).length === 0)
    throw new Problem('validation_failed', 'Nothing differs. Change a quantity or the supplier.');
}

/** The supplier (empty: none) and the day of arrival, if they differ. */
function supplyChanges(
  { supplier = '', arrivedOn }: Pick<Correction, 'supplier' | 'arrivedOn'>,
  delivery: Delivery,
): Pick<AdjustmentRequest, 'supplier' | 'arrivedOn'> {
  return {
    ...(supplier === (delivery.supplier ?? '') ? {} : { supplier }),
    ...(arrivedOn === undefined || arrivedOn === delivery.arrivedOn ? {} : { arrivedOn }),
  };
}

/** The lines of a body that is not validated yet: none if it has others than the form's. */
function linesOf({ items }: Record<string, unknown>): Partial<CorrectedLine>[] {
  return Array.isArray(items) ? items : [];
}

/** The differences to book. An item without a quantity has an error of its own. */
function changesOf(lines: readonly Partial<CorrectedLine>[], { items }: Delivery) {
  const quantities = new Map(lines.map(({ itemId, quantity }) => [itemId, quantity]));
  return items.flatMap(({ itemId, quantity }) => {
    const should = quantities.get(itemId);
    if (typeof should !== 'number') return [];
    const delta = toUnits(should) - toUnits(quantity);
    return delta === 0n ? [] : [{ itemId, delta: Number(fromUnits(delta)) }];
  });
}

/** The form's fields, with the current quantities or others that differ from them. */
function correctionFields(
  { items, corrections, supplier, arrivedOn }: Delivery,
  note = '',
  deltas: ReadonlyMap<string, number> = new Map(),
): FormFields {
  const fields = new FormFields({
    ...{ after: String(corrections.length), note },
    ...{ supplier: supplier ?? '', arrivedOn: arrivedOn ?? '' },
  });
  for (const [index, { itemId, quantity }] of items.entries()) {
    const should = toUnits(quantity) + toUnits(deltas.get(itemId) ?? 0);
    fields.set(`items.${index}.itemId`, itemId);
    fields.set(`items.${index}.quantity`, fromUnits(should));
  }
  return fields;
}

/** The errors of the booked changes, at the quantities of their items. */
function placesOf({ items }: Delivery, changedIds: readonly string[]): Explained {
  const indexOf = (name: string): number => {
    const [, change] = /^items\.(\d+)\.(?:delta|itemId)$/u.exec(name) ?? [];
    if (change === undefined) return -1;
    return items.findIndex(({ itemId }) => itemId === changedIds[Number(change)]);
  };
  return {
    at: name => {
      const index = indexOf(name);
      return index < 0 ? name : `items.${index}.quantity`;
    },
    say: ({ code, pointer, available }) => {
      const item = items[indexOf(pointer.slice(1).replaceAll('/', '.'))];
      if (item === undefined) return null;
      if (code === 'unknown_item') return 'This item is archived, so its stock can’t change.';
      if (code !== 'insufficient_stock') return null;
      const left = toUnits(Number(available));
      const least = formatQuantity(fromUnits(toUnits(item.quantity) - left));
      const onHand = formatQuantity(fromUnits(left));
      return `Only ${onHand} on hand, so the quantity must be at least ${least}.`;
    },
  };
}

function correctedAnswer({ id }: Delivery): RedirectAnswer {
  return { to: `${DELIVERIES_PATH}/${id}`, flash: 'Delivery corrected.' };
}

function correctPage(state: FormState, delivery: Delivery): PageAnswer {
  const { id, reference, items } = delivery;
  const title = 'Correct delivery';
  const body = (
    <>
      <PageHead title={title} {...(reference === null ? {} : { note: reference })} />
      <Form action={correctPathOf(id)} state={state} deliberate wide>
        <Hidden name="after" value={state.values.get('after') ?? ''} />
        <Panel title="Items" class="correction">
          <p class="hint">
            Enter the quantities that were delivered, or 0 for an item that was not. The difference
            is added to stock or removed from it.
          </p>
          <div class="correction-list">
            {items.map((item, index) => (
              <Line key={item.itemId} item={item} index={index} />
            ))}
          </div>
          <Field name="supplier" label="Supplier" />
          <DateField name="arrivedOn" label="Day of arrival" />
          <Field name="note" label="Reason" hint="For example: miscounted." />
        </Panel>
        <FormActions submit="Correct delivery" cancel={`${DELIVERIES_PATH}/${id}`} />
      </Form>
    </>
  );
  return { title, body };
}

function Line({ item, index }: { item: Delivery['items'][number]; index: number }) {
  const { itemId, name, sku, unit, archived, quantity } = item;
  return (
    <LineGroup class="correction-line" label={name}>
      <div>
        <p>{name}</p>
        <p class="note">
          {sku !== null && `${sku} · `}
          {archived ? 'Archived' : 'Booked'} <StockQuantity value={quantity} unit={unit} />
        </p>
        <Hidden name={`items.${index}.itemId`} value={itemId} />
        {archived && <Hidden name={`items.${index}.quantity`} value={quantity} />}
      </div>
      {!archived && <Field name={`items.${index}.quantity`} label="Quantity" autocomplete="off" />}
    </LineGroup>
  );
}
