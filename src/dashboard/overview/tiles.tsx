// The figures of the period: the invoiced total with its chart, and three smaller tiles.
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { RangeFigures } from '../../summary/ranges.js';
import { Money, PageContext } from '../kit/ui/components.js';
import { formatCount, formatMoney, formatPercent, formatQuantity } from '../kit/ui/format.js';
import type { Period } from './period.js';

/** Counts and the value are decimal text. */
export interface StockSummary {
  readonly items: string;
  readonly low: string;
  readonly outOfStock: string;
  readonly value: string;
}

interface TilesProps {
  readonly period: Period;
  readonly figures: RangeFigures;
  readonly stock: StockSummary;
  /** The chart below the invoiced total. */
  readonly children: ComponentChildren;
}

export function Tiles({ period, figures, stock, children }: TilesProps) {
  const { currency } = useContext(PageContext);
  const { count, total, average, previousTotal, previousCount, sameTotal, sameCount } = figures;
  const hasPrevious = previousCount !== '0';
  return (
    <div class="tiles">
      <section class="tile lead" aria-labelledby="invoiced">
        <h2 id="invoiced">{inPeriod('Invoiced', period)}</h2>
        <p class="tile-figure">
          <Figure text={formatMoney(total, currency)} />
          {hasPrevious && <Change percent={figures.totalPercent} />}
        </p>
        {figures.tax !== '0' && (
          <p class="note">
            Including <Money value={figures.tax} /> tax
          </p>
        )}
        {hasPrevious && (
          <p class="note">
            {period.previousName}: <Money value={sameTotal} />
            {!isOver(period, figures) && (
              <>
                {' '}
                at this point, <Money value={previousTotal} /> in total
              </>
            )}
          </p>
        )}
        {children}
      </section>
      <Tile label="Invoices" text={formatQuantity(count)}>
        {hasPrevious && (
          <>
            <Change percent={figures.countPercent} /> {formatQuantity(sameCount)}{' '}
            {isOver(period, figures) ? 'in' : 'at this point of'} {period.previousName}
          </>
        )}
      </Tile>
      <Tile
        label="Average invoice"
        text={average === null ? '–' : formatMoney(average, currency)}
      />
      <Tile label="Stock value now" text={formatMoney(stock.value, currency)}>
        {formatCount(stock.items, 'item')}, {formatQuantity(stock.outOfStock)} out of stock
      </Tile>
    </div>
  );
}

function isOver({ previous, previousSameDay }: Period, figures: RangeFigures): boolean {
  return previousSameDay >= previous.to || figures.sameTotal === figures.previousTotal;
}

/** A label such as "Invoiced this month"; for chosen days it is only "Invoiced". */
export function inPeriod(what: string, { preset }: Period): string {
  if (preset === null) return what;
  const labels = {
    'this-month': 'this month',
    'last-month': 'last month',
    'last-30-days': 'in the last 30 days',
    'this-year': 'this year',
  };
  return `${what} ${labels[preset]}`;
}

interface TileProps {
  readonly label: string;
  readonly text: string;
  /** The list that the figure counts or adds up. */
  readonly href?: string | null;
  readonly tone?: 'bad' | null;
  readonly children?: ComponentChildren;
}

export function Tile({ label, text, href, tone, children }: TileProps) {
  return (
    <section class={tone ? `tile ${tone}` : 'tile'} aria-label={label}>
      <h2>{href ? <a href={href}>{label}</a> : label}</h2>
      <p class="tile-figure">
        <Figure text={text} />
      </p>
      {children && <p class="note">{children}</p>}
    </section>
  );
}

/** The class tells the stylesheet how long the text is, so that it fits into its tile. */
function Figure({ text }: { text: string }) {
  const size = text.length > 20 ? 'longest' : text.length > 12 ? 'long' : '';
  return <strong class={`tile-value ${size}`}>{text}</strong>;
}

/** The change in percent. A good change has a colour too, which a badge does not. */
function Change({ percent }: { percent: string | null }) {
  if (percent === null) return null;
  const tone = percent.startsWith('-') ? 'bad' : Number(percent) > 0 ? 'good' : '';
  return <span class={`change ${tone}`}>{formatPercent(percent)}</span>;
}
