// The note under the customer of the invoice form, which says what its text means. The script of
// the form inserts it, too.
import { customerPath } from '../../customers/customer-view.js';
import { formatCount } from '../../kit/ui/format.js';
import { creditLeftText } from './credit.js';
import type { FormCustomer } from './customer.js';

/** The button that takes a near name, with the name after it, for a page without scripts. */
export const USE_NAME = 'use-name:';

export function CustomerNote({
  customer,
  currency,
}: {
  readonly customer: FormCustomer | null;
  readonly currency: string;
}) {
  if (customer === null) return null;
  const { record, typed } = customer;
  if (record === null) return <NoRecord typed={typed} />;
  const { number, hold, termsDays, tax } = record;
  const facts = [
    number,
    ...(termsDays === null ? [] : [`due after ${formatCount(termsDays, 'day')}`]),
    ...(tax === null ? [] : [`${tax.rate}% tax`]),
  ];
  const isOver = customer.credit?.left.startsWith('-');
  return (
    <>
      <a href={customerPath(record)}>{facts.join(' · ')}</a>
      {hold && (
        <>
          {' · '}
          <strong class="bad">On hold: new invoices are refused</strong>
        </>
      )}
      {customer.credit && (
        <>
          {' · '}
          <span class={isOver ? 'warn' : undefined}>
            {creditLeftText(customer.credit, currency)}
          </span>
        </>
      )}
    </>
  );
}

const COMPANY = 'company terms, no credit limit.';

function NoRecord({ typed }: Pick<FormCustomer, 'typed'>) {
  if (typed.kind === 'record')
    return (
      <>
        <a href={customerPath(typed.record)}>{typed.record.number}</a> is archived: {COMPANY}
      </>
    );
  if (typed.kind === 'plain') return <>Not saved as a customer: {COMPANY}</>;
  return (
    <>
      <span class="warn">New name:</span> {COMPANY}
      {typed.near.length > 0 && ' Did you mean'}
      {typed.near.map(name => (
        <>
          {' '}
          <button
            key={name}
            class="link-button"
            type="submit"
            name="do"
            value={USE_NAME + name}
            data-use-name={name}
          >
            {name}
          </button>
        </>
      ))}
      {typed.near.length > 0 && '?'}
    </>
  );
}
