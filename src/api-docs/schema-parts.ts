// The building blocks of the answers' JSON Schemas.

import { MAX_FIELD_ERRORS } from '../platform/problem-document.js';
import type { JsonSchema } from './json-schema.js';

export const uuid = { type: 'string', format: 'uuid' };
export const date = { type: 'string', format: 'date' };
export const time = {
  type: 'string',
  format: 'date-time',
  description: 'RFC 3339, UTC, with milliseconds.',
};
export const text = { type: 'string' };
export const count = { type: 'integer', minimum: 0 };
export const number = { type: 'number' };
export const money = {
  type: 'number',
  description: 'In major units, exact to the minor unit of the currency.',
};
export const quantity = { type: 'number', description: 'At most 4 decimals.' };
export const month = { type: 'string', pattern: '^\\d{4}-\\d{2}$' };
export const currency = { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217.' };

export const object = (
  properties: Record<string, JsonSchema>,
  description?: string,
): JsonSchema => ({
  type: 'object',
  ...(description === undefined ? {} : { description }),
  properties,
  required: Object.keys(properties),
});
export const list = (items: JsonSchema, maxItems?: number): JsonSchema => ({
  type: 'array',
  items,
  ...(maxItems === undefined ? {} : { maxItems }),
});
export const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema.type, 'null'],
});
export const described = (schema: JsonSchema, description: string): JsonSchema => ({
  ...schema,
  description,
});

export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The members of a problem that list its field errors. */
export const fieldErrorMembers: Readonly<Record<string, JsonSchema>> = {
  errors: described(
    list(ref('FieldError'), MAX_FIELD_ERRORS),
    `The errors of the body, field by field: at most ${MAX_FIELD_ERRORS} in one response.`,
  ),
  errorsOmitted: {
    type: 'integer',
    minimum: 1,
    description: 'How many more errors there are. Absent if `errors` has them all.',
  },
};
