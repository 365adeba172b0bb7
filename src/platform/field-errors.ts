// The errors of single fields: the contract's codes, and sentences that name the broken rule. They
// read well both in the API's answers and next to a field of the dashboard.
import { type FieldError, Problem } from './errors.js';
import { DECIMALS } from './values/money.js';

/** The rule that a field breaks. The members depend on the code; some are Joi's own context. */
export interface FieldRule {
  /** The bound of a number (inclusive unless `exclusive`), text or array. */
  readonly limit?: number;
  readonly exclusive?: boolean;
  /** The expected type with its article: "a number". */
  readonly type?: string | undefined;
  /** The allowed values. */
  readonly valids?: readonly unknown[];
  /** Fields of which at least one (or exactly one) is required, and those that were sent. */
  readonly peers?: readonly string[];
  readonly present?: readonly string[];
  /** The property that an unknown one is probably meant to be, and those that its object has. */
  readonly suggestion?: string | undefined;
  readonly known?: readonly string[];
  /** The sentence of a rule that has no form of its own, or a more precise one. */
  readonly sentence?: string;
}

const SENTENCES = {
  required: ({ peers }) => (peers ? `${anyOf(peers)} is required.` : 'Required.'),
  wrong_type: ({ type = 'a value of another type' }) => `Must be ${type}.`,
  empty: () => 'Must not be empty.',
  too_short: ({ limit }) => `Must be at least ${formatted(limit)} characters.`,
  too_long: ({ limit }) => `Must be at most ${formatted(limit)} characters.`,
  too_small: ({ limit, exclusive = false }) =>
    `Must be ${exclusive ? 'greater than' : 'at least'} ${formatted(limit)}.`,
  too_large: ({ limit }) => `Must be at most ${formatted(limit)}.`,
  too_many_decimals: ({ sentence = `Must have at most ${DECIMALS} decimals.` }) => sentence,
  too_many_items: ({ limit }) => `At most ${formatted(limit)} items.`,
  invalid_date: () => 'Must be a date (YYYY-MM-DD) from 1900-01-01 to 2100-12-31.',
  invalid_value: ({ valids, present, sentence = 'This value is not allowed.' }) =>
    valids
      ? `Must be one of ${valids.filter(value => value !== null && value !== '').join(', ')}.`
      : present
        ? present.length > 2
          ? `Send only one of ${anyOf(present)}.`
          : `Send either ${anyOf(present)}, not both.`
        : sentence,
  unknown_field: ({ suggestion, known = [] }) =>
    `Unknown property. ${suggestion ? `Did you mean ${suggestion}?` : knownList(known)}`,
  unknown_item: () => 'There is no such stock item.',
  unknown_invoice: () => 'There is no such invoice.',
  unknown_customer: () => 'There is no such customer.',
  mixed_customers: () => 'All invoices must belong to one customer.',
  insufficient_stock: () => 'Not enough stock.',
  stock_conflict: () => 'Stock is not what was expected.',
  already_exists: () => 'Another record has this value.',
  invalid_state: () => 'The state of the record does not allow this.',
  amount_exceeds_due: () => 'More than is due.',
  amount_exceeds_unallocated: () => 'More than is unallocated.',
  credit_exceeds_invoice: () => 'More than is left to credit.',
  invalid_url: () => 'Must be a URL that begins with https://.',
  private_address: () => 'The host has an address that is not public.',
  unsupported_character: () => 'Has a character that documents cannot show.',
} satisfies Record<string, (rule: FieldRule) => string>;

export type FieldCode = keyof typeof SENTENCES;

export function isFieldCode(code: string): code is FieldCode {
  return Object.hasOwn(SENTENCES, code);
}

/** The sentence of a broken rule. */
export function ruleSentence(code: FieldCode, rule: FieldRule): string {
  return SENTENCES[code](rule);
}

/** The RFC 6901 pointer of a path into a body. */
export function pointerTo(path: readonly (string | number)[]): string {
  return path.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The error of one field: its sentence, or the rule from which the sentence is made. */
export function fieldError(
  path: readonly (string | number)[],
  code: FieldCode,
  rule: string | FieldRule = {},
): FieldError {
  const detail = typeof rule === 'string' ? rule : ruleSentence(code, rule);
  return { pointer: pointerTo(path), code, detail };
}

/** The problem that carries field errors, some of them if there are `count`. */
export function validationFailed(
  errors: readonly FieldError[],
  count: number = errors.length,
): Problem {
  const existingId = errors.find(error => error.existingId !== undefined)?.existingId;
  return new Problem(
    'validation_failed',
    `The body has ${count} invalid field${count === 1 ? '' : 's'}.`,
    {
      errors,
      errorsOmitted: count - errors.length,
      ...(existingId === undefined ? {} : { members: { existingId } }),
    },
  );
}

/** The problem of one field that no schema checks. The sentence is also the problem's own. */
export function invalidField(
  field: string,
  sentence: string,
  code: FieldCode = 'invalid_value',
): Problem {
  return new Problem('validation_failed', sentence, {
    errors: [fieldError([field], code, sentence)],
  });
}

// A formatter is made for the first error that needs it: that takes 50 ms of a process's start.
let list: Intl.ListFormat | undefined;
let number: Intl.NumberFormat | undefined;

/** Bounds a sentence that lists properties: one error may have it a hundred times. */
const MAX_KNOWN = 20;

function knownList(known: readonly string[]): string {
  if (known.length === 0) return 'None is known here.';
  const more = known.length > MAX_KNOWN ? ', …' : '.';
  return `Known properties: ${known.slice(0, MAX_KNOWN).join(', ')}${more}`;
}

function anyOf(names: readonly string[]): string {
  list ??= new Intl.ListFormat('en', { type: 'disjunction' });
  return list.format(names);
}

function formatted(limit = 0): string {
  number ??= new Intl.NumberFormat('en', { maximumFractionDigits: DECIMALS });
  return number.format(limit);
}
