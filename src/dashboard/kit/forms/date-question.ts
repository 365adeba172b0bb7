// Dates that are probably mistyped, such as 2062 for 2026. They are valid, so a form with one is
// shown again once with a question, and accepted with the answer. The API does not ask.
import { Problem } from '../../../platform/errors.js';
import type { FormFields } from '../../../platform/http/input/form-fields.js';
import { formatDay } from '../ui/format.js';

/** A date of a document may be up to a year away; money has been paid by today. */
export type DateKind = 'document' | 'money';

/** The field whose value is the date that the person has confirmed. */
export function confirmName(name: string): string {
  return `confirm.${name}`;
}

/**
 * Throws Problem `validation_failed` with a question at each unusual date that is not confirmed.
 * `today` is a day of the company's calendar.
 */
export function askAboutDates(
  form: FormFields,
  today: string,
  dates: Readonly<Record<string, DateKind>>,
): void {
  const asked = Object.entries(dates).flatMap(([name, kind]) => {
    const day = form.get(name)?.trim() ?? '';
    const unusual = day === '' ? null : whyUnusual(day, today, kind);
    if (unusual === null || form.get(confirmName(name)) === day) return [];
    const detail = `${formatDay(day)} is ${unusual}. Is that right?`;
    return [
      { pointer: `/${name}`, code: 'unusual_date', detail },
      // Tells the page to show the box that confirms the date.
      { pointer: `/${confirmName(name).replace('.', '/')}`, code: 'unusual_date', detail: '' },
    ];
  });
  if (asked.length > 0)
    throw new Problem('validation_failed', 'A date is unusual.', { errors: asked });
}

function whyUnusual(day: string, today: string, kind: DateKind): string | null {
  if (kind === 'money' && day > today) return 'after today';
  if (day > inYears(today, 1)) return 'more than a year from now';
  return day < inYears(today, -1) ? 'more than a year ago' : null;
}

/** The same day of another year, as text to compare. It may be a February 29 without a date. */
function inYears(day: string, years: number): string {
  return `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;
}

/** The refusal of a form that asks a person once about the value of a field. */
export function questionAt(name: string, detail: string): Problem {
  const error = { pointer: `/${name}`, code: 'unusual_value', detail };
  return new Problem('validation_failed', detail, { errors: [error] });
}
