// One import: its progress, and the rejected rows with the reasons.
import { unknownColumns } from '../../inventory/imports/columns.js';
import { CSV_TYPE } from '../../inventory/imports/csv.js';
import {
  findImport,
  type ImportRow,
  type ImportStatus,
  listRowsLeft,
  type StockImport,
} from '../../inventory/imports/queries.js';
import { exportRowsLeft } from '../../inventory/imports/service.js';
import { type ContentAnswer, getOr404, type PageAnswer, type PageRequest } from '../kit/page.js';
import { Badge, ButtonLink, PageHead, Panel, Table, type Tone } from '../kit/ui/components.js';
import { formatQuantity, formatTime } from '../kit/ui/format.js';

/** Rejected rows shown on the page. The download has all of them. */
const ROWS = 100;
/** Unknown columns named on the page. */
const MAX_IGNORED = 20;
/** Cells that identify a rejected row. */
const ROW_CELLS = 3;
const REFRESH_SECONDS = 2;

const STATUSES: Readonly<Record<ImportStatus, { readonly tone: Tone; readonly text: string }>> = {
  queued: { tone: 'plain', text: 'Importing' },
  done: { tone: 'good', text: 'Done' },
  refused: { tone: 'bad', text: 'Nothing imported' },
  failed: { tone: 'bad', text: 'Stopped' },
};

export function ImportBadge({ status }: { status: ImportStatus }) {
  const { tone, text } = STATUSES[status];
  return <Badge tone={tone}>{text}</Badge>;
}

/** The progress as JSON, polled by the page's script. */
export async function showProgress(request: PageRequest): Promise<ContentAnswer> {
  const found = await getImport(request);
  const { status, rowsTotal, rowsDone, rowsFailed } = found;
  const progress = { status, value: rowsDone + rowsFailed, max: rowsTotal };
  return {
    type: 'json',
    content: JSON.stringify({ ...progress, sentence: progressSentence(found) }),
  };
}

/** The rows that were not imported, as a CSV file to correct and upload again. */
export async function exportLeft(request: PageRequest): Promise<ContentAnswer> {
  const { id, header } = await getImport(request);
  return {
    type: CSV_TYPE,
    content: exportRowsLeft(request.session.companyId, id, header),
    fileName: 'not-imported.csv',
  };
}

export async function showImport(request: PageRequest): Promise<PageAnswer> {
  const found = await getImport(request);
  const { id, fileName, status, rowsTotal, rowsDone } = found;
  const { companyId, timeZone } = request.session;
  const rows = await listRowsLeft(companyId, id, { after: 0, limit: ROWS, all: false });
  const isOver = status !== 'queued';
  const body = (
    <>
      <PageHead
        title={fileName}
        note={`Uploaded by ${found.sentBy}, ${formatTime(found.createdAt, timeZone)}`}
      >
        {isOver && rowsDone < rowsTotal && (
          <ButtonLink href={`/inventory/imports/${id}/left.csv`} quiet>
            {status === 'done' ? 'Download rejected rows' : 'Download rows not imported'}
          </ButtonLink>
        )}
        {isOver && <ButtonLink href="/inventory">View inventory</ButtonLink>}
      </PageHead>
      <Panel title="Progress" note={<ImportBadge status={status} />}>
        <Progress found={found} />
        <IgnoredColumns names={unknownColumns(found.header)} />
      </Panel>
      {rows.length > 0 && <RejectedRows total={found.rowsFailed} rows={rows} />}
    </>
  );
  const wait = isOver ? {} : { scripts: ['wait.js'], refreshSeconds: REFRESH_SECONDS };
  return { title: `Import of ${fileName}`, body, ...wait };
}

/** Throws Problem `not_found`, also for an import of another company. */
function getImport({ session, params }: PageRequest): Promise<StockImport> {
  return getOr404('import', params.id, id => findImport(session.companyId, id));
}

function Progress({ found }: { found: StockImport }) {
  const { id, status, rowsDone, rowsFailed, rowsTotal, allOrNothing } = found;
  const isQueued = status === 'queued';
  // An all-or-nothing import is one transaction, so its progress is indeterminate.
  const value = allOrNothing ? undefined : rowsDone + rowsFailed;
  return (
    <div
      class="import-progress"
      data-progress={isQueued ? `/inventory/imports/${id}/progress` : undefined}
    >
      {isQueued && <progress aria-label="Rows processed" max={rowsTotal} value={value} />}
      <p role="status">{progressSentence(found)}</p>
    </div>
  );
}

function progressSentence(found: StockImport): string {
  const { status, rowsTotal, rowsDone, rowsFailed, allOrNothing } = found;
  const total = formatQuantity(rowsTotal);
  const done = formatQuantity(rowsDone);
  const failed = formatQuantity(rowsFailed);
  if (status === 'queued') {
    const processed = formatQuantity(rowsDone + rowsFailed);
    return allOrNothing
      ? `Importing all ${total} rows at once. You can leave this page.`
      : `${processed} of ${total} rows processed. You can leave this page.`;
  }
  if (status === 'refused') {
    const have = rowsFailed === 1 ? 'has an error' : 'have errors';
    return `${failed} of ${total} rows ${have}, so nothing was imported.`;
  }
  if (status === 'failed') {
    const advice = 'Download the other rows and upload them again.';
    const imported = `${done} of ${total} rows were imported`;
    return `${imported}, then something went wrong on our side. ${advice}`;
  }
  if (rowsFailed === 0)
    return rowsTotal === 1 ? 'The row was imported.' : `All ${total} rows were imported.`;
  const were = rowsFailed === 1 ? 'was' : 'were';
  return `${done} of ${total} rows were imported, ${failed} ${were} rejected.`;
}

function IgnoredColumns({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p class="note">
      Ignored columns: {names.slice(0, MAX_IGNORED).join(', ')}
      {names.length > MAX_IGNORED && ' and others'}.
    </p>
  );
}

function RejectedRows({ total, rows }: { total: number; rows: readonly ImportRow[] }) {
  const note = `First ${rows.length} of ${formatQuantity(total)}. The download has all of them.`;
  return (
    <Panel title="Rejected rows" note={total > rows.length && note}>
      <Table
        caption="Rejected rows"
        rows={rows}
        columns={[
          { head: 'Line', cell: ({ line }) => `Line ${line}` },
          { head: 'Row', cell: ({ cells }) => summaryOf(cells) },
          { head: 'Problem', cell: ({ errors }) => (errors ?? []).join(' ') },
        ]}
      />
    </Panel>
  );
}

function summaryOf(cells: readonly string[]): string {
  const filled = cells.filter(cell => cell.trim() !== '');
  return filled.slice(0, ROW_CELLS).join(' · ');
}
