// Reads the fields of a form safely, converts them to a request body, and turns a problem with that
// body into the errors of the fields.

import type { Context } from 'koa';
import { type FieldError, Problem } from '../../../platform/errors.js';
import { rawBody } from '../../../platform/http/input/body.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { MAX_ITEMS } from '../../../platform/http/input/validate.js';
import { exactNumber } from '../../../platform/values/money.js';
import { withoutCurrency } from '../../../platform/values/typed-amount.js';
import { TOKEN_FIELD } from '../csrf.js';
import type { PageAnswer } from '../page.js';
import { plainNumber, readingsOf, withoutPercent } from '../typed-number.js';
import { formatQuantity } from '../ui/format.js';
import { type ExplainedRequest, placeOf } from './error-places.js';
import { type FieldTypes, limitsOf } from './field-limits.js';
import { type FormState, GENERATED_PREFIX, KEY_FIELD, WAS_PREFIX } from './form-state.js';

export const FORM_LIMIT_BYTES = 64 * 1024;
/** An invoice is the longest form: it has seven fields per line, and some others. */
const MAX_FIELDS = 7 * MAX_ITEMS + 40;

/**
 * Puts the fields into ctx.state.form. Throws the Problems of `rawBody`, `payload_too_large` for
 * more fields than any form has, and `invalid_parameter` for NUL, which Postgres cannot store.
 */
export async function readForm(ctx: Context, maxBytes = FORM_LIMIT_BYTES): Promise<void> {
  await rawBody('application/x-www-form-urlencoded', maxBytes)(ctx, async () => undefined);
  const bytes = ctx.request.body as Buffer;
  refuseManyFields(bytes);
  const form = new FormFields(new URLSearchParams(bytes.toString()));
  refuseNul(form);
  ctx.state.form = form;
}

/** Counts separators before anything is parsed. Throws Problem `payload_too_large`. */
function refuseManyFields(bytes: Buffer): void {
  let fields = 1;
  for (let at = bytes.indexOf('&'); at !== -1; at = bytes.indexOf('&', at + 1)) {
    fields += 1;
    if (fields > MAX_FIELDS)
      throw new Problem('payload_too_large', `The form has more than ${MAX_FIELDS} fields.`);
  }
}

/** Throws Problem `invalid_parameter`. */
export function refuseNul(fields: Iterable<readonly [string, string]>): void {
  for (const pair of fields) {
    if (pair.some(text => text.includes('\0')))
      throw new Problem('invalid_parameter', 'A field contains a NUL character.');
  }
}

/** A refused form: show its page again with this state and answer. */
export interface Refusal {
  readonly state: FormState;
  readonly answer: Pick<PageAnswer, 'status' | 'headers'>;
}

/**
 * The state of a form that an error refused, with status 422, or 429 after too many attempts.
 * Rethrows an error that is not about the input.
 */
export function refusalOf(form: FormFields, error: unknown, explained: ExplainedRequest): Refusal {
  if (!(error instanceof Problem) || !REFUSALS.has(error.code)) throw error;
  const answer =
    error.code === 'too_many_attempts'
      ? { status: 429, headers: error.details.headers ?? {} }
      : { status: 422 };
  return { state: refusedForm(form, error, explained), answer };
}
const REFUSALS: ReadonlySet<string> = new Set([
  'validation_failed',
  'insufficient_stock',
  'stock_conflict',
  'already_exists',
  'invalid_state',
  'amount_exceeds_due',
  'amount_exceeds_unallocated',
  'credit_exceeds_invoice',
  'customer_on_hold',
  'credit_limit_exceeded',
  'email_not_configured',
  'email_limit_exceeded',
  'too_many_attempts',
]);

/**
 * The values whose fields differ from what <OpenedWith> recorded: a form that was open for long
 * must not undo another person's changes. A form without such a record returns all values.
 */
export function changedOnly<Values extends object>(
  form: FormFields,
  values: Values,
): Partial<Values> {
  const changed = Object.entries(values).filter(
    ([name]) => form.get(WAS_PREFIX + name) !== (form.get(name) ?? ''),
  );
  return Object.fromEntries(changed) as Partial<Values>;
}

/** True if the text of a field is no longer the one that <OpenedWith> recorded, or none was. */
export function isEdited(form: FormFields, name: string): boolean {
  const before = form.get(WAS_PREFIX + name);
  return before === null || plainText(before) !== plainText(form.get(name) ?? '');
}

/** Forms send CRLF. */
export function plainText(text: string): string {
  return text.replaceAll(/\r\n?/gu, '\n').trim();
}

