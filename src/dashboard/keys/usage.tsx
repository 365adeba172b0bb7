// A company's API requests in the current hour, and the panel that shows them against the limit.
import { Bar, Panel } from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';

export interface Usage {
  readonly used: number;
  readonly limit: number;
  /** Time until the count resets; null when the company made no request this hour. */
  readonly resetMs: number | null;
}

/** Reads a company's usage without counting as a request. A null limit means the default limit. */
export type UsageOf = (companyId: string, rateLimitPerHour: number | null) => Promise<Usage>;

export function UsagePanel({ usage: { used, limit, resetMs } }: { usage: Usage }) {
  const minutes = Math.ceil((resetMs ?? 0) / 60_000);
  const shown = Math.min(used, limit);
  return (
    <Panel
      title="Requests this hour"
      note={resetMs === null ? 'Starts with your next request' : `Resets in ${minutes} min`}
    >
      <div class="usage">
        <p>
          <strong class="figure">{formatQuantity(shown)}</strong> of {formatQuantity(limit)}{' '}
          requests used (all keys)
          {used >= limit && '. Further requests are refused until the hour resets.'}
        </p>
        <Bar share={limit > 0 ? shown / limit : 1} />
      </div>
    </Panel>
  );
}
