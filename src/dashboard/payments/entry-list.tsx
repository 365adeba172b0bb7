// A list of payments or of credit notes, newest first, with its search and its file.
import { type ExportedType, exportEntries } from '../../ledger/export.js';
import { type EntryFilter, listEntries } from '../../ledger/queries.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import type { Filters } from '../kit/lists/filters.js';
import { LIST_ROWS, type ListPage } from '../kit/lists/list-page.js';
import { Empty } from '../kit/ui/components.js';
import type { ListColumn } from '../kit/ui/list.js';

/** The name of the API's filter: ?unallocated=1. */
type Name = 'unallocated';
export type EntryListPage<Row> = ListPage<Row, Name>;

type OwnParts = 'title' | 'path' | 'cursorName' | 'placeholder' | 'Actions' | 'Nothing';

interface EntryListProps<Row> extends Pick<EntryListPage<Row>, OwnParts> {
  readonly type: ExportedType;
  readonly columns: readonly ListColumn<Row>[];
  /** Advice for a search without a result. */
  readonly hint: string;
}

export function entryList<Row>(props: EntryListProps<Row>): EntryListPage<Row> {
  const { type, columns, hint, ...list } = props;
  return {
    ...list,
    dates: 'fields',
    choices: { unallocated: ['1'] },
    tabsLabel: 'Status',
    tabs: [{ label: 'All' }, { label: 'Unallocated', values: { unallocated: '1' } }],
    columns: () => columns,
    exportRows: (companyId, filters, format) =>
      exportEntries(companyId, type, filterOf(filters), format),
    async read(companyId, filters, start) {
      const filter = { ...filterOf(filters), limit: LIST_ROWS };
      const { body, next } = await listEntries(companyId, type, filter, start?.position);
      return { rows: parseDecimalJson<Row[]>(body), next };
    },
    NoMatch: () => (
      <Empty title={`No matching ${list.title.toLowerCase()}`} icon="search">
        <p>
          {hint} <a href={list.path}>Clear search</a>
        </p>
      </Empty>
    ),
  };
}

function filterOf({ q, from, to, unallocated }: Filters<Name>): Omit<EntryFilter, 'limit'> {
  return {
    unallocated: unallocated !== null,
    ...(q === null ? {} : { search: q }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
}
