// The form that credits an invoice: each line shows what remains of it, and takes a quantity or an
// amount. The form carries the total that the page showed, so a total that the person has not seen
// is shown before anything is written. Scripts (browser/credit-form.ts) keep it current.

import { useContext } from 'preact/hooks';
import type { InvoiceCredit } from '../../ledger/rules/state.js';
import type { FormFields } from '../../platform/http/input/form-fields.js';
import { fromMinor, fromUnits } from '../../platform/values/money.js';
import type { Invoice, InvoiceLine } from '../invoices/invoice-view.js';
import type { FormState } from '../kit/forms/form-state.js';
import type { PageAnswer } from '../kit/page.js';
import { Money, PageContext, PageHead, Quantity } from '../kit/ui/components.js';
import { DateField } from '../kit/ui/date-field.js';
import { FormActions, LineGroup } from '../kit/ui/field-groups.js';
import { Button, Checkbox, Field, Form, Select, TextArea } from '../kit/ui/fields.js';
import { formatMoney } from '../kit/ui/format.js';
import type { MoneyStyle } from '../payments/money/amounts.js';
import { CREDIT_REASON_OPTIONS } from './credit-note-view.js';
import {
  type CreditPreview,
  type CreditState,
  encodeState,
  previewCredit,
  sumsLabel,
  type TypedPart,
} from './preview.js';

export const ALL = 'all';
/** The total that the page showed. */
export const TOTAL_FIELD = 'shown';

/** The field of a line, whose index starts at 0: line.1.qty belongs to the first line. */
export function lineField(index: number, name: 'qty' | 'amount' | 'restock'): string {
  return `line.${index + 1}.${name}`;
}

export function typedParts(form: FormFields, credit: InvoiceCredit): TypedPart[] {
  return credit.issued.lines.map((_, index) => ({
    qty: form.get(lineField(index, 'qty')) ?? '',
    amount: form.get(lineField(index, 'amount')) ?? '',
  }));
}

export function previewOf(
  form: FormFields,
  credit: InvoiceCredit,
  style: MoneyStyle,
): CreditPreview {
  return previewCredit(stateOf(credit, style), typedParts(form, credit));
}

function stateOf({ issued, creditable, credited }: InvoiceCredit, style: MoneyStyle): CreditState {
  return { style, decimals: issued.decimals, creditable, credited };
}

export interface CreditedInvoice {
  readonly invoice: Invoice;
  /** Its lines, and how much of them is credited. */
  readonly credit: InvoiceCredit;
}

export function creditPage({ invoice, credit }: CreditedInvoice, state: FormState): PageAnswer {
  const path = `/invoices/${invoice.id}`;
  const title = `Credit ${invoice.number}`;
  const body = (
    <>
      <PageHead title={title} note={invoice.customerName} />
      <Form action={`${path}/credit`} state={state} deliberate wide>
        <section class="panel payment-head" aria-label="Credit note">
          <Select name="reason" label="Reason" options={CREDIT_REASON_OPTIONS} />
          <DateField name="date" label="Date" optional={false} />
          <Field name="reference" label="Reference" hint="Printed on the credit note." />
        </section>
        <Lines invoice={invoice} credit={credit} state={state} />
        <section class="panel" aria-label="Note">
          <TextArea name="note" label="Note" hint="Printed on the credit note." rows={2} />
        </section>
        <FormActions submit="Create credit note" cancel={path} />
      </Form>
    </>
  );
  return { title, body, scripts: ['credit-form.js'] };
}

interface LinesProps extends CreditedInvoice {
  readonly state: FormState;
}

function Lines({ invoice, credit, state }: LinesProps) {
  const { currency, decimalMark } = useContext(PageContext);
  const style = { currency, decimalMark };
  const { issued } = credit;
  const { total, subtotal, taxTotal, amounts } = previewOf(state.values, credit, style);
  const show = (amount: bigint) => formatMoney(fromMinor(amount, issued.decimals), currency);
  const error = state.errors.get('items');
  return (
    <fieldset
      class="panel credit"
      data-currency={currency}
      data-credit={encodeState(stateOf(credit, style))}
    >
      <legend>Lines to credit</legend>
      <p class="hint">
        Enter a quantity, or an amount excluding tax. Discounts and tax are credited in proportion.
      </p>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <div class="credit-lines">
        {invoice.items.map((line, index) => (
          <Line
            key={index}
            index={index}
            line={line}
            credit={credit}
            amount={amounts[index] == null ? '' : show(amounts[index])}
          />
        ))}
      </div>
      <div class="allocation-foot">
        <Button quiet name="do" value={ALL}>
          Credit the remainder
        </Button>
        <p class="credit-sums">
          <span data-sums>{sumsLabel(subtotal, taxTotal, show)}</span>{' '}
          <span class="invoice-total">
            Total credit{' '}
            <strong class="figure" data-total>
              {total === null ? '–' : show(total)}
            </strong>
          </span>
        </p>
      </div>
      <input
        type="hidden"
        name={TOTAL_FIELD}
        value={total === null ? '' : fromMinor(total, issued.decimals)}
        data-total-field
      />
    </fieldset>
  );
}

interface LineProps {
  readonly index: number;
  readonly line: InvoiceLine;
  readonly credit: InvoiceCredit;
  /** The formatted amount; empty if nothing of the line is credited. */
  readonly amount: string;
}

function Line({ index, line, credit, amount }: LineProps) {
  const { creditable, credited, issued } = credit;
  const whole = creditable.lines[index] ?? { qty: 0n, amount: 0n };
  const used = credited.lines[index] ?? { qty: 0n, amount: 0n };
  const [qty, money] = [whole.qty - used.qty, whole.amount - used.amount];
  const isLeft = qty > 0n || money > 0n;
  return (
    <LineGroup class="credit-line" label={`Line ${index + 1}: ${line.name}`}>
      <p class="credit-name">
        {line.name}
        <span class="note">
          {isLeft ? (
            <>
              <Quantity value={fromUnits(qty)} /> of <Quantity value={line.qty} /> can be credited (
              <Money value={fromMinor(money, issued.decimals)} />)
            </>
          ) : (
            'Credited in full'
          )}
        </span>
      </p>
      {isLeft && (
        <>
          <Field
            name={lineField(index, 'qty')}
            label="Quantity"
            autocomplete="off"
            decimal
            optional
          />
          <Field
            name={lineField(index, 'amount')}
            label="Or amount"
            autocomplete="off"
            decimal
            optional
          />
          <p class="credit-amount">
            <span class="figure" data-amount>
              {amount}
            </span>
          </p>
          {line.itemId !== null && (
            <div class="credit-restock">
              <Checkbox name={lineField(index, 'restock')} label="Put back into stock" />
            </div>
          )}
        </>
      )}
    </LineGroup>
  );
}
