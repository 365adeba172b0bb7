// One import: its progress, and the rejected rows with the reasons.
import {
  findImport,
  type ImportStatus,
  listRowsLeft,
  type StockImport,
} from '../../../inventory/imports/queries.js';
import { exportRowsLeft } from '../../../inventory/imports/service.js';
import { csvFile } from '../../kit/downloads.js';
import { newForm } from '../../kit/forms/form-state.js';
import { type ContentAnswer, getOr404, type PageAnswer, type PageRequest } from '../../kit/page.js';
import { Badge, ButtonLink, PageHead, Panel, type Tone } from '../../kit/ui/components.js';
import { formatQuantity, formatTime } from '../../kit/ui/format.js';
import { previewPage } from './preview.js';
import { IgnoredColumns, RejectedRows } from './rows.js';

/** Rejected rows shown on the page. The download has all of them. */
const ROWS = 100;
const REFRESH_SECONDS = 2;

interface Outcome {
  readonly tone: Tone;
  readonly text: string;
}

const STATUSES: Readonly<Record<Exclude<ImportStatus, 'done'>, Outcome>> = {
  preview: { tone: 'plain', text: 'Not imported yet' },
  queued: { tone: 'plain', text: 'Importing' },
  refused: { tone: 'bad', text: 'Nothing imported' },
  failed: { tone: 'bad', text: 'Stopped' },
};

/** Only an import without rejected rows looks like a success. */
function outcomeOf({ status, rowsDone, rowsFailed }: StockImport): Outcome {
  if (status !== 'done') return STATUSES[status];
  if (rowsFailed === 0) return { tone: 'good', text: 'Done' };
  return rowsDone === 0 ? STATUSES.refused : { tone: 'warn', text: 'Partly imported' };
}

export function ImportBadge({ found }: { found: StockImport }) {
  const { tone, text } = outcomeOf(found);
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
  const { session } = request;
  return csvFile('not-imported.csv', session, format =>
    exportRowsLeft(session.companyId, id, header, format),
  );
}

/** The preview of an import, or its progress once it is started. */
export async function showImport(request: PageRequest): Promise<PageAnswer> {
  const found = await getImport(request);
  return found.status === 'preview'
    ? previewPage(request, found, newForm())
    : progressPage(request, found);
}

async function progressPage(request: PageRequest, found: StockImport): Promise<PageAnswer> {
  const { id, fileName, status, rowsTotal, rowsDone, rowsFailed } = found;
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
      <Panel title={isOver ? 'Result' : 'Progress'} note={<ImportBadge found={found} />}>
        <Progress found={found} />
        <IgnoredColumns header={found.header} />
      </Panel>
      {rows.length > 0 && (
        <RejectedRows
          note={rowsFailed > rows.length && firstRowsNote(rows.length, rowsFailed)}
          rows={rows}
          problemOf={({ errors }) => (errors ?? []).join(' ')}
        />
      )}
    </>
  );
  const wait = isOver ? {} : { scripts: ['wait.js'], refreshSeconds: REFRESH_SECONDS };
  return { title: `Import of ${fileName}`, body, ...wait };
}

/** Throws Problem `not_found`, even if another company has the import. */
export function getImport({ session, params }: PageRequest): Promise<StockImport> {
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
  if (status === 'preview') return 'Nothing is imported yet.';
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
  if (rowsDone === 0) return `Nothing was imported: ${failed} of ${total} rows were rejected.`;
  const were = rowsFailed === 1 ? 'was' : 'were';
  return `${done} of ${total} rows were imported, ${failed} ${were} rejected.`;
}

function firstRowsNote(shown: number, total: number): string {
  return `First ${shown} of ${formatQuantity(total)}. The download has all of them.`;
}
