// Forms that submit no queued write: one declaration gives the route of the page and its target's.
import type Joi from 'joi';
import { v7 as uuidv7 } from 'uuid';
import type { FieldError } from '../../../platform/errors.js';
import { withFoundErrors } from '../../../platform/http/input/refused-body.js';
import { validateBody } from '../../../platform/http/input/validate.js';
import type { Permission } from '../../../users/roles.js';
import {
  type Answer,
  type Guard,
  get,
  type NavEntry,
  type PageAnswer,
  type PageRequest,
  type PageRoute,
  post,
  postFile,
  type Visitor,
} from '../page.js';
import type { Explained } from './error-places.js';
import { fieldTypesOf, markOf } from './field-limits.js';
import { bodyOf, refusalOf } from './form.js';
import { type FormState, newForm } from './form-state.js';

/** A request for the page or the target of a form, with the record that the form is about. */
export type FormRequest<Loaded, G extends Guard = Permission> = PageRequest<Visitor<G>> & {
  readonly loaded: Loaded;
};

export type MaybePromise<Value> = Promise<Value> | Value;

/** The part of a declaration that every form has: its subject, first state and page. */
export interface FormPage<Loaded, G extends Guard = Permission> extends Explained {
  /** The address of the page, and of the form's POST. */
  readonly path: string;
  /** Reads the record that the form is about, such as a key. Throws Problem `not_found`. */
  readonly load?: (request: PageRequest<Visitor<G>>) => MaybePromise<Loaded>;
  /** The new form, or another page. Absent if another route shows the form. */
  readonly initial?: (request: FormRequest<Loaded, G>) => MaybePromise<FormState | Answer>;
  readonly page: (state: FormState, request: FormRequest<Loaded, G>) => MaybePromise<PageAnswer>;
}

interface FormRoutes<G extends Guard, Loaded> extends FormPage<Loaded, G> {
  readonly guard: G;
  /** The guard of the page, if more visitors may see the form than send it. */
  readonly pageGuard?: G;
  readonly nav?: NavEntry;
  /** The address of the form's POST, if it differs from the page's. */
  readonly action?: string;
}

/** A form that sends its fields to a use case which validates them itself. */
export interface DirectForm<G extends Guard, Loaded, Result> extends FormRoutes<G, Loaded> {
  /** The schema that the use case checks, for the limits of the fields. */
  readonly schema?: Joi.Schema;
  /** The form has a file. A larger one is cut and marked as such. */
  readonly fileLimitBytes?: number;
  /** The form carries a key, by which the use case writes once however often the form is sent. */
  readonly once?: true;
  /** A refusal that it throws is shown at the fields. */
  readonly send: (request: FormRequest<Loaded, G>) => MaybePromise<Result>;
  readonly done: (result: Result, request: FormRequest<Loaded, G>) => MaybePromise<Answer>;
}

export function directForm<Result, G extends Guard = Permission, Loaded = undefined>(
  form: DirectForm<G, Loaded, Result>,
): PageRoute[] {
  const { path, guard, pageGuard = guard, nav = null, action = path, initial, schema } = form;
  const { fileLimitBytes, once } = form;
  const loaded = async (request: PageRequest<Visitor<G>>) => ({
    ...request,
    loaded: (await form.load?.(request)) as Loaded,
  });
  const shown = (state: FormState, request: FormRequest<Loaded, G>) =>
    form.page(
      { ...(schema ? { schema } : {}), ...(once ? { key: uuidv7() } : {}), ...state },
      request,
    );
  const show = async (visit: PageRequest<Visitor<G>>) => {
    const request = await loaded(visit);
    const start = (await initial?.(request)) ?? newForm();
    return 'errors' in start ? shown(start, request) : start;
  };
  const send = async (visit: PageRequest<Visitor<G>>): Promise<Answer> => {
    const request = await loaded(visit);
    try {
      return await form.done(await form.send(request), request);
    } catch (error) {
      const { state, answer } = refusalOf(request.form, error, {
        ...form,
        decimalMark: markOf(request.session),
        currency: request.session?.currency ?? null,
      });
      return { ...(await shown(state, request)), ...answer };
    }
  };
  const target =
    fileLimitBytes === undefined
      ? post(action, guard, send)
      : postFile(action, guard, fileLimitBytes, send);
  return [...(initial ? [get(path, pageGuard, show, nav)] : []), target];
}

export interface PlainForm<G extends Guard, Loaded, Body> extends FormRoutes<G, Loaded> {
  readonly schema: Joi.Schema;
  /** Finds the errors of an invalid form that `save` would find in a valid one. */
  readonly find?: (
    body: unknown,
    request: FormRequest<Loaded, G>,
  ) => MaybePromise<readonly FieldError[]>;
  /** A refusal that it throws is shown at the fields. */
  readonly save: (body: Body, request: FormRequest<Loaded, G>) => MaybePromise<Answer>;
}

/** A form that is validated here, and then saved. */
export function plainForm<Body, G extends Guard = Permission, Loaded = undefined>({
  save,
  find,
  ...form
}: PlainForm<G, Loaded, Body>): PageRoute[] {
  const { schema } = form;
  return directForm<Answer, G, Loaded>({
    ...form,
    send: async request => {
      const sent = bodyOf(request.form, fieldTypesOf(schema, request.session));
      const body = await withFoundErrors(
        () => validateBody<Body>(schema, sent),
        async () => (await find?.(sent, request)) ?? [],
      );
      return save(body, request);
    },
    done: answer => answer,
  });
}

/** A form without fields, which no use case refuses: its request has none. */
export function buttonForm<G extends Guard>(
  path: string,
  guard: G,
  press: (request: Omit<PageRequest<Visitor<G>>, 'form' | 'file'>) => MaybePromise<Answer>,
): PageRoute {
  return post(path, guard, press);
}
