// One invoice: its head, the invoice itself, everything that happened to it, and its effect on
// stock.
import { findInvoiceSources } from '../../invoices/queries.js';
import { findJobOfResult } from '../../jobs/queries.js';
import { listInvoiceHistory } from '../../ledger/invoice/history.js';
import { readInvoiceMovements } from '../../ledger/invoice/movements.js';
import { today } from '../../platform/values/days.js';
import { EmailsPanel, readEmails } from '../emails/panel.js';
import { sendPathOf } from '../emails/send.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { Activity } from './activity.js';
import { InvoiceHead } from './head.js';
import { getInvoice } from './invoice-view.js';
import { Sheet } from './sheet.js';
import { StockEffect } from './stock-effect.js';

/** The value of ?stock= that shows every movement of stock. */
const ALL = 'all';

export async function showInvoice({
  session,
  params,
  query,
  origin,
  canSee,
}: PageRequest): Promise<Answer> {
  const { companyId } = session;
  const invoice = await getInvoice(companyId, params.id);
  const { id, number, status, createdAt } = invoice;
  const [history, stock, job, sources, emails] = await Promise.all([
    listInvoiceHistory(companyId, id),
    readInvoiceMovements(companyId, id),
    findJobOfResult(companyId, id, createdAt),
    findInvoiceSources(companyId, [id]),
    readEmails(companyId, id),
  ]);
  const sendPath = status === 'void' ? null : sendPathOf('invoice', id, canSee);
  const linkItems = canSee('/inventory/:id');
  // Nothing happens to a void invoice after the credit note that voided it.
  const voiding = status === 'void' ? (history.entries.at(-1) ?? null) : null;
  const body = (
    <>
      <InvoiceHead
        invoice={invoice}
        voiding={voiding}
        today={today(session)}
        origin={origin}
        canSee={canSee}
        sendPath={sendPath}
      />
      <Sheet invoice={invoice} linkItems={linkItems} />
      <div class="columns">
        <Activity
          invoice={invoice}
          createdBy={sources.get(id)?.createdBy ?? null}
          job={job}
          canSee={canSee}
          {...history}
        />
        <StockEffect
          hrefOfAll={query.get('stock') === ALL ? null : `/invoices/${id}?stock=${ALL}`}
          linkItems={linkItems}
          linkNotes={canSee('/credit-notes/:id')}
          {...stock}
        />
        <EmailsPanel emails={emails} sendPath={sendPath} />
      </div>
    </>
  );
  return { title: number, body };
}
