// A tile of the overview: a figure with its name, and a note below.
import type { ComponentChildren } from 'preact';
import { formatPercent } from '../kit/ui/format.js';
import type { Period } from './period.js';

/** A label such as "Received this month"; for chosen days it is only "Received". */
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
  /** The note. */
  readonly children?: ComponentChildren;
  readonly after?: ComponentChildren;
}

export function Tile({ label, text, href, children, after }: TileProps) {
  return (
    <section class="tile" aria-label={label}>
      <h2>{href ? <a href={href}>{label}</a> : label}</h2>
      <p class="tile-figure">
        <Figure text={text} />
      </p>
      {children && <p class="note">{children}</p>}
      {after}
    </section>
  );
}

/** The class tells the stylesheet how long the text is: it must fit into its tile on one line. */
export function Figure({ text }: { text: string }) {
  const size = text.length > 20 ? 'longest' : text.length > 12 ? 'long' : '';
  return <strong class={`tile-value ${size}`}>{text}</strong>;
}

/** The change in percent. A good change has a colour too, which a badge does not. */
export function Change({ percent }: { percent: string | null }) {
  if (percent === null) return null;
  const tone = percent.startsWith('-') ? 'bad' : Number(percent) > 0 ? 'good' : '';
  return <span class={`change ${tone}`}>{formatPercent(percent)}</span>;
}
