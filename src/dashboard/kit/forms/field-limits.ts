// The limits of a form's fields, read from the request schema that the form names.
import type Joi from 'joi';
import { shapeOf } from '../../../platform/http/input/schema-shape.js';
import { type DecimalMark, decimalMarkOf } from '../../../platform/values/csv.js';
import type { Session } from '../../../users/sessions.js';

/** Fields that a JSON body has as something other than text, by the last part of their names. */
export interface FieldTypes {
  /** A number as people type it, such as 12.5 or 12,5, becomes a JSON number. */
  readonly numbers?: readonly string[];
  /** The numbers below 1,000, in which 1.250 has one meaning. */
  readonly small?: readonly string[];
  /** The numbers that may have the company's currency beside them. */
  readonly money?: readonly string[];
  /** The numbers that may have a percent sign. */
  readonly percentages?: readonly string[];
  /** The company's decimal separator. */
  readonly decimalMark?: DecimalMark;
  /** The company's currency; null until the company is known. */
  readonly currency?: string | null;
  /** The text "true" becomes true, any other text false. */
  readonly flags?: readonly string[];
}

export interface FieldLimits {
  readonly maxLength?: number;
  readonly isNumber: boolean;
  /** A number without decimals. */
  readonly isWhole: boolean;
  /** A number that cannot reach 1,000. */
  readonly isSmall: boolean;
  readonly isMoney: boolean;
  /** True also for a part of an optional object, such as the city of an address. */
  readonly isOptional: boolean;
}

interface SchemaFields {
  readonly limits: ReadonlyMap<string, FieldLimits>;
  readonly types: FieldTypes;
}

/** The parts of `Joi.describe()` that matter here. */
interface Described {
  readonly type?: string;
  readonly flags?: { readonly presence?: string };
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly metas?: readonly { readonly schema?: LeafSchema }[];
}

interface LeafSchema {
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly maximum?: number;
}

/** The least number that people write with a mark between its digits. */
const FIRST_GROUPED = 1000;
const NUMBERS = ['number', 'integer'];
/** The amounts of money in requests, by the last part of their names. */
const MONEY = new Set(['amount', 'price', 'unitCost', 'unitPrice', 'creditLimit']);
const FIELDS = new WeakMap<Joi.Schema, SchemaFields>();

/** The limits of a field such as items.0.qty; undefined if the schema has no such field. */
export function limitsOf(schema: Joi.Schema, name: string): FieldLimits | undefined {
  return fieldsOf(schema).limits.get(name.replaceAll(/\.(?:\d+|new)(?=\.)/gu, '.*'));
}

/** The types of a form's fields, for the visitor who sends it. */
export function fieldTypesOf(
  schema: Joi.Schema,
  session: Pick<Session, 'csvFormat' | 'currency'> | null,
): FieldTypes {
  return {
    ...fieldsOf(schema).types,
    decimalMark: markOf(session),
    currency: session?.currency ?? null,
  };
}

/** How a signed-in person's amounts of money are written. */
export function moneyStyleOf(session: Pick<Session, 'csvFormat' | 'currency'>) {
  return { decimalMark: markOf(session), currency: session.currency };
}

/** How a visitor's numbers are read: with a decimal point until the company is known. */
export function markOf(session: Pick<Session, 'csvFormat'> | null): DecimalMark {
  return session === null ? '.' : decimalMarkOf(session.csvFormat);
}

function fieldsOf(schema: Joi.Schema): SchemaFields {
  const known = FIELDS.get(schema);
  if (known) return known;
  const leaves = leavesOf(shapeOf(schema).description, '', false);
  const named = (isWanted: (leaf: Leaf) => boolean) =>
    leaves.filter(isWanted).map(({ name }) => name.replace(/^.*\./u, ''));
  const fields = {
    limits: new Map(leaves.map(({ name, limits }) => [name, limits])),
    types: {
      numbers: named(({ limits }) => limits.isNumber),
      small: named(({ limits }) => limits.isSmall),
      money: named(({ limits }) => limits.isMoney),
      percentages: named(({ limits }) => limits.isSmall && !limits.isWhole),
      flags: named(({ type }) => type === 'boolean'),
    },
  };
  FIELDS.set(schema, fields);
  return fields;
}

interface Leaf {
  readonly name: string;
  readonly type: string;
  readonly limits: FieldLimits;
}

/** The fields below an object or a list; the elements of a list have the name `*`. */
function leavesOf(described: Described, path: string, isOptional: boolean): Leaf[] {
  const { keys = {}, items: [item] = [] } = described;
  const inner = item ? leavesOf(item, `${path}*.`, isOptional) : [];
  const members = Object.entries(keys).flatMap(([key, member]) => {
    const isFree = isOptional || member.flags?.presence !== 'required';
    const leaf = leafOf(member, path + key, isFree);
    const isList = member.items !== undefined;
    return [leaf, ...leavesOf(member, `${path}${key}.`, isList ? isOptional : isFree)];
  });
  return [...members, ...inner];
}

function leafOf({ type = '', metas = [] }: Described, name: string, isOptional: boolean): Leaf {
  const schema = metas.findLast(meta => meta.schema)?.schema ?? {};
  const [own = type] = [schema.type ?? type].flat();
  const { maxLength, maximum = FIRST_GROUPED } = schema;
  const isNumber = NUMBERS.includes(own);
  const limits = {
    isNumber,
    isWhole: own === 'integer',
    isSmall: isNumber && maximum < FIRST_GROUPED,
    isMoney: isNumber && MONEY.has(name.replace(/^.*\./u, '')),
    isOptional,
    ...(maxLength === undefined ? {} : { maxLength }),
  };
  return { name, type: own, limits };
}
