// The head of a customer's account: the name, what is owed, the credit that is left, the actions.

import { addressLines } from '../../../companies/parties/address-lines.js';
import { fromUnits, toUnits } from '../../../platform/values/money.js';
import type { Owed } from '../../../receivables/owed.js';
import { addressOf } from '../../kit/lists/filters.js';
import { ButtonLink, IfMay, Money, MoreMenu, PageHead } from '../../kit/ui/components.js';
import { Stat, Stats } from '../../kit/ui/stats.js';
import { CUSTOMERS, type Customer, CustomerState, customerPath } from '../customer-view.js';
import { isOverLimit } from '../list.js';
import { countryName } from '../options.js';
import { accountPath, type Subject } from './subject.js';

interface HeadProps {
  readonly subject: Subject;
  readonly owed: Owed;
}

export function AccountHead({ subject, owed }: HeadProps) {
  const { customer, name } = subject;
  return (
    <>
      <PageHead
        title={name}
        state={
          customer && (
            <CustomerState
              customer={customer}
              isOverLimit={isOverLimit(customer.creditLimit, owed)}
            />
          )
        }
        note={customer?.number ?? 'Not saved as a customer.'}
      >
        <Actions subject={subject} owed={owed} />
      </PageHead>
      <div class="account-top">
        <Stats class="narrow-stats">
          <Stat label="Outstanding now" note={<Overdue amount={owed.overdue} />}>
            <Money value={owed.outstanding} />
          </Stat>
          <Stat label="Unallocated now">
            <Money value={owed.unallocated} />
          </Stat>
          {customer?.creditLimit && <CreditLeft limit={customer.creditLimit} owed={owed} />}
        </Stats>
        {customer && <ContactPanel customer={customer} />}
      </div>
    </>
  );
}

function Overdue({ amount }: { amount: string }) {
  if (amount === '0') return <>Nothing overdue</>;
  return (
    <span class="overdue-figure">
      <Money value={amount} /> overdue
    </span>
  );
}

function CreditLeft({ limit, owed }: { limit: string; owed: Owed }) {
  const left = creditLeft(limit, owed);
  const isOver = left.startsWith('-');
  return (
    <Stat
      label={isOver ? 'Over the limit now' : 'Credit left now'}
      note={
        <>
          of a limit of <Money value={limit} />
        </>
      }
    >
      <Money value={isOver ? left.slice(1) : left} />
    </Stat>
  );
}

/** The contact and the address; nothing for a customer without either. */
function ContactPanel({ customer }: { customer: Customer }) {
  const { contactName, phone, email, address } = customer;
  if (!contactName && !phone && !email && !address) return null;
  return (
    <address class="panel contact" aria-label="Contact">
      {contactName && <span>{contactName}</span>}
      {phone && <a href={`tel:${phone.replaceAll(/[^+\d]/gu, '')}`}>{phone}</a>}
      {email && <a href={`mailto:${email}`}>{email}</a>}
      {address && (
        <span class="note">
          {addressLines(address, countryName(address.country)).map((line, index) => (
            <span key={index} class="address-line">
              {line}
            </span>
          ))}
        </span>
      )}
    </address>
  );
}

/** The limit less what is owed; negative above the limit. Decimal text. */
export function creditLeft(limit: string, { outstanding, unallocated }: Owed): string {
  return fromUnits(toUnits(limit) - toUnits(outstanding) + toUnits(unallocated));
}

function Actions({ subject, owed }: HeadProps) {
  const { customer, name } = subject;
  const canAllocate = owed.unallocated !== '0' && owed.outstanding !== '0';
  return (
    <>
      {customer ? (
        <ButtonLink href={`${customerPath(customer)}/edit`} quiet>
          Edit
        </ButtonLink>
      ) : (
        <ButtonLink href={addressOf(`${CUSTOMERS}/new`, { name })} quiet>
          Save as customer
        </ButtonLink>
      )}
      {canAllocate && (
        <IfMay permission="change-sales">
          <ButtonLink href={`${accountPath(subject, '', { show: 'open' })}#credits`} quiet>
            Allocate
          </ButtonLink>
        </IfMay>
      )}
      <ButtonLink href={addressOf('/payments/new', { customer: name })} quiet>
        Record payment
      </ButtonLink>
      {!customer?.archived && (
        <ButtonLink href={addressOf('/invoices/new', { customer: name })}>New invoice</ButtonLink>
      )}
      {customer && <CustomerMenu customer={customer} />}
    </>
  );
}

function CustomerMenu({ customer }: { customer: Customer }) {
  const path = customerPath(customer);
  return (
    <MoreMenu>
      <a class="menu-link" href={`${path}/history`}>
        History
      </a>
      <IfMay permission="change-customers">
        {!customer.archived && (
          <a class="menu-link" href={`${path}/merge`}>
            Merge
          </a>
        )}
      </IfMay>
    </MoreMenu>
  );
}
