// The money that customers owe now, by how long it has been overdue.
import { useContext } from 'preact/hooks';
import { AGES, type Age } from '../../invoices/overdue.js';
import type { CountAndTotal, DueFigures } from '../../summary/ages.js';
import { Money, PageContext } from '../kit/ui/components.js';
import { formatCount, formatMoney } from '../kit/ui/format.js';
import { Aging } from '../receivables/aging.js';
import { Tile } from './tile.js';

export function OutstandingTile({ due }: { due: DueFigures }) {
  const { currency } = useContext(PageContext);
  const { outstanding, overdue, ages } = due;
  return (
    <Tile
      label="Outstanding now"
      text={formatMoney(outstanding.total, currency)}
      href="/receivables"
      after={
        <Aging
          amounts={ofEachAge(ages, 'total')}
          counts={ofEachAge(ages, 'count')}
          hrefOf={age => `/invoices?overdue=${age}`}
        />
      }
    >
      {formatCount(outstanding.count, 'invoice')}
      {overdue.count !== '0' && (
        <>
          {' · '}
          <a class="overdue-figure" href="/invoices?overdue=1">
            <Money value={overdue.total} /> overdue
          </a>
        </>
      )}
    </Tile>
  );
}

function ofEachAge(ages: DueFigures['ages'], figure: keyof CountAndTotal): Record<Age, string> {
  return Object.fromEntries(AGES.map(age => [age, ages[age][figure]])) as Record<Age, string>;
}
