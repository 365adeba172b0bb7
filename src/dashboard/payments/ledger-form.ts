// A form of the ledger. It shows the API's refusals at its fields, in the words of a person.

import { findEntrySubject } from '../../ledger/history.js';
import type { LedgerPayload } from '../../ledger/payload.js';
import type { FieldError, Problem } from '../../platform/errors.js';
import { FormFields } from '../../platform/http/input/form-fields.js';
import type { Explanation } from '../kit/forms/job-page.js';
import type { FormRequest, MaybePromise } from '../kit/forms/plain-form.js';
import {
  type DeclaredForm,
  type FormJob,
  type RequestFields,
  type WriteForm,
  writeForm,
} from '../kit/forms/write-form.js';
import { formatMoney, formatQuantity } from '../kit/ui/format.js';
import { fundsPath } from './money/funds.js';

interface LedgerWords extends Pick<FormJob, 'title' | 'subject' | 'failed'> {
  /** The message after a success. */
  readonly done: string;
}

type OfKit = 'kind' | 'path' | 'load' | 'initial' | 'press' | 'schema' | 'check' | 'done' | 'page';

interface LedgerForm<Loaded, Body, Payload extends LedgerPayload>
  extends Pick<WriteForm<Loaded, Body, Payload>, OfKit> {
  readonly words: LedgerWords;
  readonly read: (request: FormRequest<Loaded>) => MaybePromise<RequestFields<Body>>;
  readonly payload: (body: Body, request: FormRequest<Loaded>) => Payload;
  /** The address of the empty form for such a payload. */
  readonly formPath: (payload: Payload) => string;
}

/** All jobs of the ledger have their pages below this address. */
const LEDGER_JOBS = '/payments/jobs';

export function ledgerForm<Body, Payload extends LedgerPayload, Loaded = undefined>({
  words: { done, ...words },
  read,
  formPath,
  ...form
}: LedgerForm<Loaded, Body, Payload>): DeclaredForm {
  return writeForm<Body, Payload, Loaded>({
    ...form,
    guard: 'change-sales',
    read: async request => {
      const say = wordsIn(request.session.currency);
      return { at: same, say, ...(await read(request)) };
    },
    job: {
      ...words,
      path: LEDGER_JOBS,
      note: payload => ('customerName' in payload && payload.customerName) || '',
      formPath: payload => payload && formPath(payload),
      done: async ({ resultId }, companyId) => {
        const subject = await findEntrySubject(companyId, resultId);
        return { to: subject ? fundsPath(subject.type, subject.id) : '/payments', flash: done };
      },
    },
  });
}
/** An error of the whole request becomes the message of the form. */
const same = (name: string) => name;

/** Explains the refusal of a job in sentences, without the fields of its form. */
export function explainRefusal(problem: Problem, currency: string): Explanation {
  const { errors = [] } = problem.details;
  const say = wordsIn(currency);
  const sentences = [...new Set(errors.map(error => say(error, problem) ?? error.detail))];
  return { text: problem.message, errors: sentences.map(detail => ({ detail })) };
}

/** The form's fields of these names, empty if absent, and other fields of the request. */
export function fieldsNamed(
  form: FormFields,
  names: readonly string[],
  others: Readonly<Record<string, string>> = {},
): FormFields {
  return new FormFields([
    ...names.map(name => [name, form.get(name) ?? ''] as const),
    ...Object.entries(others),
  ]);
}

/** The words of a person for the refusals of the ledger; null for the usual ones. */
function wordsIn(currency: string) {
  return (error: FieldError, { code }: Problem): string | null =>
    code === 'already_exists' || error.code === 'already_exists'
      ? REPEATED
      : sentenceOf(error, currency);
}

const REPEATED = 'A transfer with this id is recorded already.';

function sentenceOf({ code, pointer, available }: FieldError, currency: string): string | null {
  if (typeof available !== 'number') return null;
  const money = formatMoney(String(Math.abs(available)), currency);
  const isAmount = pointer.endsWith('amount');
  switch (code) {
    case 'amount_exceeds_due':
      return available > 0 ? `At most ${money} is due.` : 'Already paid.';
    case 'amount_exceeds_unallocated':
      return `Only ${money} is unallocated.`;
    case 'credit_exceeds_invoice':
      if (available === 0) return 'All of it is credited already.';
      return `You can credit at most ${isAmount ? money : formatQuantity(available)}.`;
    default:
      return null;
  }
}
