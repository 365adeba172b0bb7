// Which records a request may concern, read from its body before it is checked.

import { MAX_ALIASES } from '../customers/schema.js';
import { isUuid } from '../platform/values/ids.js';
import { possibleCode, possibleText } from '../platform/values/text.js';
import type { Wanted } from './changes/read.js';
import type { UniqueFields } from './plan.js';

interface Named {
  readonly number?: unknown;
  readonly externalId?: unknown;
  readonly name?: unknown;
  readonly aliases?: unknown;
}

/** The identifying values of the bodies, as far as they are texts that a record may have. */
export function wantedBy(bodies: readonly unknown[]): Required<Omit<Wanted, 'ids'>> {
  const all = bodies.map(body => (typeof body === 'object' && body !== null ? body : {}) as Named);
  return {
    numbers: all.flatMap(({ number }) => codeOf(number)),
    externalIds: all.flatMap(({ externalId }) => codeOf(externalId)),
    names: all.flatMap(({ name, aliases }) => [
      ...textOf(name),
      ...(Array.isArray(aliases) ? aliases.slice(0, MAX_ALIASES).flatMap(textOf) : []),
    ]),
  };
}

/** The values of a body that only one record may have, as far as they are valid. */
export function uniqueFieldsOf(body: unknown): UniqueFields {
  const { number, externalId, name, aliases } = (
    typeof body === 'object' && body !== null ? body : {}
  ) as Named;
  return {
    number: codeOf(number)[0],
    externalId: codeOf(externalId)[0],
    name: textOf(name)[0],
    aliases: Array.isArray(aliases)
      ? aliases.slice(0, MAX_ALIASES).map(alias => textOf(alias)[0] ?? null)
      : [],
  };
}

/** The number of names and aliases in the bodies. */
export function countNames(bodies: readonly unknown[]): number {
  const counts = bodies.map(body => {
    const { aliases } = (body ?? {}) as Named;
    return 1 + (Array.isArray(aliases) ? aliases.length : 0);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The longest of these texts. */
const MAX_LENGTH = 255;

/** The clean text as a list; empty if the text is invalid. */
export function textOf(value: unknown): string[] {
  const text = possibleText(value, MAX_LENGTH);
  return text === null ? [] : [text];
}

/** The clean code as a list; empty if it is invalid. */
export function codeOf(value: unknown): string[] {
  const code = possibleCode(value, MAX_LENGTH);
  return code === null ? [] : [code];
}

/** The id as a list; empty if it is not a UUID. */
export function uuidOf(value: unknown): string[] {
  return typeof value === 'string' && isUuid(value) ? [value.toLowerCase()] : [];
}
