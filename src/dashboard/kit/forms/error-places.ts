// Where a form shows the errors of the API, and in which words: the one way from the names of a
// request's fields to a form's fields.
import type Joi from 'joi';
import type { FieldError, Problem } from '../../../platform/errors.js';
import type { DecimalMark } from '../../../platform/values/csv.js';

/**
 * The form's field for the names of a request that differ from the form's. A table has names such
 * as 'items.*.delta': 'items.*.quantity', where `*` is any one part. An element of a list that is
 * one field, such as 'aliases.*': 'aliases', is named by its line. A function returns null for an
 * error without a field, which becomes the message of the form.
 */
export type ErrorPlaces = Readonly<Record<string, string>> | ((name: string) => string | null);

/** The refusals of a form in the words of a person. */
export interface Explained {
  readonly at?: ErrorPlaces;
  /** The sentence for an error; null for the usual one. */
  readonly say?: (error: FieldError, problem: Problem) => string | null;
  /** The page that a person may go to after a refusal. */
  readonly wayOn?: (problem: Problem) => WayOn | null;
  /** The Problem to show in place of another one; null for none. */
  readonly instead?: (problem: Problem) => Problem | null;
}

/** With what the sentences about numbers depend on. */
export interface ExplainedRequest extends Explained {
  /** The schema of the request, whose whole numbers have a sentence of their own. */
  readonly schema?: Joi.Schema | undefined;
  /** The decimal separator of the company. */
  readonly decimalMark: DecimalMark;
  /** The currency of the company; null until it is known. */
  readonly currency: string | null;
}

/** A link from a refusal to what helps. */
export interface WayOn {
  readonly href: string;
  readonly text: string;
}

export interface Place {
  /** The form's field; null for the message of the form. */
  readonly name: string | null;
  /** The line of the error in a field that is a whole list, from 1. */
  readonly line?: number;
}

/** The place of an error. Without `at`, the form has the request's names. */
export function placeOf(name: string, at: ErrorPlaces | undefined): Place {
  if (at === undefined) return { name };
  if (typeof at === 'function') return { name: at(name) || null };
  const parts = name.split('.');
  for (const [pattern, target] of Object.entries(at)) {
    const found = partsAt(pattern.split('.'), parts);
    if (found === null) continue;
    if (!target.includes('*') && found.length > 0)
      return { name: target, line: Number(found.at(-1)) + 1 };
    return { name: target.replaceAll('*', () => found.shift() ?? '') };
  }
  return { name };
}

/** The parts at each `*` of a pattern; null if the name does not match. */
function partsAt(pattern: readonly string[], parts: readonly string[]): string[] | null {
  const isMatch =
    pattern.length === parts.length &&
    pattern.every((part, index) => part === '*' || part === parts[index]);
  return isMatch ? parts.filter((_, index) => pattern[index] === '*') : null;
}
