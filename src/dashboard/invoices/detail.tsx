// One invoice: its lines, the stock movements it caused, and the job that created it.
import type { Actor } from '../../companies/actor.js';
import { type InvoiceMovement, listInvoiceMovements } from '../../inventory/queries.js';
import { findInvoiceSources } from '../../invoices/queries.js';
import { findJobOfResult, type JobState } from '../../jobs/queries.js';
import { StockQuantity } from '../inventory/item-view.js';
import type { Answer, PageRequest } from '../kit/page.js';
import {
  Badge,
  ButtonLink,
  By,
  Day,
  Money,
  PageHead,
  Panel,
  Price,
  Quantity,
  Table,
  Time,
} from '../kit/ui/components.js';
import { JobFacts } from '../kit/ui/job-pages.js';
import { Stat, Stats } from '../kit/ui/stats.js';
import { countOf, getInvoice, type Invoice, type InvoiceLine } from './invoice-view.js';

export async function showInvoice({ session, params, canSee }: PageRequest): Promise<Answer> {
  const { companyId } = session;
  const invoice = await getInvoice(companyId, params.id);
  const [movements, job, sources] = await Promise.all([
    listInvoiceMovements(companyId, invoice.id),
    findJobOfResult(companyId, invoice.id, invoice.createdAt),
    findInvoiceSources(companyId, [invoice.id]),
  ]);
  const linkItems = canSee('/inventory/:id');
  const body = (
    <>
      <PageHead title={invoice.number} note={invoice.customerName}>
        <ButtonLink href={`/invoices/${invoice.id}/print`} quiet>
          Print or save as PDF
        </ButtonLink>
        <ButtonLink href="/invoices/new">New invoice</ButtonLink>
      </PageHead>
      <Facts invoice={invoice} />
      <Panel title="Lines" note={countOf(invoice.items.length, 'line')}>
        <Lines lines={invoice.items} linkItems={linkItems} />
        <p class="invoice-total">
          Total <Money value={invoice.total} />
        </p>
      </Panel>
      <div class="columns">
        <StockEffect movements={movements} linkItems={linkItems} />
        <Activity job={job} createdBy={sources.get(invoice.id)?.createdBy ?? null} />
      </div>
    </>
  );
  return { title: invoice.number, body };
}

function Facts({ invoice: { total, date, status, reference, createdAt } }: { invoice: Invoice }) {
  return (
    <Stats>
      <Stat label="Total" note={<Badge>{statusLabel(status)}</Badge>}>
        <Money value={total} />
      </Stat>
      <Stat
        label="Invoice date"
        note={
          <>
            Created <Time at={createdAt} />
          </>
        }
      >
        <Day on={date} />
      </Stat>
      <Stat label="Reference" wraps>
        {reference ?? '–'}
      </Stat>
    </Stats>
  );
}

function Lines({ lines, linkItems }: { lines: readonly InvoiceLine[]; linkItems: boolean }) {
  return (
    <Table
      caption="Invoice lines"
      rows={lines}
      columns={[
        {
          head: 'Item',
          cell: ({ name, itemId }) =>
            linkItems && itemId ? <a href={`/inventory/${itemId}`}>{name}</a> : name,
        },
        { head: 'SKU', cell: ({ sku }) => sku ?? <span class="note">–</span> },
        { head: 'Quantity', align: 'end', cell: ({ qty }) => <Quantity value={qty} /> },
        { head: 'Unit price', align: 'end', cell: ({ price }) => <Price value={price} /> },
        { head: 'Amount', align: 'end', cell: ({ amount }) => <Money value={amount} /> },
      ]}
    />
  );
}

function StockEffect({
  movements,
  linkItems,
}: {
  movements: readonly InvoiceMovement[];
  linkItems: boolean;
}) {
  return (
    <Panel title="Stock" note={movements.length > 0 && countOf(movements.length, 'movement')}>
      {movements.length === 0 ? (
        <p class="note">No line matches a stock item, so stock did not change.</p>
      ) : (
        <Table
          caption="Stock movements of the invoice"
          rows={movements}
          columns={[
            {
              head: 'Item',
              cell: ({ itemId, name }) =>
                linkItems ? <a href={`/inventory/${itemId}`}>{name}</a> : name,
            },
            {
              head: 'Change',
              align: 'end',
              cell: ({ delta, unit }) => <StockQuantity value={delta} unit={unit} />,
            },
            {
              head: 'On hand after',
              align: 'end',
              cell: ({ onHandAfter, unit }) => <StockQuantity value={onHandAfter} unit={unit} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}

function Activity({ job, createdBy }: { job: JobState | null; createdBy: Actor | null }) {
  return (
    <Panel title="Activity" note={job && <Badge tone="good">{statusLabel(job.status)}</Badge>}>
      <p>
        Created by <By actor={createdBy} />
      </p>
      {job === null ? (
        <p class="note">Job details are deleted after 30 days.</p>
      ) : (
        <JobFacts job={job} />
      )}
    </Panel>
  );
}

function statusLabel(status: string): string {
  return status.charAt(0).toUpperCase() + status.slice(1);
}
