// The invoices of a form that moves money: one row per invoice, with its balance and a field for
// the amount. The form carries the remainder that the page showed, so a remainder that the person
// has not seen is shown before anything is written. Scripts (browser/payment-form.ts) keep it
// current.

import { useContext } from 'preact/hooks';
import type { OpenInvoice } from '../../../ledger/open-invoices.js';
import { Problem } from '../../../platform/errors.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { fromUnits, toUnits } from '../../../platform/values/money.js';
import type { Session } from '../../../users/sessions.js';
import { markOf, moneyStyleOf } from '../../kit/forms/field-limits.js';
import type { FormState } from '../../kit/forms/form-state.js';
import { Badge, Money, PageContext } from '../../kit/ui/components.js';
import { Button, Field } from '../../kit/ui/fields.js';
import { formatDay } from '../../kit/ui/format.js';
import {
  type MoneyStyle,
  readAmount,
  remainderLabel,
  remainderOf,
  showRemainder,
  showUnits,
  suggestAmounts,
  typedAmount,
} from './amounts.js';

export const SUGGEST = 'suggest';
/** The remainder that the page showed. */
const REMAINDER_FIELD = 'remainder';
const PREFIX = 'invoice.';

/** An invoice that can get money of this payment or credit note. */
export interface AllocationRow extends OpenInvoice {
  /** The amount that it has of this money already, as decimal text. */
  readonly allocated: string;
}

/** The field of an invoice's amount. */
export function amountField(invoiceId: string): string {
  return PREFIX + invoiceId;
}

/** The amount for an invoice, as it was typed. */
export interface TypedAmount {
  readonly invoiceId: string;
  readonly text: string;
}

/** The typed amounts that are not empty, by invoice, in the form's order. */
export function typedAmounts(form: FormFields): TypedAmount[] {
  return [...form]
    .filter(([name, text]) => name.startsWith(PREFIX) && text.trim() !== '')
    .map(([name, text]) => ({ invoiceId: name.slice(PREFIX.length), text }));
}

/**
 * Adds the amounts to the fields of a request. Returns the form's field for a field of the request.
 */
export function addAmounts(
  fields: FormFields,
  amounts: readonly TypedAmount[],
): (name: string) => string {
  for (const [index, { invoiceId, text }] of amounts.entries()) {
    fields.set(`invoices.${index}.invoiceId`, invoiceId);
    fields.set(`invoices.${index}.amount`, text);
  }
  return name => {
    const [, index] = /^invoices\.(\d+)/u.exec(name) ?? [];
    return index === undefined ? name : amountField(amounts[Number(index)]?.invoiceId ?? '');
  };
}

/** The form with suggested amounts: the money goes to the rows in order. */
export function withSuggestions(
  form: FormFields,
  money: bigint,
  rows: readonly AllocationRow[],
  session: Session,
): FormFields {
  const amounts = suggestAmounts(money, rows.map(limitOf));
  const filled = new FormFields(form);
  const { currency } = session;
  for (const [index, { id }] of rows.entries())
    filled.set(amountField(id), typedAmount(amounts[index] ?? 0n, currency, markOf(session)));
  return filled;
}

/** The unallocated money if the form is sent; null while a field is not a number. */
function remainderOfForm(form: FormFields, money: bigint | null, style: MoneyStyle): bigint | null {
  return remainderOf(
    money,
    typedAmounts(form).map(({ text }) => readAmount(text, style)),
  );
}

/**
 * Throws Problem `validation_failed` if the form leaves a remainder that its page did not show. A
 * page without invoices has no such field, and says that the whole payment stays unallocated.
 */
export function reviewRemainder(form: FormFields, money: bigint, session: Session): void {
  const shown = form.get(REMAINDER_FIELD);
  const remainder = remainderOfForm(form, money, moneyStyleOf(session));
  if (shown === null || remainder === null || remainder <= 0n) return;
  if (shown === fromUnits(remainder)) return;
  const sentence = `${showUnits(remainder, session.currency)} would not be used for any invoice.`;
  throw new Problem('validation_failed', `${sentence} Check the amounts and submit again.`);
}

/** The most that an invoice can have of the money: its balance and its present share. */
function limitOf({ due, allocated }: AllocationRow): bigint {
  return toUnits(due) + toUnits(allocated);
}

interface FieldsProps {
  readonly rows: readonly AllocationRow[];
  readonly state: FormState;
  /** The money to distribute: ten-thousandths, or null while the amount is not a number. */
  readonly money: bigint | null;
  readonly hint: string;
}

export function AllocationFields({ rows, state, money, hint }: FieldsProps) {
  const { currency, decimalMark } = useContext(PageContext);
  const remainder = remainderOfForm(state.values, money, { currency, decimalMark });
  const error = state.errors.get('invoices');
  return (
    <fieldset
      class="panel allocation"
      data-currency={currency}
      data-money={money === null ? undefined : fromUnits(money)}
    >
      <legend>Invoices</legend>
      <p class="hint">{hint}</p>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <ul class="allocation-rows">
        {rows.map(row => (
          <Row key={row.id} row={row} />
        ))}
      </ul>
      <div class="allocation-foot">
        {rows.length > 1 && (
          <Button quiet name="do" value={SUGGEST}>
            Suggest amounts
          </Button>
        )}
        <p class="allocation-remainder">
          <span data-remainder-label>{remainderLabel(remainder)}</span>{' '}
          <strong class="figure" data-remainder>
            {showRemainder(remainder, currency)}
          </strong>
        </p>
      </div>
      <input
        type="hidden"
        name={REMAINDER_FIELD}
        value={remainder === null ? '' : fromUnits(remainder)}
        data-remainder-field
      />
    </fieldset>
  );
}

function Row({ row }: { row: AllocationRow }) {
  const { id, number, date, dueDate, isOverdue, allocated } = row;
  return (
    <li class="allocation-row" data-limit={fromUnits(limitOf(row))}>
      <p class="allocation-invoice">
        <a href={`/invoices/${id}`}>{number}</a> {isOverdue && <Badge tone="bad">Overdue</Badge>}
        <span class="note">
          {dueDate === null ? `Dated ${formatDay(date)}` : `Due ${formatDay(dueDate)}`}
        </span>
      </p>
      <p class="allocation-due">
        <span class="note">{allocated === '0' ? 'Due' : 'Due without this'}</span>{' '}
        <Money value={fromUnits(limitOf(row))} />
      </p>
      <Field
        name={amountField(id)}
        label={`Amount for ${number}`}
        autocomplete="off"
        decimal
        optional
      />
    </li>
  );
}
