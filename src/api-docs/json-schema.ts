// Converts the Joi schemas that validate requests to JSON Schema 2020-12, so the document cannot
// differ from what is checked. Leaves carry their JSON Schema in their meta; objects, arrays and
// enums are read from Joi itself.
import type Joi from 'joi';
import { type JsonSchema, nullable } from '../platform/values/json-shape.js';

/** The parts of `Joi.describe()` that are used here. */
interface Described {
  readonly type: string;
  readonly flags?: {
    readonly presence?: string;
    readonly description?: string;
    readonly only?: boolean;
    readonly empty?: unknown;
  };
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly rules?: readonly {
    readonly name: string;
    readonly args?: { readonly limit?: number };
  }[];
  readonly allow?: readonly unknown[];
  readonly dependencies?: readonly { readonly rel: string; readonly peers: readonly string[] }[];
  /** `isMerged`: parts that a patch leaves out are filled in before the check. */
  readonly metas?: readonly { readonly schema?: JsonSchema; readonly isMerged?: boolean }[];
}

export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** The schema of a body. Throws if a part has no JSON Schema; the tests build every schema. */
export function bodySchema(schema: Joi.Schema): JsonSchema {
  return toJsonSchema(schema.describe() as Described);
}

/** The parameters of a query schema, in its order. */
export function queryParameters(schema: Joi.ObjectSchema): QueryParameter[] {
  return Object.entries((schema.describe() as Described).keys ?? {}).map(([name, described]) => {
    const { description, ...leaf } = toJsonSchema({
      ...described,
      flags: { ...described.flags, empty: undefined },
    });
    return { name, description: String(description), schema: leaf };
  });
}

function toJsonSchema(described: Described): JsonSchema {
  const { flags = {}, allow = [] } = described;
  const { description: note, ...schema } = convert(described);
  const description = [flags.description, note].filter(text => text !== undefined).join(' ');
  return {
    // In an optional field, null is the same as absent. In a patch, it removes the value.
    ...(flags.empty !== undefined || allow.includes(null) ? nullable(schema) : schema),
    ...(description === '' ? {} : { description }),
  };
}

function convert(described: Described): JsonSchema {
  if (described.type === 'object') return objectSchema(described);
  if (described.type === 'array') return arraySchema(described);
  const own = described.metas?.findLast(meta => meta.schema !== undefined)?.schema;
  if (own) return own;
  if (described.flags?.only && described.allow)
    return { type: described.type, enum: described.allow.filter(value => value !== null) };
  throw new Error(`a schema of type ${described.type} has no JSON Schema: add .meta({ schema })`);
}

function objectSchema({ keys = {}, dependencies = [], metas = [] }: Described): JsonSchema {
  const isMerged = metas.some(meta => meta.isMerged);
  const required = Object.entries(keys).flatMap(([name, { flags }]) =>
    flags?.presence === 'required' && !isMerged ? [name] : [],
  );
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(keys).map(([name, key]) => [name, toJsonSchema(key)]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...(dependencies.length === 0
      ? {}
      : { allOf: dependencies.map(({ rel, peers }) => dependency(rel, peers)) }),
  };
}

function arraySchema({ items = [], rules = [] }: Described): JsonSchema {
  const limit = (name: string) => rules.find(rule => rule.name === name)?.args?.limit;
  return {
    type: 'array',
    items: items[0] ? toJsonSchema(items[0]) : {},
    minItems: limit('min') ?? 0,
    maxItems: limit('max'),
  };
}

function dependency(rel: string, peers: readonly string[]): JsonSchema {
  if (rel === 'or') return { anyOf: peers.map(peer => present([peer])) };
  if (rel === 'xor') return { oneOf: peers.map(peer => present([peer])) };
  if (rel === 'oxor') return { not: present(peers) };
  throw new Error(`the rule ${rel} has no JSON Schema here`);
}

/** Requires all of these fields, with values other than null. */
function present(names: readonly string[]): JsonSchema {
  return {
    required: names,
    properties: Object.fromEntries(names.map(name => [name, { not: { type: 'null' } }])),
  };
}
