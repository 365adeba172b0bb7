// The arithmetic at the end of an invoice, row by row: for its page, its form and for paper.
import type { LineDiscount, TaxGroup } from '../../invoices/invoice-json.js';
import { fromMinor, minorUnits, toMinor } from '../../platform/values/money.js';
import { formatMoney, formatQuantity } from '../kit/ui/format.js';
import type { Invoice } from './invoice-view.js';

export interface TotalRow {
  readonly label: string;
  /** The amount as decimal text. A discount is negative. */
  readonly value: string;
}

/** The sums before the total; empty for an invoice without a discount and tax. */
export function rowsBeforeTotal(
  invoice: Pick<Invoice, 'discount' | 'subtotal'> & { readonly taxes: readonly TaxGroup[] },
  currency: string,
): TotalRow[] {
  const { discount, subtotal, taxes } = invoice;
  const reduced: TotalRow[] = discount
    ? [
        { label: 'Items', value: sum([subtotal, discount.amount], currency) },
        { label: discountLabel(discount, discount.reason), value: `-${discount.amount}` },
      ]
    : [];
  if (taxes.length === 0) return reduced;
  return [
    ...reduced,
    { label: 'Subtotal', value: subtotal },
    ...taxes.map(group => ({ label: taxLabel(group, currency), value: group.amount })),
  ];
}

/** The sums paid, credited and still due; empty for an invoice without entries. */
export function rowsAfterTotal({ amountPaid, amountCredited, amountDue }: Invoice): TotalRow[] {
  const settled = [
    { label: 'Paid', value: `-${amountPaid}` },
    { label: 'Credited', value: `-${amountCredited}` },
  ].filter(({ value }) => value !== '-0');
  return settled.length === 0 ? [] : [...settled, { label: 'Amount due', value: amountDue }];
}

/** The exact sum of amounts. */
export function sum(amounts: readonly string[], currency: string): string {
  const decimals = minorUnits(currency);
  const minor = amounts.reduce((total, amount) => total + toMinor(amount, decimals), 0n);
  return fromMinor(minor, decimals);
}

/** A discount as it was given: 10% or $5.00. */
export function discountText({ percent, amount }: LineDiscount, currency: string): string {
  return percent === null ? formatMoney(amount, currency) : percentText(percent);
}

/** A rate with its sign: 7.5%. */
export function percentText(rate: string): string {
  return `${formatQuantity(rate)}%`;
}

function discountLabel({ percent }: LineDiscount, reason: string | null): string {
  const share = percent === null ? '' : ` ${percentText(percent)}`;
  return `Discount${share}${reason === null ? '' : `: ${reason}`}`;
}

/** The reason says why no tax is due, which the law of many countries requires on the invoice. */
function taxLabel({ category, rate, base, reason }: TaxGroup, currency: string): string {
  const label =
    category === 'E' ? 'Exempt' : `Tax (${percentText(rate)} of ${formatMoney(base, currency)})`;
  return reason === null ? label : `${label}: ${reason}`;
}
