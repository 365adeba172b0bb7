// Dates of an address that a page refuses: it shows them as they were typed, with the reason.
import { Problem } from '../../../platform/errors.js';
import type { DateRange } from './filters.js';

export interface RefusedParameters {
  /** The reason, as a sentence. */
  readonly refusal: string;
}

/** The result of `read`, or why it refuses a parameter of the address. */
export function readTyped<Read>(read: () => Read): { readonly read: Read } | RefusedParameters {
  try {
    return { read: read() };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid_parameter') throw error;
    return { refusal: error.message };
  }
}

/** The days or months as they were typed. */
export function typedDays(query: URLSearchParams): DateRange {
  return { from: query.get('from') || null, to: query.get('to') || null };
}

const REFUSAL_ID = 'dates-error';

/** The sentence at the fields of `refusedBy`. A page has it once. */
export function DatesRefusal({ refusal }: { refusal: string | undefined }) {
  if (refusal === undefined) return null;
  return (
    <p id={REFUSAL_ID} class="error" role="alert">
      {refusal}
    </p>
  );
}

interface DayFieldProps {
  readonly id: string;
  readonly name: string;
  /** As it was typed, so it may be no day. */
  readonly day: string | null | undefined;
  readonly refusal: string | undefined;
}

/** The field of a day in an address. */
export function DayInput({ id, name, day, refusal }: DayFieldProps) {
  return <input id={id} type="date" name={name} value={day ?? undefined} {...refusedBy(refusal)} />;
}

/** The attributes of a field of refused dates. */
export function refusedBy(refusal: string | undefined) {
  return refusal === undefined
    ? {}
    : ({ 'aria-invalid': 'true', 'aria-describedby': REFUSAL_ID } as const);
}
