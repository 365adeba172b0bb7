// Tiles that each show one figure at a glance, side by side on a wide screen.
import type { ComponentChildren } from 'preact';

interface StatsProps {
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Stats({ class: kind = '', children }: StatsProps) {
  return <dl class={`stats ${kind}`}>{children}</dl>;
}

interface StatProps {
  readonly label: string;
  readonly note?: ComponentChildren;
  /** Breaks a long text instead of cutting it off. */
  readonly wraps?: boolean;
  readonly children: ComponentChildren;
}

export function Stat({ label, note, wraps, children }: StatProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd class={wraps ? 'wraps' : undefined}>{children}</dd>
      {note && <dd class="note">{note}</dd>}
    </div>
  );
}
