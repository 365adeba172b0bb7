// A page with a list: its filters, its rows as links, the links to its other pages, and its file.
// A section declares the list; this page reads the address and renders it.
import type { ComponentChildren, ComponentType } from 'preact';
import type { Cursors } from '../../../platform/http/pagination.js';
import { dayIn } from '../../../platform/values/days.js';
import { type CsvContent, filteredName, periodCsvFile } from '../downloads.js';
import type { Answer, ContentAnswer, PageRequest } from '../page.js';
import { ButtonLink, PageHead } from '../ui/components.js';
import { List, ListFoot } from '../ui/list.js';
import { FilterBar, type FilteredList, RefusedFilters } from './filter-bar.js';
import { addressOf, type Choices, type Filters, readFilters } from './filters.js';
import {
  cursorNameOf,
  type OrderedList,
  readOrdered,
  readPageStart,
  visibleFilters,
} from './ordered-list.js';
import { readTyped, typedDays } from './refused-dates.js';
import { TooMany, withFigureOrders, withFigureSorts } from './sorts.js';

export interface ListPage<Row, Name extends string>
  extends FilteredList<Name>,
    OrderedList<Row, Name> {
  readonly title: string;
  /** The path of a row's page; null for none. By default the list's path with the row's id. */
  readonly hrefOf?: (row: Row) => string | null;
  /** The class of the list's panel. */
  readonly class?: string;
  /** The parameters other than the search. `order` sorts the list; any other one filters it. */
  readonly choices: Choices<Name>;
  /** Describes the table to screen readers; the title by default. */
  readonly caption?: string;
  /** The file of all rows that the filters select. */
  readonly exportRows?: ExportRows<Name>;
  /** A second file: the lines of these rows, at `lines.csv` below the list. */
  readonly exportLines?: { readonly label: string; readonly rows: ExportRows<Name> };
  /** The text to search for in place of a typed one, such as a customer's name for its number. */
  readonly meantText?: (companyId: string, text: string) => Promise<string>;
  /** A link to another list of the company's, or null for none. */
  readonly related?: (companyId: string) => Promise<Related | null>;
  /** The page's actions other than the export. */
  readonly Actions?: ComponentType<{ isEmpty: boolean }>;
  /** Replaces the list as long as the company has no rows at all. */
  readonly Nothing: ComponentType;
  /** True if the company has rows which the list hides unless a filter selects them. */
  readonly hasHidden?: (companyId: string) => Promise<boolean>;
  /** Replaces the rows if no row matches the filters. */
  readonly NoMatch: ComponentType<{ filters: Filters<Name> }>;
}

type ExportRows<Name extends string> = (
  companyId: string,
  filters: Filters<Name>,
  format: Parameters<CsvContent>[0],
) => AsyncIterable<string>;

export interface Related {
  readonly label: string;
  readonly href: string;
}

export async function showList<Row extends { readonly id: string }, Name extends string>(
  list: ListPage<Row, Name>,
  request: PageRequest,
  pager: Cursors,
): Promise<Answer> {
  const { title, Actions } = list;
  const section = await listSection(list, request, pager);
  if ('to' in section) return section;
  const { isEmpty, status } = section;
  const related = await list.related?.(request.session.companyId);
  const body = (
    <>
      <PageHead title={title}>
        {related && (
          <ButtonLink href={related.href} quiet>
            {related.label}
          </ButtonLink>
        )}
        {list.exportRows && !isEmpty && status === undefined && (
          <ExportLinks list={list} filters={filtersOf(list, request.query)} />
        )}
        {Actions && <Actions isEmpty={isEmpty} />}
      </PageHead>
      {section.body}
    </>
  );
  return { title, body, ...(status && { status }) };
}

interface ListSection {
  readonly body: ComponentChildren;
  readonly isEmpty: boolean;
  /** Set if the dates are refused. */
  readonly status?: 400;
}

/**
 * The list without the head of a page, for a page with more than the list. `own` are parameters of
 * that page's address. The page before the first one is an address to go to.
 */
