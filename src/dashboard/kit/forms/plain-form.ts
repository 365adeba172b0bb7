// A form that submits no write: one declaration gives the route of its page and that of its target.
import type Joi from 'joi';
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
  type Visitor,
} from '../page.js';
import { fieldTypesOf } from './field-limits.js';
import { bodyOf, refusalOf } from './form.js';
import { type FormState, newForm } from './form-state.js';

/** A request for the page or the target of a form, with the record that the form is about. */
export type FormRequest<Loaded, G extends Guard = Permission> = PageRequest<Visitor<G>> & {
  readonly loaded: Loaded;
};

export type MaybePromise<Value> = Promise<Value> | Value;

/** The part of a declaration that every form has: its subject, first state and page. */
export interface FormPage<Loaded, G extends Guard = Permission> {
  /** The address of the page, and of the form's POST. */
  readonly path: string;
  /** Reads the record that the form is about, such as a key. Throws Problem `not_found`. */
  readonly load?: (request: PageRequest<Visitor<G>>) => MaybePromise<Loaded>;
  /** The new form, or another page. Absent if another route shows the form. */
  readonly initial?: (request: FormRequest<Loaded, G>) => MaybePromise<FormState | Answer>;
  readonly page: (state: FormState, request: FormRequest<Loaded, G>) => MaybePromise<PageAnswer>;
}

export interface PlainForm<G extends Guard, Loaded, Body> extends FormPage<Loaded, G> {
  readonly guard: G;
  /** The guard of the page, if more visitors may see the form than send it. */
  readonly pageGuard?: G;
  readonly nav?: NavEntry;
  /** The address of the form's POST, if it is not that of the page. */
  readonly action?: string;
  readonly schema: Joi.Schema;
  /** A refusal that it throws is shown at the fields. */
  readonly save: (body: Body, request: FormRequest<Loaded, G>) => MaybePromise<Answer>;
}

export function plainForm<Body, G extends Guard = Permission, Loaded = undefined>(
  form: PlainForm<G, Loaded, Body>,
): PageRoute[] {
  const { path, guard, pageGuard = guard, nav = null, action = path, initial, schema } = form;
  const loaded = async (request: PageRequest<Visitor<G>>) => ({
    ...request,
    loaded: (await form.load?.(request)) as Loaded,
  });
  const show = async (visit: PageRequest<Visitor<G>>) => {
    const request = await loaded(visit);
    const start = (await initial?.(request)) ?? newForm();
    return 'errors' in start ? form.page({ schema, ...start }, request) : start;
  };
  const save = async (visit: PageRequest<Visitor<G>>): Promise<Answer> => {
    const request = await loaded(visit);
    try {
      const body = bodyOf(request.form, fieldTypesOf(schema));
      return await form.save(validateBody<Body>(schema, body), request);
    } catch (error) {
      const { state, answer } = refusalOf(request.form, error);
      return { ...(await form.page({ schema, ...state }, request)), ...answer };
    }
  };
  return [...(initial ? [get(path, pageGuard, show, nav)] : []), post(action, guard, save)];
}
