// A form of the ledger. It shows the API's refusals at its fields, in the words of a person.

import { findEntrySubject } from '../../ledger/history.js';
import type { LedgerPayload } from '../../ledger/payload.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { FormFields } from '../../platform/http/input/form-fields.js';
import type { Explanation } from '../kit/forms/job-page.js';
import type { FormRequest } from '../kit/forms/plain-form.js';
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

interface LedgerFields<Body> extends Omit<RequestFields<Body>, 'explain'> {
  /** The form's field of a field of the request, such as invoices.0.amount; null for none. */
  readonly fieldOf?: (name: string) => string | null;
}

type OfKit = 'kind' | 'path' | 'load' | 'initial' | 'press' | 'schema' | 'check' | 'done' | 'page';

interface LedgerForm<Loaded, Body, Payload extends LedgerPayload>
  extends Pick<WriteForm<Loaded, Body, Payload>, OfKit> {
  readonly words: LedgerWords;
  readonly read: (request: FormRequest<Loaded>) => LedgerFields<Body>;
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
    read: request => {
      const { fieldOf = same, ...own } = read(request);
      const { currency } = request.session;
      return { ...own, explain: problem => toFormProblem(problem, fieldOf, currency) };
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
const same = (name: string) => name;

/** Explains the refusal of a job in sentences, without the fields of its form. */
export function explainRefusal(problem: Problem, currency: string): Explanation {
  const { errors = [] } = toFormProblem(problem, name => name || '.', currency).details;
  const sentences = [...new Set(errors.map(({ detail }) => detail))];
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

/** An error without a field of its own becomes the form's message. */
function toFormProblem(
  problem: Problem,
  fieldOf: (name: string) => string | null,
  currency: string,
): Problem {
  const { errors = [] } = problem.details;
  if (errors.length === 0) return problem;
  const isRepeated = problem.code === 'already_exists';
  const explained = errors.map(error => ({
    ...error,
    pointer: `/${fieldOf(error.pointer.slice(1).replaceAll('/', '.'))?.replaceAll('.', '/') ?? ''}`,
    detail: isRepeated ? REPEATED : sentenceOf(error, currency),
  }));
  const unplaced = explained.filter(({ pointer }) => pointer === '/');
  if (unplaced.length === 0)
    return new Problem(problem.code, problem.message, { errors: explained });
  return new Problem(problem.code, [...new Set(unplaced.map(({ detail }) => detail))].join(' '));
}

const REPEATED = 'A transfer with this id is recorded already.';

function sentenceOf({ code, detail, pointer, available }: FieldError, currency: string): string {
  if (typeof available !== 'number') return detail;
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
      return detail;
  }
}