export async function listSection<Row extends { readonly id: string }, Name extends string>(
  list: ListPage<Row, Name>,
  { session: { companyId, timeZone, role }, query }: PageRequest,
  pager: Cursors,
  own: Readonly<Record<string, string>> = {},
): Promise<ListSection | { readonly to: string }> {
  const { title, path, figures, Nothing, NoMatch } = list;
  const today = dayIn(timeZone, new Date());
  const typed = readTyped(() => filtersOf(list, query));
  if ('refusal' in typed) return refusedSection(list, query, own, today, typed.refusal);
  const selected = visibleFilters(list, typed.read, today, role);
  const filters = { ...own, ...selected };
  const start = readPageStart(list, selected, companyId, query, pager);
  const meant = await meantFilters(list, companyId, selected);
  const { page, tooMany } = await readOrdered(list, companyId, meant, start);
  const { rows, next, previous = null, extent, sums } = page;
  // The first page is full, and includes rows that were added in the meantime.
  if (start?.direction === 'before' && previous === null) return { to: addressOf(path, filters) };
  const isEmpty =
    rows.length === 0 &&
    start === null &&
    !isFiltered(selected) &&
    !(await list.hasHidden?.(companyId));
  if (isEmpty) return { isEmpty, body: <Nothing /> };
  const shown = tooMany ? { ...filters, order: null } : filters;
  const cursorName = cursorNameOf(list, shown);
  const columns = list.columns(shown, today);
  const hrefAt = (name: string, position: readonly string[] | null) =>
    position &&
    addressOf(path, { ...shown, [name]: pager.cursor(companyId, cursorName, position) });
  const body = (
    <>
      <FilterBar list={list} filters={filters} clearHref={addressOf(path, own)} today={today} />
      {figures && tooMany && <TooMany figures={figures} order={tooMany} />}
      {rows.length === 0 ? (
        <NoMatch filters={filters} />
      ) : (
        <div class={`panel list-panel ${list.class ?? ''}`}>
          <List
            caption={list.caption ?? title}
            rows={rows}
            hrefOf={list.hrefOf ?? (({ id }) => `${path}/${id}`)}
            columns={figures ? withFigureSorts(columns, figures, path, shown) : columns}
          />
        </div>
      )}
      <ListFoot
        extent={extent}
        sums={sums}
        count={rows.length}
        first={start && !tooMany && !list.goesBack ? addressOf(path, filters) : null}
        previous={list.goesBack ? hrefAt('before', previous) : null}
        next={hrefAt(list.goesBack ? 'after' : 'cursor', next)}
      />
    </>
  );
  return { isEmpty, body };
}

/** The filters as they were typed, with the reason why their dates are refused. */
function refusedSection<Row, Name extends string>(
  list: ListPage<Row, Name>,
  query: URLSearchParams,
  own: Readonly<Record<string, string>>,
  today: string,
  refusal: string,
): ListSection {
  const { path, choices, figures } = list;
  const others = readFilters(query, withFigureOrders(choices, figures), false);
  const filters = { ...own, ...others, ...typedDays(query) };
  const shown = { list, filters, clearHref: addressOf(path, own), today, refusal };
  return { isEmpty: false, status: 400, body: <RefusedFilters {...shown} /> };
}

type Exported<Row, Name extends string> = Pick<
  ListPage<Row, Name>,
  'title' | 'path' | 'exportLines'
>;

/** The list's file, or a menu with both of its files. */
function ExportLinks<Row, Name extends string>({
  list: { title, path, exportLines },
  filters,
}: {
  list: Exported<Row, Name>;
  filters: Filters<Name>;
}) {
  const href = addressOf(`${path}/export.csv`, filters);
  if (!exportLines)
    return (
      <ButtonLink href={href} quiet>
        Export
      </ButtonLink>
    );
  return (
    <details class="popover">
      <summary class="button quiet">Export</summary>
      <div class="menu">
        <a class="menu-link" href={href}>
          {title} as CSV
        </a>
        <a class="menu-link" href={addressOf(`${path}/lines.csv`, filters)}>
          {exportLines.label}
        </a>
      </div>
    </details>
  );
}

/** The rows that the list shows, as a file. */
export function exportList<Row, Name extends string>(
  list: ListPage<Row, Name>,
  request: PageRequest,
): Promise<ContentAnswer> {
  return listFile(list, list.exportRows, list.path.slice(1), request);
}

/** The lines of the rows that the list shows, as a file. */
export function exportListLines<Row, Name extends string>(
  list: ListPage<Row, Name>,
  request: PageRequest,
): Promise<ContentAnswer> {
  return listFile(list, list.exportLines?.rows, `${list.path.slice(1)}-lines`, request);
}

async function listFile<Row, Name extends string>(
  list: ListPage<Row, Name>,
  exportRows: ExportRows<Name> | undefined,
  name: string,
  { session, query }: PageRequest,
): Promise<ContentAnswer> {
  if (!exportRows) throw new Error(`The list ${list.path} has no file ${name}.`);
  const { companyId } = session;
  const filters = filtersOf(list, query);
  const meant = await meantFilters(list, companyId, filters);
  return periodCsvFile(filteredName(name, filters), filters, session, format =>
    exportRows(companyId, meant, format),
  );
}

function filtersOf<Row, Name extends string>(
  { choices, dates, figures }: ListPage<Row, Name>,
  query: URLSearchParams,
): Filters<Name> {
  return readFilters(query, withFigureOrders(choices, figures), dates !== undefined);
}

async function meantFilters<Row, Name extends string>(
  { meantText }: ListPage<Row, Name>,
  companyId: string,
  filters: Filters<Name>,
): Promise<Filters<Name>> {
  if (!meantText || filters.q === null) return filters;
  return { ...filters, q: await meantText(companyId, filters.q) };
}

function isFiltered(filters: object): boolean {
  return Object.entries(filters).some(([name, value]) => name !== 'order' && value !== null);
}
