// A customer's account: what is owed, then the statement, the open items, the payments or the
// record.

import type { ComponentChildren } from 'preact';
import type { Cursors } from '../../../platform/http/pagination.js';
import { readOwedBy } from '../../../receivables/owed.js';
import { readTyped, typedDays } from '../../kit/lists/refused-dates.js';
import type { Answer, PageRequest } from '../../kit/page.js';
import { Tabs } from '../../kit/ui/list.js';
import { readActivitySection } from './activity.js';
import { Details } from './details.js';
import { AccountHead } from './head.js';
import { readInvoiceSection } from './invoices.js';
import { readOpenSection } from './open-items.js';
import { readPaymentSection } from './payments.js';
import { RefusedDays, readDays } from './period.js';
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
      : await readSection(current, subject, request, cursors);
  if ('to' in section) return section;
  const { status } = section;
  const body = (
    <>
      <AccountHead subject={subject} owed={owed} />
      <Tabs
        label="Account"
        tabs={Object.entries(labels).map(([id, label]) => ({
          label,
          href: accountPath(subject, '', {
            ...(id === 'activity' ? {} : { show: id }),
            ...typedDays(request.query),
          }),
          isCurrent: id === current,
        }))}
      />
      {section.body}
    </>
  );
  return { title: name, body, ...(status && { status }) };
}

async function readSection(
  section: Exclude<Section, 'invoices'>,
  subject: Subject,
  request: PageRequest,
  cursors: Cursors,
): Promise<{ readonly body: ComponentChildren; readonly status?: 400 }> {
  if (section === 'payments') return { body: await readPaymentSection(subject, request, cursors) };
  if (section === 'details')
    return { body: subject.customer && <Details customer={subject.customer} /> };
  const days = readTyped(() => readDays(request));
  if ('refusal' in days) {
    const typed = { ...typedDays(request.query), refusal: days.refusal };
    const show = section === 'open' ? section : undefined;
    return { body: <RefusedDays subject={subject} show={show} {...typed} />, status: 400 };
  }
  const read = section === 'open' ? readOpenSection : readActivitySection;
  return { body: await read(subject, request, cursors) };
}
