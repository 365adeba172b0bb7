// Shapes describe JSON that is sent or stored, once: a shape is a type, the JSON text and the JSON
// Schema. Figures are decimal text, as plans and pages have them, so they are written digit by
// digit. Parsed JSON has numbers in their place.
import type { WithAbsent } from './types.js';

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

declare const VALUE: unique symbol;
declare const PARSED: unique symbol;

export interface Shape<Value, Parsed = Value> {
  readonly schema: JsonSchema;
  /** The JSON text, without white space. */
  json(value: Value | Parsed): string;
  /** True for a member that its object may lack. */
  readonly mayBeAbsent?: true;
  readonly [VALUE]?: Value;
  readonly [PARSED]?: Parsed;
}

/** The values of a shape, with figures as decimal text. */
export type JsonValue<Of> = Of extends { readonly [VALUE]?: infer Value } ? Value : never;
/** The values of a shape as JSON.parse returns them. */
export type ParsedJson<Of> = Of extends { readonly [PARSED]?: infer Parsed } ? Parsed : never;

type Members = Readonly<Record<string, Shape<unknown>>>;
type ObjectShape<Of extends Members> = Shape<
  WithAbsent<{ [Name in keyof Of]: JsonValue<Of[Name]> }>,
  WithAbsent<{ [Name in keyof Of]: ParsedJson<Of[Name]> }>
>;
type MaybeAbsent<Of extends Members> = {
  readonly [Name in keyof Of]: Shape<
    JsonValue<Of[Name]> | undefined,
    ParsedJson<Of[Name]> | undefined
  >;
};

/** A shape with a name in the OpenAPI document; its schema is a reference to `definition`. */
export type Named<Of> = Of & { readonly name: string; readonly definition: JsonSchema };

/** A text without characters that JSON escapes. */
const quoted = <Text extends string>(schema: JsonSchema): Shape<Text> => ({
  schema,
  json: value => `"${value}"`,
});
/** The value is the JSON text itself. */
export const rendered = <Parsed = never>(schema: JsonSchema): Shape<string, Parsed> => ({
  schema,
  json: String,
});
const figure = (schema: JsonSchema) => rendered<number>(schema);

export const uuid = quoted({ type: 'string', format: 'uuid' });
export const date = quoted({ type: 'string', format: 'date' });
export const time = quoted({
  type: 'string',
  format: 'date-time',
  description: 'RFC 3339, UTC, with milliseconds.',
});
export const text: Shape<string> = {
  schema: { type: 'string' },
  json: value => JSON.stringify(value),
};
export const month = quoted({ type: 'string', pattern: '^\\d{4}-\\d{2}$' });
export const currency = quoted({
  type: 'string',
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217.',
});
export const flag: Shape<boolean> = { schema: { type: 'boolean' }, json: String };
export const integer = figure({ type: 'integer' });
export const count = figure({ type: 'integer', minimum: 0 });
export const number = figure({ type: 'number' });
export const money = figure({
  type: 'number',
  description: 'In major units, exact to the minor unit of the currency.',
});
export const quantity = figure({ type: 'number', description: 'At most 4 decimals.' });

/** One of these texts. */
export const choice = <const Text extends string>(texts: readonly Text[]): Shape<Text> =>
  quoted({ type: 'string', enum: texts });
/** Always this text. */
export const constant = <const Text extends string>(text: Text): Shape<Text> =>
  quoted({ type: 'string', const: text });

export function described<Of extends Shape<unknown>>(shape: Of, description: string): Of {
  return { ...shape, schema: { ...shape.schema, description } };
}

export function orNull<Value, Parsed>(
  shape: Shape<Value, Parsed>,
): Shape<Value | null, Parsed | null> {
  return {
    schema: nullable(shape.schema),
    json: value => (value === null ? 'null' : shape.json(value)),
  };
}

/** The schema of a value or null. The rules of an object do not apply to null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (type === undefined || type === 'object') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [...new Set([type, 'null'].flat())],
    ...(values === undefined ? {} : { enum: [...(values as readonly unknown[]), null] }),
  };
}

export function list<Value, Parsed>(
  shape: Shape<Value, Parsed>,
  maxItems?: number,
): Shape<readonly Value[], readonly Parsed[]> {
  return {
    schema: {
      type: 'array',
      items: shape.schema,
      ...(maxItems === undefined ? {} : { maxItems }),
    },
    json: values => `[${values.map(value => shape.json(value)).join(',')}]`,
  };
}

/** A list whose elements Postgres has written; the value is their texts, joined by commas. */
export function joined({ schema }: Shape<readonly unknown[]>): Shape<string> {
  return { schema, json: texts => `[${texts}]` };
}

/** Members that an object may lack. */
export function partial<Of extends Members>(members: Of): MaybeAbsent<Of> {
  const entries = Object.entries(members).map(([name, shape]) => [
    name,
    { ...shape, mayBeAbsent: true },
  ]);
  return Object.fromEntries(entries);
}

/** An object with these members in this order. The first one is always present. */
export function object<Of extends Members>(members: Of, description?: string): ObjectShape<Of> {
  const parts = Object.entries(members).map(([name, shape], index) => ({
    name,
    before: `${index === 0 ? '{' : ','}"${name}":`,
    shape,
  }));
  const required = parts.filter(({ shape }) => !shape.mayBeAbsent);
  return {
    schema: {
      type: 'object',
      ...(description === undefined ? {} : { description }),
      properties: Object.fromEntries(parts.map(({ name, shape }) => [name, shape.schema])),
      required: required.map(({ name }) => name),
    },
    json: value => {
      let json = '';
      for (const { name, before, shape } of parts) {
        const member = (value as Readonly<Record<string, unknown>>)[name];
        if (member !== undefined || !shape.mayBeAbsent) json += before + shape.json(member);
      }
      return `${json}}`;
    },
  };
}

export function named<Value, Parsed>(
  name: string,
  shape: Shape<Value, Parsed>,
): Named<Shape<Value, Parsed>> {
  return { ...shape, schema: reference(name), name, definition: shape.schema };
}

export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The JSON text of a shape that is named elsewhere. */
export function ref(name: string): Shape<string> {
  return rendered(reference(name));
}

/** The definitions of shapes, by their names in the document. */
export function namedSchemas(
  ...shapes: readonly Named<Shape<unknown>>[]
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(shapes.map(({ name, definition }) => [name, definition]));
}
