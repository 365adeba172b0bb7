// The form for a new invoice. Without JavaScript it has a button that reloads it with more lines.
// With JavaScript (browser/invoice-form.ts) lines are added and removed in place, items are
// suggested and the total is live.
import { useContext } from 'preact/hooks';
import { v7 as uuidv7 } from 'uuid';
import { MAX_ITEMS } from '../../platform/http/input/validate.js';
import type { FormState } from '../kit/form.js';
import type { PageAnswer } from '../kit/page.js';
import { KEY_FIELD } from '../kit/submit-write.js';
import { ButtonLink, PageContext, PageHead } from '../kit/ui/components.js';
import { Button, Field, Form, Hidden } from '../kit/ui/fields.js';
import { showAmount, showTotal } from './amounts.js';
import { countLines } from './form-fields.js';

export const ADD_LINES = 'add-lines';

interface Options {
  /** Blank lines after the filled ones. */
  readonly blanks: number;
  /** The previous key, if sending the form again must not create a second invoice. */
  readonly key?: string | undefined;
}

/** The page with the form in this state, whose line fields must come from `invoiceFields`. */
export function invoiceFormPage(state: FormState, { blanks, key = uuidv7() }: Options): PageAnswer {
  const filled = countLines(state.values);
  const rows = Math.max(1, filled, Math.min(filled + blanks, MAX_ITEMS));
  const body = (
    <>
      <PageHead title="New invoice" />
      <Form action="/invoices/new" state={state} wide>
        {/* Enter presses the form's first button, which must not be the one that adds lines. */}
        <button type="submit" hidden>
          Create invoice
        </button>
        <Hidden name={KEY_FIELD} value={key} />
        <div class="panel invoice-head">
          <Field name="customerName" label="Customer" maxLength={255} />
          <Field name="date" label="Invoice date" type="date" />
          <Field name="reference" label="Reference" maxLength={100} optional />
        </div>
        <Lines state={state} rows={rows} filled={filled} />
        <div class="actions">
          <Button>Create invoice</Button>
          <ButtonLink href="/invoices" quiet>
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </>
  );
  return { title: 'New invoice', body, scripts: ['invoice-form.js'] };
}

function Lines({
  state: { values, errors },
  rows,
  filled,
}: {
  state: FormState;
  rows: number;
  filled: number;
}) {
  const { currency } = useContext(PageContext);
  const error = errors.get('items');
  const lines = Array.from({ length: rows }, (_, index) => ({
    qty: values.get(`items.${index}.qty`) ?? '',
    price: values.get(`items.${index}.price`) ?? '',
  }));
  return (
    <fieldset
      class="panel lines"
      data-currency={currency}
      data-max={MAX_ITEMS}
      aria-describedby={error ? 'lines-error lines-hint' : 'lines-hint'}
    >
      <legend>Lines</legend>
      <p id="lines-hint" class="hint">
        Lines that match a stock item reduce its stock. Anything else, such as delivery, is just
        billed.
      </p>
      {error && (
        <p id="lines-error" class="error">
          {filled === 0 ? 'Add at least one line.' : error}
        </p>
      )}
      <div class="line-area">
        <div class="line-list">
          {lines.map((line, index) => (
            <Line
              key={index}
              index={index}
              title={`Line ${index + 1}`}
              amount={showAmount(line, currency)}
            />
          ))}
        </div>
      </div>
      <template>
        <Line index="new" title="" amount="" />
      </template>
      <div class="lines-foot">
        <Button quiet name="do" value={ADD_LINES}>
          Add lines
        </Button>
        <p class="invoice-total">
          Total{' '}
          <span class="figure" data-total>
            {showTotal(lines, currency)}
          </span>
        </p>
      </div>
      <p class="unseen" role="status" data-status />
    </fieldset>
  );
}

function Line({ index, title, amount }: { index: number | 'new'; title: string; amount: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be a grid item
    <div class="line" role="group" aria-label={title}>
      <Field name={`items.${index}.name`} label="Item" maxLength={255} autocomplete="off" />
      <Field name={`items.${index}.sku`} label="SKU" maxLength={64} autocomplete="off" optional />
      <Field name={`items.${index}.qty`} label="Quantity" autocomplete="off" decimal />
      <Field name={`items.${index}.price`} label="Unit price" autocomplete="off" decimal />
      <p class="line-amount">
        <span>Amount</span> <span class="figure">{amount}</span>
      </p>
      <button class="line-remove" type="button" title="Remove line" hidden>
        <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
          <path d="M4 4l8 8M12 4l-8 8" />
        </svg>
      </button>
      <p class="hint line-stock" hidden />
    </div>
  );
}
