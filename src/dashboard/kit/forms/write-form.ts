// A form that submits a write: its fields, its words and its payload. The kit does what all of them
// have in common: the key that makes a form write once, the page of a refused form with its input,
// the job page of a write that takes longer, and the form of a job that was refused later.

import type Joi from 'joi';
import { v7 as uuidv7 } from 'uuid';
import type { Submitter } from '../../../jobs/submit/submitter.js';
import type { WriteKind } from '../../../jobs/write-kind.js';
import { type FieldError, notFound, Problem } from '../../../platform/errors.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { validateBody } from '../../../platform/http/input/validate.js';
import type { Permission } from '../../../users/roles.js';
import {
  type Answer,
  get,
  type PageRequest,
  type PageRoute,
  post,
  type RedirectAnswer,
} from '../page.js';
import type { Explained, ExplainedRequest } from './error-places.js';
import { fieldTypesOf, markOf } from './field-limits.js';
import { bodyOf, type Refusal, refusalOf, refusedForm } from './form.js';
import { type FormState, newForm } from './form-state.js';
import type { FormPage, FormRequest, MaybePromise } from './plain-form.js';
import {
  getJobState,
  keyOf,
  problemOf,
  submitWrite,
  type WriteResult,
  wasSubmitted,
} from './submit-write.js';

/** The fields of the API's request that a form makes. */
export interface RequestFields<Body = unknown> extends Explained {
  readonly fields: FormFields;
  /** The fields of the form as it is shown again, if they differ from the request's. */
  readonly shown?: FormFields;
  /** Finds errors that take a look-up. They are shown together with those of the schema. */
  readonly find?: () => Promise<readonly FieldError[]>;
  /** Throws the Problem of a form that a person has to look at before it is sent. */
  readonly review?: (body: Body) => MaybePromise<void>;
}

/** The words and addresses for the job page of a form's write. */
export interface FormJob<Payload = never> {
  /** The address of the job pages, without the id. */
  readonly path: string;
  /** Distinguishes the forms of one kind of write in the address of a job page. */
  readonly made?: string;
  /** The title while the write waits. */
  readonly title: string;
  /** The write as the subject of a sentence: 'The invoice'. */
  readonly subject: string;
  /** The title after the write failed. */
  readonly failed: string;
  /** The note under the title: the customer or the item. */
  readonly note: (payload: Payload, companyId: string) => MaybePromise<string>;
  /** The number of lines. */
  readonly extent?: (payload: Payload) => string;
  /** The page whose form could have sent the payload; null if none could, or if it is deleted. */
  readonly formPath: (payload: Payload | null) => string | null;
  readonly done: (result: WriteResult, companyId: string) => MaybePromise<Answer>;
}

/** A form of a kind of write. */
export interface WriteForm<Loaded, Body, Payload> extends FormPage<Loaded> {
  readonly guard: Permission;
  readonly kind: WriteKind;
  readonly maxBytes?: number;
  readonly job: FormJob<Payload>;
  /** The fields that send a payload that was refused later. Absent if no form can show it. */
  readonly refill?: (payload: Payload, request: FormRequest<Loaded>) => MaybePromise<RequestFields>;
  /**
   * The form or page after a button that submits no write; null for the one that does. A refusal
   * that it throws is shown at the fields that it has passed to `show`, else at the form's.
   */
  readonly press?: (
    request: FormRequest<Loaded>,
    show: (fields: FormFields) => void,
  ) => MaybePromise<FormState | Answer | null>;
  /** Reads the request from the form; without it, both have the same fields. Throws a refusal. */
  readonly read?: (request: FormRequest<Loaded>) => MaybePromise<RequestFields<Body>>;
  readonly schema: Joi.Schema | ((request: FormRequest<Loaded>) => Joi.Schema);
  readonly check?: (body: unknown, request: PageRequest) => FieldError[];
  readonly payload: (body: Body, request: FormRequest<Loaded>) => MaybePromise<Payload>;
  /** The answer to a button that shows the write and submits none; null for other buttons. */
  readonly preview?: (
    payload: Payload,
    request: FormRequest<Loaded>,
  ) => MaybePromise<Answer | null>;
  /** The request to compare with an earlier one of the same key, if it is not the payload. */
  readonly identity?: (body: Body) => unknown;
  readonly done: (
    result: WriteResult,
    request: FormRequest<Loaded>,
  ) => MaybePromise<RedirectAnswer>;
}

/** A declared form, whatever it is about. */
export interface DeclaredForm {
  readonly guard: Permission;
  readonly kind: WriteKind;
  readonly job: FormJob;
  /** Whether the form can show the request of a refused job. */
  readonly isRefilled: boolean;
  routes(submitter: Submitter): PageRoute[];
  /** The form with the request and the errors of the job in ?job=. Throws Problem `not_found`. */
  refusedJob(request: PageRequest): Promise<FormState>;
}

