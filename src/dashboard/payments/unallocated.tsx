// The unallocated money of payments and credit notes in one list. Its sum is the figure on the
// Overview.
import type { FoundEntry } from '../../ledger/search/entries.js';
import { searchedName } from '../customers/typed-customer.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { Empty, Money } from '../kit/ui/components.js';
import { type ListColumn, RowDay } from '../kit/ui/list.js';
import {
  ENTRY_CHOICES,
  ENTRY_TABS,
  type EntryListPage,
  entryFigures,
  orderedSearchOf,
  readEntries,
  withDateSort,
} from './entry-list.js';

interface UnallocatedRow {
  readonly id: string;
  readonly type: 'payment' | 'creditNote';
  readonly customerName: string;
  readonly date: string;
  /** Decimal text, like `unallocated`. */
  readonly amount: string;
  readonly unallocated: string;
  /** A credit note's number, or a payment's reference. */
  readonly name: string | null;
}

const COLUMNS: readonly ListColumn<UnallocatedRow>[] = [
  { head: 'Customer', wraps: true, cell: ({ customerName }) => customerName },
  { head: 'Date', cell: ({ date }) => <RowDay on={date} /> },
  { head: 'Kind', cell: ({ type }) => (type === 'payment' ? 'Payment' : 'Credit note') },
  {
    head: 'Number or reference',
    wraps: true,
    phone: 'hidden',
    optional: true,
    cell: ({ name }) => name,
  },
  {
    head: 'Amount',
    align: 'end',
    phone: 'hidden',
    cell: ({ amount }) => <Money value={amount} />,
  },
  {
    head: 'Unallocated',
    align: 'end',
    phone: 'figure',
    cell: ({ unallocated }) => <Money value={unallocated} />,
  },
];

const TYPES = ['payment', 'creditNote'] as const;

export const UNALLOCATED_LIST: EntryListPage<UnallocatedRow> = {
  title: 'Payments',
  path: '/payments',
  cursorName: 'unallocated',
  placeholder: 'Customer, number, reference or amount',
  dates: 'fields',
  meantText: searchedName,
  choices: ENTRY_CHOICES,
  tabsLabel: 'Status',
  tabs: ENTRY_TABS,
  caption: 'Payments and credit notes with unallocated money',
  hrefOf: ({ type, id }) => `${type === 'payment' ? '/payments' : '/credit-notes'}/${id}`,
  columns: filters => withDateSort(COLUMNS, filters, '/payments'),
  figures: entryFigures(
    TYPES,
    { amount: 'Amount', unallocated: 'Unallocated' },
    'payments and credit notes',
    unallocatedRows,
  ),
  read: (companyId, filters, start) =>
    readEntries(companyId, orderedSearchOf(TYPES, filters), start, unallocatedRows),
  Nothing: NoMatch,
  NoMatch,
};

function unallocatedRows(_: string, entries: readonly FoundEntry[]): UnallocatedRow[] {
  return entries.map(({ type, body }) => {
    const entry = parseDecimalJson<Record<string, string>>(body);
    const { id = '', customerName = '', date = '', unallocated = '' } = entry;
    const amount = (type === 'payment' ? entry.amount : entry.total) ?? '';
    const name = (type === 'payment' ? entry.reference : entry.number) ?? null;
    return { id, type, customerName, date, amount, unallocated, name };
  });
}

function NoMatch() {
  return (
    <Empty title="No unallocated money" icon="payments">
      <p>
        Every payment and credit note found is applied to invoices or refunded.{' '}
        <a href="/payments">Show all payments</a>
      </p>
    </Empty>
  );
}
