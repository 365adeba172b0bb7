// The entries of an invoice in order: payments, credit notes, and their corrections.
import { useContext } from 'preact/hooks';
import { listNewestInvoiceEntries } from '../../ledger/invoice-entries.js';
import { type EntryFunds, findEntryFunds } from '../../ledger/queries.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import type { PageRequest } from '../kit/page.js';
import { By, Money, PageContext, Panel } from '../kit/ui/components.js';
import { List, RowDay } from '../kit/ui/list.js';
import { countOf, type Invoice } from './invoice-view.js';
import { sum } from './totals.js';

interface Entry {
  readonly type: string;
  readonly id: string;
  /** The number of a credit note; null for other entries. */
  readonly number: string | null;
  readonly date: string;
  /** The change of the invoice's balance. A payment is negative. */
  readonly amount: string;
}

export interface InvoiceEntry extends Entry {
  /** The payment or credit note behind it, and the person who made it. */
  readonly source: EntryFunds | null;
}

export interface InvoiceEntries {
  /** The entries, ordered by sequence. */
  readonly entries: readonly InvoiceEntry[];
  /** Whether earlier ones are left out. */
  readonly isCut: boolean;
}

export async function readEntries(companyId: string, invoiceId: string): Promise<InvoiceEntries> {
  const { body, isCut } = await listNewestInvoiceEntries(companyId, invoiceId);
  const entries = parseDecimalJson<Entry[]>(body);
  if (entries.length === 0) return { entries: [], isCut };
  const sources = await findEntryFunds(
    companyId,
    entries.map(({ id }) => id),
  );
  return {
    entries: entries.map(entry => ({ ...entry, source: sources.get(entry.id) ?? null })),
    isCut,
  };
}

interface EntriesProps extends InvoiceEntries {
  readonly invoice: Invoice;
  readonly canSee: PageRequest['canSee'];
}

export function Entries({ invoice, entries, isCut, canSee }: EntriesProps) {
  const { currency } = useContext(PageContext);
  // Counted back from the last entry, since the first ones may be left out.
  let due = invoice.amountDue;
  const rows = entries
    .toReversed()
    .map(entry => {
      const row = { ...entry, due };
      due = sum([due, negated(entry.amount)], currency);
      return row;
    })
    .reverse();
  return (
    <Panel
      title="Payments and credit notes"
      note={
        isCut
          ? `The newest ${rows.length} entries`
          : rows.length > 0 && countOf(rows.length, 'entry', 'entries')
      }
    >
      {rows.length === 0 ? (
        <p class="note">No payments or credit notes yet.</p>
      ) : (
        <List
          caption="Payments and credit notes of the invoice"
          rows={rows}
          hrefOf={({ source }) => pageOf(source, canSee)}
          columns={[
            { head: 'Entry', cell: nameOf },
            { head: 'Date', cell: ({ date }) => <RowDay on={date} /> },
            {
              head: 'By',
              wraps: true,
              phone: 'hidden',
              cell: ({ source }) => <By actor={source?.createdBy ?? null} />,
            },
            {
              head: 'Amount',
              align: 'end',
              phone: 'figure',
              cell: ({ amount }) => <Money value={amount} />,
            },
            {
              head: 'Due after',
              align: 'end',
              cell: row => (
                <>
                  <Money value={row.due} />
                  <span class="phone-only"> due</span>
                </>
              ),
            },
          ]}
        />
      )}
    </Panel>
  );
}

function negated(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

function nameOf({ type, number, amount, source }: InvoiceEntry): string {
  switch (type) {
    case 'creditNote':
      return `Credit note ${number}`;
    case 'reversal':
      return 'Payment reversed';
    case 'allocation':
      if (amount.startsWith('-'))
        return source?.type === 'creditNote' ? 'From a credit note' : 'From a payment';
      return 'Taken back';
    default:
      return 'Payment';
  }
}

function pageOf(source: EntryFunds | null, canSee: PageRequest['canSee']): string | null {
  if (source === null) return null;
  const path = source.type === 'creditNote' ? '/credit-notes' : '/payments';
  return canSee(`${path}/:id`) ? `${path}/${source.id}` : null;
}
