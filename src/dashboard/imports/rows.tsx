// How the pages of an import show the rows and columns of its file.
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
  const names = pages.ignored(found);
  if (names.length === 0) return null;
  return (
    <p class="note">
      Ignored columns: {names.slice(0, MAX_IGNORED).join(', ')}
      {names.length > MAX_IGNORED && ' and others'}.{pages.ignoredNote?.(found)}
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
