// One import: how far it is, and what was refused and why.
import { unknownColumns } from '../../inventory/imports/columns.js';
import {
  findImport,
  type ImportRow,
  type ImportStatus,
  listRowsLeft,
  type StockImport,
} from '../../inventory/imports/queries.js';
import { Problem } from '../../platform/errors.js';
import { isUuid } from '../../platform/values/ids.js';
import type { ContentAnswer, PageAnswer, PageRequest } from '../kit/page.js';
import { Badge, ButtonLink, PageHead, Panel, Table, type Tone } from '../kit/ui/components.js';
import { formatQuantity, formatTime } from '../kit/ui/format.js';

/** Refused rows on the page; all of them are in the file. */
const ROWS = 100;
const REFRESH_SECONDS = 2;

const STATES: Readonly<Record<ImportStatus, { readonly tone: Tone; readonly text: string }>> = {
  queued: { tone: 'plain', text: 'being imported' },
  done: { tone: 'good', text: 'done' },
  refused: { tone: 'bad', text: 'nothing imported' },
  failed: { tone: 'bad', text: 'stopped' },
};

export function ImportState({ status }: { status: ImportStatus }) {
  const { tone, text } = STATES[status];
  return <Badge tone={tone}>{text}</Badge>;
}

/** What the module of the page asks for. */
export async function showProgress(request: PageRequest): Promise<ContentAnswer> {
  const { status, rowsTotal, rowsDone, rowsFailed, allOrNothing } = await getImport(request);
  const sentence = sentenceOf({ status, rowsTotal, rowsDone, rowsFailed, allOrNothing });
  return {
    type: 'json',
    content: JSON.stringify({ status, sentence, value: rowsDone + rowsFailed, max: rowsTotal }),
  };
}

export async function showImport(request: PageRequest): Promise<PageAnswer> {
  const found = await getImport(request);
  const isOver = found.status !== 'queued';
  const rows = await listRowsLeft(request.session.companyId, found.id, {
    after: 0,
    limit: ROWS,
    all: false,
  });
  const ignored = unknownColumns(found.header);
  const left = found.rowsTotal - found.rowsDone;
  const body = (
    <>
      <PageHead
        title={found.fileName}
        note={`Sent by ${found.sentBy}, ${formatTime(found.createdAt, request.session.timeZone)}`}
      >
        {isOver && left > 0 && (
          <ButtonLink href={`/inventory/imports/${found.id}/left.csv`} quiet>
            Download what was not imported
          </ButtonLink>
        )}
        {isOver && <ButtonLink href="/inventory">To the inventory</ButtonLink>}
      </PageHead>
      <Panel title="Progress" note={<ImportState status={found.status} />}>
        <Progress found={found} />
        {ignored.length > 0 && (
          <p class="note">
            Columns that were passed over: {ignored.slice(0, 20).join(', ')}
            {ignored.length > 20 && ' and others'}.
          </p>
        )}
      </Panel>
      {rows.length > 0 && <Refused found={found} rows={rows} />}
    </>
  );
  const waits = isOver ? {} : { scripts: ['wait.js'], refreshSeconds: REFRESH_SECONDS };
  return { title: `Import of ${found.fileName}`, body, ...waits };
}

/** Throws Problem `not_found`. */
async function getImport({ session, params: { id = '' } }: PageRequest): Promise<StockImport> {
  const found = isUuid(id) ? await findImport(session.companyId, id) : null;
  if (!found) throw new Problem('not_found', 'There is no such import.');
  return found;
}

function Progress({ found }: { found: StockImport }) {
  const { id, status, rowsDone, rowsFailed, rowsTotal, allOrNothing } = found;
  const waits = status === 'queued' ? { 'data-progress': `/inventory/imports/${id}/progress` } : {};
  // All at once has no parts of which some are done.
  const value = status === 'queued' && allOrNothing ? undefined : rowsDone + rowsFailed;
  return (
    <div class="import-progress" {...waits}>
      {status === 'queued' && (
        <progress aria-label="Rows worked off" max={rowsTotal} value={value} />
      )}
      <p role="status">{sentenceOf(found)}</p>
    </div>
  );
}

type Counts = Pick<
  StockImport,
  'status' | 'rowsTotal' | 'rowsDone' | 'rowsFailed' | 'allOrNothing'
>;

function sentenceOf({ status, rowsTotal, rowsDone, rowsFailed, allOrNothing }: Counts): string {
  const [total, done, failed] = [rowsTotal, rowsDone, rowsFailed].map(formatQuantity) as [
    string,
    string,
    string,
  ];
  if (status === 'queued') {
    if (allOrNothing)
      return `All ${total} rows are being imported at once. You may leave this page.`;
    return `${formatQuantity(rowsDone + rowsFailed)} of ${total} rows are worked off. You may leave this page.`;
  }
  if (status === 'refused')
    return `${failed} of ${total} rows are not right, so nothing was imported.`;
  if (status === 'failed') {
    return `${done} of ${total} rows were imported, then something went wrong on our side. The rest can be sent again.`;
  }
  if (rowsFailed === 0)
    return rowsTotal === 1 ? 'The one row was imported.' : `All ${total} rows were imported.`;
  return `${done} of ${total} rows were imported, ${failed} ${rowsFailed === 1 ? 'was' : 'were'} refused.`;
}

function Refused({
  found: { rowsFailed },
  rows,
}: {
  found: StockImport;
  rows: readonly ImportRow[];
}) {
  const more = rowsFailed > rows.length;
  const note = more
    ? `The first ${rows.length} of ${formatQuantity(rowsFailed)}; the download has all`
    : undefined;
  return (
    <Panel title="Refused rows" note={note}>
      <Table
        caption="Refused rows"
        rows={rows}
        columns={[
          { head: 'Line', cell: ({ line }) => `Line ${line}` },
          {
            head: 'Row',
            cell: ({ cells }) =>
              cells
                .filter(cell => cell.trim() !== '')
                .slice(0, 3)
                .join(' · '),
          },
          { head: 'What is wrong', cell: ({ errors }) => (errors ?? []).join(' ') },
        ]}
      />
    </Panel>
  );
}
