// The lines of the invoice form, and the amounts that they add up to.
import { useContext } from 'preact/hooks';
import type { InvoiceSettings } from '../../../invoices/defaults.js';
import { MAX_ITEMS } from '../../../platform/http/input/validate.js';
import { LineGroup } from '../../kit/ui/field-groups.js';
import { Button, Field, FormContext, Select } from '../../kit/ui/fields.js';
import { showAmounts } from './amounts.js';

export const ADD_LINES = 'add-lines';
/** The button that shows tax, discounts and other extras, and the field that keeps them shown. */
export const EXTRAS = 'extras';

interface LinesProps {
  readonly settings: InvoiceSettings;
  readonly rows: number;
  /** No line has any input. */
  readonly isEmpty: boolean;
  /** The extra fields are shown. */
  readonly isExtended: boolean;
}

export function Lines({ settings, rows, isEmpty, isExtended }: LinesProps) {
  const { values, errors } = useContext(FormContext);
  const error = errors.get('items');
  const field = (index: number, name: string) => values.get(`items.${index}.${name}`) ?? '';
  const lines = Array.from({ length: rows }, (_, index) => ({
    qty: field(index, 'qty'),
    price: field(index, 'price'),
    discount: field(index, 'discount'),
    taxRate: field(index, 'taxRate'),
    taxCategory: field(index, 'taxCategory'),
  }));
  const shown = showAmounts({ lines, discount: values.get('discount') ?? '' }, settings);
  return (
    <fieldset
      class="panel lines"
      data-currency={settings.currency}
      data-tax={settings.defaultTaxRate ?? undefined}
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
          {isEmpty ? 'Add at least one line.' : error}
        </p>
      )}
      <div class="line-area">
        <div class="line-list">
          {shown.lines.map((amount, index) => (
            <Line key={index} index={index} title={`Line ${index + 1}`} amount={amount} />
          ))}
        </div>
      </div>
      <template>
        <Line index="new" title="" amount="" />
      </template>
      <div class="lines-foot">
        <div class="actions">
          <Button quiet name="do" value={ADD_LINES}>
            Add lines
          </Button>
          {!isExtended && (
            <Button quiet name="do" value={EXTRAS}>
              Tax, discounts, note
            </Button>
          )}
        </div>
        <div class="invoice-totals">
          <dl class="extra">
            <Sum label="Discount" name="discount" value={shown.discount} />
            <Sum label="Subtotal" name="subtotal" value={shown.subtotal} />
            <Sum label="Tax" name="tax" value={shown.tax} />
          </dl>
          <p class="invoice-total">
            Total{' '}
            <span class="figure" data-total>
              {shown.total}
            </span>
          </p>
        </div>
      </div>
      <p class="unseen" role="status" data-status />
    </fieldset>
  );
}

function Sum({ label, name, value }: { label: string; name: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd class="figure" data-sum={name}>
        {value}
      </dd>
    </div>
  );
}

/** The tax categories to choose from. S and Z follow from the rate. */
const CATEGORIES = [
  { value: '', label: 'Standard' },
  { value: 'E', label: 'Exempt' },
  { value: 'AE', label: 'Reverse charge' },
  { value: 'K', label: 'Intra-EU supply' },
  { value: 'G', label: 'Export outside the EU' },
  { value: 'O', label: 'Not subject to tax' },
];

function Line({ index, title, amount }: { index: number | 'new'; title: string; amount: string }) {
  const name = (field: string) => `items.${index}.${field}`;
  return (
    <LineGroup class="line" label={title}>
      <Field name={name('name')} label="Item" maxLength={255} autocomplete="off" />
      <Field name={name('sku')} label="SKU" maxLength={64} autocomplete="off" optional />
      <Field name={name('qty')} label="Quantity" autocomplete="off" decimal />
      <Field name={name('price')} label="Unit price" autocomplete="off" decimal />
      <p class="line-amount">
        <span>Amount</span> <span class="figure">{amount}</span>
      </p>
      <button class="line-remove" type="button" title="Remove line" hidden>
        <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
          <path d="M4 4l8 8M12 4l-8 8" />
        </svg>
      </button>
      <p class="hint line-stock" hidden />
      <div class="line-extras extra">
        <Field name={name('discount')} label="Discount (% or amount)" autocomplete="off" optional />
        <Field name={name('taxRate')} label="Tax %" autocomplete="off" decimal optional />
        <Select name={name('taxCategory')} label="Tax type" options={CATEGORIES} optional />
      </div>
    </LineGroup>
  );
}
