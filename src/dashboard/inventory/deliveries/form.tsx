// The form for a delivery: lines to type, and a list to paste. Without JavaScript it has some blank
// lines and a button that reloads it with more. With JavaScript (browser/delivery-form.ts) lines
// are added and removed in place, and items are suggested.
import { useContext } from 'preact/hooks';
import { MAX_ITEMS } from '../../../platform/http/input/validate.js';
import { DecimalSeparator } from '../../kit/forms/decimal-separator.js';
import type { FormState } from '../../kit/forms/form-state.js';
import type { PageAnswer } from '../../kit/page.js';
import { PageContext, PageHead } from '../../kit/ui/components.js';
import { DateField } from '../../kit/ui/date-field.js';
import { FormActions, LineGroup } from '../../kit/ui/field-groups.js';
import { Button, Field, Form, TextArea } from '../../kit/ui/fields.js';
import { Icon } from '../../kit/ui/icons.js';
import { RECEIVE_PATH } from '../stock-jobs.js';
import { deliveryLines } from './fields.js';

export const ADD_DELIVERY_LINES = 'add-lines';
export const EDIT = 'edit';
export const SEND = 'send';

/** The page with the form in this state, whose lines are numbered from 0, and blank lines. */
export function deliveryFormPage(state: FormState, blanks: number): PageAnswer {
  const filled = deliveryLines(state.values).length;
  const rows = Math.max(1, filled, Math.min(filled + blanks, MAX_ITEMS));
  const body = (
    <>
      <PageHead
        title="Receive a delivery"
        note="Add a whole delivery to stock. You’ll review it before anything changes."
      />
      <Form action={RECEIVE_PATH} state={state} deliberate wide>
        <div class="panel delivery-head">
          <Field
            name="reference"
            label="Delivery note"
            hint="The supplier’s number, so you can find the delivery later."
          />
          <Field name="supplier" label="Supplier" />
          <DateField name="arrivedOn" label="Day of arrival" />
        </div>
        <Lines error={lineError(state, filled)} rows={rows} />
        <PastedList state={state} />
        <FormActions submit="Review delivery" cancel="/inventory" />
      </Form>
    </>
  );
  return { title: 'Receive a delivery', body, scripts: ['delivery-form.js'] };
}

/** The error of all lines. */
function lineError({ errors }: FormState, filled: number): string | undefined {
  if (!errors.has('items')) return undefined;
  if (filled === 0) return 'Add at least one line.';
  return `A delivery has at most ${MAX_ITEMS} lines, and this one has ${filled}.`;
}

function Lines({ error, rows }: { error: string | undefined; rows: number }) {
  return (
    <fieldset
      class="panel delivery-lines"
      data-max={MAX_ITEMS}
      aria-describedby={error ? 'lines-error lines-hint' : 'lines-hint'}
    >
      <legend>Items</legend>
      <p id="lines-hint" class="hint">
        Enter a name or SKU. A new name creates an item. Up to {MAX_ITEMS} lines.
      </p>
      {error && (
        <p id="lines-error" class="error">
          {error}
        </p>
      )}
      <div class="delivery-list" data-lines>
        {Array.from({ length: rows }, (_, index) => (
          <Line key={index} index={index} />
        ))}
      </div>
      <template>
        <Line index="new" />
      </template>
      <div>
        <Button quiet name="do" value={ADD_DELIVERY_LINES}>
          Add lines
        </Button>
      </div>
      <p class="unseen" role="status" data-status />
    </fieldset>
  );
}

function Line({ index }: { index: number | 'new' }) {
  const title = index === 'new' ? '' : `Line ${index + 1}`;
  const hasCosts = useContext(PageContext).may('set-prices');
  return (
    <LineGroup class={hasCosts ? 'delivery-line' : 'delivery-line without-costs'} label={title}>
      <Field name={`items.${index}.item`} label="Item" autocomplete="off" />
      <Field name={`items.${index}.quantity`} label="Quantity" autocomplete="off" />
      {hasCosts && <Field name={`items.${index}.unitCost`} label="Unit cost" autocomplete="off" />}
      <button class="button quiet delivery-remove" type="button" hidden>
        <Icon name="close" />
      </button>
      <p class="hint delivery-stock" hidden />
    </LineGroup>
  );
}

function PastedList({ state: { values, errors } }: { state: FormState }) {
  const hasCosts = useContext(PageContext).may('set-prices');
  const columns = hasCosts ? 'Name or SKU, quantity, unit cost' : 'Name or SKU, quantity';
  const hasInput =
    (values.get('pasted') ?? '') !== '' || errors.has('pasted') || errors.has('decimals');
  return (
    <details class="panel disclosure" open={hasInput}>
      <summary>Paste from a spreadsheet</summary>
      <div class="delivery-pasted">
        <TextArea
          name="pasted"
          label="Copied cells"
          hint={`${columns}; separated by tabs, semicolons, commas or bars.`}
          rows={6}
          optional
        />
        <DecimalSeparator unknown="As in the list" />
      </div>
    </details>
  );
}
