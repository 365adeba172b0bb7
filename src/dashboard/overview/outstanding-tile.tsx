// The money that customers owe now, by how long it has been overdue.
import { useContext } from 'preact/hooks';
import { AGES, type Age } from '../../invoices/overdue.js';
import type { DueFigures } from '../../summary/ages.js';
import { Money, PageContext } from '../kit/ui/components.js';
import { formatCount, formatMoney } from '../kit/ui/format.js';
import { Tile } from './tile.js';

const NAMES: Readonly<Record<Age, string>> = {
  current: 'Current',
  days1To30: '1–30 days overdue',
  days31To60: '31–60 days overdue',
  days61To90: '61–90 days overdue',
  over90: 'Over 90 days overdue',
};

interface OutstandingTileProps {
  readonly due: DueFigures;
  /** The money of payments and credit notes that no invoice has, as decimal text. */
  readonly unallocated: string;
  readonly canSee: (path: string) => boolean;
}

export function OutstandingTile({ due, unallocated, canSee }: OutstandingTileProps) {
  const { currency } = useContext(PageContext);
  const { outstanding, ages } = due;
  return (
    <Tile
      label="Outstanding now"
      text={formatMoney(outstanding.total, currency)}
      href="/invoices?status=open"
      after={
        <ul class="ages">
          {AGES.map(age => (
            <li key={age} class={age === 'current' || ages[age].count === '0' ? undefined : 'bad'}>
              <a href={`/invoices?overdue=${age}`}>{NAMES[age]}</a>
              <Money value={ages[age].total} />
              <span class="note">{formatCount(ages[age].count, 'invoice')}</span>
            </li>
          ))}
          <li>
            <a href="/receivables">By customer</a>
          </li>
        </ul>
      }
    >
      {formatCount(outstanding.count, 'invoice')}
      {unallocated !== '0' && <Unallocated total={unallocated} canSee={canSee} />}
    </Tile>
  );
}

function Unallocated({ total, canSee }: { total: string; canSee: (path: string) => boolean }) {
  const text = (
    <>
      <Money value={total} /> unallocated
    </>
  );
  return <> · {canSee('/payments') ? <a href="/payments?unallocated=1">{text}</a> : text}</>;
}
