// Importing customers from a CSV file: the upload form, the file format and the recent imports.
import { randomUUID } from 'node:crypto';
import { COLUMN_NAMES, type Column } from '../../../customers/imports/columns.js';
import { MAX_ROWS } from '../../../customers/imports/customer-file.js';
import { type CustomerImport, listImports } from '../../../customers/imports/queries.js';
import { MAX_FILE_BYTES, previewCustomers } from '../../../customers/imports/service.js';
import { invalidField } from '../../../platform/field-errors.js';
import { chosenDecimalMark, DecimalSeparator } from '../../kit/forms/decimal-separator.js';
import { refusalOf } from '../../kit/forms/form.js';
import { type FormState, KEY_FIELD, newForm } from '../../kit/forms/form-state.js';
import type { Answer, PageAnswer, PageRequest, UploadedFile } from '../../kit/page.js';
import { ButtonLink, PageHead, Panel, Quantity, Time } from '../../kit/ui/components.js';
import { Button, Form, Labelled } from '../../kit/ui/fields.js';
import { formatQuantity } from '../../kit/ui/format.js';
import { Table } from '../../kit/ui/list.js';
import { ImportBadge } from './outcome.js';
import { IMPORT_PATH, IMPORTS_PATH } from './paths.js';

const RECENT_IMPORTS = 10;
const MAX_FILE_MB = MAX_FILE_BYTES / (1024 * 1024);

export function showImports({ session }: PageRequest): Promise<PageAnswer> {
  return importsPage(session.companyId, newForm());
}

export async function uploadCustomers({ session, form, file }: PageRequest): Promise<Answer> {
  const { companyId, userId } = session;
  const decimalMark = chosenDecimalMark(form);
  try {
    const id = await previewCustomers({
      companyId,
      userId,
      file: requireWholeFile(file),
      key: `${form.get(KEY_FIELD) ?? ''} ${decimalMark ?? ''}`,
      decimalMark,
    });
    return { to: `${IMPORTS_PATH}/${id}` };
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
      <PageHead title="Import customers" note="Upload a CSV file exported from any spreadsheet.">
        <ButtonLink href="/customers" quiet>
          All customers
        </ButtonLink>
      </PageHead>
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
  return { title: 'Import customers', body };
}

function ImportForm({ state }: { state: FormState }) {
  return (
    <Form action={IMPORT_PATH} state={{ ...state, key: randomUUID() }} upload>
      <Labelled
        name="file"
        label="CSV file"
        hint={`Up to ${formatQuantity(MAX_ROWS)} rows and ${MAX_FILE_MB} MB, encoded as UTF-8.`}
      >
        {control => <input type="file" accept=".csv,.tsv,.txt,text/csv" {...control} />}
      </Labelled>
      <DecimalSeparator unknown="Detect" />
      <p class="hint">You will see a preview first. Nothing is imported until you confirm it.</p>
      <Button>Show preview</Button>
    </Form>
  );
}

/** Columns whose names do not explain themselves. */
const MEANINGS: Readonly<Partial<Record<Column, string>>> = {
  name: 'Finds the record if neither externalId nor number does. A new name adds a record.',
  number: 'Finds the record if externalId does not.',
  externalId: 'The ID in another system. Finds the record first.',
  aliases: 'Other names of the customer, each on its own line in the cell. Replaces all of them.',
  emailCc: 'Up to 5 e-mail addresses, each on its own line in the cell.',
  addressCountry: 'Two letters, such as DE. Required in an address.',
  deliveryCountry: 'Two letters, such as DE. Required in a delivery address.',
  electronicAddressScheme: 'A code of the EAS list, such as 9930.',
  language: 'en, de, fr, es, it or nl.',
  termsDays: 'Days from the invoice date to the due date.',
  taxRate: 'In percent.',
  taxCategory: 'S, Z, E, AE, K, G or O.',
  hold: 'true or false. Customers on hold get no new invoices.',
};

function FormatGuide() {
  const others = COLUMN_NAMES.filter(name => !(name in MEANINGS));
  return (
    <>
      <p class="csv-guide">
        The first row must contain column names, in any order. Other columns are ignored. Separate
        values with commas, semicolons or tabs. An empty cell leaves a value unchanged; a cell with
        only a hyphen (-) clears it.
      </p>
      <dl class="csv-columns">
        {(Object.entries(MEANINGS) as [Column, string][]).map(([name, meaning]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="note wraps">Further columns: {others.join(', ')}.</p>
      <p class="note">
        An <a href="/customers/export.csv">export of your customers</a> has this format: edit it in
        a spreadsheet and upload it here.
      </p>
    </>
  );
}

function Imports({ imports }: { imports: readonly CustomerImport[] }) {
  return (
    <Table
      caption="Recent imports"
      rows={imports}
      columns={[
        {
          head: 'File',
          cell: ({ id, fileName }) => <a href={`${IMPORTS_PATH}/${id}`}>{fileName}</a>,
        },
        { head: 'Uploaded', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { head: 'Status', cell: found => <ImportBadge found={found} /> },
        { head: 'Rows', align: 'end', cell: ({ rowsTotal }) => <Quantity value={rowsTotal} /> },
        {
          head: 'Rejected',
          align: 'end',
          cell: ({ rowsFailed }) => <Quantity value={rowsFailed} />,
        },
      ]}
    />
  );
}
