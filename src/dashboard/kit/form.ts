// Forms: reads the fields safely, checks them with the API's own schemas, and returns the input
// unchanged when something refuses it.
import type Joi from 'joi';
import type { Context } from 'koa';
import compose from 'koa-compose';
import qs from 'qs';
import { type FieldError, Problem } from '../../platform/errors.js';
import { rawBody } from '../../platform/http/body.js';
import { MAX_ITEMS, validateBody } from '../../platform/http/validate.js';
import { exactNumber } from '../../platform/values/money.js';
import { TOKEN_FIELD } from './csrf.js';
import type { PageAnswer } from './page.js';
import { formatQuantity } from './ui/format.js';

export const FORM_LIMIT_BYTES = 64 * 1024;
/** The longest form is an invoice: four fields per line, and some around them. */
export const MAX_FIELDS = 4 * MAX_ITEMS + 20;
/** `generated.NAME` marks the field NAME as made by the page, not entered by a person (<Hidden>). */
export const GENERATED_PREFIX = 'generated.';

/** The state of a form on a page: the values of its fields, and their errors. */
export interface FormState {
  readonly values: URLSearchParams;
  /** One sentence per field, by the field's name. */
  readonly errors: ReadonlyMap<string, string>;
  /** An error of the whole form. */
  readonly message?: string;
}

/** A form that has not been submitted. */
export function newForm(values: Readonly<Record<string, string>> = {}): FormState {
  return { values: new URLSearchParams(values), errors: new Map() };
}

/**
 * Returns a function that puts the fields into ctx.state.form. It throws the Problems of `rawBody`,
 * and `invalid_parameter` for NUL, which Postgres cannot store.
 */
export function formReader(maxBytes = FORM_LIMIT_BYTES): (ctx: Context) => Promise<void> {
  const readBytes = compose(rawBody('application/x-www-form-urlencoded', maxBytes));
  return async ctx => {
    await readBytes(ctx);
    const form = new URLSearchParams((ctx.request.body as Buffer).toString());
    refuseNul(form);
    ctx.state.form = form;
  };
}

/** Throws Problem `invalid_parameter`. */
export function refuseNul(fields: URLSearchParams): void {
  for (const pair of fields) {
    if (pair.some(text => text.includes('\0')))
      throw new Problem('invalid_parameter', 'A field contains a NUL character.');
  }
}

export interface RefusedSubmit {
  readonly done: false;
  readonly state: FormState;
  readonly answer: Pick<PageAnswer, 'status' | 'headers'>;
}

export type Outcome<Result> = { readonly done: true; readonly result: Result } | RefusedSubmit;

export interface SubmitOptions {
  /** Number fields, by the last part of their names: exact decimal text becomes a JSON number. */
  readonly numbers?: readonly string[];
  /** Checks that the schema cannot express, as in the API's route. */
  readonly more?: (body: unknown) => FieldError[];
}

/**
 * Validates the form against the schema, then runs `work` with the body. If either refuses it, the
 * outcome has the state of the same form with its input: show the page again with that state and
 * the status of `answer`, which is 422, or 429 after too many attempts. Rethrows other errors.
 */
export async function submitForm<Body, Result>(
  form: URLSearchParams,
  schema: Joi.Schema,
  work: (body: Body) => Promise<Result>,
  options: SubmitOptions = {},
): Promise<Outcome<Result>> {
  try {
    const body = validateBody<Body>(schema, bodyOf(form, options), options.more);
    return { done: true, result: await work(body) };
  } catch (error) {
    if (!(error instanceof Problem) || !REFUSALS.has(error.code)) throw error;
    const answer =
      error.code === 'too_many_attempts'
        ? { status: 429, headers: error.details.headers ?? {} }
        : { status: 422 };
    return { done: false, state: refusedForm(form, error), answer };
  }
}
const REFUSALS: ReadonlySet<string> = new Set([
  'validation_failed',
  'insufficient_stock',
  'stock_conflict',
  'too_many_attempts',
]);

/** The state of a form that a problem refused. */
export function refusedForm(values: URLSearchParams, problem: Problem): FormState {
  const { errors: found = [] } = problem.details;
  const errors = new Map<string, string>();
  for (const error of found) {
    const name = nameOf(error);
    if (!errors.has(name)) errors.set(name, sentenceOf(error));
  }
  const message = found.length === 0 ? problem.message : 'Check the highlighted fields.';
  return { values, errors, message };
}

function sentenceOf({ code, detail, available }: FieldError): string {
  if (code === 'insufficient_stock' && typeof available === 'number') {
    return available > 0 ? `Only ${formatQuantity(available)} on hand.` : 'None on hand.';
  }
  return SENTENCES[code] ?? detail;
}

/** A form's fields are text or numbers, and a missing field was left empty. */
const SENTENCES: Readonly<Record<string, string>> = {
  required: 'Required.',
  empty: 'Required.',
  wrong_type: 'Enter a number, such as 12.50.',
};

/**
 * The fields as a JSON body: `items.0.name` is { items: [{ name }] }, `scopes[]` is always an array,
 * and empty fields are absent. Names that reach a prototype and fields beyond MAX_FIELDS are ignored.
 */
export function bodyOf(
  form: URLSearchParams,
  { numbers = [] }: SubmitOptions = {},
): Record<string, unknown> {
  const entered = [...form].filter(
    ([name, text]) =>
      name !== TOKEN_FIELD && !name.startsWith(GENERATED_PREFIX) && text.trim() !== '',
  );
  const body = qs.parse(new URLSearchParams(entered).toString(), PARSING);
  return withNumbers(body, '', numbers) as Record<string, unknown>;
}

/** An index above `arrayLimit` becomes a key, which no schema accepts. Gaps in arrays are closed. */
const PARSING: qs.IParseOptions = {
  allowDots: true,
  allowPrototypes: false,
  depth: 4,
  arrayLimit: MAX_FIELDS,
  parameterLimit: MAX_FIELDS,
};

function withNumbers(value: unknown, key: string, numbers: readonly string[]): unknown {
  if (typeof value === 'string')
    return numbers.includes(key) ? (exactNumber(value) ?? value) : value;
  if (Array.isArray(value)) return value.map(inner => withNumbers(inner, key, numbers));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, inner]) => [
      name,
      withNumbers(inner, name, numbers),
    ]),
  );
}

/** The pointer /items/0/qty is the field items.0.qty. */
function nameOf({ pointer }: FieldError): string {
  return pointer
    .slice(1)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}
