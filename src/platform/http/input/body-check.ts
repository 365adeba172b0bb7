// Checks request bodies, compiled from their Joi schemas. It runs the schemas' own custom functions
// without Joi's machinery, which takes ten times as long for a valid body and a hundred times as
// long for an invalid one. It counts all errors but builds only as many as an answer lists.
import type Joi from 'joi';
import type { FieldError } from '../../errors.js';
import { type FieldCode, type FieldRule, fieldError } from '../../field-errors.js';
import { MAX_FIELD_ERRORS } from '../../problem-document.js';
import { closestField } from './closest-field.js';

/** The errors of a body, and the path to the value that is being checked. */
export class BodyErrors {
  readonly path: (string | number)[] = [];
  readonly listed: FieldError[] = [];
  count = 0;
  readonly #max: number;

  constructor(max = MAX_FIELD_ERRORS) {
    this.#max = max;
  }

  /** Adds the error of the value at the path, like Joi's `helpers.error`. */
  error(code: FieldCode, rule?: FieldRule): undefined {
    this.add(() => {
      const isBody = this.path.length === 0 && code === 'wrong_type';
      return fieldError(this.path, code, isBody ? `The body must be ${rule?.type}.` : rule);
    });
  }

  add(build: () => FieldError): void {
    this.count += 1;
    if (this.listed.length < this.#max) this.listed.push(build());
  }
}

/** The value as Joi would return it, or undefined if it has errors. */
export type BodyCheck = (value: unknown, errors: BodyErrors) => unknown;

/** The parts of `Joi.describe()` that are understood here. */
interface Described {
  readonly type: string;
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly rules?: readonly { readonly name: string; readonly args: RuleArguments }[];
  readonly allow?: readonly unknown[];
  readonly dependencies?: readonly Dependency[];
}

interface RuleArguments {
  readonly limit: number;
  readonly method: (value: unknown, helpers: BodyErrors) => unknown;
}

interface Dependency {
  readonly rel: string;
  readonly peers: readonly string[];
}

const MEMBERS = ['type', 'flags', 'keys', 'items', 'rules', 'allow', 'dependencies', 'metas'];
const FLAGS = ['presence', 'description', 'empty', 'only'];
const RELATIONS = ['or', 'xor', 'oxor'];

/** The check of a schema; null if only Joi understands it. */
export function compileBodyCheck(described: Joi.Description | Described): BodyCheck | null {
  const { type, flags = {} } = described;
  const isUnderstood =
    Object.keys(described).every(member => MEMBERS.includes(member)) &&
    Object.keys(flags).every(flag => FLAGS.includes(flag));
  if (!isUnderstood) return null;
  if (type === 'object') return orNull(described as Described, objectCheck);
  if (type === 'array') return orNull(described as Described, arrayCheck);
  return leafCheck(described as Described);
}

/** The check of a schema that may allow null, which removes a value. */
function orNull(
  described: Described,
  compile: (described: Described) => BodyCheck | null,
): BodyCheck | null {
  const check = compile(described);
  const { allow } = described;
  if (!check || !allow) return check;
  if (allow.length > 1 || allow[0] !== null) return null;
  return (value, errors) => (value === null ? null : check(value, errors));
}

interface Field {
  readonly name: string;
  readonly check: BodyCheck;
  readonly isRequired: boolean;
  /** Joi's `empty`, which is null in every schema: the same as absent. */
  readonly mayBeNull: boolean;
}

function objectCheck({ keys, dependencies = [], rules }: Described): BodyCheck | null {
  if (!keys || rules || !dependencies.every(({ rel }) => RELATIONS.includes(rel))) return null;
  const fields: Field[] = [];
  for (const [name, described] of Object.entries(keys)) {
    const check = compileBodyCheck(described);
    if (!check) return null;
    const { presence, empty } = described.flags ?? {};
    fields.push({
      name,
      check,
      isRequired: presence === 'required',
      mayBeNull: empty !== undefined,
    });
  }
  const names = new Set(Object.keys(keys));
  return (value, errors) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return errors.error('wrong_type', { type: 'a JSON object' });
    const { count: countBefore, path } = errors;
    const depth = path.length;
    const clean: Record<string, unknown> = {};
    let left = Object.keys(value).length;
    for (const { name, check, isRequired, mayBeNull } of fields) {
      const member = (value as Record<string, unknown>)[name];
      if (member !== undefined) left -= 1;
      const isAbsent = member === undefined || (member === null && mayBeNull);
      if (isAbsent && !isRequired) continue;
      path[depth] = name;
      const checked = isAbsent ? errors.error('required') : check(member, errors);
      if (checked !== undefined) clean[name] = checked;
    }
    path.length = depth;
    if (left > 0) refuseUnknown(value, names, errors);
    for (const dependency of dependencies) checkDependency(dependency, value, errors);
    return errors.count === countBefore ? clean : undefined;
  };
}

