// The overview of a period: this month unless the address names another one. Stock figures are
// always current.
import { listLowItems } from '../../inventory/short-lists.js';
import { dayIn } from '../../platform/values/days.js';
import { readDueFigures } from '../../summary/ages.js';
import { readSummary } from '../../summary/queries.js';
import {
  listNetTotals,
  readEntryRange,
  readRange,
  type TopCustomer,
  type TopItem,
} from '../../summary/ranges.js';
import { may } from '../../users/roles.js';
import { FailedLine, readFailedCount } from '../emails/failed.js';
import type { Item } from '../inventory/item-view.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { readTyped, typedDays } from '../kit/lists/refused-dates.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { ButtonLink, PageHead } from '../kit/ui/components.js';
import { formatAge } from '../kit/ui/format.js';
import { readEndpoints, WebhookBanner } from '../webhooks/parts.js';
import { areDone, areNew, FirstSteps, readFirstSteps } from './first-steps.js';
import { LowStock } from './low-stock.js';
import { OutstandingTile } from './outstanding-tile.js';
import { type Period, readPeriod } from './period.js';
import { OverviewPeriod } from './period-form.js';
import { SalesChart } from './sales-chart.js';
import { SalesTile, type StockSummary, Tiles } from './tiles.js';
import { readTops, TopLists } from './top-lists.js';

const MAX_LOW_SHOWN = 8;

/** The members of the API's summary that the page shows. Its top lists are for this month. */
interface Summary {
  readonly topCustomers: readonly TopCustomer[];
  readonly topItems: readonly TopItem[];
  readonly inventory: StockSummary;
  readonly unallocated: { readonly total: string };
  readonly computedAt: string;
}

export async function showOverview(request: PageRequest): Promise<Answer> {
  const { session, query } = request;
  const today = dayIn(session.timeZone, new Date());
  const typed = readTyped(() => readPeriod(query, today));
  if ('refusal' in typed) return refusedPage(query, typed.refusal);
  const period = typed.read;
  const isOwner = may(session.role, 'manage-keys');
  const [overview, steps, failed, endpoints] = await Promise.all([
    readOverview(request, period, today),
    readFirstSteps(request),
    readFailedCount(session),
    isOwner ? readEndpoints(session.companyId) : [],
  ]);
  const isNew = steps !== null && areNew(steps);
  // A page has one primary button, and the next step has it.
  const hasNextStep = steps !== null && !areDone(steps);
  const canHide = may(session.role, 'change-settings');
  const showsSteps = steps !== null && (canHide || !areDone(steps));
  const age = formatAge(overview.summary.computedAt, new Date());
  const body = (
    <div class="overview">
      <PageHead title="Overview" note={isNew ? '' : `${period.name} · Updated ${age}`}>
        <ButtonLink href="/invoices/new" quiet={hasNextStep}>
          New invoice
        </ButtonLink>
      </PageHead>
      <FailedLine count={failed} />
      <WebhookBanner endpoints={endpoints} />
      {showsSteps && <FirstSteps steps={steps} canHide={canHide} />}
      {!isNew && <Figures request={request} period={period} {...overview} />}
    </div>
  );
  return { title: 'Overview', body, scripts: ['chart.js'] };
}

/** The days as they were typed, with the sentence that says what is wrong with them. */
function refusedPage(query: URLSearchParams, refusal: string): Answer {
  const { from, to } = typedDays(query);
  const period = { preset: null, from: from ?? '', to: to ?? '' };
  const body = (
    <div class="overview">
      <PageHead title="Overview" />
      <OverviewPeriod period={period} refusal={refusal} />
    </div>
  );
  return { title: 'Overview', body, status: 400 };
}

async function readOverview({ session }: PageRequest, period: Period, today: string) {
  const { companyId, currency, timeZone } = session;
  const summary = parseDecimalJson<Summary>(
    (await readSummary(companyId, currency, timeZone)) ?? '{}',
  );
  const { topCustomers: customers, topItems: items } = summary;
  const [figures, due, entries, totals, previousTotals, low, tops] = await Promise.all([
    readRange(companyId, period, currency),
    readDueFigures(companyId, today),
    readEntryRange(companyId, period),
    listNetTotals(companyId, period, period.unit),
    listNetTotals(companyId, period.previous, period.unit),
    listLowItems(companyId, MAX_LOW_SHOWN),
    readTops(companyId, period, { customers, items }),
  ]);
  return { summary, figures, due, entries, totals, previousTotals, low, tops };
}

interface FiguresProps extends Awaited<ReturnType<typeof readOverview>> {
  readonly request: PageRequest;
  readonly period: Period;
}

function Figures(props: FiguresProps) {
  const { request, period, figures, due, entries, summary, low, tops } = props;
  const { totals, previousTotals } = props;
  const { canSee } = request;
  const { inventory: stock, unallocated } = summary;
  return (
    <>
      <OverviewPeriod period={period} />
      <div class="tiles leads">
        <SalesTile period={period} figures={figures}>
          <SalesChart period={period} totals={totals} previousTotals={previousTotals} />
        </SalesTile>
        <OutstandingTile due={due} />
      </div>
      <Tiles {...{ period, figures, entries, unallocated, stock, canSee }} />
      <TopLists tops={tops} period={period} />
      <LowStock count={stock.low} items={parseDecimalJson<Item[]>(low)} canSee={canSee} />
    </>
  );
}
