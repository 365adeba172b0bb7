// The lines of the invoice form, and the amounts that they add up to.
import { useContext } from 'preact/hooks';
import { TAX_CATEGORIES } from '../../../companies/tax-category.js';
import type { InvoiceSettings } from '../../../invoices/defaults.js';
import { MAX_ITEMS } from '../../../platform/http/input/validate.js';
import { TAX_TYPES } from '../../customers/options.js';
import { FormContext } from '../../kit/forms/form-context.js';
import type { FormState } from '../../kit/forms/form-state.js';
import { Money, PageContext } from '../../kit/ui/components.js';
import { LineGroup } from '../../kit/ui/field-groups.js';
import { Button, Field, Select } from '../../kit/ui/fields.js';
import type { TotalRow } from '../totals.js';
import { showAmounts } from './amounts.js';
import { creditWarning, type LimitLeft } from './credit.js';
import { categoryOf, rateOf } from './customer.js';
import { FOLDED_LINE_FIELDS, typedCategory, typedInvoice } from './fields.js';

export const ADD_INVOICE_LINES = 'add-lines';

interface LinesProps {
  readonly settings: InvoiceSettings;
  /** The limit of the customer. */
  readonly credit: LimitLeft | null;
  readonly allowNegativeStock: boolean;
  readonly rows: number;
  /** No line has any input. */
  readonly isEmpty: boolean;
}

export function Lines({ settings, credit, allowNegativeStock, rows, isEmpty }: LinesProps) {
  const state = useContext(FormContext);
  const error = state.errors.get('items');
  const { decimalMark } = useContext(PageContext);
  const shown = showAmounts(typedInvoice(state.values, rows), { ...settings, decimalMark });
  return (
    <fieldset
      class="panel lines"
      data-currency={settings.currency}
      data-tax={settings.defaultTaxRate ?? undefined}
      data-tax-category={categoryOf(settings)}
      data-tax-reason={settings.defaultTaxReason}
      data-max={MAX_ITEMS}
      data-negative={allowNegativeStock ? 'allowed' : undefined}
      aria-describedby={error ? 'lines-error lines-hint' : 'lines-hint'}
    >
      <legend>Lines</legend>
      <p id="lines-hint" class="hint">
        Lines that match a stock item reduce its stock. Anything else, such as delivery, is just
        billed.
      </p>
      {error && (
        <p id="lines-error" class="error">
          {isEmpty ? 'Add at least one line.' : error}
        </p>
      )}
      <div class="line-list" data-lines>
        {shown.lines.map((amount, index) => (
          <Line
            key={index}
            index={index}
            title={`Line ${index + 1}`}
            amount={amount}
            isOpen={isUnusual(state, index, settings)}
          />
        ))}
      </div>
      <template>
        <Line index="new" title="" amount="" isOpen={false} />
      </template>
      <div class="lines-foot">
        <div class="actions">
          <Button quiet name="do" value={ADD_INVOICE_LINES}>
            Add lines
          </Button>
        </div>
        <div class="invoice-totals">
          <Totals rows={shown.rows} total={shown.total} />
          <CreditLine credit={credit} total={shown.total} currency={settings.currency} />
        </div>
      </div>
      <p class="unseen" role="status" data-status />
    </fieldset>
  );
}

/** True if a collapsed field of the line differs from a new line's, or has an error. */
function isUnusual(
  { values, errors }: FormState,
  index: number,
  settings: InvoiceSettings,
): boolean {
  return FOLDED_LINE_FIELDS.some(field => {
    const name = `items.${index}.${field}`;
    const usual =
      field === 'taxRate' ? rateOf(settings) : field === 'taxCategory' ? categoryOf(settings) : '';
    return errors.has(name) || (values.get(name) ?? '').trim() !== usual;
  });
}

/** The rows and the total that the invoice's page will have. */
function Totals({ rows, total }: { rows: readonly TotalRow[]; total: string | null }) {
  return (
    <>
      <dl data-sums>
        {rows.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Money value={value} />
            </dd>
          </div>
        ))}
      </dl>
      <p class="invoice-total">
        Total{' '}
        <span class="figure" data-total>
          {total === null ? '–' : <Money value={total} />}
        </span>
      </p>
    </>
  );
}

interface CreditProps {
  readonly credit: LimitLeft | null;
  readonly total: string | null;
  readonly currency: string;
}

/** The excess over the limit. Red if the company refuses such an invoice. A script updates it. */
function CreditLine({ credit, total, currency }: CreditProps) {
  const warning = creditWarning(credit, total, currency);
  return (
    <p
      class={credit?.refuses ? 'credit-state bad' : 'credit-state warn'}
      data-credit={credit === null ? '' : JSON.stringify(credit)}
      hidden={warning === null}
      role="status"
    >
      {warning}
    </p>
  );
}

/** The tax categories to choose from. S and Z follow from the rate. */
const CATEGORIES = [
  { value: '', label: TAX_TYPES.S },
  ...TAX_CATEGORIES.filter(category => typedCategory(category) !== '').map(value => ({
    value,
    label: TAX_TYPES[value],
  })),
];

interface LineProps {
  readonly index: number | 'new';
  readonly title: string;
  /** The formatted amount. */
  readonly amount: string;
  /** The discount and the tax are shown. */
  readonly isOpen: boolean;
}

/** The controls that most lines do not need come last, so that Tab reaches them last. */
function Line({ index, title, amount, isOpen }: LineProps) {
  const name = (field: string) => `items.${index}.${field}`;
  return (
    <LineGroup class="line" label={title}>
      <Field name={name('name')} label="Item" optional={false} autocomplete="off" />
      <Field name={name('sku')} label="SKU" autocomplete="off" />
      <Field name={name('qty')} label="Quantity" autocomplete="off" />
      <Field name={name('price')} label="Unit price" optional={false} autocomplete="off" />
      <p class="line-amount">
        <span>Amount</span> <span class="figure">{amount}</span>
      </p>
      <p class="hint line-stock" hidden />
      <details class="line-fold" open={isOpen}>
        <summary title="Tax and discount">
          <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path d="M3 8h.01M8 8h.01M13 8h.01" />
          </svg>
          <span>Tax and discount</span>
        </summary>
        <div class="line-extras">
          <Field name={name('discount')} label="Discount (% or amount)" autocomplete="off" />
          <Field name={name('taxRate')} label="Tax %" autocomplete="off" />
          <Select name={name('taxCategory')} label="Tax type" options={CATEGORIES} />
        </div>
      </details>
      <button class="line-remove" type="button" title="Remove line" hidden>
        <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
          <path d="M4 4l8 8M12 4l-8 8" />
        </svg>
      </button>
    </LineGroup>
  );
}
