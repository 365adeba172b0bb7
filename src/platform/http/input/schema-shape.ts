// A request schema's description, field names and body check.
import type Joi from 'joi';
import { type BodyCheck, compileBodyCheck } from './body-check.js';

/** Every field name of a schema, at any depth. */
export function keysOf(schema: Joi.Schema): ReadonlySet<string> {
  return shapeOf(schema).keys;
}

export interface SchemaShape {
  readonly description: Joi.Description;
  readonly keys: ReadonlySet<string>;
  /** Null if only Joi understands the schema. */
  readonly check: BodyCheck | null;
}
const SHAPES = new WeakMap<Joi.Schema, SchemaShape>();

/** Described once per schema: Joi takes long for it. */
export function shapeOf(schema: Joi.Schema): SchemaShape {
  const known = SHAPES.get(schema);
  if (known) return known;
  const description = schema.describe();
  const shape = {
    description,
    keys: new Set(collectKeys(description)),
    check: compileBodyCheck(description),
  };
  SHAPES.set(schema, shape);
  return shape;
}

function collectKeys({ keys = {}, items = [] }: Joi.Description): string[] {
  const inner = [...Object.values(keys), ...items] as Joi.Description[];
  return [...Object.keys(keys), ...inner.flatMap(collectKeys)];
}

/** The field names of the object at a path. */
export function fieldsAt(
  description: Joi.Description,
  path: readonly (string | number)[],
): string[] {
  const object = path.reduce<Joi.Description | undefined>(
    (at, part) => (typeof part === 'number' ? at?.items?.[0] : at?.keys?.[part]),
    description,
  );
  return Object.keys(object?.keys ?? {});
}
