// Operators → Companies: every company with its usage and last write. Each figure is a counter or
// the end of an index, so the page stays cheap at any size.
import { type CompanyView, listCompanies } from '../../companies/queries.js';
import { lastActivityTimes } from '../../invoices/queries.js';
import { isUuid } from '../../platform/values/ids.js';
import type { Usage, UsageOf } from '../keys/usage.js';
import type { PageAnswer, PageRequest } from '../kit/page.js';
import {
  Bar,
  ButtonLink,
  Empty,
  PageHead,
  Pager,
  Panel,
  Quantity,
  Table,
  Time,
} from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';
import { formatCursor, listUrl, parseCursor } from './list-cursor.js';

const COMPANIES = '/admin/companies';
/** Each row costs one read of its request count. */
const PAGE_SIZE = 25;

interface CompanyRow extends CompanyView {
  readonly usage: Usage;
  readonly lastWriteAt: string | null;
}

export async function showCompanies({ query }: PageRequest, usageOf: UsageOf): Promise<PageAnswer> {
  const search = (query.get('search') ?? '').trim();
  const after = parseCursor(query.get('after'), (_name, id) => isUuid(id));
  const { companies, next } = await listCompanies(search, after, PAGE_SIZE);
  const rows = await withActivity(companies, usageOf);
  const body = (
    <>
      <PageHead title="Companies" note="All companies of this installation, by name." />
      <form method="get" action={COMPANIES} class="search">
        <label for="search" class="unseen">
          Part of the name, or the ID
        </label>
        <input
          id="search"
          name="search"
          type="search"
          value={search}
          placeholder="Part of the name, or the ID"
        />
        <button type="submit" class="button quiet">
          Search
        </button>
      </form>
      {rows.length === 0 ? (
        <Empty
          title="No company matches."
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
            first={after && listUrl(COMPANIES, { search })}
            next={next && listUrl(COMPANIES, { search, after: formatCursor(next) })}
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
              <code class="key-id">{companyId}</code>
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
