// The statement of a customer: every line that moved the balance in a period.

import type { Cursors } from '../../../platform/http/pagination.js';
import { LINE_LABELS, readActivity } from '../../../receivables/activity.js';
import type { ActivityLine } from '../../../receivables/json.js';
import { LINE_POSITION } from '../../../receivables/lines.js';
import { parseDecimalJson } from '../../kit/decimal-json.js';
import type { PageRequest } from '../../kit/page.js';
import { Day, Money, Pager } from '../../kit/ui/components.js';
import { List, type ListColumn, RowDay } from '../../kit/ui/list.js';
import { AccountTools, readDays } from './period.js';
import { accountPath, type Subject } from './subject.js';

const LINES = 100;

/** The lines of a page. */
export function activityLines({ lines }: { readonly lines: string }): ActivityLine[] {
  return parseDecimalJson(`[${lines}]`);
}

export async function readActivitySection(
  subject: Subject,
  request: PageRequest,
  cursors: Cursors,
) {
  const { companyId } = request.session;
  const days = readDays(request);
  const list = `statement ${subject.keys.join('\n')}`;
  const cursor = cursors.position(companyId, list, request.query.get('cursor') ?? undefined);
  const position = cursor && LINE_POSITION.position(cursor);
  const read = { keys: subject.keys, range: days, limit: LINES, position };
  const page = await readActivity(companyId, read);
  const lines = activityLines(page);
  const next = page.next && cursors.cursor(companyId, list, LINE_POSITION.values(page.next));
  return (
    <>
      <AccountTools subject={subject} days={days} file="/statement.csv" />
      <div class="panel list-panel">
        <Balance label={cursor ? 'Balance before these lines' : 'Opening balance'} on={days.from}>
          {page.opening}
        </Balance>
        {lines.length === 0 ? (
          <p class="note statement-empty">No transactions in this period.</p>
        ) : (
          <List
            caption={`Statement of ${subject.name}`}
            rows={lines}
            hrefOf={hrefOfLine}
            columns={COLUMNS}
          />
        )}
        {page.next === null && (
          <Balance label="Closing balance" on={days.to}>
            {page.closing}
          </Balance>
        )}
      </div>
      <Pager
        first={cursor ? accountPath(subject, '', days) : null}
        next={next && accountPath(subject, '', { ...days, cursor: next })}
      />
    </>
  );
}

function Balance({ label, on, children }: { label: string; on: string; children: string }) {
  return (
    <p class="split statement-balance">
      <span>
        {label} <Day on={on} />
      </span>
      <Money value={children} />
    </p>
  );
}

/** The page of the document; a refund has none. */
export function hrefOfLine({ type, id }: ActivityLine): string | null {
  switch (type) {
    case 'invoice':
      return `/invoices/${id}`;
    case 'creditNote':
      return `/credit-notes/${id}`;
    case 'refund':
      return null;
    default:
      return `/payments/${id}`;
  }
}

export const DUE_DATE: ListColumn<Pick<ActivityLine, 'dueDate'>> = {
  head: 'Due date',
  phone: 'hidden',
  from: 'medium',
  cell: ({ dueDate }) => dueDate && <RowDay on={dueDate} />,
};
export const REFERENCE: ListColumn<Pick<ActivityLine, 'reference'>> = {
  head: 'Reference',
  wraps: true,
  phone: 'hidden',
  optional: true,
  cell: ({ reference }) => reference,
};

const COLUMNS: readonly ListColumn<ActivityLine>[] = [
  {
    head: 'Document',
    wraps: true,
    cell: ({ type, number }) => (
      <>
        {LINE_LABELS[type]} {number && <span class="unbroken">{number}</span>}
      </>
    ),
  },
  { head: 'Date', cell: ({ date }) => <RowDay on={date} /> },
  DUE_DATE,
  REFERENCE,
  {
    head: 'PO number',
    wraps: true,
    phone: 'hidden',
    optional: true,
    cell: ({ orderReference }) => orderReference,
  },
  { head: 'Debit', align: 'end', cell: ({ debit }) => debit && <Money value={debit} /> },
  {
    head: 'Credit',
    align: 'end',
    cell: ({ credit }) =>
      credit && (
        <>
          <span class="phone-only">−</span>
          <Money value={credit} />
        </>
      ),
  },
  {
    head: 'Balance',
    align: 'end',
    phone: 'figure',
    cell: ({ balance }) => <Money value={balance} />,
  },
];
