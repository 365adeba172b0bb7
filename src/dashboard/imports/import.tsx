// One import: its progress, and the rejected rows with the reasons.
import { exportRowsLeft } from '../../imports/export.js';
import { type ImportRecord, listRowsLeft } from '../../imports/queries.js';
import { requestUndo } from '../../imports/undo.js';
import { csvFile } from '../kit/downloads.js';
import { buttonForm } from '../kit/forms/plain-form.js';
import type { ContentAnswer, PageAnswer, PageRequest, PageRoute } from '../kit/page.js';
import { ButtonLink, PageHead, Panel, Time } from '../kit/ui/components.js';
import { formatTime } from '../kit/ui/format.js';
import { ImportBadge, progressSentence } from './outcome.js';
import { getImport, type ImportPages, importPath } from './pages.js';
import { previewPage } from './preview.js';
import { IgnoredColumns, RejectedRows } from './rows.js';
import { UndoPanel } from './undo.js';

/** Rejected rows shown on the page. The download has all of them. */
const ROWS = 100;
const REFRESH_SECONDS = 2;

/** The progress as JSON, polled by the page's script. */
export async function showProgress(
  pages: ImportPages,
  request: PageRequest,
): Promise<ContentAnswer> {
  const found = await getImport(pages, request);
  const { status, rowsTotal, rowsDone, rowsFailed } = found;
  const progress = { status, value: rowsDone + rowsFailed, max: rowsTotal };
  const sentence = progressSentence(pages, found);
  return { type: 'json', content: JSON.stringify({ ...progress, sentence }) };
}

/** The rows that were not imported, as a CSV file to correct and upload again. */
export async function exportLeft(pages: ImportPages, request: PageRequest): Promise<ContentAnswer> {
  const found = await getImport(pages, request);
  const { session } = request;
  return csvFile('not-imported.csv', session, format =>
    exportRowsLeft(pages.kind, session.companyId, found, format),
  );
}

/** Queues the undo. Sent again, it leads to the same import. */
export function undoButton(pages: ImportPages): PageRoute {
  return buttonForm(`${importPath(pages, ':id')}/undo`, pages.guard, async request => {
    const { companyId, userId } = request.session;
    const { id, undo } = await getImport(pages, request);
    const isQueued = await requestUndo(pages.kind, companyId, id, userId);
    const to = importPath(pages, id);
    return isQueued || undo ? { to } : { to, flash: 'This import can no longer be undone.' };
  });
}

/** The preview of an import, or its progress once it is started. */
export async function showImport(pages: ImportPages, request: PageRequest): Promise<PageAnswer> {
  const found = await getImport(pages, request);
  return found.status === 'preview'
    ? previewPage(pages, request, found, {})
    : progressPage(pages, request, found);
}

async function progressPage(
  pages: ImportPages,
  { session: { companyId, timeZone } }: PageRequest,
  found: ImportRecord,
): Promise<PageAnswer> {
  const { id, fileName, status, rowsTotal, rowsDone, rowsFailed } = found;
  const filter = { after: 0, limit: ROWS, which: 'refused' } as const;
  const rows = await listRowsLeft(pages.kind, companyId, id, filter);
  const isOver = status !== 'queued';
  const body = (
    <>
      <PageHead
        title={fileName}
        note={`Started by ${found.sentBy}, uploaded ${formatTime(found.createdAt, timeZone)}`}
      >
        {isOver && rowsDone < rowsTotal && (
          <ButtonLink href={`${importPath(pages, id)}/left.csv`} quiet>
            {status === 'done' ? 'Download rejected rows' : 'Download rows not imported'}
          </ButtonLink>
        )}
        {isOver && <ButtonLink href={pages.home}>{pages.homeLabel}</ButtonLink>}
      </PageHead>
      <Panel title={isOver ? 'Result' : 'Progress'} note={<ImportBadge found={found} />}>
        <Progress pages={pages} found={found} />
        <IgnoredColumns pages={pages} found={found} />
      </Panel>
      {isOver && (
        <UndoPanel words={pages.undo} found={found} action={`${importPath(pages, id)}/undo`} />
      )}
      {rows.length > 0 && (
        <RejectedRows
          rows={rows.map(({ errors, ...row }) => ({ ...row, problem: (errors ?? []).join(' ') }))}
          total={rowsFailed}
          more=" The download has all of them."
        />
      )}
    </>
  );
  const wait = isOver ? {} : { scripts: ['wait.js'], refreshSeconds: REFRESH_SECONDS };
  return { title: `Import of ${fileName}`, body, ...wait };
}

function Progress({ pages, found }: { pages: ImportPages; found: ImportRecord }) {
  const { id, status, undo, undoneBy, finishedAt, allOrNothing } = found;
  const { rowsDone, rowsFailed, rowsTotal } = found;
  const isQueued = status === 'queued';
  // An undo, and an import of all or nothing, is one transaction: its progress is indeterminate.
  const value = allOrNothing || undo === 'queued' ? undefined : rowsDone + rowsFailed;
  return (
    <div
      class="import-progress"
      data-progress={isQueued ? `${importPath(pages, id)}/progress` : undefined}
    >
      {isQueued && <progress aria-label="Rows processed" max={rowsTotal} value={value} />}
      <p role="status">{progressSentence(pages, found)}</p>
      {undo === 'done' && finishedAt != null && (
        <p class="note">
          Undone by {undoneBy}, <Time at={finishedAt} />
        </p>
      )}
    </div>
  );
}
