// Operators → Companies: who uses this installation, how much, and when last. All figures are counters or the end of an index.
import { type CompanyView, listCompanies } from '../../companies/queries.js';
import { lastActivityTimes } from '../../invoices/queries.js';
import { isUuid } from '../../platform/values/ids.js';
import type { Usage, UsageOf } from '../keys/usage.js';
import type { PageAnswer, PageRequest } from '../kit/page.js';
import { Bar, Empty, PageHead, Pager, Panel, Quantity, Table, Time } from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';
import { listAddress, placeText, readPlace } from './list-cursor.js';

const COMPANIES = '/admin/companies';
/** Each costs a look at its count. */
const PAGE = 25;

interface Row extends CompanyView {
  readonly usage: Usage;
  readonly lastActivity: string | null;
}

export async function showCompanies({ query }: PageRequest, usageOf: UsageOf): Promise<PageAnswer> {
  const search = (query.get('search') ?? '').trim();
  const after = readPlace(query.get('after'), (_name, id) => isUuid(id));
  const { companies, next } = await listCompanies(search, after, PAGE);
  const rows = await withActivity(companies, usageOf);
  const body = (
    <>
      <PageHead title="Companies" note="All companies of this installation, by name." />
      <form method="get" action={COMPANIES} class="search">
        <label for="search" class="unseen">
          A part of the name, or the id
        </label>
        <input
          id="search"
          name="search"
          type="search"
          value={search}
          placeholder="A part of the name, or the id"
        />
        <button type="submit" class="button quiet">
          Search
        </button>
      </form>
      {rows.length === 0 ? (
        <Empty title={search === '' ? 'No companies yet.' : 'No company is found.'}>
          <p>
            {search === '' ? (
              'The first one is made by signing up.'
            ) : (
              <a href={COMPANIES}>Show all companies</a>
            )}
          </p>
        </Empty>
      ) : (
        <Panel title={search === '' ? 'All companies' : `Companies with “${search}”`}>
          <CompanyTable rows={rows} />
          <Pager
            first={after && listAddress(COMPANIES, { search })}
            next={next && listAddress(COMPANIES, { search, after: placeText(next) })}
          />
        </Panel>
      )}
    </>
  );
  return { title: 'Companies', body };
}

async function withActivity(companies: readonly CompanyView[], usageOf: UsageOf): Promise<Row[]> {
  const ids = companies.map(({ companyId }) => companyId);
  const [activity, usages] = await Promise.all([
    lastActivityTimes(ids),
    Promise.all(
      companies.map(({ companyId, rateLimitPerHour }) => usageOf(companyId, rateLimitPerHour)),
    ),
  ]);
  return companies.map((company, at) => ({
    ...company,
    usage: usages[at] as Usage,
    lastActivity: activity.get(company.companyId) ?? null,
  }));
}

function CompanyTable({ rows }: { rows: readonly Row[] }) {
  return (
    <Table
      caption="Companies by name"
      rows={rows}
      columns={[
        {
          head: 'Company',
          cell: ({ name, companyId }) => (
            <>
              {name}
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
          cell: ({ lastActivity }) => (lastActivity ? <Time at={lastActivity} /> : 'none yet'),
        },
        { head: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}