/** An own `__proto__`, which JSON allows and Joi overlooks, is unknown as well. */
function refuseUnknown(value: object, names: ReadonlySet<string>, errors: BodyErrors): void {
  for (const name of Object.keys(value)) {
    if (names.has(name) || (value as Record<string, unknown>)[name] === undefined) continue;
    errors.add(() => {
      const known = [...names];
      const suggestion = closestField(name, known);
      return fieldError([...errors.path, name], 'unknown_field', { suggestion, known });
    });
  }
}

function checkDependency({ rel, peers }: Dependency, value: object, errors: BodyErrors): void {
  const present = peers.filter(name => (value as Record<string, unknown>)[name] != null);
  if (present.length === 0 && rel !== 'oxor') errors.error('required', { peers });
  if (present.length > 1 && rel !== 'or') errors.error('invalid_value', { present });
}

function arrayCheck({ items = [], rules = [] }: Described): BodyCheck | null {
  const [item] = items;
  if (!item || items.length > 1 || !rules.every(({ name }) => name === 'min' || name === 'max'))
    return null;
  const limit = (name: string) => rules.find(rule => rule.name === name)?.args.limit;
  const min = limit('min') ?? 0;
  const max = limit('max') ?? Number.POSITIVE_INFINITY;
  const check = compileBodyCheck(item);
  if (!check) return null;
  return (value, errors) => {
    if (!Array.isArray(value)) return errors.error('wrong_type', { type: 'an array' });
    if (value.length < min) return errors.error('empty');
    const { count: countBefore, path } = errors;
    if (value.length > max) errors.error('too_many_items', { limit: max });
    const depth = path.length;
    const clean = value.map((each, index) => {
      path[depth] = index;
      return check(each, errors);
    });
    path.length = depth;
    return errors.count === countBefore ? clean : undefined;
  };
}

/**
 * A boolean without rules, or a text or a value of any type with one custom function or a list of
 * the valid values.
 */
function leafCheck({ type, flags = {}, rules = [], allow }: Described): BodyCheck | null {
  const [rule] = rules;
  const { method } = rule?.args ?? {};
  // The quick check knows no other allowed value than null, which removes a value.
  const mayBeNull = allow?.length === 1 && allow[0] === null;
  if (type === 'boolean' && !rule && (!allow || mayBeNull))
    return (value, errors) =>
      typeof value === 'boolean' || (value === null && mayBeNull)
        ? value
        : errors.error('wrong_type', { type: 'true or false' });
  if (rules.length > 1 || (type !== 'string' && type !== 'any')) return null;
  const checkText = (value: unknown, errors: BodyErrors, check: (text: string) => unknown) => {
    if (typeof value !== 'string') return errors.error('wrong_type', { type: 'a string' });
    return value === '' ? errors.error('empty') : check(value);
  };
  if (flags.only === true && allow && !rule) {
    const refuse = (errors: BodyErrors) => errors.error('invalid_value', { valids: allow });
    return (value, errors) => {
      if (allow.includes(value)) return value;
      return type === 'any' ? refuse(errors) : checkText(value, errors, () => refuse(errors));
    };
  }
  if (rule?.name !== 'custom' || !method || (allow && !mayBeNull)) return null;
  return (value, errors) => {
    if (value === null && mayBeNull) return null;
    if (type === 'any') return method(value, errors);
    return checkText(value, errors, text => method(text, errors));
  };
}
