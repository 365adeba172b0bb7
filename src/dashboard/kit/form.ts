// What a person typed: read safely, checked with the API's own schemas, and kept as typed where something is wrong.
import type Joi from 'joi';
import type { Context, Middleware, Next } from 'koa';
import { type FieldError, Problem } from '../../platform/errors.js';
import { rawBody } from '../../platform/http/body.js';
import { MAX_ITEMS, validateBody } from '../../platform/http/validate.js';
import { exactNumber } from '../../platform/values/money.js';
import { TOKEN_FIELD } from './csrf.js';
import type { PageAnswer } from './page.js';
import { formatQuantity } from './ui/format.js';

export const FORM_LIMIT_BYTES = 64 * 1024;

/** The state of a form on a page: what its fields hold, and what is wrong with them. */
export interface FormState {
  readonly values: URLSearchParams;
  /** A sentence each, by the name of the field. */
  readonly errors: ReadonlyMap<string, string>;
  /** What is wrong with no field of its own. */
  readonly message?: string;
}

/** A form that nobody has sent yet. */
export function newForm(values: Readonly<Record<string, string>> = {}): FormState {
  return { values: new URLSearchParams(values), errors: new Map() };
}

/** Leaves the fields in ctx.state.form. Refuses other media types, what is larger, and NUL, which Postgres cannot keep. */
export function formBody(maxBytes = FORM_LIMIT_BYTES): Middleware[] {
  return [...rawBody('application/x-www-form-urlencoded', maxBytes), readForm];
}

async function readForm(ctx: Context, next: Next): Promise<void> {
  const form = new URLSearchParams((ctx.request.body as Buffer).toString());
  refuseNul(form);
  ctx.state.form = form;
  await next();
}

/** Throws Problem `invalid_parameter`. */
export function refuseNul(fields: URLSearchParams): void {
  for (const pair of fields) {
    if (pair.some(text => text.includes('\0')))
      throw new Problem('invalid_parameter', 'A field has a NUL character.');
  }
}

export type Outcome<Result> =
  | { readonly done: true; readonly result: Result }
  | {
      readonly done: false;
      readonly state: FormState;
      readonly answer: Pick<PageAnswer, 'status' | 'headers'>;
    };

export interface SubmitOptions {
  /** Fields that hold numbers, by the last part of their names: text that is one exactly becomes a JSON number. */
  readonly numbers?: readonly string[];
  /** What the schema cannot say, as the API's route has it. */
  readonly more?: (body: unknown) => FieldError[];
}

/**
 * Checks the form by the schema, then runs `work` with the body. What either refuses comes back as the state of the same
 * form, everything typed kept: show the page again with it and the status of `answer`: 422, but 429 where somebody tried too
 * often. Other errors are thrown on.
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
  const message =
    found.length === 0 ? problem.message : 'Something is not right yet. See the marked fields.';
  return { values, errors, message };
}

function sentenceOf({ code, detail, available }: FieldError): string {
  if (code === 'insufficient_stock' && typeof available === 'number') {
    return available > 0 ? `Only ${formatQuantity(available)} on hand.` : 'None on hand.';
  }
  return SENTENCES[code] ?? detail;
}

/** In a form nothing has a type but numbers, and what is missing is a field that was left empty. */
const SENTENCES: Readonly<Record<string, string>> = {
  required: 'Fill this in.',
  empty: 'Fill this in.',
  wrong_type: 'Type a number, such as 12.50.',
};

/**
 * The fields as a JSON body would have them: `items.0.name` is { items: [{ name }] }, `scopes[]` always makes an array, and
 * what was left empty is absent.
 */
export function bodyOf(
  form: URLSearchParams,
  { numbers = [] }: SubmitOptions = {},
): Record<string, unknown> {
  const body: Tree = Object.create(null);
  for (const [name, text] of form) {
    if (name === TOKEN_FIELD || text.trim() === '') continue;
    const path = name.replace(/\[\]$/u, '').split('.');
    const value = numbers.includes(path.at(-1) ?? '') ? (exactNumber(text) ?? text) : text;
    put(body, path, value, name.endsWith('[]'));
  }
  return toArrays(body) as Record<string, unknown>;
}

type Tree = { [key: string]: unknown };
const INDEX = /^(?:0|[1-9]\d{0,3})$/u;
const MAX_DEPTH = 4;

function put(tree: Tree, path: readonly string[], value: unknown, repeated: boolean): void {
  const [key = '', ...rest] = path;
  if (path.length > MAX_DEPTH || key === '__proto__') return;
  if (rest.length > 0) {
    const inner = tree[key] ?? Object.create(null);
    if (typeof inner !== 'object' || Array.isArray(inner)) return;
    tree[key] = inner;
    put(inner as Tree, rest, value, repeated);
  } else if (repeated)
    tree[key] = [...(Array.isArray(tree[key]) ? tree[key] : []), value].slice(0, MAX_ITEMS + 1);
  else tree[key] = value;
}

/** Objects whose keys are all indexes become arrays, without the gaps that removed lines leave. */
function toArrays(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, toArrays(inner)] as const);
  if (entries.length === 0 || !entries.every(([key]) => INDEX.test(key)))
    return Object.fromEntries(entries);
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner);
}

/** The pointer /items/0/qty is the field items.0.qty. */
function nameOf({ pointer }: FieldError): string {
  return pointer
    .slice(1)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}
