// The columns of receivables, with the sums of all rows and links to the invoices of each age.
import { type Age, OVERDUE_AGES } from '../../invoices/overdue.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import type { Ageing, CustomerReceivables } from '../../receivables/json.js';
import { accountPath } from '../customers/account/subject.js';
import { stateBadges } from '../customers/customer-view.js';
import { isOverLimit } from '../customers/list.js';
import { addressOf, type Filters } from '../kit/lists/filters.js';
import { type ColumnOrders, sortLink } from '../kit/lists/sorts.js';
import { Money } from '../kit/ui/components.js';
import type { ListColumn } from '../kit/ui/list.js';

export const RECEIVABLES = '/receivables';

/** The parameters of the API, apart from the day, whose field is `to`. */
export type ReceivablesName = 'basis' | 'overdue' | 'overLimit' | 'sort';
export type ReceivablesFilters = Filters<ReceivablesName>;

/** The customer's open items on that day, which begin with those that are overdue. */
export function accountOf(
  { customerId, name }: CustomerReceivables,
  { to }: ReceivablesFilters,
): string {
  const page = { show: 'open', to };
  return customerId === null
    ? accountPath({ customer: null, name }, '', page)
    : addressOf(`/customers/${customerId}`, page);
}

/** Short, so that all ages fit beside each other. */
const AGE_HEADS = {
  current: 'Not due',
  days1To30: '1–30',
  days31To60: '31–60',
  days61To90: '61–90',
  over90: 'Over 90',
} as const;

/** `totals` are those of all rows. */
export function receivablesColumns(
  filters: ReceivablesFilters,
  totals: Ageing,
): ListColumn<CustomerReceivables>[] {
  const sortBy = (orders: ColumnOrders) => sortLink(RECEIVABLES, filters, orders, 'sort');
  const ages = Object.entries(AGE_HEADS).map(
    ([age, head]): ListColumn<CustomerReceivables> => ({
      head,
      align: 'end',
      phone: 'hidden',
      from: 'medium',
      cell: row =>
        row[age as keyof typeof AGE_HEADS] === '0' ? null : (
          <AgeAmount row={row} age={age as keyof typeof AGE_HEADS} filters={filters} />
        ),
      total: <Money value={totals[age as keyof typeof AGE_HEADS]} />,
    }),
  );
  return [
    {
      head: 'Customer',
      wraps: true,
      cell: ({ name }) => name,
      sort: sortBy({ ascending: 'name' }),
    },
    {
      head: 'Status',
      optional: true,
      cell: row => {
        // All rows of this filter are over their limit, and a column says by how much.
        const isOver = filters.overLimit === null && isOverLimit(row.creditLimit, row);
        return stateBadges(row.hold, isOver);
      },
    },
    ...(filters.overLimit === null ? [] : LIMIT_COLUMNS),
    ...ages,
    {
      head: 'Overdue',
      align: 'end',
      optional: true,
      until: 'medium',
      total: <NamedAmount amount={overdueOf(totals)} word="overdue" />,
      cell: row => {
        const overdue = overdueOf(row);
        return overdue === '0' ? null : (
          <span class="overdue-figure">
            <NamedAmount amount={overdue} word="overdue" />
          </span>
        );
      },
    },
    {
      head: 'Unallocated',
      align: 'end',
      cell: ({ unallocated }) =>
        unallocated === '0' ? null : <NamedAmount amount={unallocated} word="unallocated" />,
      total: <NamedAmount amount={totals.unallocated} word="unallocated" />,
    },
    {
      head: 'Outstanding',
      align: 'end',
      phone: 'figure',
      cell: ({ outstanding }) => <Money value={outstanding} />,
      total: <Money value={totals.outstanding} />,
      sort: sortBy({ descending: null }),
    },
  ];
}

/** The figures that the filter Over limit compares. */
const LIMIT_COLUMNS: readonly ListColumn<CustomerReceivables>[] = [
  {
    head: 'Limit',
    align: 'end',
    phone: 'hidden',
    cell: ({ creditLimit }) => creditLimit && <Money value={creditLimit} />,
  },
  {
    head: 'Over by',
    align: 'end',
    cell: ({ creditLimit, balance }) =>
      creditLimit && (
        <span class="overdue-figure">
          <NamedAmount
            amount={fromUnits(toUnits(balance) - toUnits(creditLimit))}
            word="over limit"
          />
        </span>
      ),
  },
];

/** An amount with the word of its column on a phone, which shows no heads. */
function NamedAmount({ amount, word }: { amount: string; word: string }) {
  return (
    <>
      <Money value={amount} />
      <span class="phone-only"> {word}</span>
    </>
  );
}

interface AgeAmountProps {
  readonly row: CustomerReceivables;
  readonly age: keyof typeof AGE_HEADS;
  readonly filters: ReceivablesFilters;
}

/** An amount that leads to its invoices. A past day has no list of invoices, but open items. */
function AgeAmount({ row, age, filters }: AgeAmountProps) {
  const { customerId, name } = row;
  const invoices = { show: 'invoices', overdue: age };
  const isNow = filters.to === null && filters.basis === null;
  const ofAge =
    customerId === null
      ? accountPath({ customer: null, name }, '', invoices)
      : addressOf(`/customers/${customerId}`, invoices);
  return (
    <a href={isNow ? ofAge : accountOf(row, filters)}>
      <Money value={row[age]} />
    </a>
  );
}

/** The last four ages together. */
export function overdueOf(row: Pick<Ageing, Age>): string {
  return fromUnits(OVERDUE_AGES.reduce((sum, age) => sum + toUnits(row[age]), 0n));
}
