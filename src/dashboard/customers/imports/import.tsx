// One import of customers: its preview, then its progress, and the rejected rows with the reasons.
import { columnsOf } from '../../../customers/imports/columns.js';
import { exportRowsLeft } from '../../../customers/imports/export.js';
import {
  type CustomerImport,
  findImport,
  type ImportRow,
  listRowsLeft,
} from '../../../customers/imports/queries.js';
import { startImport } from '../../../customers/imports/service.js';
import { csvFile } from '../../kit/downloads.js';
import { refusalOf } from '../../kit/forms/form.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import {
  type Answer,
  type ContentAnswer,
  getOr404,
  type PageAnswer,
  type PageRequest,
} from '../../kit/page.js';
import { ButtonLink, PageHead, Panel } from '../../kit/ui/components.js';
import { FormActions } from '../../kit/ui/field-groups.js';
import { Form } from '../../kit/ui/fields.js';
import { formatCount, formatQuantity, formatTime } from '../../kit/ui/format.js';
import { Table } from '../../kit/ui/list.js';
import { CUSTOMERS } from '../customer-view.js';
import { ImportBadge, processedRows, progressSentence } from './outcome.js';
import { IMPORT_PATH, IMPORTS_PATH } from './paths.js';

/** Rows of the preview, and rejected rows, that the page shows. */
const FIRST_ROWS = 10;
const REJECTED_ROWS = 100;
const REFRESH_SECONDS = 2;
const MAX_SUMMARY = 120;

/** Throws Problem `not_found`, even if another company has the import. */
function getImport({ session, params }: PageRequest): Promise<CustomerImport> {
  return getOr404('import', params.id, id => findImport(session.companyId, id));
}

export async function showImport(request: PageRequest): Promise<PageAnswer> {
  return importPage(request, await getImport(request), newForm());
}

/** Starts the import. Sent again, it leads to the same import. */
export async function confirmImport(request: PageRequest): Promise<Answer> {
  const found = await getImport(request);
  try {
    await startImport(request.session.companyId, found.id);
    return { to: `${IMPORTS_PATH}/${found.id}` };
  } catch (error) {
    const { state, answer } = refusalOf(request.form, error);
    return { ...(await importPage(request, found, state)), ...answer };
  }
}

/** The progress as JSON, polled by the page's script. */
export async function showProgress(request: PageRequest): Promise<ContentAnswer> {
  const found = await getImport(request);
  const { status, rowsTotal: max } = found;
  const progress = { status, value: processedRows(found), max, sentence: progressSentence(found) };
  return { type: 'json', content: JSON.stringify(progress) };
}

/** The rows that were not imported, as a CSV file to correct and upload again. */
export async function exportLeft(request: PageRequest): Promise<ContentAnswer> {
  const { id, header } = await getImport(request);
  const { session } = request;
  return csvFile('not-imported.csv', session, format =>
    exportRowsLeft(session.companyId, id, header, format),
  );
}

async function importPage(
  request: PageRequest,
  found: CustomerImport,
  state: FormState,
): Promise<PageAnswer> {
  const { id, fileName, status, rowsFailed } = found;
  const { companyId, timeZone } = request.session;
  const read = (kind: 'valid' | 'refused', limit: number) =>
    listRowsLeft(companyId, id, { after: 0, limit, kind });
  const [first, rejected] = await Promise.all([
    status === 'preview' ? read('valid', FIRST_ROWS) : [],
    read('refused', REJECTED_ROWS),
  ]);
  const isWaiting = status === 'queued';
  const body = (
    <>
      <PageHead
        title={fileName}
        note={`Uploaded by ${found.sentBy}, ${formatTime(found.createdAt, timeZone)}`}
      >
        {!isWaiting && (rowsFailed > 0 || status === 'failed') && (
          <ButtonLink href={`${IMPORTS_PATH}/${id}/left.csv`} quiet>
            {status === 'failed' ? 'Download rows not imported' : 'Download rejected rows'}
          </ButtonLink>
        )}
        {status !== 'preview' && !isWaiting && (
          <ButtonLink href={CUSTOMERS}>View customers</ButtonLink>
        )}
      </PageHead>
      {status === 'preview' ? (
        <Preview found={found} state={state} />
      ) : (
        <Panel title={isWaiting ? 'Progress' : 'Result'} note={<ImportBadge found={found} />}>
          <Progress found={found} />
        </Panel>
      )}
      {first.length > 0 && (
        <Panel title="First rows">
          <FirstRows rows={first} />
        </Panel>
      )}
      {rejected.length > 0 && <Rejected rows={rejected} total={rowsFailed} />}
    </>
  );
  const wait = isWaiting ? { scripts: ['wait.js'], refreshSeconds: REFRESH_SECONDS } : {};
  return { title: `Import of ${fileName}`, body, ...wait };
}