/** The state of a form that a problem refused, with its errors at the form's fields. */
export function refusedForm(
  values: FormFields,
  thrown: Problem,
  { at, say, instead, schema, wayOn, decimalMark, currency }: ExplainedRequest,
): FormState {
  const problem = instead?.(thrown) ?? thrown;
  const { errors: found = [] } = problem.details;
  const errors = new Map<string, string>();
  const unplaced = new Set<string>();
  for (const error of found) {
    const own = nameOf(error);
    const { name, line } = placeOf(own, at);
    const said = say?.(error, problem) ?? null;
    if (name === null) unplaced.add(said ?? error.detail);
    if (name === null || errors.has(name)) continue;
    const typed = values.get(own) ?? values.get(name) ?? '';
    const limits = schema && limitsOf(schema, own);
    const number = currency && limits?.isMoney ? withoutCurrency(typed, currency) : typed;
    const readings = readingsOf(number, limits?.isSmall ? '.' : decimalMark);
    const sentence = said ?? sentenceOf(error, readings, limits?.isWhole === true);
    errors.set(name, line === undefined ? sentence : `Line ${line}: ${sentence}`);
  }
  const refused = { values, refusal: problem, wayOn: wayOn?.(problem) ?? undefined };
  if (unplaced.size > 0) return { ...refused, errors: new Map(), message: [...unplaced].join(' ') };
  const message = found.length === 0 ? problem.message : 'Check the highlighted fields.';
  return { ...refused, errors, message };
}

function sentenceOf(
  { code, detail, available }: FieldError,
  readings: readonly [string, string] | null,
  isWhole: boolean,
): string {
  if (code === 'wrong_type' && readings)
    return `This could mean two numbers. Enter ${readings[0]} or ${readings[1]}.`;
  if (code === 'insufficient_stock' && typeof available === 'number') {
    return available > 0 ? `Only ${formatQuantity(available)} on hand.` : 'None on hand.';
  }
  if (code === 'wrong_type' && isWhole) return 'Enter a whole number, such as 30.';
  return SENTENCES[code] ?? detail;
}

/** Sentences for the errors of fields, which are text or numbers. A missing field was empty. */
const SENTENCES: Readonly<Record<string, string>> = {
  required: 'Required.',
  empty: 'Required.',
  wrong_type: 'Enter a number, such as 12.50.',
};

/**
 * The fields as a JSON body: `items.0.name` is { items: [{ name }] } without gaps, `scopes[]` is
 * always an array, as is a repeated name, and empty fields are absent. Ignores names that would
 * reach a prototype, are nested too deeply, or contradict an earlier name.
 */
export function bodyOf(form: FormFields, types: FieldTypes = {}): Record<string, unknown> {
  const { numbers = [], small = [], flags = [], decimalMark = '.' } = types;
  const root: Members = new Map();
  const isCertain = (name: string, last: string) =>
    small.includes(last) || form.has(GENERATED_PREFIX + name);
  for (const [name, text] of form) {
    if (OWN_FIELDS.has(name) || name.startsWith(GENERATED_PREFIX) || text.trim() === '') continue;
    const isArray = name.endsWith('[]');
    const path = (isArray ? name.slice(0, -2) : name).split('.');
    if (path.length > MAX_DEPTH || path.some(part => part in Object.prototype)) continue;
    const last = path.pop() as string;
    const value = numbers.includes(last)
      ? (exactNumber(
          plainNumber(numberIn(text, last, types), isCertain(name, last) ? '.' : decimalMark),
        ) ?? text)
      : flags.includes(last)
        ? text === 'true'
        : withoutTabs(text);
    const members = membersAt(root, path);
    const present = members?.get(last);
    if (Array.isArray(present)) present.push(value);
    else if (present === undefined) members?.set(last, isArray ? [value] : value);
    else if (!(present instanceof Map)) members?.set(last, [present, value]);
  }
  return objectOf(root);
}

/** A text that was copied from a table has tabs, which no field can show. They become spaces. */
export function withoutTabs(text: string): string {
  return text.replaceAll('\t', ' ');
}

/** The number of a text that has the currency, or a percent sign, beside it. */
function numberIn(
  text: string,
  field: string,
  { money = [], percentages = [], currency }: FieldTypes,
): string {
  if (percentages.includes(field)) return withoutPercent(text);
  return currency && money.includes(field) ? withoutCurrency(text, currency) : text;
}

const MAX_DEPTH = 5;
const OWN_FIELDS: ReadonlySet<string> = new Set([TOKEN_FIELD, KEY_FIELD]);

type Scalar = string | number | boolean;
type Members = Map<string, Scalar | Scalar[] | Members>;

/** The members at the path, created if absent; null if a value is there. */
function membersAt(root: Members, path: readonly string[]): Members | null {
  let members = root;
  for (const part of path) {
    const inner = members.get(part) ?? new Map();
    if (!(inner instanceof Map)) return null;
    members.set(part, inner);
    members = inner;
  }
  return members;
}

function objectOf(members: Members): Record<string, unknown> {
  return Object.fromEntries([...members].map(([name, inner]) => [name, jsonOf(inner)]));
}

/** Members whose names are all indexes are an array. */
function jsonOf(value: Scalar | Scalar[] | Members): unknown {
  if (!(value instanceof Map)) return value;
  if (![...value.keys()].every(name => /^\d{1,4}$/u.test(name))) return objectOf(value);
  return [...value].sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => jsonOf(inner));
}

/** The pointer /items/0/qty is the field items.0.qty. */
function nameOf({ pointer }: FieldError): string {
  return pointer
    .slice(1)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}
