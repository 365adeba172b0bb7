// Importing stock from a CSV file: the upload form, the file format and the recent imports.
import { randomUUID } from 'node:crypto';
import { listImports, type StockImport } from '../../inventory/imports/queries.js';
import { MAX_FILE_BYTES, startImport } from '../../inventory/imports/service.js';
import { MAX_ROWS } from '../../inventory/imports/stock-file.js';
import { Problem } from '../../platform/errors.js';
import { invalidField } from '../../platform/field-errors.js';
import { type FormState, newForm, refusedForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest, UploadedFile } from '../kit/page.js';
import { KEY_FIELD } from '../kit/submit-write.js';
import { PageHead, Panel, Quantity, Table, Time } from '../kit/ui/components.js';
import { Button, Checkbox, Form, Hidden, Labelled, Select } from '../kit/ui/fields.js';
import { formatQuantity } from '../kit/ui/format.js';
import { ImportBadge } from './import-progress.js';
import { REORDER_HINT } from './item-forms.js';

const RECENT_IMPORTS = 10;
const MAX_FILE_MB = MAX_FILE_BYTES / (1024 * 1024);

export function showImports({ session }: PageRequest): Promise<PageAnswer> {
  return importsPage(session.companyId, newForm({ decimals: '.' }));
}

export async function importFile({ session, form, file }: PageRequest): Promise<Answer> {
  const { companyId, userId, allowNegativeStock } = session;
  try {
    const id = await startImport(companyId, userId, requireWholeFile(file), {
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

function requireWholeFile(file: UploadedFile | null): UploadedFile {
  if (file === null) throw invalidField('file', 'Choose a file.');
  if (file.isCut) {
    const sentence = `The file is larger than ${MAX_FILE_MB} MB. Split it into smaller files.`;
    throw invalidField('file', sentence);
  }
  return file;
}

async function importsPage(companyId: string, state: FormState): Promise<PageAnswer> {
  const imports = await listImports(companyId, RECENT_IMPORTS);
  const body = (
    <>
      <PageHead title="Import stock" note="Upload a CSV file exported from any spreadsheet." />
      <div class="columns">
        <Panel title="Choose a file">
          <ImportForm state={state} />
        </Panel>
        <Panel title="File format">
          <FormatGuide />
        </Panel>
      </div>
      {imports.length > 0 && (
        <Panel title="Recent imports">
          <Imports imports={imports} />
        </Panel>
      )}
    </>
  );
  return { title: 'Import stock', body };
}

const DECIMAL_SEPARATORS = [
  { value: '.', label: 'Point (12.5)' },
  { value: ',', label: 'Comma (12,5)' },
];

const ALL_OR_NOTHING_HINT =
  'Stop if any row has an error. Otherwise valid rows are imported and the rest are listed.';

function ImportForm({ state }: { state: FormState }) {
  return (
    <Form action="/inventory/import" state={state} upload>
      <Hidden name={KEY_FIELD} value={randomUUID()} />
      <Labelled
        name="file"
        label="CSV file"
        hint={`Up to ${formatQuantity(MAX_ROWS)} rows and ${MAX_FILE_MB} MB, encoded as UTF-8.`}
      >
        {control => <input type="file" accept=".csv,.tsv,.txt,text/csv" {...control} />}
      </Labelled>
      <Select name="decimals" label="Decimal separator" options={DECIMAL_SEPARATORS} />
      <Checkbox name="allOrNothing" label="All or nothing" hint={ALL_OR_NOTHING_HINT} />
      <Button>Import</Button>
    </Form>
  );
}

const COLUMNS = [
  ['name', 'Required without an SKU. A new name creates an item.'],
  ['sku', 'Your own code. Takes precedence over the name.'],
  ['count', 'Counted stock. Replaces the current quantity.'],
  ['delta', 'Use instead of count. Added to the current quantity.'],
  ['reorderPoint', REORDER_HINT],
  ['unitCost, unitPrice, unit', 'Same as on the item’s page.'],
] as const;

function FormatGuide() {
  return (
    <>
      <p>
        The first row must contain column names, in any order. Other columns are ignored. Separate
        values with commas, semicolons or tabs. Empty cells leave values unchanged.
      </p>
      <dl class="csv-columns">
        {COLUMNS.map(([name, meaning]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="note">
        An <a href="/inventory/export.csv">export of your stock</a> has this format: edit it in a
        spreadsheet and upload it here.
      </p>
    </>
  );
}

function Imports({ imports }: { imports: readonly StockImport[] }) {
  return (
    <Table
      caption="Recent imports"
      rows={imports}
      columns={[
        {
          head: 'File',
          cell: ({ id, fileName }) => <a href={`/inventory/imports/${id}`}>{fileName}</a>,
        },
        { head: 'Uploaded', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { head: 'Status', cell: ({ status }) => <ImportBadge status={status} /> },
        { head: 'Imported', align: 'end', cell: ({ rowsDone }) => <Quantity value={rowsDone} /> },
        {
          head: 'Rejected',
          align: 'end',
          cell: ({ rowsFailed }) => <Quantity value={rowsFailed} />,
        },
      ]}
    />
  );
}
