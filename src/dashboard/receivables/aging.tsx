// The money that is due by age, as every page shows it: one bar, whose parts are the ages, and
// their names and amounts below. Each part leads to its invoices.
import { AGES, type Age } from '../../invoices/overdue.js';
import { Money } from '../kit/ui/components.js';
import { formatCount } from '../kit/ui/format.js';

export const AGE_NAMES: Readonly<Record<Age, string>> = {
  current: 'Not due yet',
  days1To30: '1–30 days overdue',
  days31To60: '31–60 days overdue',
  days61To90: '61–90 days overdue',
  over90: 'Over 90 days overdue',
};

interface AgingProps {
  /** Decimal text. */
  readonly amounts: Readonly<Record<Age, string>>;
  /** The numbers of invoices, where they are known. */
  readonly counts?: Readonly<Record<Age, string>>;
  /** The list of an age's invoices; null if there is none, as on a past day. */
  readonly hrefOf: (age: Age) => string | null;
}

export function Aging({ amounts, counts, hrefOf }: AgingProps) {
  return (
    <div class="aging">
      <AgingBar amounts={amounts} hrefOf={hrefOf} />
      <ul class="ages">
        {AGES.map(age => {
          const href = hrefOf(age);
          return (
            <li key={age} class={amounts[age] === '0' ? 'is-zero' : undefined}>
              <span class="age-name">
                <svg class="age-mark" viewBox="0 0 10 10" aria-hidden="true" focusable="false">
                  <rect class={`age-${age}`} width="10" height="10" rx="3" />
                </svg>
                {href ? <a href={href}>{AGE_NAMES[age]}</a> : AGE_NAMES[age]}
              </span>
              <Money value={amounts[age]} />
              {counts && <span class="note">{formatCount(counts[age], 'invoice')}</span>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The width of the bar in the units of its drawing, and the least of a part with any money. */
const WIDTH = 1_000;
const LEAST = 8;

/** The links below say the same to screen readers and to the keyboard. */
function AgingBar({ amounts, hrefOf }: AgingProps) {
  const total = AGES.reduce((sum, age) => sum + Number(amounts[age]), 0);
  if (!(total > 0)) return null;
  const used = AGES.filter(age => Number(amounts[age]) > 0);
  const shares = used.map(age => Math.max((Number(amounts[age]) / total) * WIDTH, LEAST));
  const all = shares.reduce((sum, share) => sum + share, 0);
  return (
    <svg
      class="aging-bar"
      viewBox={`0 0 ${all.toFixed(1)} 10`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {used.map((age, index) => {
        const before = shares.slice(0, index).reduce((sum, share) => sum + share, 0);
        const href = hrefOf(age);
        const part = (
          <rect
            class={`age-${age}`}
            x={before.toFixed(1)}
            width={(shares[index] ?? 0).toFixed(1)}
            height="10"
          />
        );
        return href ? (
          <a key={age} href={href} tabIndex={-1}>
            {part}
          </a>
        ) : (
          part
        );
      })}
    </svg>
  );
}
