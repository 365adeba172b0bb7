// The form for a delivery: lines to type, and a list to paste. Without JavaScript it has some blank
// lines and a button that reloads it with more. With JavaScript (browser/delivery-form.ts) lines
// are added and removed in place, and items are suggested.
import { randomUUID } from 'node:crypto';
import { MAX_ITEMS } from '../../../platform/http/input/validate.js';
import type { FormState } from '../../kit/form.js';
import type { PageAnswer } from '../../kit/page.js';
import { KEY_FIELD } from '../../kit/submit-write.js';
import { ButtonLink, PageHead } from '../../kit/ui/components.js';
import { LineGroup } from '../../kit/ui/field-groups.js';
import { Button, Field, Form, Hidden, Select, TextArea } from '../../kit/ui/fields.js';
import { Icon } from '../../kit/ui/icons.js';
import { linesOf } from './fields.js';

export const ADD_LINES = 'add-lines';
export const EDIT = 'edit';
export const SEND = 'send';
export const RECEIVE_PATH = '/inventory/receive';

interface Options {
  /** Blank lines after the filled ones. */
  readonly blanks: number;
  /** The previous key, if sending the form again must not receive the delivery twice. */
  readonly key?: string | undefined;
}

/** The page with the form in this state, whose lines are numbered from 0. */
export function deliveryFormPage(
  state: FormState,
  { blanks, key = randomUUID() }: Options,
): PageAnswer {
  const filled = linesOf(state.values).length;
  const rows = Math.max(1, filled, Math.min(filled + blanks, MAX_ITEMS));
  const body = (
    <>
      <PageHead
        title="Receive a delivery"
        note="Adds all its items to your stock at once. You can check it before it is booked."
      />
      <Form action={RECEIVE_PATH} state={state} wide>
        {/* Enter presses the form's first button, which must not be the one that adds lines. */}
        <button type="submit" hidden>
          Review delivery
        </button>
        <Hidden name={KEY_FIELD} value={key} />
        <div class="panel delivery-head">
          <Field
            name="reference"
            label="Delivery note"
            hint="The supplier’s number, so you can find the delivery later."
            maxLength={100}
            optional
          />
        </div>
        <Lines error={lineError(state, filled)} rows={rows} />
        <PastedList state={state} />
        <div class="actions">
          <Button>Review delivery</Button>
          <ButtonLink href="/inventory" quiet>
            Cancel
          </ButtonLink>
        </div>
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
        A name or SKU finds an item. A new name creates one. Up to {MAX_ITEMS} lines.
      </p>
      {error && (
        <p id="lines-error" class="error">
          {error}
        </p>
      )}
      <div class="delivery-list">
        {Array.from({ length: rows }, (_, index) => (
          <Line key={index} index={index} />
        ))}
      </div>
      <template>
        <Line index="new" />
      </template>
      <div>
        <Button quiet name="do" value={ADD_LINES}>
          Add lines
        </Button>
      </div>
      <p class="unseen" role="status" data-status />
    </fieldset>
  );
}

function Line({ index }: { index: number | 'new' }) {
  const title = index === 'new' ? '' : `Line ${index + 1}`;
  return (
    <LineGroup class="delivery-line" label={title}>
      <Field name={`items.${index}.item`} label="Item" maxLength={255} autocomplete="off" />
      <Field name={`items.${index}.quantity`} label="Quantity" autocomplete="off" decimal />
      <Field
        name={`items.${index}.unitCost`}
        label="Unit cost"
        autocomplete="off"
        decimal
        optional
      />
      <button class="button quiet delivery-remove" type="button" hidden>
        <Icon name="close" />
      </button>
      <p class="hint delivery-stock" hidden />
    </LineGroup>
  );
}

const SEPARATORS = [
  { value: '', label: 'As in the list' },
  { value: '.', label: 'Point (12.5)' },
  { value: ',', label: 'Comma (12,5)' },
];

function PastedList({ state: { values, errors } }: { state: FormState }) {
  const hasInput =
    (values.get('pasted') ?? '') !== '' || errors.has('pasted') || errors.has('decimals');
  return (
    <details class="panel disclosure" open={hasInput}>
      <summary>Paste from a spreadsheet</summary>
      <div class="delivery-pasted">
        <TextArea
          name="pasted"
          label="Copied cells"
          hint="Name or SKU, quantity, unit cost; separated by tabs, semicolons or commas."
          rows={6}
          optional
        />
        <Select name="decimals" label="Decimal separator" options={SEPARATORS} optional />
      </div>
    </details>
  );
}
