// The forms of an item's page, and the fields that they share with the form for a new item.
import { randomUUID } from 'node:crypto';
import { REASONS } from '../../inventory/schema.js';
import { type FormState, newForm } from '../kit/form.js';
import { KEY_FIELD } from '../kit/submit-write.js';
import { Button, Field, Form, Hidden, Select, TextArea } from '../kit/ui/fields.js';
import { type Item, MOVEMENT_LABELS } from './item-view.js';

const ACTIONS = [
  { value: 'add', label: 'Add stock' },
  { value: 'take', label: 'Remove stock' },
  { value: 'count', label: 'Set counted quantity' },
];
const REASON_OPTIONS = REASONS.map(value => ({ value, label: MOVEMENT_LABELS[value] ?? value }));

export function newAdjustment(): FormState {
  return newForm({ how: 'add', reason: 'received' });
}

interface AdjustFormProps {
  readonly item: Item;
  readonly state: FormState;
  readonly formKey?: string | undefined;
}

/** Sends the stock that the page shows, so that a change in the meantime is a conflict. */
export function AdjustForm({
  item: { id, name, onHand, unit },
  state,
  formKey = randomUUID(),
}: AdjustFormProps) {
  return (
    <Form action={`/inventory/${id}/adjust`} state={state} label={`Adjust the stock of ${name}`}>
      <Hidden name={KEY_FIELD} value={formKey} />
      <Hidden name="expectedOnHand" value={onHand} />
      <Select name="how" label="Action" options={ACTIONS} />
      <Field name="quantity" label={unit === null ? 'Quantity' : `Quantity (${unit})`} decimal />
      <Select name="reason" label="Reason" options={REASON_OPTIONS} />
      <Field
        name="reference"
        label="Reference"
        hint="e.g. delivery note number"
        optional
        maxLength={100}
      />
      <TextArea name="note" label="Note" rows={2} optional />
      <Button>Adjust stock</Button>
    </Form>
  );
}

export function newDetails({ name, sku, unit, reorderPoint, ...prices }: Item): FormState {
  const { unitCost, unitPrice } = prices;
  const values = { sku: sku ?? '', unit: unit ?? '', unitCost: unitCost ?? '' };
  return newForm({ name, reorderPoint, ...values, unitPrice: unitPrice ?? '' });
}

export function DetailsForm({ item: { id, name }, state }: { item: Item; state: FormState }) {
  return (
    <Form action={`/inventory/${id}/details`} state={state} label={`Details of ${name}`}>
      <Field
        name="name"
        label="Name"
        hint="Invoices and files with a former name still find this item."
        maxLength={255}
      />
      <Field name="sku" label="SKU" optional maxLength={64} />
      <DetailFields />
      <Button>Save details</Button>
    </Form>
  );
}

/** One button: archives the item, or restores it. */
export function ArchiveForm({ item, state }: { item: Item; state?: FormState | undefined }) {
  const { id, name, onHand, archived } = item;
  const action = archived ? 'restore' : 'archive';
  return (
    <>
      <p class="note">
        {archived
          ? 'This item is out of use. It is in no list but the archived items, and no invoice or ' +
            'file finds it. Its history remains.'
          : Number(onHand) === 0
            ? 'Take an item that you no longer trade out of use. Its history remains.'
            : 'An item can be archived when its stock is 0.'}
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
    </>
  );
}

export const REORDER_HINT = 'Show as low stock at or below this quantity.';

/** The details that move no stock. A new item may omit its reorder point, which is then 0. */
export function DetailFields({ isNew = false }: { isNew?: boolean }) {
  return (
    <>
      <Field
        name="unit"
        label="Unit"
        hint="Unit of measure, e.g. pc, m, kg."
        optional
        maxLength={30}
      />
      <Field
        name="reorderPoint"
        label="Reorder point"
        hint={REORDER_HINT}
        optional={isNew}
        decimal
      />
      <Field name="unitCost" label="Unit cost" optional decimal />
      <Field name="unitPrice" label="Unit price" hint="Excluding tax." optional decimal />
    </>
  );
}
