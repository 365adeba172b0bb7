// The form around a field: its values and errors, and the limits of its schema.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { filledNumber } from '../typed-number.js';
import { PageContext } from '../ui/components.js';
import { type FieldLimits, limitsOf } from './field-limits.js';
import { type FormState, newForm } from './form-state.js';

export const FormContext = createContext<FormState>(newForm());

/** The limits of a field in the schema of the form around it. */
export function useLimits(name: string): Partial<FieldLimits> {
  const { schema } = useContext(FormContext);
  return (schema && limitsOf(schema, name)) ?? {};
}

/**
 * The text that a field shows. A number that the page itself has filled in is written so that it is
 * not ambiguous.
 */
export function useShownText(name: string, isNumber: boolean): string | null {
  const { values, isTyped = false } = useContext(FormContext);
  const { decimalMark, isPosted } = useContext(PageContext);
  const { isSmall = false } = useLimits(name);
  const text = values.get(name);
  if (text === null || !isNumber || isSmall || isPosted || isTyped) return text;
  return filledNumber(text, decimalMark);
}
