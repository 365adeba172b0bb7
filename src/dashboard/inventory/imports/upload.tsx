// Importing stock from a CSV file: the upload form, the file format and the recent imports.
import { randomUUID } from 'node:crypto';
import { aliasesOf, type Field } from '../../../inventory/imports/headings.js';
import { listImports, type StockImport } from '../../../inventory/imports/queries.js';
import { MAX_FILE_BYTES, previewImport } from '../../../inventory/imports/service.js';
import { MAX_ROWS } from '../../../inventory/imports/stock-file.js';
import { invalidField } from '../../../platform/field-errors.js';
import { refusalOf } from '../../kit/forms/form.js';
import { type FormState, KEY_FIELD, newForm } from '../../kit/forms/form-state.js';
import type { Answer, PageAnswer, PageRequest, UploadedFile } from '../../kit/page.js';
import { PageHead, Panel, Quantity, Time } from '../../kit/ui/components.js';
import { Button, Form, Labelled } from '../../kit/ui/fields.js';
import { formatQuantity } from '../../kit/ui/format.js';
import { Table } from '../../kit/ui/list.js';
import { REORDER_HINT } from '../item-forms.js';
import { ImportBadge } from './outcome.js';

const RECENT_IMPORTS = 10;
const MAX_FILE_MB = MAX_FILE_BYTES / (1024 * 1024);

export function showImports({ session }: PageRequest): Promise<PageAnswer> {
  return importsPage(session.companyId, newForm());
}

export async function importFile({ session, form, file }: PageRequest): Promise<Answer> {
  const { companyId, userId, allowNegativeStock } = session;
  try {
    const key = form.get(KEY_FIELD) ?? '';
    const options = { allowNegativeStock, key };
    const id = await previewImport(companyId, userId, requireWholeFile(file), options);
    return { to: `/inventory/imports/${id}` };
  } catch (error) {
    const { state, answer } = refusalOf(form, error);
    return { ...(await importsPage(companyId, { ...state, message: CHOOSE_AGAIN })), ...answer };
  }
}

/** A browser shows an upload form again without its file. */
const CHOOSE_AGAIN = 'Nothing was uploaded. Correct the problem, then choose the file again.';

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
      <Panel title="Choose a file">
        <ImportForm state={state} />
      </Panel>
      <Panel title="File format">
        <FormatGuide />
      </Panel>
      {imports.length > 0 && (
        <Panel title="Recent imports">
          <Imports imports={imports} />
        </Panel>
      )}
    </>
  );
  return { title: 'Import stock', body };
}

function ImportForm({ state }: { state: FormState }) {
  return (
    <Form action="/inventory/import" state={{ ...state, key: randomUUID() }} upload>
      <Labelled
        name="file"
        label="CSV file"
        hint={`Up to ${formatQuantity(MAX_ROWS)} rows and ${MAX_FILE_MB} MB, encoded as UTF-8.`}
      >
        {control => <input type="file" accept=".csv,.tsv,.txt,text/csv" {...control} />}
      </Labelled>
      <p class="hint">You will see a preview first. Nothing is imported until you confirm it.</p>
      <Button>Show preview</Button>
    </Form>
  );
}

const COLUMNS: readonly (readonly [Field, string])[] = [
  ['name', 'Required without an SKU. A new name creates an item.'],
  ['sku', 'Your own code. Takes precedence over the name.'],
  ['count', 'Counted stock. Replaces the current quantity.'],
  ['delta', 'Use instead of count. Added to the current quantity.'],
  ['reorderPoint', REORDER_HINT],
  ['unitCost', 'Cost of one unit, excluding tax.'],
  ['unitPrice', 'Sales price of one unit, excluding tax.'],
  ['unit', 'Unit of measure, e.g. pc, m, kg.'],
  ['expectedOnHand', 'Included in exports. Rows whose stock has changed since are skipped.'],
];

function FormatGuide() {
  return (
    <>
      <p class="csv-guide">
        The first row must contain column names, in any order. Other columns are ignored, unless you
        choose them in the preview. Separate values with commas, semicolons or tabs. Empty cells
        leave values unchanged. Without a count or delta column, such as in a price list, no stock
        changes.
      </p>
      <dl class="csv-columns">
        {COLUMNS.map(([name, meaning]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {meaning}
              {aliasesOf(name).length > 0 && (
                <span class="below">Also accepted: {aliasesOf(name).join(', ')}</span>
              )}
            </dd>
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
        { head: 'Status', cell: found => <ImportBadge found={found} /> },
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
