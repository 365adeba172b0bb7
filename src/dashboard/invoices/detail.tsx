// One invoice: its balance, customer, lines and total, its entries, its stock movements, and its
// author.
import type { ShownActor } from '../../companies/actor.js';
import { type InvoiceMovement, listInvoiceMovements } from '../../inventory/queries.js';
import { isOverdue } from '../../invoices/overdue.js';
import { findInvoiceSources } from '../../invoices/queries.js';
import { findJobOfResult, type JobState } from '../../jobs/queries.js';
import { StockQuantity } from '../inventory/item-view.js';
import { JobFacts } from '../kit/forms/job-page.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { Badge, ButtonLink, By, Day, Money, PageHead, Panel, Time } from '../kit/ui/components.js';
import { dayIn } from '../kit/ui/format.js';
import { List } from '../kit/ui/list.js';
import { Stat, Stats } from '../kit/ui/stats.js';
import { Entries, readEntries } from './entries.js';
import { InvoiceActions } from './invoice-actions.js';
import { countOf, getInvoice, type Invoice, statusLabel } from './invoice-view.js';
import { Sheet } from './sheet.js';
import { InvoiceStatus } from './status.js';

export async function showInvoice({
  session,
  params,
  origin,
  canSee,
}: PageRequest): Promise<Answer> {
  const { companyId, timeZone } = session;
  const today = dayIn(timeZone, new Date());
  const invoice = await getInvoice(companyId, params.id);
  const { id, number } = invoice;
  const [entries, movements, job, sources] = await Promise.all([
    readEntries(companyId, id),
    listInvoiceMovements(companyId, id),
    findJobOfResult(companyId, id, invoice.createdAt),
    findInvoiceSources(companyId, [id]),
  ]);
  const linkItems = canSee('/inventory/:id');
  const body = (
    <>
      <PageHead title={number}>
        <CopyLink url={`${origin}/invoices/${id}`} />
        <ButtonLink href={`/invoices/new?copy=${id}`} quiet>
          Duplicate
        </ButtonLink>
        <ButtonLink href={`/invoices/${id}/print`} quiet>
          Print or PDF
        </ButtonLink>
        <InvoiceActions invoice={invoice} canSee={canSee} />
      </PageHead>
      <Settlement invoice={invoice} today={today} />
      <Sheet invoice={invoice} linkItems={linkItems} />
      <Entries invoice={invoice} {...entries} canSee={canSee} />
      <div class="columns">
        <StockEffect movements={movements} linkItems={linkItems} />
        <Activity
          createdAt={invoice.createdAt}
          createdBy={sources.get(id)?.createdBy ?? null}
          job={job}
        />
      </div>
    </>
  );
  return { title: number, body };
}

/** Copies the address of the page. Its button appears if scripts run. */
function CopyLink({ url }: { url: string }) {
  return (
    <span class="copy-link">
      <span class="copyable-text unseen" aria-hidden="true">
        {url}
      </span>
      <button type="button" class="button quiet" data-copy hidden>
        Copy link
      </button>
    </span>
  );
}

function Settlement({ invoice, today }: { invoice: Invoice; today: string }) {
  const { total, amountPaid, amountCredited, amountDue, dueDate, settledOn } = invoice;
  return (
    <div class="invoice-settlement">
      <Stats>
        <Stat label="Total">
          <Money value={total} />
        </Stat>
        <Stat label="Paid">
          <Money value={amountPaid} />
        </Stat>
        <Stat label="Credited">
          <Money value={amountCredited} />
        </Stat>
        <Stat
          label="Due"
          note={
            <>
              <InvoiceStatus invoice={invoice} today={today} />{' '}
              {settledOn !== null ? (
                <>
                  on <Day on={settledOn} />
                </>
              ) : (
                dueDate !== null && (
                  <>
                    {isOverdue(invoice, today) ? 'was due' : 'due'} <Day on={dueDate} />
                  </>
                )
              )}
            </>
          }
        >
          <Money value={amountDue} />
        </Stat>
      </Stats>
    </div>
  );
}

interface StockEffectProps {
  readonly movements: readonly InvoiceMovement[];
  readonly linkItems: boolean;
}

function StockEffect({ movements, linkItems }: StockEffectProps) {
  return (
    <Panel title="Stock" note={movements.length > 0 && countOf(movements.length, 'movement')}>
      {movements.length === 0 ? (
        <p class="note">No line matches a stock item, so stock did not change.</p>
      ) : (
        <List
          caption="Stock movements of the invoice"
          rows={movements}
          hrefOf={({ itemId }) => (linkItems ? `/inventory/${itemId}` : null)}
          columns={[
            { head: 'Item', wraps: true, cell: ({ name }) => name },
            {
              head: 'Change',
              align: 'end',
              phone: 'figure',
              cell: ({ delta, unit }) => <StockQuantity value={delta} unit={unit} />,
            },
            {
              head: 'On hand after',
              align: 'end',
              cell: ({ onHandAfter, unit }) => (
                <>
                  <StockQuantity value={onHandAfter} unit={unit} />
                  <span class="phone-only"> on hand</span>
                </>
              ),
            },
          ]}
        />
      )}
    </Panel>
  );
}

interface ActivityProps {
  readonly createdAt: string;
  readonly createdBy: ShownActor | null;
  readonly job: JobState | null;
}

/** The creation, with the job's ids and times folded, for finding it in a log. */
function Activity({ createdAt, createdBy, job }: ActivityProps) {
  return (
    <Panel title="Activity">
      <p>
        Created{' '}
        {createdBy && (
          <>
            by <By actor={createdBy} />
          </>
        )}{' '}
        <span class="note">
          <Time at={createdAt} />
        </span>
      </p>
      {job === null ? (
        <p class="note">Job details are deleted after 30 days.</p>
      ) : (
        <details class="job-details">
          <summary>Job details</summary>
          <p>
            <Badge>{statusLabel(job.status)}</Badge>
          </p>
          <JobFacts job={job} />
        </details>
      )}
    </Panel>
  );
}
