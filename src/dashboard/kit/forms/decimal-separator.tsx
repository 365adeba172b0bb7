// The choice of the decimal separator of a file or a copied list.

import type { FormFields } from '../../../platform/http/input/form-fields.js';
import type { DecimalMark } from '../../../platform/values/csv.js';
import { Select } from '../ui/fields.js';

const NAME = 'decimals';
const MARKS = [
  { value: '.', label: 'Point (12.5)' },
  { value: ',', label: 'Comma (12,5)' },
];

interface SeparatorProps {
  readonly hint?: string;
  /** The label of a first choice, which leaves the separator open. */
  readonly unknown?: string;
}

export function DecimalSeparator({ hint, unknown }: SeparatorProps) {
  const open = unknown === undefined ? [] : [{ value: '', label: unknown }];
  return (
    <Select
      name={NAME}
      label="Decimal separator"
      options={[...open, ...MARKS]}
      optional={unknown !== undefined}
      {...(hint === undefined ? {} : { hint })}
    />
  );
}

/** The chosen separator; null if none was chosen. */
export function chosenDecimalMark(form: FormFields): DecimalMark | null {
  const text = form.get(NAME);
  return text === '.' || text === ',' ? text : null;
}
