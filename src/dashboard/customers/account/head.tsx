// The head of a customer's account: the name, what is owed, the credit that is left, the actions.

import { fromUnits, toUnits } from '../../../platform/values/money.js';
import type { Owed } from '../../../receivables/owed.js';
import { addressOf } from '../../kit/lists/filters.js';
import { ButtonLink, IfMay, Money, MoreMenu, PageHead } from '../../kit/ui/components.js';
import { Stat, Stats } from '../../kit/ui/stats.js';
import { CUSTOMERS, type Customer, CustomerState, customerPath } from '../customer-view.js';
import { isOverLimit } from '../list.js';
import { accountPath, type Subject } from './subject.js';

interface HeadProps {
  readonly subject: Subject;
  readonly owed: Owed;
}

export function AccountHead({ subject, owed }: HeadProps) {
  const { customer, name } = subject;
  return (
    <>
      <PageHead title={name} note={customer?.number ?? 'A name without a record.'}>
        <Actions subject={subject} owed={owed} />
      </PageHead>
      {customer && (
        <CustomerState customer={customer} isOverLimit={isOverLimit(customer.creditLimit, owed)} />
      )}
      <Stats class="narrow-stats">
        <Stat label="Outstanding">
          <Money value={owed.outstanding} />
        </Stat>
        <Stat label="Overdue">
          <Money value={owed.overdue} />
        </Stat>
        <Stat label="Unallocated">
          <Money value={owed.unallocated} />
        </Stat>
        {customer?.creditLimit && <CreditLeft limit={customer.creditLimit} owed={owed} />}
      </Stats>
    </>
  );
}

function CreditLeft({ limit, owed }: { limit: string; owed: Owed }) {
  return (
    <Stat
      label="Credit left"
      note={
        <>
          of a limit of <Money value={limit} />
        </>
      }
    >
      <Money value={creditLeft(limit, owed)} />
    </Stat>
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
      {customer && <RecordMenu customer={customer} />}
      {!customer && (
        <ButtonLink href={addressOf(`${CUSTOMERS}/new`, { name })} quiet>
          Create record
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
    </>
  );
}

function RecordMenu({ customer }: { customer: Customer }) {
  const path = customerPath(customer);
  return (
    <>
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
      <ButtonLink href={`${path}/edit`} quiet>
        Edit
      </ButtonLink>
    </>
  );
}
