// How the pages of an import show the rows and columns of its file.
import { ignoredHeadings } from '../../imports/file/columns.js';
import type { JudgedRow, RepeatedRecord } from '../../imports/judgement.js';
import type { ImportRecord } from '../../imports/queries.js';
import { Panel } from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';
import { Table } from '../kit/ui/list.js';
import type { ImportPages, RejectedRow } from './pages.js';

/** Ignored columns named on the page. */
const MAX_IGNORED = 20;
/** Cells that identify a row. */
const ROW_CELLS = 3;

interface ImportProps {
  readonly pages: ImportPages;
  readonly found: ImportRecord;
}

/** The columns of the file that the import ignores. */
export function IgnoredColumns({ pages, found }: ImportProps) {
  const { columns } = pages.kind.format;
  const names = ignoredHeadings(found.header, columns.columnsOf(found.header, found.columns));
  if (names.length === 0) return null;
  const unused = found.columns === null ? columns.findUnusedFallback(found.header) : undefined;
  return (
    <p class="note">
      Ignored columns: {names.slice(0, MAX_IGNORED).join(', ')}
      {names.length > MAX_IGNORED && ' and others'}.
      {unused !== undefined && ` Another column has the same meaning as “${unused}”.`}
    </p>
  );
}

/** The first cells of a row that are not empty. */
export function summaryOf(cells: readonly string[]): string {
  const filled = cells.filter(cell => cell.trim() !== '');
  return filled.slice(0, ROW_CELLS).join(' · ');
}

interface RejectedRowsProps {
  readonly rows: readonly RejectedRow[];
  /** The number of all of them. */
  readonly total: number;
  /** Where all of them are, if not on the page. */
  readonly more?: string;
}

/** Rows that are not imported, each with the reason. */
export function RejectedRows({ rows, total, more = '' }: RejectedRowsProps) {
  const first = `First ${rows.length} of ${formatQuantity(total)}.${more}`;
  return (
    <Panel title="Rejected rows" note={total > rows.length && first} class="rejected-rows">
      <Table
        caption="Rejected rows"
        rows={rows}
        columns={[
          { head: 'Line', cell: ({ line }) => `Line ${line}` },
          { head: 'Row', cell: ({ cells }) => summaryOf(cells) },
          { head: 'Problem', cell: ({ problem }) => problem },
        ]}
      />
    </Panel>
  );
}

/** Rows of a file whose columns are not chosen yet. */
export function UnreadRows({ rows }: { rows: readonly JudgedRow[] }) {
  return (
    <Table
      caption="First rows"
      rows={rows}
      columns={[
        { head: 'Line', cell: ({ line }) => `Line ${line}` },
        { head: 'Row', cell: ({ cells }) => summaryOf(cells) },
      ]}
    />
  );
}

interface RepeatedProps {
  readonly pages: ImportPages;
  readonly records: readonly RepeatedRecord[];
}

/** The records that several rows are about. */
export function RepeatedRecords({ pages, records }: RepeatedProps) {
  const title = `${pages.records} on several lines`;
  return (
    <Panel title={title} note={pages.repeatedNote}>
      <Table
        caption={title}
        rows={records}
        columns={[
          { head: 'Name', cell: ({ label }) => label },
          {
            head: 'Lines',
            cell: ({ lines, rows }) => lines.join(', ') + (rows > lines.length ? ', …' : ''),
          },
        ]}
      />
    </Panel>
  );
}
