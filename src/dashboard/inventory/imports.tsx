// Importing stock from a CSV file: the form, what the file has to be, and the imports so far.
import { randomUUID } from 'node:crypto';
import { CSV_TYPE } from '../../inventory/imports/csv.js';
import { findImport, listImports, type StockImport } from '../../inventory/imports/queries.js';
import {
  exportRowsLeft,
  MAX_FILE_BYTES,
  MAX_ROWS,
  startImport,
} from '../../inventory/imports/service.js';
import { Problem } from '../../platform/errors.js';
import { invalidField } from '../../platform/field-errors.js';
import { isUuid } from '../../platform/values/ids.js';
import { type FormState, newForm, refusedForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest, UploadedFile } from '../kit/page.js';
import { KEY_FIELD } from '../kit/submit-write.js';
import { PageHead, Panel, Quantity, Table, Time } from '../kit/ui/components.js';
import { Button, Checkbox, Form, Labelled, Select } from '../kit/ui/fields.js';
import { formatQuantity } from '../kit/ui/format.js';
import { ImportState } from './import-progress.js';

const SHOWN = 10;
const MEGABYTE = 1024 * 1024;

export function showImports({ session }: PageRequest): Promise<PageAnswer> {
  return importsPage(session.companyId, newForm({ decimals: '.' }));
}

export async function importFile({ session, form, file }: PageRequest): Promise<Answer> {
  const { companyId, userId, allowNegativeStock } = session;
  try {
    const id = await startImport(companyId, userId, wholeFile(file), {
      allOrNothing: form.get('allOrNothing') === 'true',
      decimalMark: form.get('decimals') === ',' ? ',' : '.',
      allowNegativeStock,
      key: form.get(KEY_FIELD) ?? '',
    });
    return { to: `/inventory/imports/${id}` };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    return { ...(await importsPage(companyId, refusedForm(form, error))), status: 422 };
  }
}

function wholeFile(file: UploadedFile | null): UploadedFile {
  if (file === null) throw invalidField('file', 'Choose a file.');
  if (file.isCut) {
    throw invalidField(
      'file',
      `The file is larger than ${MAX_FILE_BYTES / MEGABYTE} MB. Divide it and send the parts.`,
    );
  }
  return file;
}

/** What an import left, to be corrected and sent again. */
export async function exportLeft({
  session: { companyId },
  params: { id = '' },
}: PageRequest): Promise<Answer> {
  const found = isUuid(id) ? await findImport(companyId, id) : null;
  if (!found) throw new Problem('not_found', 'There is no such import.');
  return {
    type: CSV_TYPE,
    content: exportRowsLeft(companyId, id, found.header),
    fileName: 'not-imported.csv',
  };
}

async function importsPage(companyId: string, state: FormState): Promise<PageAnswer> {
  const imports = await listImports(companyId, SHOWN);
  const body = (
    <>
      <PageHead title="Import stock" note="From a CSV file, as every spreadsheet saves one." />
      <div class="columns">
        <Panel title="Choose a file">
          <ImportForm state={state} />
        </Panel>
        <Panel title="What the file looks like">
          <Guide />
        </Panel>
      </div>
      {imports.length > 0 && (
        <Panel title="Imports so far">
          <Imports imports={imports} />
        </Panel>
      )}
    </>
  );
  return { title: 'Import stock', body };
}

const MARKS = [
  { value: '.', label: 'With a point: 12.5' },
  { value: ',', label: 'With a comma: 12,5' },
];

function ImportForm({ state }: { state: FormState }) {
  return (
    <Form action="/inventory/import" state={state} upload>
      <input type="hidden" name={KEY_FIELD} value={randomUUID()} />
      <Labelled
        name="file"
        label="CSV file"
        hint={`Up to ${formatQuantity(MAX_ROWS)} rows and ${MAX_FILE_BYTES / MEGABYTE} MB, in UTF-8.`}
      >
        {control => <input type="file" accept=".csv,.tsv,.txt,text/csv" {...control} />}
      </Labelled>
      <Select name="decimals" label="How decimals are written" options={MARKS} />
      <Checkbox
        name="allOrNothing"
        label="All or nothing"
        hint="One bad row and nothing is imported. Otherwise good rows are, and bad ones are listed."
      />
      <Button>Import</Button>
    </Form>
  );
}

const FIELDS = [
  ['name', 'The item. Needed where there is no sku; an unknown one makes an item.'],
  ['sku', 'Your code for it. It finds the item before the name does.'],
  ['count', 'What is on hand: stock becomes this.'],
  ['delta', 'Or, in place of count, what to add to stock.'],
  ['reorderPoint', 'At or below it, the item is low.'],
  ['unitCost, unitPrice, unit', 'As on the item’s page.'],
] as const;

function Guide() {
  return (
    <>
      <p>
        The first line names the columns, in any order; other columns are passed over. Cells are
        divided by comma, semicolon or tab. A cell that is left empty changes nothing.
      </p>
      <dl class="csv-columns">
        {FIELDS.map(([field, meaning]) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="note">
        An <a href="/inventory/export.csv">export of your stock</a> is such a file: change it in a
        spreadsheet and send it back.
      </p>
    </>
  );
}

function Imports({ imports }: { imports: readonly StockImport[] }) {
  return (
    <Table
      caption="The newest imports"
      rows={imports}
      columns={[
        {
          head: 'File',
          cell: ({ id, fileName }) => <a href={`/inventory/imports/${id}`}>{fileName}</a>,
        },
        { head: 'Sent', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { head: 'State', cell: ({ status }) => <ImportState status={status} /> },
        { head: 'Imported', align: 'end', cell: ({ rowsDone }) => <Quantity value={rowsDone} /> },
        {
          head: 'Refused',
          align: 'end',
          cell: ({ rowsFailed }) => <Quantity value={rowsFailed} />,
        },
      ]}
    />
  );
}
