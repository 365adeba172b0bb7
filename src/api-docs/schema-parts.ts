// The parts that the schemas of several slices share.
import { MAX_FIELD_ERRORS } from '../platform/problem-document.js';
import {
  described,
  type JsonSchema,
  list,
  ref,
  reference,
  rendered,
  type Shape,
} from '../platform/values/json-shape.js';

/** The schemas of answers that Postgres writes, by their names in the document. */
export function schemasOf(
  shapes: Readonly<Record<string, Shape<unknown>>>,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(shapes).map(([name, { schema }]) => [name, schema]));
}

/** One of these schemas. */
export function either(...names: readonly string[]): Shape<string> {
  return rendered({ anyOf: names.map(reference) });
}

/** The members of a problem that list its field errors. */
export const fieldErrorMembers = {
  errors: described(
    list(ref('FieldError'), MAX_FIELD_ERRORS),
    `The errors of the body, field by field: at most ${MAX_FIELD_ERRORS} in one response.`,
  ),
  errorsOmitted: described(
    rendered({ type: 'integer', minimum: 1 }),
    'How many more errors there are. Absent if `errors` has them all.',
  ),
};
