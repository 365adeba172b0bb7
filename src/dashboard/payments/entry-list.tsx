// A list of payments or of credit notes, newest first, with its search and its file.
import type { ComponentType } from 'preact';
import { CSV_TYPE } from '../../inventory/imports/csv.js';
import { type ExportedType, exportEntries } from '../../ledger/export.js';
import { listEntries } from '../../ledger/queries.js';
import type { Pager as Cursors } from '../../platform/http/pagination.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import type { Answer, ContentAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink, Empty, PageHead, Pager } from '../kit/ui/components.js';
import { dayIn } from '../kit/ui/format.js';
import { List, type ListColumn, Tabs } from '../kit/ui/list.js';
import { SearchForm } from '../kit/ui/search-form.js';
import {
  type EntrySearch,
  filterOf,
  hrefOf,
  isFiltered,
  MAX_TEXT,
  readSearch,
} from './entry-filter.js';

const ROWS = 50;

export interface EntryList<Row> {
  readonly type: ExportedType;
  readonly title: string;
  readonly path: string;
  /** Signs the list's cursors. */
  readonly cursorName: string;
  /** Names what the search finds. */
  readonly placeholder: string;
  readonly columns: readonly ListColumn<Row>[];
  /** Beside the title. */
  readonly Action?: ComponentType;
  /** Instead of the list while there is nothing in it. */
  readonly Nothing: ComponentType;
  /** Of a search without a result. */
  readonly hint: string;
}

export async function showEntryList<Row extends { readonly id: string }>(
  list: EntryList<Row>,
  { session: { companyId }, query }: PageRequest,
  cursors: Cursors,
): Promise<Answer> {
  const { type, title, path, cursorName, Action, Nothing } = list;
  const search = readSearch(query);
  const position = cursors.position(companyId, cursorName, query.get('cursor') ?? undefined);
  const page = await listEntries(companyId, type, { ...filterOf(search), limit: ROWS }, position);
  const rows = parseDecimalJson<Row[]>(page.body);
  const isEmpty = rows.length === 0 && !isFiltered(search) && position === undefined;
  const next = page.next && hrefOf(path, search, cursors.cursor(companyId, cursorName, page.next));
  const body = (
    <>
      <PageHead title={title}>
        {!isEmpty && (
          <ButtonLink href={hrefOf(`${path}/export.csv`, search)} quiet>
            Export
          </ButtonLink>
        )}
        {Action && <Action />}
      </PageHead>
      {isEmpty ? (
        <Nothing />
      ) : (
        <>
          <Filters list={list} search={search} />
          {rows.length === 0 ? <NoMatch list={list} /> : <Rows list={list} rows={rows} />}
          <Pager first={position ? hrefOf(path, search) : null} next={next} />
        </>
      )}
    </>
  );
  return { title, body };
}

/** The entries that the list shows, as a file. */
export function exportEntryList(
  { type, path }: Pick<EntryList<never>, 'type' | 'path'>,
  { session: { companyId, timeZone }, query }: PageRequest,
): ContentAnswer {
  return {
    type: CSV_TYPE,
    content: exportEntries(companyId, type, filterOf(readSearch(query))),
    fileName: `${path.slice(1)}-${dayIn(timeZone, new Date())}.csv`,
  };
}

interface FiltersProps {
  readonly list: Pick<EntryList<never>, 'path' | 'placeholder'>;
  readonly search: EntrySearch;
}

function Filters({ list: { path, placeholder }, search }: FiltersProps) {
  const { text, from, to, unallocated } = search;
  return (
    <div class="filters">
      <Tabs
        label="Status"
        tabs={[false, true].map(state => ({
          label: state ? 'Unallocated' : 'All',
          href: hrefOf(path, { ...search, unallocated: state }),
          isCurrent: unallocated === state,
        }))}
      />
      <SearchForm
        path={path}
        kept={unallocated ? [['unallocated', '1']] : []}
        text={text}
        maxLength={MAX_TEXT}
        placeholder={placeholder}
        dates={{ from, to }}
      />
    </div>
  );
}

interface RowsProps<Row> {
  readonly list: EntryList<Row>;
  readonly rows: readonly Row[];
}

function Rows<Row extends { readonly id: string }>({ list, rows }: RowsProps<Row>) {
  return (
    <div class="panel list-panel">
      <List
        caption={list.title}
        rows={rows}
        hrefOf={({ id }) => `${list.path}/${id}`}
        columns={list.columns}
      />
    </div>
  );
}

function NoMatch({ list }: { list: Pick<EntryList<never>, 'title' | 'path' | 'hint'> }) {
  return (
    <Empty title={`No matching ${list.title.toLowerCase()}.`}>
      <p>
        {list.hint} <a href={list.path}>Clear search</a>
      </p>
    </Empty>
  );
}
