// Joi schemas that carry the type of their values: a request's type is read from its schema. As in
// Joi, a field may be absent unless it is required or has a default.
import Joi from 'joi';
import type { WithAbsent } from '../../values/types.js';

declare const VALUE: unique symbol;

/** A schema of a value, with undefined for one that may be absent. Only types see `VALUE`. */
export type SchemaOf<Value, Schema extends Joi.AnySchema = Joi.AnySchema> = Schema & {
  readonly [VALUE]?: Value;
};

/** The schema of a query string. */
export type QuerySchema<Query> = SchemaOf<Query | undefined, Joi.ObjectSchema>;

/** A schema of which `required` and `default` change the type. */
export type Typed<Value, Schema extends Joi.AnySchema = Joi.AnySchema> = {
  required(): Typed<Exclude<Value, undefined>, Schema>;
  default(value: Exclude<Value, undefined>): Typed<Exclude<Value, undefined>, Schema>;
} & SchemaOf<Value, Schema>;

/** The type of the values that a schema accepts and returns. */
export type ValueOf<Schema extends Joi.AnySchema> = Exclude<Inner<Schema>, undefined>;
type Inner<Schema> = Schema extends { readonly [VALUE]?: infer Value } ? Value : unknown;

type Fields = Readonly<Record<string, Joi.AnySchema>>;

/** The object that has the values of these fields. */
export type ObjectOf<Of extends Fields> = WithAbsent<{ [Name in keyof Of]: Inner<Of[Name]> }>;

/** The object type with these members present. */
export type WithValues<Of, Name extends keyof Of> = Of & {
  readonly [Member in Name]-?: Exclude<Of[Member], undefined>;
};

/** Declares the type of a schema's values. */
export function typed<Value, Schema extends Joi.AnySchema = Joi.AnySchema>(
  schema: Schema,
): Typed<Value | undefined, Schema> {
  return schema as unknown as Typed<Value | undefined, Schema>;
}

export function object<Of extends Fields>(
  fields: Of,
): Typed<ObjectOf<Of> | undefined, Joi.ObjectSchema> {
  return typed<ObjectOf<Of>, Joi.ObjectSchema>(Joi.object(fields));
}

export function array<Of extends Joi.AnySchema>(
  items: Of,
): Typed<readonly ValueOf<Of>[] | undefined, Joi.ArraySchema> {
  return typed<readonly ValueOf<Of>[], Joi.ArraySchema>(Joi.array().items(items));
}

/** One of these texts. */
export function oneOf<const Text extends string>(
  ...texts: readonly Text[]
): Typed<Text | undefined, Joi.StringSchema> {
  return typed<Text, Joi.StringSchema>(Joi.string().valid(...texts));
}

export function yesOrNo(): Typed<boolean | undefined> {
  return typed<boolean>(Joi.boolean().meta({ schema: { type: 'boolean' } }));
}

/** Makes a field optional: null is the same as absent. */
export function optional<Value, Schema extends Joi.AnySchema>(
  schema: SchemaOf<Value, Schema>,
): Typed<Value | undefined, Schema> {
  return typed<Value, Schema>(schema.empty(null).optional());
}

/** Any value, which is checked later by the named schema of the document. */
export function unchecked(schema: string): Typed<unknown> {
  const $ref = `#/components/schemas/${schema}`;
  return typed<unknown>(
    Joi.any()
      .custom(value => value)
      .meta({ schema: { $ref } }),
  );
}
