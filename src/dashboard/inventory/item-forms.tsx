// The forms of an item's page, and the fields that they share with the form for a new item.
import { v7 as uuidv7 } from 'uuid';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { IfMay } from '../kit/ui/components.js';
import { Choice } from '../kit/ui/field-groups.js';
import { Button, Field, Form, Hidden, Select, TextArea } from '../kit/ui/fields.js';
import { OpenedWith } from '../kit/ui/opened-with.js';
import { adjustmentBody, detailsBody } from './item-schemas.js';
import type { Item } from './item-view.js';
import { ACTIONS, reasonField, STOCK_REASON_OPTIONS } from './reasons.js';

export function newAdjustment(): FormState {
  return { ...newForm({ how: 'add' }, adjustmentBody), key: uuidv7() };
}

interface ItemFormProps {
  readonly item: Item;
  readonly state: FormState;
}

/** Sends the stock that the page showed, so that a change in the meantime is a conflict. */
export function AdjustForm({ item: { id, name, onHand, unit }, state }: ItemFormProps) {
  return (
    <Form
      action={`/inventory/${id}/adjust`}
      state={state}
      label={`Adjust the stock of ${name}`}
      deliberate
    >
      <Hidden name="expectedOnHand" value={onHand} />
      <Choice name="how" label="Action" options={ACTIONS} />
      <Field name="quantity" label={unit === null ? 'Quantity' : `Quantity (${unit})`} />
      {ACTIONS.map(({ value, label }) => (
        <div key={value} class={`reason ${value}`}>
          <Select
            name={reasonField(value)}
            label="Reason"
            hint={`For “${label}”.`}
            options={STOCK_REASON_OPTIONS[value]}
          />
        </div>
      ))}
      <Field name="reference" label="Reference" hint="e.g. delivery note number" />
      <TextArea name="note" label="Note" rows={2} />
      <Button>Adjust stock</Button>
    </Form>
  );
}

export function newDetails({ name, sku, unit, reorderPoint, ...prices }: Item): FormState {
  const { unitCost, unitPrice } = prices;
  const values = { sku: sku ?? '', unit: unit ?? '', unitCost: unitCost ?? '' };
  return newForm({ name, reorderPoint, ...values, unitPrice: unitPrice ?? '' }, detailsBody);
}

export function DetailsForm({ item: { id, name }, state }: ItemFormProps) {
  return (
    <Form action={`/inventory/${id}/details`} state={state} label={`Details of ${name}`} deliberate>
      <Field name="name" label="Name" hint="The old name still matches in invoices and imports." />
      <Field name="sku" label="SKU" />
      <DetailFields />
      <OpenedWith names={['name', 'sku', 'unit', 'reorderPoint']} />
      <IfMay permission="set-prices">
        <OpenedWith names={['unitCost', 'unitPrice']} />
      </IfMay>
      <Button>Save details</Button>
    </Form>
  );
}

/** One button: archives the item, or restores it. */
export function ArchiveForm({ item, state }: { item: Item; state?: FormState | undefined }) {
  const { id, name, onHand, archived } = item;
  const action = archived ? 'restore' : 'archive';
  return (
    <div class="item-archive">
      <p class="note">
        {archived
          ? 'This item is archived: invoices and files no longer find it. Its history remains.'
          : Number(onHand) === 0
            ? 'No longer sold? Archiving hides it from lists and keeps its history.'
            : 'You can archive an item once its stock is 0.'}
      </p>
      {(archived || Number(onHand) === 0 || state) && (
        <Form
          action={`/inventory/${id}/${action}`}
          label={`${archived ? 'Restore' : 'Archive'} ${name}`}
          {...(state ? { state } : {})}
        >
          <Button quiet about={name}>
            {archived ? 'Restore item' : 'Archive item'}
          </Button>
        </Form>
      )}
    </div>
  );
}

export const REORDER_HINT = 'Show as low stock at or below this quantity.';

/** The details that move no stock. A new item may omit its reorder point, which is then 0. */
export function DetailFields({ isNew = false }: { isNew?: boolean }) {
  return (
    <>
      <Field name="unit" label="Unit" hint="Unit of measure, e.g. pc, m, kg." />
      <Field name="reorderPoint" label="Reorder point" hint={REORDER_HINT} optional={isNew} />
      <IfMay permission="set-prices">
        <Field name="unitCost" label="Unit cost" hint="Excluding tax." />
        <Field name="unitPrice" label="Unit price" hint="Excluding tax." />
      </IfMay>
    </>
  );
}
