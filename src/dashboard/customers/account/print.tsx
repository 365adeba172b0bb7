// A statement or the open items on paper.

import { AGES } from '../../../invoices/overdue.js';
import { LINE_LABELS, readActivity } from '../../../receivables/activity.js';
import type { ActivityLine, Ageing, OpenItem } from '../../../receivables/json.js';
import { readOpenItems } from '../../../receivables/open-items.js';
import type { Answer, PageAnswer, PageRequest } from '../../kit/page.js';
import { Day, Money } from '../../kit/ui/components.js';
import { Facts } from '../../kit/ui/facts.js';
import { formatDay } from '../../kit/ui/format.js';
import { Paper, PaperLine, PaperSum, PaperTable } from '../../kit/ui/paper.js';
import { AGE_NAMES } from '../../receivables/aging.js';
import { buyerFacts } from '../printed/buyer.js';
import { activityLines } from './activity.js';
import { itemsOf, overdueText } from './open-items.js';
import { type Days, readDays } from './period.js';
import { accountPath, type Subject, withSubject } from './subject.js';

/** Lines on paper. A CSV file has all. */
const MAX_LINES = 1_000;

export function showStatementPrint(request: PageRequest): Promise<Answer> {
  return withSubject(request, subject =>
    request.query.get('show') === 'open'
      ? openItemsPaper(subject, request)
      : statementPaper(subject, request),
  );
}

async function statementPaper(subject: Subject, request: PageRequest): Promise<PageAnswer> {
  const { companyId, companyName } = request.session;
  const days = readDays(request);
  const page = await readActivity(companyId, {
    keys: subject.keys,
    range: days,
    limit: MAX_LINES,
  });
  const title = 'Statement of account';
  const body = (
    <Paper
      company={companyName}
      title={title}
      back={{ href: accountPath(subject, '', days), to: 'customer' }}
    >
      <Head subject={subject} days={days} />
      <PaperTable columns={['Document', 'Debit', 'Credit', 'Balance']}>
        <PaperLine
          name={`Opening balance ${formatDay(days.from)}`}
          sku={null}
          figures={['', '', <Money key="opening" value={page.opening} />]}
        />
        {activityLines(page).map(line => (
          <PaperLine
            key={`${line.type} ${line.id}`}
            name={`${formatDay(line.date)} · ${LINE_LABELS[line.type]}`}
            sku={line.number}
            terms={termsOf(line)}
            figures={[line.debit, line.credit, line.balance].map(
              amount => amount !== null && <Money value={amount} />,
            )}
          />
        ))}
        {page.next === null && (
          <PaperSum label="Closing balance" value={page.closing} span={3} isTotal />
        )}
      </PaperTable>
      {page.next !== null && <TooLong />}
      <AgesOnPaper ageing={page.ageing} day={days.to} />
    </Paper>
  );
  return { title: `${title} of ${subject.name}`, body, bare: true };
}

function termsOf({ reference, orderReference, dueDate }: ActivityLine | OpenItem): string {
  return [
    orderReference && `Your order ${orderReference}`,
    reference,
    dueDate && `due ${formatDay(dueDate)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

async function openItemsPaper(subject: Subject, request: PageRequest): Promise<PageAnswer> {
  const { companyId, companyName } = request.session;
  const { to } = readDays(request);
  const page = await readOpenItems(companyId, { keys: subject.keys, day: to, limit: MAX_LINES });
  const { ageing, next } = page;
  const { invoices, credits } = itemsOf(page);
  const title = 'Open items';
  const body = (
    <Paper
      company={companyName}
      title={title}
      back={{ href: accountPath(subject, '', { show: 'open', to }), to: 'customer' }}
    >
      <Head subject={subject} days={{ to }} />
      <PaperTable columns={['Document', 'Overdue', 'Total', 'Due']}>
        {invoices.map(invoice => (
          <PaperLine
            key={invoice.id}
            name={`${formatDay(invoice.date)} · Invoice`}
            sku={invoice.number}
            terms={termsOf(invoice)}
            figures={[
              overdueText(invoice) ?? '',
              <Money key="total" value={invoice.total} />,
              <Money key="due" value={invoice.due} />,
            ]}
          />
        ))}
        {credits.map(({ type, id, number, date, unallocated }) => (
          <PaperLine
            key={id}
            name={`${formatDay(date)} · ${LINE_LABELS[type]}, not allocated`}
            sku={number}
            figures={['', '', <Money key="due" value={`-${unallocated}`} />]}
          />
        ))}
        {next === null && <PaperSum label="Balance" value={ageing.balance} span={3} isTotal />}
      </PaperTable>
      {next !== null && <TooLong />}
      <AgesOnPaper ageing={ageing} day={to} />
    </Paper>
  );
  return { title: `${title} of ${subject.name}`, body, bare: true };
}

function Head({ subject: { customer, name }, days }: { subject: Subject; days: Partial<Days> }) {
  const { from, to = '' } = days;
  return (
    <Facts
      facts={[
        ...buyerFacts('Customer', name, customer),
        [
          from === undefined ? 'As of' : 'Period',
          from === undefined ? (
            <Day key="to" on={to} />
          ) : (
            <span key="days">
              <Day on={from} /> – <Day on={to} />
            </span>
          ),
        ],
      ]}
    />
  );
}

function TooLong() {
  return (
    <p class="paper-terms">
      Only the first {MAX_LINES} lines are shown. Choose fewer days, or download the CSV file for
      all lines.
    </p>
  );
}

function AgesOnPaper({ ageing, day }: { ageing: Ageing; day: string }) {
  return (
    <>
      <p class="paper-terms">
        Outstanding by age on <Day on={day} />
      </p>
      <Facts
        facts={[
          ...AGES.map(age => [AGE_NAMES[age], <Money key={age} value={ageing[age]} />] as const),
          [
            'Unallocated money',
            ageing.unallocated !== '0' && <Money key="free" value={`-${ageing.unallocated}`} />,
          ],
        ]}
      />
    </>
  );
}
