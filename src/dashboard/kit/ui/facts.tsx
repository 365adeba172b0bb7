// Names and values in a list, such as the date and the status of a payment.
import type { ComponentChildren } from 'preact';

/** A name and its value. The list leaves out a value that is missing, false or empty. */
export type Fact = readonly [name: string, value: ComponentChildren];

interface FactsProps {
  readonly facts: readonly Fact[];
  readonly class?: string;
  /** The last one is a total. */
  readonly hasTotal?: boolean;
}

export function Facts({ facts, class: className, hasTotal = false }: FactsProps) {
  const known = facts.filter(([, value]) => value !== false && (value ?? '') !== '');
  return (
    <dl class={className}>
      {known.map(([name, value], index) => (
        <div key={name} class={hasTotal && index === known.length - 1 ? 'sums-total' : undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
