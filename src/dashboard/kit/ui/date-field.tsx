// A date with the box that confirms an unusual one, see forms/date-question.ts.
import { useContext } from 'preact/hooks';
import { confirmName } from '../forms/date-question.js';
import { FormContext } from '../forms/form-context.js';
import { Checkbox, Field, type FieldProps } from './fields.js';

export function DateField(field: FieldProps) {
  const { values, errors } = useContext(FormContext);
  const name = confirmName(field.name);
  const day = values.get(field.name) ?? '';
  const isConfirmed = day !== '' && values.get(name) === day;
  if (!errors.has(name) && !isConfirmed) return <Field {...field} type="date" />;
  return (
    <div class="asked-date">
      <Field {...field} type="date" />
      <Checkbox name={name} label="Yes, use this date" value={day} />
    </div>
  );
}
