// Bodies whose texts are all as long as the request schema permits, for tests of layouts.
import type Joi from 'joi';
import type { Json } from './client.js';

/** A text of this length. */
export type TextOf = (length: number) => string;

/** One word of wide letters, which no place divides. */
export const ONE_WORD: TextOf = length => 'W'.repeat(length);

/** Words of usual lengths. */
export const WORDS: TextOf = length =>
  'Packung zu 100 Stück gemischt, '.repeat(40).slice(0, length).replace(/ $/u, '.');

/** The parts of `Joi.describe()` that matter here. */
interface Described {
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly metas?: readonly { readonly schema?: { readonly maxLength?: number } }[];
}

/** The given values, and in every other text field of the schema the longest text. Null: none. */
export function filled(schema: Joi.Schema, textOf: TextOf, given: Json): Json {
  return textsOf(schema.describe() as Described, textOf, given);
}

function textsOf({ keys, items, metas = [] }: Described, textOf: TextOf, given: Json): Json {
  if (given === null) return undefined;
  if (Array.isArray(given)) return given.map(one => textsOf(items?.[0] ?? {}, textOf, one));
  if (keys && given)
    return Object.fromEntries(
      Object.entries(keys).map(([key, part]) => [key, textsOf(part, textOf, given[key])]),
    );
  const length = metas.findLast(({ schema }) => schema)?.schema?.maxLength;
  return given ?? (keys || length === undefined ? undefined : textOf(length));
}