function Preview({ found, state }: { found: CustomerImport; state: FormState }) {
  const { id, header, decimalDoubt, rowsTotal, rowsNew, rowsFailed } = found;
  const valid = rowsTotal - rowsFailed;
  const columns = columnsOf(header);
  const ignored = header.filter((text, at) => text.trim() !== '' && columns[at] === undefined);
  const canStart = valid > 0 && decimalDoubt === null;
  return (
    <Panel title="Preview" note={<ImportBadge found={found} />}>
      <p>
        {`${formatCount(valid - rowsNew, 'existing customer')}, ${formatQuantity(rowsNew)} new, ` +
          `${formatCount(rowsFailed, 'rejected row')}.`}
      </p>
      {ignored.length > 0 && <p class="note">Ignored columns: {ignored.join(', ')}.</p>}
      {decimalDoubt !== null && (
        <p class="message warn">
          {`“${decimalDoubt}” could mean two numbers. Upload the file again and choose its ` +
            'decimal separator.'}
        </p>
      )}
      <Form action={`${IMPORTS_PATH}/${id}/start`} state={state} label="Import">
        {canStart ? (
          <FormActions submit={`Import ${formatCount(valid, 'row')}`} cancel={IMPORT_PATH} />
        ) : (
          <ButtonLink href={IMPORT_PATH}>Choose another file</ButtonLink>
        )}
      </Form>
    </Panel>
  );
}

function Progress({ found }: { found: CustomerImport }) {
  const { id, status, rowsTotal } = found;
  const isQueued = status === 'queued';
  return (
    <div
      class="import-progress"
      data-progress={isQueued ? `${IMPORTS_PATH}/${id}/progress` : undefined}
    >
      {isQueued && (
        <progress aria-label="Rows processed" max={rowsTotal} value={processedRows(found)} />
      )}
      <p role="status">{progressSentence(found)}</p>
    </div>
  );
}

/** The values of a row, each with its column. */
function FirstRows({ rows }: { rows: readonly ImportRow[] }) {
  return (
    <Table
      caption="First rows"
      rows={rows}
      columns={[
        { head: 'Line', cell: ({ line }) => `Line ${formatQuantity(line)}` },
        {
          head: 'Values',
          cell: ({ entry }) => (
            <span class="wraps">
              {Object.entries(entry ?? {})
                .map(([column, value]) => `${column}: ${value === null ? '(cleared)' : value}`)
                .join(' · ')}
            </span>
          ),
        },
      ]}
    />
  );
}

function Rejected({ rows, total }: { rows: readonly ImportRow[]; total: number }) {
  const note =
    total > rows.length &&
    `First ${rows.length} of ${formatQuantity(total)}. The download has all of them.`;
  return (
    <Panel title="Rejected rows" note={note}>
      <Table
        caption="Rejected rows"
        rows={rows}
        columns={[
          { head: 'Line', cell: ({ line }) => `Line ${formatQuantity(line)}` },
          { head: 'Row', cell: ({ cells }) => <span class="wraps">{summaryOf(cells)}</span> },
          {
            head: 'Problem',
            cell: ({ errors }) => <span class="wraps">{(errors ?? []).join(' ')}</span>,
          },
        ]}
      />
    </Panel>
  );
}

function summaryOf(cells: readonly string[]): string {
  const text = cells.filter(cell => cell.trim() !== '').join(' · ');
  return text.length > MAX_SUMMARY ? `${[...text].slice(0, MAX_SUMMARY).join('')}…` : text;
}
