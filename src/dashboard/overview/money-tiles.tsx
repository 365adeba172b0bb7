// The money that customers owe now, and the money received and credited in the period.
import { useContext } from 'preact/hooks';
import type { EntryFigures } from '../../summary/ranges.js';
import { Money, PageContext } from '../kit/ui/components.js';
import { formatCount, formatMoney, formatQuantity } from '../kit/ui/format.js';
import type { Period } from './period.js';
import { inPeriod, Tile } from './tiles.js';

/** The members of the API's summary that describe today, as decimal text. */
export interface DueSummary {
  readonly outstanding: CountAndTotal;
  readonly overdue: CountAndTotal;
  readonly unallocated: Pick<CountAndTotal, 'total'>;
}

interface CountAndTotal {
  readonly count: string;
  readonly total: string;
}

interface MoneyTilesProps {
  readonly period: Period;
  readonly due: DueSummary;
  readonly entries: EntryFigures;
  readonly canSee: (path: string) => boolean;
}

export function MoneyTiles({ period, due, entries, canSee }: MoneyTilesProps) {
  const { currency } = useContext(PageContext);
  const { outstanding, overdue, unallocated } = due;
  const text = (value: string) => formatMoney(value, currency);
  const inDays = (path: string) =>
    canSee(path) ? `${path}?from=${period.from}&to=${period.to}` : null;
  return (
    <div class="tiles money">
      <Tile label="Outstanding now" text={text(outstanding.total)} href="/invoices?status=open">
        {formatCount(outstanding.count, 'invoice')}
        {unallocated.total !== '0' && <Unallocated total={unallocated.total} canSee={canSee} />}
      </Tile>
      <Tile
        label="Overdue now"
        text={text(overdue.total)}
        href="/invoices?overdue=1"
        tone={overdue.count === '0' ? null : 'bad'}
      >
        {formatCount(overdue.count, 'invoice')}
      </Tile>
      <Tile
        label={inPeriod('Received', period)}
        text={text(entries.receivedTotal)}
        href={inDays('/payments')}
      >
        <Payments entries={entries} />
      </Tile>
      <Tile
        label={inPeriod('Credited', period)}
        text={text(entries.creditedTotal)}
        href={inDays('/credit-notes')}
      >
        {formatCount(entries.creditedCount, 'credit note')}
      </Tile>
    </div>
  );
}

function Unallocated({ total, canSee }: { total: string; canSee: MoneyTilesProps['canSee'] }) {
  const text = (
    <>
      <Money value={total} /> unallocated
    </>
  );
  return <> · {canSee('/payments') ? <a href="/payments?unallocated=1">{text}</a> : text}</>;
}

function Payments({ entries }: { entries: EntryFigures }) {
  const { receivedCount, reversedCount, refundedTotal } = entries;
  return (
    <>
      {formatCount(String(BigInt(receivedCount) + BigInt(reversedCount)), 'payment')}
      {reversedCount !== '0' && `, ${formatQuantity(reversedCount)} reversed`}
      {refundedTotal !== '0' && (
        <>
          , <Money value={refundedTotal} /> refunded
        </>
      )}
    </>
  );
}
