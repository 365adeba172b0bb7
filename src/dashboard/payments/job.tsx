// The page of a ledger job: shows it while it waits, then leads to what it wrote. A refused one
// says why and leads back to the form.
import { findJobState, type JobState } from '../../jobs/queries.js';
import { findEntrySubject } from '../../ledger/history.js';
import type { LedgerPayload } from '../../ledger/payload.js';
import type { FieldError } from '../../platform/errors.js';
import type { ProblemDocument } from '../../platform/problem-document.js';
import { type Answer, getOr404, type PageAnswer, type PageRequest } from '../kit/page.js';
import { problemOf } from '../kit/submit-write.js';
import { ButtonLink, PageHead, Panel } from '../kit/ui/components.js';
import { failedPage, JobFacts, waitingPage } from '../kit/ui/job-pages.js';
import { sourcePath } from './money/source.js';
import { toFormProblem } from './submit.js';

type Type = LedgerPayload['type'];

interface Wording {
  readonly title: string;
  /** The write as the subject of a sentence. */
  readonly subject: string;
  readonly done: string;
  readonly refused: string;
}

const WORDING: Readonly<Record<Type, Wording>> = {
  'payment.record': {
    title: 'Recording the payment',
    subject: 'The payment',
    done: 'Payment recorded.',
    refused: 'The payment was not recorded',
  },
  'payment.reverse': {
    title: 'Reversing the payment',
    subject: 'The reversal',
    done: 'Payment reversed. Its invoices are due again.',
    refused: 'The payment was not reversed',
  },
  'allocation.make': {
    title: 'Saving the allocation',
    subject: 'The allocation',
    done: 'Allocation saved.',
    refused: 'The allocation was not saved',
  },
  'refund.record': {
    title: 'Recording the refund',
    subject: 'The refund',
    done: 'Refund recorded.',
    refused: 'The refund was not recorded',
  },
  'creditNote.create': {
    title: 'Creating the credit note',
    subject: 'The credit note',
    done: 'Credit note created.',
    refused: 'The credit note was not created',
  },
  'invoice.void': {
    title: 'Voiding the invoice',
    subject: 'The credit note',
    done: 'Invoice voided.',
    refused: 'The invoice was not voided',
  },
};

export async function showLedgerJob({ session, params }: PageRequest): Promise<Answer> {
  const { companyId, currency } = session;
  const job = await getOr404('job', params.id, async id => {
    const state = await findJobState(companyId, id);
    return state !== null && state.type in WORDING ? state : null;
  });
  const words = WORDING[job.type as Type];
  if (job.resultId !== null) return succeededAnswer(companyId, job.resultId, words);
  const payload = job.payload as LedgerPayload | null;
  if (job.problem === null) {
    const { title, subject } = words;
    const note = payload && 'customerName' in payload ? (payload.customerName ?? '') : '';
    return waitingPage(job, { title, note, subject, here: `/payments/jobs/${job.id}` });
  }
  const href = payload === null ? '/payments' : formPathOf(payload);
  // Below 500 the sender can correct the request. Otherwise an operator may still run the job.
  if (job.problem.status < 500) return refusedPage(job, job.problem, words, href, currency);
  return failedPage(job, { title: words.refused, link: { href, text: 'Open the form' } });
}

async function succeededAnswer(
  companyId: string,
  resultId: string,
  { done }: Wording,
): Promise<Answer> {
  const subject = await findEntrySubject(companyId, resultId);
  return subject === null
    ? { to: '/payments', flash: done }
    : { to: sourcePath(subject.type, subject.id), flash: done };
}

/** The form that could have sent the request, empty. */
function formPathOf(payload: LedgerPayload): string {
  switch (payload.type) {
    case 'payment.record': {
      const { customerName } = payload;
      return customerName === undefined
        ? '/payments/new'
        : `/payments/new?${new URLSearchParams({ customer: customerName })}`;
    }
    case 'payment.reverse':
      return `/payments/${payload.paymentId}/reverse`;
    case 'allocation.make':
      return `${sourceOf(payload)}/allocate`;
    case 'refund.record':
      return `${sourceOf(payload)}/refund`;
    case 'creditNote.create':
      return `/invoices/${payload.invoiceId}/credit`;
    default:
      return `/invoices/${payload.invoiceId}/void`;
  }
}

function sourceOf({ paymentId, creditNoteId }: { paymentId?: string; creditNoteId?: string }) {
  return paymentId === undefined
    ? sourcePath('creditNote', creditNoteId ?? '')
    : sourcePath('payment', paymentId);
}

function refusedPage(
  job: JobState,
  document: ProblemDocument,
  { refused }: Wording,
  href: string,
  currency: string,
): PageAnswer {
  const { errors = [] } = toFormProblem(problemOf(document), name => name || '.', currency).details;
  const sentences = [...new Set(errors.map(({ detail }: FieldError) => detail))];
  const body = (
    <>
      <PageHead title={refused} />
      <Panel title="Rejected">
        <p data-state={job.status}>{document.detail}</p>
        {sentences.length > 0 && (
          <ul>
            {sentences.map(sentence => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
        <JobFacts job={job} />
        <p>
          <ButtonLink href={href}>Open the form</ButtonLink>
        </p>
      </Panel>
    </>
  );
  return { title: refused, body };
}
