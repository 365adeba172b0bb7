// The form around a field: its values and errors, and the limits of its schema.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type FieldLimits, limitsOf } from './field-limits.js';
import { type FormState, newForm } from './form-state.js';

export const FormContext = createContext<FormState>(newForm());

/** The limits of a field in the schema of the form around it. */
export function useLimits(name: string): Partial<FieldLimits> {
  const { schema } = useContext(FormContext);
  return (schema && limitsOf(schema, name)) ?? {};
}
