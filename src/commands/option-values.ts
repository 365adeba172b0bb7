// Reads the values of an operator command's options. Each function throws CommandError for a value
// of the wrong form.
import { readFile } from 'node:fs/promises';
import { Problem } from '../platform/errors.js';
import { isUuid } from '../platform/values/ids.js';
import { CommandError } from './interruption.js';

const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/u;

/** Values by option name; undefined if the option was not given. */
export type Values = Record<string, string | boolean | undefined>;

export function text(values: Values, option: string): string | undefined {
  const value = values[option];
  return typeof value === 'string' ? value : undefined;
}

export function id(values: Values, option: string): string {
  const value = String(values[option]);
  if (!isUuid(value)) throw new CommandError(`--${option} must be a UUID.`);
  return value.toLowerCase();
}

export function number(values: Values, option: string): number | undefined {
  const value = text(values, option);
  if (value === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/u.test(value)) throw new CommandError(`--${option} must be a number.`);
  return Number(value);
}

/** A whole number that JavaScript represents exactly. */
export function wholeNumber(values: Values, option: string): number | undefined {
  const value = number(values, option);
  if (value !== undefined && !Number.isSafeInteger(value))
    throw new CommandError(
      `--${option} must be a whole number, at most ${Number.MAX_SAFE_INTEGER}.`,
    );
  return value;
}

/** The JSON in the file that an option names. */
export async function jsonFile(values: Values, option: string): Promise<unknown> {
  const path = String(values[option]);
  const content = await readFile(path, 'utf8').catch(() => {
    throw new CommandError(`--${option}: ${path} cannot be read.`);
  });
  try {
    return JSON.parse(content);
  } catch {
    throw new CommandError(`--${option}: ${path} is not JSON.`);
  }
}

/** Adds the refused members of a file to the sentence of the refusal. */
export async function namingFields<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    const errors = error instanceof Problem ? (error.details.errors ?? []) : [];
    if (errors.length === 0) throw error;
    throw new CommandError(errors.map(({ pointer, detail }) => `${pointer}: ${detail}`).join(' '));
  }
}

/** Null for `none`, which removes a setting. */
export function numberOrNone(values: Values, option: string): number | null | undefined {
  return text(values, option) === 'none' ? null : number(values, option);
}

export function scopes(values: Values): string[] | undefined {
  return text(values, 'scopes')
    ?.split(',')
    .map(scope => scope.trim());
}

export function time(values: Values, option: string): Date | undefined {
  const value = text(values, option);
  if (value === undefined) return undefined;
  const date = new Date(value);
  const [, day = ''] = RFC_3339.exec(value) ?? [];
  // Compares the day as well, because Date turns 30 February into 1 or 2 March.
  const isReal = () => new Date(`${day}Z`).toISOString().startsWith(day);
  if (day === '' || Number.isNaN(date.getTime()) || !isReal())
    throw new CommandError(`--${option} must be an RFC 3339 time such as 2027-01-31T00:00:00Z.`);
  return date;
}
