// Operators → Companies: every company with its usage and last write. Each figure is a counter or
// the end of an index, so the page stays cheap at any size.
import { type CompanyView, listCompanies } from '../../companies/queries.js';
import { lastActivityTimes } from '../../invoices/queries.js';
import type { Cursors } from '../../platform/http/pagination.js';
import { searchText } from '../../platform/values/search-text.js';
import type { Usage, UsageOf } from '../keys/usage.js';
import { addressOf } from '../kit/lists/filters.js';
import { SearchForm } from '../kit/lists/search-form.js';
import type { PageAnswer, PageRequest } from '../kit/page.js';
import {
  Bar,
  ButtonLink,
  Empty,
  PageHead,
  Pager,
  Panel,
  Quantity,
  Time,
} from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';
import { Table } from '../kit/ui/list.js';
import { readStart } from './list-cursor.js';

const COMPANIES = '/admin/companies';
/** Signs the list's cursors. */
const LIST = 'all companies';
/** Each row costs one read of its request count. */
const PAGE_SIZE = 25;

interface CompanyRow extends CompanyView {
  readonly usage: Usage;
  readonly lastWriteAt: string | null;
}

export async function showCompanies(
  request: PageRequest,
  usageOf: UsageOf,
  cursors: Cursors,
): Promise<PageAnswer> {
  const { session, query } = request;
  const search = searchText(query.get('search'));
  const start = readStart(request, cursors, LIST);
  const { companies, next } = await listCompanies(search, start, PAGE_SIZE);
  const after = next && cursors.cursor(session.companyId, LIST, next);
  const rows = await withActivity(companies, usageOf);
  const body = (
    <>
      <PageHead title="Companies" note="All companies of this installation, by name." />
      <div class="filters">
        <SearchForm
          path={COMPANIES}
          name="search"
          text={search}
          placeholder="Part of the name, or the ID"
        />
      </div>
      {rows.length === 0 ? (
        <Empty
          title="No company matches"
          icon="search"
          actions={
            <ButtonLink href={COMPANIES} quiet>
              Show all companies
            </ButtonLink>
          }
        />
      ) : (
        <Panel title={search === '' ? 'All companies' : `Companies with “${search}”`}>
          <CompanyTable rows={rows} />
          <Pager
            first={start && addressOf(COMPANIES, { search })}
            next={after && addressOf(COMPANIES, { search, after })}
          />
        </Panel>
      )}
    </>
  );
  return { title: 'Companies', body };
}

async function withActivity(
  companies: readonly CompanyView[],
  usageOf: UsageOf,
): Promise<CompanyRow[]> {
  const ids = companies.map(({ companyId }) => companyId);
  const [activity, usages] = await Promise.all([
    lastActivityTimes(ids),
    Promise.all(
      companies.map(({ companyId, rateLimitPerHour }) => usageOf(companyId, rateLimitPerHour)),
    ),
  ]);
  return companies.map((company, index) => ({
    ...company,
    usage: usages[index] as Usage,
    lastWriteAt: activity.get(company.companyId) ?? null,
  }));
}

function CompanyTable({ rows }: { rows: readonly CompanyRow[] }) {
  return (
    <Table
      caption="Companies by name"
      rows={rows}
      columns={[
        {
          head: 'Company',
          cell: ({ name, companyId }) => (
            <>
              <span class="wraps">{name}</span>
              <code class="key-id wraps">{companyId}</code>
            </>
          ),
        },
        { head: 'Invoices', align: 'end', cell: ({ invoices }) => <Quantity value={invoices} /> },
        {
          head: 'Requests this hour',
          cell: ({ usage: { used, limit } }) => (
            <div class="usage">
              <span>
                <span class="figure">{formatQuantity(Math.min(used, limit))}</span> of{' '}
                {formatQuantity(limit)}
              </span>
              <Bar share={used / limit} />
            </div>
          ),
        },
        {
          head: 'Last write',
          cell: ({ lastWriteAt }) => (lastWriteAt ? <Time at={lastWriteAt} /> : 'None yet'),
        },
        { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}
