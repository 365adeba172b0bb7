// The company's drafts of invoices, the one that was saved last first. There are at most a few
// hundred, so they are on one page.
import { type ListedDraft, listDrafts } from '../../../invoices/drafts/drafts.js';
import { savedColumns } from '../../kit/lists/saved.js';
import type { PageAnswer, PageRequest } from '../../kit/page.js';
import { ButtonLink, Empty, PageHead } from '../../kit/ui/components.js';
import { formatMoney } from '../../kit/ui/format.js';
import { List, type ListColumn, RowDay } from '../../kit/ui/list.js';
import { draftName, draftPath } from './save.js';

export async function showDrafts({ session, canSee }: PageRequest): Promise<PageAnswer> {
  const drafts = await listDrafts(session.companyId);
  const body = (
    <>
      <PageHead title="Drafts" note="Invoices that are not issued yet.">
        <ButtonLink href="/invoices" quiet>
          All invoices
        </ButtonLink>
        <ButtonLink href="/invoices/new">New invoice</ButtonLink>
      </PageHead>
      {drafts.length === 0 ? (
        <Empty title="No drafts" icon="invoices">
          <p class="note">
            Choose “Save draft” in the form of an invoice to finish it later. Nothing is issued.
          </p>
        </Empty>
      ) : (
        <div class="panel list-panel">
          <List
            caption="Drafts of invoices"
            rows={drafts}
            hrefOf={({ id }) => (canSee(draftPath(id)) ? draftPath(id) : null)}
            columns={COLUMNS}
          />
        </div>
      )}
    </>
  );
  return { title: 'Drafts', body };
}

const COLUMNS: readonly ListColumn<ListedDraft>[] = [
  { head: 'Number', cell: draft => draftName(draft) },
  { head: 'Customer', wraps: true, cell: ({ customerName }) => customerName || 'No customer yet' },
  { head: 'Date', cell: ({ date }) => date && <RowDay on={date} /> },
  ...savedColumns('Author'),
  {
    head: 'Total',
    align: 'end',
    phone: 'figure',
    cell: ({ total, currency }) =>
      total === null ? (
        <span class="note">–</span>
      ) : (
        <span class="figure">{formatMoney(total, currency)}</span>
      ),
  },
];
