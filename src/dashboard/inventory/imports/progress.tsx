// One import: its progress, and the rejected rows with the reasons.
import { findImport, listRowsLeft, type StockImport } from '../../../inventory/imports/queries.js';
import { exportRowsLeft } from '../../../inventory/imports/service.js';
import { csvFile } from '../../kit/downloads.js';
import { type ContentAnswer, getOr404, type PageAnswer, type PageRequest } from '../../kit/page.js';
import { ButtonLink, PageHead, Panel, Time } from '../../kit/ui/components.js';
import { formatQuantity, formatTime } from '../../kit/ui/format.js';
import { ImportBadge, progressSentence } from './outcome.js';
import { previewPage } from './preview.js';
import { IgnoredColumns, RejectedRows } from './rows.js';
import { UndoPanel } from './undo.js';

/** Rejected rows shown on the page. The download has all of them. */
const ROWS = 100;
const REFRESH_SECONDS = 2;

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
    ? previewPage(request, found, {})
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
        <IgnoredColumns found={found} />
      </Panel>
      {isOver && <UndoPanel found={found} />}
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
  const { id, status, undo, undoneBy, finishedAt, allOrNothing } = found;
  const { rowsDone, rowsFailed, rowsTotal } = found;
  const isQueued = status === 'queued';
  // An undo, and an import of all or nothing, is one transaction: its progress is indeterminate.
  const value = allOrNothing || undo === 'queued' ? undefined : rowsDone + rowsFailed;
  return (
    <div
      class="import-progress"
      data-progress={isQueued ? `/inventory/imports/${id}/progress` : undefined}
    >
      {isQueued && <progress aria-label="Rows processed" max={rowsTotal} value={value} />}
      <p role="status">{progressSentence(found)}</p>
      {undo === 'done' && finishedAt !== null && (
        <p class="note">
          Undone by {undoneBy}, <Time at={finishedAt} />
        </p>
      )}
    </div>
  );
}

function firstRowsNote(shown: number, total: number): string {
  return `First ${shown} of ${formatQuantity(total)}. The download has all of them.`;
}
