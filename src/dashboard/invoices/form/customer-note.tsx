// The note under the customer of the invoice form, which says what its text means. The script of
// the form inserts it, too.
import { customerPath } from '../../customers/customer-view.js';
import { Badge } from '../../kit/ui/components.js';
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
  const { credit } = customer;
  return (
    <span class="row fact-chips">
      <a class="badge" href={customerPath(record)}>
        {number}
      </a>{' '}
      {termsDays !== null && <Badge>{`Due after ${formatCount(termsDays, 'day')}`}</Badge>}{' '}
      {tax !== null && <Badge>{`${tax.rate}% tax`}</Badge>}{' '}
      {hold && <Badge tone="bad">On hold: invoices are refused</Badge>}{' '}
      {credit && (
        <Badge tone={credit.left.startsWith('-') ? 'warn' : 'plain'}>
          {creditLeftText(credit, currency)}
        </Badge>
      )}
    </span>
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
