// Importing from a CSV file: the upload form, the file format and the recent imports.
import type { ColumnSpec } from '../../imports/file/columns.js';
import { MAX_ROWS } from '../../imports/file/read-file.js';
import { previewImport } from '../../imports/preview.js';
import { type ImportRecord, listImports } from '../../imports/queries.js';
import { invalidField } from '../../platform/field-errors.js';
import { chosenDecimalMark, DecimalSeparator } from '../kit/forms/decimal-separator.js';
import { type FormState, KEY_FIELD, newForm } from '../kit/forms/form-state.js';
import { directForm } from '../kit/forms/plain-form.js';
import type { PageAnswer, PageRoute, UploadedFile } from '../kit/page.js';
import { ButtonLink, PageHead, Panel, Quantity, Time } from '../kit/ui/components.js';
import { Button, Form, Labelled } from '../kit/ui/fields.js';
import { formatQuantity } from '../kit/ui/format.js';
import { Table } from '../kit/ui/list.js';
import { ImportBadge } from './outcome.js';
import { formPath, type ImportPages, importPath, readOptions } from './pages.js';

const RECENT_IMPORTS = 10;
/** Headings that the guide lists for a column. */
const MAX_SPELLINGS = 8;

export function uploadForm(pages: ImportPages): PageRoute[] {
  return directForm<string>({
    path: formPath(pages),
    guard: pages.guard,
    fileLimitBytes: pages.kind.maxFileBytes,
    once: true,
    initial: () => newForm(),
    send: ({ session, form, file }) => {
      const { companyId, userId } = session;
      const decimalMark = chosenDecimalMark(form);
      // The same file with another separator is another import.
      const key = [form.get(KEY_FIELD), decimalMark].join(' ');
      const upload = { companyId, userId, file: requireWholeFile(pages, file), key };
      const options = readOptions(pages, session, null, { decimalMark });
      return previewImport(pages.kind, upload, options);
    },
    done: id => ({ to: importPath(pages, id) }),
    page: (state, { session }) =>
      importsPage(
        pages,
        session.companyId,
        state.refusal ? { ...state, message: CHOOSE_AGAIN } : state,
      ),
  });
}

/** A browser shows an upload form again without its file. */
const CHOOSE_AGAIN = 'Nothing was uploaded. Correct the problem, then choose the file again.';

const maxFileMb = ({ kind }: ImportPages) => kind.maxFileBytes / (1024 * 1024);

function requireWholeFile(pages: ImportPages, file: UploadedFile | null): UploadedFile {
  if (file === null) throw invalidField('file', 'Choose a file.');
  if (file.isCut) {
    const sentence = `The file is larger than ${maxFileMb(pages)} MB. Split it into smaller files.`;
    throw invalidField('file', sentence);
  }
  return file;
}

async function importsPage(
  pages: ImportPages,
  companyId: string,
  state: FormState,
): Promise<PageAnswer> {
  const imports = await listImports(pages.kind, companyId, RECENT_IMPORTS);
  const title = `Import ${pages.noun}`;
  const body = (
    <>
      <PageHead title={title} note="Upload a file exported from any spreadsheet.">
        <ButtonLink href={pages.home} quiet>
          {pages.homeLabel}
        </ButtonLink>
      </PageHead>
      <Panel title="Choose a file">
        <ImportForm pages={pages} state={state} />
      </Panel>
      <Panel title="File format">
        <FormatGuide {...pages} />
      </Panel>
      {imports.length > 0 && (
        <Panel title="Recent imports">
          <Imports pages={pages} imports={imports} />
        </Panel>
      )}
    </>
  );
  return { title, body };
}

function ImportForm({ pages, state }: { pages: ImportPages; state: FormState }) {
  const limits = `${formatQuantity(MAX_ROWS)} rows and ${maxFileMb(pages)} MB`;
  return (
    <Form action={formPath(pages)} state={state} upload>
      <Labelled name="file" label="CSV or Excel file" hint={`Up to ${limits}.`}>
        {control => <input type="file" accept=".csv,.tsv,.txt,.xlsx,text/csv" {...control} />}
      </Labelled>
      <DecimalSeparator unknown="Detect" />
      <p class="hint">You will see a preview first. Nothing is imported until you confirm it.</p>
      <Button>Show preview</Button>
    </Form>
  );
}

function FormatGuide({ intro, guide, kind, home, noun }: ImportPages) {
  const { columns } = kind.format;
  const meanings = new Map(guide);
  return (
    <>
      <p class="csv-guide">
        The first row must contain column names, in any order. Separate values with commas,
        semicolons, tabs or vertical bars, or upload an Excel workbook: its first sheet counts.{' '}
        {intro}
      </p>
      <dl class="csv-columns">
        {columns.names.map(name => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {meanings.get(name) ?? columns.spec(name).label}
              <span class="below">Also accepted: {spellings(columns.spec(name))}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p class="note">
        An <a href={`${home}/export.csv`}>export of your {noun}</a> has this format: edit it in a
        spreadsheet and upload it here.
      </p>
    </>
  );
}

function spellings({ label, headings, fallbacks = [] }: ColumnSpec): string {
  const all = [...new Set([label, ...headings, ...fallbacks].map(text => text.toLowerCase()))];
  const rest = all.length > MAX_SPELLINGS ? ' and others' : '';
  return all.slice(0, MAX_SPELLINGS).join(', ') + rest;
}

function Imports({ pages, imports }: { pages: ImportPages; imports: readonly ImportRecord[] }) {
  return (
    <Table
      caption="Recent imports"
      rows={imports}
      columns={[
        {
          head: 'File',
          cell: ({ id, fileName }) => <a href={importPath(pages, id)}>{fileName}</a>,
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
