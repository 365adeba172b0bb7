// The figures of the period: net sales with their chart, and smaller tiles.
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { EntryFigures, RangeFigures } from '../../summary/ranges.js';
import { Money, PageContext } from '../kit/ui/components.js';
import { formatCount, formatMoney, formatQuantity } from '../kit/ui/format.js';
import type { Period } from './period.js';
import { Change, Figure, inPeriod, Tile } from './tile.js';

/** Counts and the value are decimal text. */
export interface StockSummary {
  readonly items: string;
  readonly low: string;
  readonly outOfStock: string;
  readonly value: string;
}

interface SalesTileProps {
  readonly period: Period;
  readonly figures: RangeFigures;
  /** The chart below the net sales. */
  readonly children: ComponentChildren;
}

export function SalesTile({ period, figures, children }: SalesTileProps) {
  const { currency } = useContext(PageContext);
  return (
    <section class="tile lead" aria-labelledby="sales">
      <h2 id="sales">{inPeriod('Net sales', period)}, excluding tax</h2>
      <p class="tile-figure">
        <Figure text={formatMoney(figures.net, currency)} />
        {hasPrevious(figures) && <Change percent={figures.netPercent} />}
      </p>
      <p class="note">
        <Money value={figures.invoiced} /> invoiced − <Money value={figures.credited} /> credited
        {figures.tax !== '0' && (
          <>
            {' '}
            − <Money value={figures.tax} /> tax
          </>
        )}
      </p>
      {hasPrevious(figures) && (
        <p class="note">
          {period.previousName}: <Money value={figures.sameNet} />
          {!isOver(period, figures) && (
            <>
              {' '}
              at this point, <Money value={figures.previousNet} /> in total
            </>
          )}
        </p>
      )}
      {children}
    </section>
  );
}

interface TilesProps {
  readonly period: Period;
  readonly figures: RangeFigures;
  readonly entries: EntryFigures;
  /** The money of payments and credit notes that no invoice has, as decimal text. */
  readonly unallocated: { readonly total: string };
  readonly stock: StockSummary;
  readonly canSee: (path: string) => boolean;
}

export function Tiles({ period, figures, entries, unallocated, stock, canSee }: TilesProps) {
  const { currency } = useContext(PageContext);
  const { issued, voided, count, average } = figures;
  const text = (value: string) => formatMoney(value, currency);
  const inDays = (path: string) =>
    canSee(path) ? `${path}?from=${period.from}&to=${period.to}` : null;
  return (
    <div class="tiles small">
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
      <Tile
        label="Unallocated now"
        text={text(unallocated.total)}
        href={canSee('/payments') ? '/payments?unallocated=1' : null}
      >
        Money that no invoice has
      </Tile>
      <Tile label={inPeriod('Invoices', period)} text={formatQuantity(count)}>
        {voided !== '0' && `${formatQuantity(issued)} issued − ${formatQuantity(voided)} voided · `}
        {hasPrevious(figures) && (
          <>
            <Change percent={figures.countPercent} /> {formatQuantity(figures.sameCount)}{' '}
            {isOver(period, figures) ? `in ${period.previousName}` : atThisPoint(period)}
          </>
        )}
      </Tile>
      <Tile label="Average invoice" text={average === null ? '–' : formatMoney(average, currency)}>
        Net sales per invoice, excluding tax
      </Tile>
      <Tile label="Stock value now" text={formatMoney(stock.value, currency)}>
        {formatCount(stock.items, 'item')}, {formatQuantity(stock.outOfStock)} out of stock
      </Tile>
    </div>
  );
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

function hasPrevious({ previousCount, previousNet }: RangeFigures): boolean {
  return previousCount !== '0' || previousNet !== '0';
}

/** True if the figures up to the corresponding day equal the whole earlier period's. */
function isOver({ previous, previousSameDay }: Period, figures: RangeFigures): boolean {
  const { sameNet, previousNet, sameCount, previousCount } = figures;
  const isSame = sameNet === previousNet && sameCount === previousCount;
  return previousSameDay >= previous.to || isSame;
}

function atThisPoint({ preset, previousName }: Period): string {
  if (preset === 'this-month') return 'at this point last month';
  return preset === 'this-year' ? 'at this point last year' : `at this point of ${previousName}`;
}