export function writeForm<Body, Payload, Loaded = undefined>(
  form: WriteForm<Loaded, Body, Payload>,
): DeclaredForm {
  const { kind, guard, path, initial, job } = form;

  const refusedJob = async (visit: PageRequest): Promise<FormState> => {
    const { companyId } = visit.session;
    const id = visit.query.get('job') ?? undefined;
    const { problem, payload } = await getJobState(companyId, id, [kind.type]);
    const isOwn = job.formPath(payload as never) === visit.path;
    if (problem === null || !isOwn || !form.refill) throw notFound('job');
    const request = await load(form, visit);
    // The payload may be deleted. The errors are then shown on a new form.
    const start = payload === null ? await initial?.(request) : undefined;
    const own =
      start && 'errors' in start
        ? { fields: start.values }
        : await form.refill(payload as Payload, request);
    const schema = schemaOf(form, request);
    const { currency } = visit.session;
    const decimalMark = markOf(visit.session);
    return refusedState({ ...form, ...own, schema, decimalMark, currency }, problemOf(problem));
  };

  const show = async (visit: PageRequest): Promise<Answer> => {
    const request = await load(form, visit);
    const isRefused = form.refill !== undefined && visit.query.has('job');
    const start = isRefused ? await refusedJob(visit) : await initial?.(request);
    return shown(form, start ?? newForm(), request);
  };

  const submit = async (visit: PageRequest, submitter: Submitter): Promise<Answer> => {
    const request = await load(form, visit);
    const schema = schemaOf(form, request);
    let own: RequestFields<Body> = { fields: request.form };
    try {
      const pressed = await form.press?.(request, fields => {
        own = { fields, shown: fields };
      });
      if (pressed) return await shown(form, pressed, request);
      own = (await form.read?.(request)) ?? own;
      const sent = bodyOf(own.fields, fieldTypesOf(schema, visit.session));
      // A repeated form gets its first answer, even if its page would look different now.
      const isLookedAt = (own.find || own.review) && !(await wasSubmitted(kind, request));
      const found = (isLookedAt && (await own.find?.())) || [];
      const body = validateBody<Body>(schema, sent, unchecked => [
        ...(form.check?.(unchecked, request) ?? []),
        ...found,
      ]);
      if (isLookedAt) await own.review?.(body);
      const payload = await form.payload(body, request);
      const preview = await form.preview?.(payload, request);
      if (preview) return preview;
      const identity = form.identity ? form.identity(body) : payload;
      const result = await submitWrite(submitter, request, { kind, payload, body: identity });
      if ('resultId' in result) return await form.done(result, request);
      return { to: jobPath(job, result.jobId) };
    } catch (error) {
      const { currency } = visit.session;
      const refused = { ...form, ...own, schema, decimalMark: markOf(visit.session), currency };
      const { state, answer } = refusalOfWrite(refused, request, error);
      return { ...(await form.page({ schema, ...state }, request)), ...answer };
    }
  };

  return {
    guard,
    kind,
    job: job as FormJob,
    isRefilled: form.refill !== undefined,
    refusedJob,
    routes: submitter => [
      ...(initial ? [get(path, guard, show)] : []),
      post(path, guard, request => submit(request, submitter), form.maxBytes),
    ],
  };
}

async function load<Loaded>(
  form: Pick<WriteForm<Loaded, unknown, unknown>, 'load'>,
  request: PageRequest,
): Promise<FormRequest<Loaded>> {
  return { ...request, loaded: (await form.load?.(request)) as Loaded };
}

type Shown<Loaded> = Pick<WriteForm<Loaded, unknown, unknown>, 'schema' | 'page'>;

function schemaOf<Loaded>({ schema }: Shown<Loaded>, request: FormRequest<Loaded>) {
  return typeof schema === 'function' ? schema(request) : schema;
}

function shown<Loaded>(
  form: Shown<Loaded>,
  start: FormState | Answer,
  request: FormRequest<Loaded>,
) {
  return 'errors' in start
    ? form.page({ key: uuidv7(), schema: schemaOf(form, request), ...start }, request)
    : start;
}

/** The address of the page of a form's job. */
export function jobPath({ path, made }: FormJob, id: string): string {
  return `${path}/${id}${made === undefined ? '' : `?made=${made}`}`;
}

type RefusedRequest = RequestFields<never> & ExplainedRequest;

/**
 * Like `refusalOf`. A form that met an unavailable service keeps its key: its write may have been
 * accepted all the same, and sending it again under that key cannot write it twice.
 */
function refusalOfWrite(own: RefusedRequest, { form }: PageRequest, error: unknown): Refusal {
  if (!(error instanceof Problem)) throw error;
  const shown = own.shown ?? form;
  if (error.code === 'service_unavailable') {
    const state = { values: shown, errors: new Map(), message: error.message };
    return { state: { ...state, key: keyOf(form) ?? uuidv7() }, answer: { status: 503 } };
  }
  const { answer } = refusalOf(shown, error, own);
  return { state: refusedState({ ...own, shown }, error), answer };
}

/** The state of a form whose request a problem refused, with a new key. */
function refusedState(
  { fields, shown = fields, ...explained }: RefusedRequest,
  problem: Problem,
): FormState {
  // A sentence may depend on what was typed, under the request's name of the field or the form's.
  const typed = new FormFields([...fields, ...shown]);
  return { ...refusedForm(typed, problem, explained), values: shown, key: uuidv7() };
}
