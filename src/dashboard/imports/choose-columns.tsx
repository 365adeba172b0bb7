// The form that says which column of the file has which value.
import type { ChosenColumns, FileColumns } from '../../imports/file/columns.js';
import { findColumnProblem } from '../../imports/file/read-file.js';
import type { ImportKind } from '../../imports/kind.js';
import type { ImportRecord } from '../../imports/queries.js';
import { Problem } from '../../platform/errors.js';
import type { FormFields } from '../../platform/http/input/form-fields.js';
import { shortened } from '../../platform/values/text.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { Panel } from '../kit/ui/components.js';
import { Button, Form, Select } from '../kit/ui/fields.js';

/** Columns to choose from. A file may have thousands. */
const MAX_OPTIONS = 100;
const MAX_HEADING = 40;

const nameOf = (column: string) => `columns.${column}`;

/** The columns that the form has. Throws Problem `validation_failed`. */
export function chosenColumns(
  { format }: ImportKind,
  form: FormFields,
  header: readonly string[],
): ChosenColumns {
  const { names } = format.columns;
  const chosen: Partial<Record<string, number>> = {};
  for (const column of names) {
    const text = form.get(nameOf(column)) ?? '';
    if (!/^\d{1,6}$/u.test(text) || Number(text) >= header.length) continue;
    const index = Number(text);
    const other = names.find(each => chosen[each] === index);
    if (other !== undefined) throw refused(`${quoted(header, index)} is chosen twice.`);
    chosen[column] = index;
  }
  const problem = findColumnProblem(format, format.columns.columnsOf(header, chosen));
  if (problem !== null) throw refused(problem.choice);
  return chosen;
}

function refused(sentence: string): Problem {
  return new Problem('validation_failed', sentence);
}

function quoted(header: readonly string[], index: number): string {
  return `“${shortened(header[index] ?? '', MAX_HEADING)}”`;
}

interface ColumnsProps {
  readonly kind: ImportKind;
  readonly found: Pick<ImportRecord, 'header' | 'columns'>;
  /** The address of the form. */
  readonly action: string;
  /** The state of a refused form. */
  readonly state: FormState | undefined;
}

/** The form is open if the columns of the file are not clear. */
export function ColumnsPanel({ kind: { format }, found, action, state }: ColumnsProps) {
  const { header } = found;
  const columns = format.columns.columnsOf(header, found.columns);
  const problem = findColumnProblem(format, columns);
  const current = newForm(
    Object.fromEntries(
      format.columns.names.map(name => [nameOf(name), indexOrEmpty(columns.indexOf(name))]),
    ),
  );
  const options = header
    .map((heading, index) => ({ value: String(index), label: shortened(heading, MAX_HEADING) }))
    .filter(({ label, value }) => label.trim() !== '' && isOffered(Number(value), columns));
  return (
    <Panel title="Columns">
      {problem !== null && <p class="message warn">{problem.choice}</p>}
      <details class="disclosure" open={problem !== null || state !== undefined}>
        <summary>Choose columns</summary>
        <Form action={action} state={state ?? current} label="Columns" wide>
          <div class="import-columns">
            {format.columns.names.map(name => (
              <Select
                key={name}
                name={nameOf(name)}
                label={format.columns.spec(name).label}
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

const indexOrEmpty = (index: number) => (index < 0 ? '' : String(index));

/** Chosen columns are offered wherever they are in the file. */
function isOffered(index: number, columns: FileColumns): boolean {
  return index < MAX_OPTIONS || columns[index] !== undefined;
}
