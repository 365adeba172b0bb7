// The form that says which column of the file has which field.
import { findColumnProblem } from '../../../inventory/imports/columns.js';
import {
  type ChosenColumns,
  STOCK_FIELD_NAMES,
  type StockField,
  stockFieldsOf,
} from '../../../inventory/imports/headings.js';
import type { StockImport } from '../../../inventory/imports/kind.js';
import { Problem } from '../../../platform/errors.js';
import type { FormFields } from '../../../platform/http/input/form-fields.js';
import { shortened } from '../../../platform/values/text.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import { Panel } from '../../kit/ui/components.js';
import { Button, Form, Select } from '../../kit/ui/fields.js';

/** Columns to choose from. A file may have thousands. */
const MAX_OPTIONS = 100;
const MAX_HEADING = 40;

const LABELS: Readonly<Record<StockField, string>> = {
  name: 'Name',
  sku: 'SKU',
  count: 'Counted stock',
  delta: 'Change in stock',
  expectedOnHand: 'Stock when exported',
  reorderPoint: 'Reorder point',
  unitCost: 'Unit cost',
  unitPrice: 'Unit price',
  unit: 'Unit',
};

const nameOf = (field: StockField) => `columns.${field}`;

/** The columns that the form has. Throws Problem `validation_failed`. */
export function chosenColumns(form: FormFields, header: readonly string[]): ChosenColumns {
  const chosen: Partial<Record<StockField, number>> = {};
  for (const field of STOCK_FIELD_NAMES) {
    const text = form.get(nameOf(field)) ?? '';
    if (!/^\d{1,6}$/u.test(text) || Number(text) >= header.length) continue;
    const index = Number(text);
    const other = STOCK_FIELD_NAMES.find(each => chosen[each] === index);
    if (other !== undefined) throw refused(`${quoted(header, index)} is chosen twice.`);
    chosen[field] = index;
  }
  const problem = findColumnProblem(header, chosen);
  if (problem !== null) throw refused(CHOICES.get(problem) ?? problem);
  return chosen;
}

const NEEDS_ITEM = 'Choose the column with the name or the SKU of the items.';
/** The problems of a file's header, for a person who chooses its columns. */
const CHOICES: ReadonlyMap<string, string> = new Map([
  ['The first row must contain column names. A name or sku column is required.', NEEDS_ITEM],
  [
    'The file has no column with stock or details to import.',
    'Choose at least one column with stock, prices or other details.',
  ],
  [
    'Use a count column or a delta column, not both.',
    'Choose either the counted stock or the change in stock, not both.',
  ],
]);

function refused(sentence: string): Problem {
  return new Problem('validation_failed', sentence);
}

function quoted(header: readonly string[], index: number): string {
  return `“${shortened(header[index] ?? '', MAX_HEADING)}”`;
}

interface ColumnsProps {
  readonly found: StockImport;
  /** The state of a refused form. */
  readonly state: FormState | undefined;
}

/** The form is open if the columns of the file are not clear. */
export function ColumnsPanel({ found: { id, header, columns }, state }: ColumnsProps) {
  const problem = findColumnProblem(header, columns);
  const fields = stockFieldsOf(header, columns);
  const current = newForm(
    Object.fromEntries(
      STOCK_FIELD_NAMES.map(field => [nameOf(field), String(indexOrEmpty(fields.indexOf(field)))]),
    ),
  );
  const options = header
    .map((heading, index) => ({ value: String(index), label: shortened(heading, MAX_HEADING) }))
    .filter(({ label, value }) => label.trim() !== '' && isOffered(Number(value), fields));
  return (
    <Panel title="Columns">
      {problem !== null && <p class="message warn">{CHOICES.get(problem) ?? problem}</p>}
      <details class="disclosure" open={problem !== null || state !== undefined}>
        <summary>Choose columns</summary>
        <Form
          action={`/inventory/imports/${id}/columns`}
          state={state ?? current}
          label="Columns"
          wide
        >
          <div class="import-columns">
            {STOCK_FIELD_NAMES.map(field => (
              <Select
                key={field}
                name={nameOf(field)}
                label={LABELS[field]}
                options={[{ value: '', label: 'Not in the file' }, ...options]}
                optional
              />
            ))}
          </div>
          <div>
            <Button quiet>Update preview</Button>
          </div>
        </Form>
      </details>
    </Panel>
  );
}

const indexOrEmpty = (index: number) => (index < 0 ? '' : index);

/** Chosen columns are offered wherever they are in the file. */
function isOffered(index: number, fields: readonly (StockField | undefined)[]): boolean {
  return index < MAX_OPTIONS || fields[index] !== undefined;
}
