// A quick check of request bodies, compiled from their Joi schemas. It runs the schemas' own custom
// functions without Joi's machinery, which costs ten times as much, and only ever says yes: Joi
// decides about every other body and reports its errors.
import type Joi from 'joi';

/** The value as Joi would return it, or undefined if only Joi can decide. */
export type QuickCheck = (value: unknown) => unknown;

/** The parts of `Joi.describe()` that are understood here. */
interface Described {
  readonly type: string;
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly rules?: readonly { readonly name: string; readonly args: RuleArguments }[];
  readonly allow?: readonly unknown[];
  readonly dependencies?: readonly { readonly rel: string; readonly peers: readonly string[] }[];
}

interface RuleArguments {
  readonly limit: number;
  readonly method: (value: unknown, helpers: { error: () => unknown }) => unknown;
}

const MEMBERS = ['type', 'flags', 'keys', 'items', 'rules', 'allow', 'dependencies', 'metas'];
const FLAGS = ['presence', 'description', 'empty', 'only'];
const helpers = { error: () => undefined };
const leaveToJoi: QuickCheck = () => undefined;

/** The check of a schema. Whatever it does not understand is left to Joi. */
export function compileQuickCheck(described: Joi.Description | Described): QuickCheck {
  const { type, flags = {} } = described;
  const isUnderstood =
    Object.keys(described).every(member => MEMBERS.includes(member)) &&
    Object.keys(flags).every(flag => FLAGS.includes(flag));
  if (!isUnderstood) return leaveToJoi;
  if (type === 'object') return objectCheck(described as Described);
  if (type === 'array') return arrayCheck(described as Described);
  return leafCheck(described as Described);
}

function objectCheck({ keys = {}, dependencies = [], rules }: Described): QuickCheck {
  // Only Joi fills in the default of an absent member.
  const hasDefault = Object.values(keys).some(({ flags = {} }) => 'default' in flags);
  if (rules || hasDefault) return leaveToJoi;
  const fields = Object.entries(keys).map(([name, described]) => ({
    name,
    check: compileQuickCheck(described),
    isRequired: described.flags?.presence === 'required',
    // Joi's `empty`, which is null in every schema: the same as absent.
    mayBeNull: described.flags?.empty !== undefined,
  }));
  return value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const clean: Record<string, unknown> = {};
    let left = Object.keys(value).length;
    for (const { name, check, isRequired, mayBeNull } of fields) {
      const member = (value as Record<string, unknown>)[name];
      if (member === undefined && !isRequired) continue;
      left -= 1;
      if (member === null && mayBeNull) continue;
      const checked = check(member);
      if (checked === undefined) return undefined;
      clean[name] = checked;
    }
    // Further fields are unknown.
    return left === 0 && dependencies.every(rule => isMet(rule, clean)) ? clean : undefined;
  };
}

function isMet(
  { rel, peers }: { readonly rel: string; readonly peers: readonly string[] },
  value: Record<string, unknown>,
): boolean {
  const count = peers.filter(name => value[name] !== undefined).length;
  if (rel === 'or') return count > 0;
  if (rel === 'xor') return count === 1;
  return rel === 'oxor' && count <= 1;
}

function arrayCheck({ items = [], rules = [] }: Described): QuickCheck {
  const [item] = items;
  if (!item || items.length > 1 || !rules.every(({ name }) => name === 'min' || name === 'max'))
    return leaveToJoi;
  const limit = (name: string) => rules.find(rule => rule.name === name)?.args.limit;
  const min = limit('min') ?? 0;
  const max = limit('max') ?? Number.POSITIVE_INFINITY;
  const check = compileQuickCheck(item);
  return value => {
    if (!Array.isArray(value) || value.length < min || value.length > max) return undefined;
    const clean = value.map(check);
    return clean.includes(undefined) ? undefined : clean;
  };
}

/**
 * A boolean without rules, or a text or a value of any type with one custom function or a list of
 * the valid values.
 */
function leafCheck({ type, flags = {}, rules = [], allow }: Described): QuickCheck {
  const [rule] = rules;
  const { method } = rule?.args ?? {};
  if (type === 'boolean' && !rule && !allow)
    return value => (typeof value === 'boolean' ? value : undefined);
  if (rules.length > 1 || (type !== 'string' && type !== 'any')) return leaveToJoi;
  if (flags.only === true && allow && !rule)
    return value => (allow.includes(value) ? value : undefined);
  if (rule?.name !== 'custom' || !method || allow) return leaveToJoi;
  if (type === 'any') return value => method(value, helpers);
  return value => (typeof value === 'string' && value !== '' ? method(value, helpers) : undefined);
}
