// The form that adjusts one item's stock.
import { randomUUID } from 'node:crypto';
import { REASONS } from '../../inventory/schema.js';
import { type FormState, newForm } from '../kit/form.js';
import { KEY_FIELD } from '../kit/submit-write.js';
import { Button, Field, Form, Select, TextArea } from '../kit/ui/fields.js';
import { type Item, KINDS } from './item-view.js';

const WAYS = [
  { value: 'add', label: 'Add to stock' },
  { value: 'take', label: 'Take out of stock' },
  { value: 'count', label: 'Set to what was counted' },
];

export function newAdjustment(): FormState {
  return newForm({ how: 'add', reason: 'received' });
}

interface AdjustFormProps {
  readonly item: Item;
  readonly state: FormState;
  readonly formKey?: string | undefined;
}

/** What was on hand when the page was made goes along unseen: stock that changed meanwhile is not changed unseen. */
export function AdjustForm({
  item: { id, name, onHand, unit },
  state,
  formKey = randomUUID(),
}: AdjustFormProps) {
  return (
    <Form action={`/inventory/${id}/adjust`} state={state} label={`Adjust the stock of ${name}`}>
      <input type="hidden" name={KEY_FIELD} value={formKey} />
      <input type="hidden" name="expectedOnHand" value={onHand} />
      <Select name="how" label="What to do" options={WAYS} />
      <Field name="quantity" label={unit === null ? 'Quantity' : `Quantity in ${unit}`} decimal />
      <Select
        name="reason"
        label="Reason"
        options={REASONS.map(value => ({ value, label: KINDS[value] ?? value }))}
      />
      <Field
        name="reference"
        label="Reference"
        hint="A delivery note, a stock-take."
        optional
        maxLength={100}
      />
      <TextArea name="note" label="Note" rows={2} optional />
      <Button>Adjust stock</Button>
    </Form>
  );
}
