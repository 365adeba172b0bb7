// A customer's account: what is owed, then the statement, the open items, the payments or the
// record.

import type { ComponentChildren } from 'preact';
import type { Cursors } from '../../../platform/http/pagination.js';
import { readOwedBy } from '../../../receivables/owed.js';
import type { Answer, PageRequest } from '../../kit/page.js';
import { Tabs } from '../../kit/ui/list.js';
import { readActivitySection } from './activity.js';
import { Details } from './details.js';
import { AccountHead } from './head.js';
import { readInvoiceSection } from './invoices.js';
import { readOpenSection } from './open-items.js';
import { readPaymentSection } from './payments.js';
import { chosenDays } from './period.js';
import { accountPath, type Subject, withSubject } from './subject.js';

const SECTIONS = {
  activity: 'Statement',
  open: 'Open items',
  invoices: 'Invoices',
  payments: 'Payments',
} as const;
type Section = keyof typeof SECTIONS | 'details';

export function showAccount(request: PageRequest, cursors: Cursors): Promise<Answer> {
  return withSubject(request, subject => accountPage(subject, request, cursors));
}

async function accountPage(
  subject: Subject,
  request: PageRequest,
  cursors: Cursors,
): Promise<Answer> {
  const { customer, name, keys } = subject;
  const labels: Partial<Record<Section, string>> = customer
    ? { ...SECTIONS, details: 'Details' }
    : SECTIONS;
  const shown = request.query.get('show') ?? '';
  const current = (shown in labels ? shown : 'activity') as Section;
  const owed = await readOwedBy(request.session.companyId, keys);
  const section =
    current === 'invoices'
      ? await readInvoiceSection(subject, request, cursors)
      : { body: await readSection(current, subject, request, cursors) };
  if ('to' in section) return section;
  const body = (
    <>
      <AccountHead subject={subject} owed={owed} />
      <Tabs
        label="Account"
        tabs={Object.entries(labels).map(([id, label]) => ({
          label,
          href: accountPath(subject, '', {
            ...(id === 'activity' ? {} : { show: id }),
            ...chosenDays(request),
          }),
          isCurrent: id === current,
        }))}
      />
      {section.body}
    </>
  );
  return { title: name, body };
}

function readSection(
  section: Exclude<Section, 'invoices'>,
  subject: Subject,
  request: PageRequest,
  cursors: Cursors,
): Promise<ComponentChildren> | ComponentChildren {
  switch (section) {
    case 'open':
      return readOpenSection(subject, request, cursors);
    case 'payments':
      return readPaymentSection(subject, request, cursors);
    case 'details':
      return subject.customer && <Details customer={subject.customer} />;
    default:
      return readActivitySection(subject, request, cursors);
  }
}
