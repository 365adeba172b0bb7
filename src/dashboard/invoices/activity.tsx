// Everything that happened to an invoice, in order: its creation, then payments, credit notes and
// their corrections, each with its author, its reason and the amount due after it.
import type { ComponentChildren } from 'preact';
import type { ShownActor } from '../../companies/actor.js';
import type { JobState } from '../../jobs/queries.js';
import type { InvoiceEntry, InvoiceHistory } from '../../ledger/invoice/history.js';
import { reasonLabel } from '../credit-notes/credit-note-view.js';
import { JobFacts } from '../kit/forms/job-page.js';
import type { PageRequest } from '../kit/page.js';
import { Badge, Money, Panel } from '../kit/ui/components.js';
import { EntryTime } from '../payments/money/entry-time.js';
import { methodLabel } from '../payments/payment-view.js';
import { type Invoice, statusLabel } from './invoice-view.js';

interface ActivityProps extends InvoiceHistory {
  readonly invoice: Invoice;
  readonly createdBy: ShownActor | null;
  /** The job that created it; null once it is deleted. */
  readonly job: JobState | null;
  readonly canSee: PageRequest['canSee'];
}

export function Activity({ invoice, createdBy, entries, isCut, job, canSee }: ActivityProps) {
  const { date, createdAt, total, status } = invoice;
  return (
    <Panel title="Activity" note={isCut && `The newest ${entries.length} entries`}>
      <ol class="movements" aria-label="Activity">
        <Event
          name="Issued"
          change={<Money value={total} />}
          due={total}
          time={<EntryTime date={date} createdAt={createdAt} createdBy={createdBy} />}
        />
        {entries.map(entry => (
          <Event
            key={entry.sequence}
            name={<Name entry={entry} isVoid={status === 'void'} canSee={canSee} />}
            change={entry.type !== 'refund' && <Change value={entry.change} />}
            due={entry.type === 'refund' ? null : entry.due}
            time={<EntryTime {...entry} />}
            note={noteOf(entry)}
          />
        ))}
      </ol>
      {job === null ? (
        <p class="note">Job details are deleted after 30 days.</p>
      ) : (
        <details class="job-details">
          <summary>Job details</summary>
          <p>
            <Badge>{statusLabel(job.status)}</Badge>
          </p>
          <JobFacts job={job} />
        </details>
      )}
    </Panel>
  );
}

interface EventProps {
  readonly name: ComponentChildren;
  /** The change of the amount due. */
  readonly change: ComponentChildren;
  /** The amount due after the event; null if the event does not concern it. */
  readonly due: string | null;
  readonly time: ComponentChildren;
  readonly note?: string | null;
}

function Event({ name, change, due, time, note }: EventProps) {
  return (
    <li>
      <p class="movement-kind">{name}</p>
      <p class="movement-change">{change}</p>
      <p class="movement-when">
        {time}
        {note && <span class="movement-note">{note}</span>}
      </p>
      {due !== null && (
        <p class="movement-after">
          <Money value={due} /> due
        </p>
      )}
    </li>
  );
}

function Change({ value }: { value: string }) {
  return (
    <>
      {value !== '0' && !value.startsWith('-') && '+'}
      <Money value={value} />
    </>
  );
}

interface NameProps {
  readonly entry: InvoiceEntry;
  /** Whether the invoice is void: its credit note voided it. */
  readonly isVoid: boolean;
  readonly canSee: PageRequest['canSee'];
}

/** The event in words, with a link to its payment or credit note. */
function Name({ entry: { type, change, amount, source }, isVoid, canSee }: NameProps) {
  const isNote = source.type === 'creditNote';
  const path = isNote ? '/credit-notes' : '/payments';
  const link = (text: ComponentChildren) =>
    canSee(`${path}/:id`) ? <a href={`${path}/${source.id}`}>{text}</a> : text;
  const funds = link(isNote ? <CreditNoteName number={source.number} /> : 'Payment');
  switch (type) {
    case 'refund':
      return (
        <>
          {funds}: <Money value={amount} /> refunded
        </>
      );
    case 'allocation':
      return (
        <>
          {funds} {change.startsWith('-') ? 'allocated' : 'unallocated'}
        </>
      );
    case 'reversal':
      return <>{funds} reversed</>;
    default:
      return (
        <>
          {isVoid && isNote && 'Voided: '}
          {funds}
          {change !== `-${amount}` && amount !== '0' && (
            <>
              {' '}
              of <Money value={amount} />
            </>
          )}
        </>
      );
  }
}

function CreditNoteName({ number }: { number: string | null }) {
  return (
    <>
      Credit note <span class="document-number">{number}</span>
    </>
  );
}

/** The reason, the method of a payment, and what else was typed. */
function noteOf({ type, method, reference, reason, explanation, note }: InvoiceEntry): string {
  // The reason of a void is always the same, and its explanation says more.
  const isReasonKnown = type !== 'creditNote' || explanation !== null;
  return [
    !isReasonKnown && reason !== null && reasonLabel(reason),
    explanation,
    method !== null && methodLabel(method),
    reference,
    note,
  ]
    .filter(text => text)
    .join(' · ');
}
