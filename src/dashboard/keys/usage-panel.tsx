// The hour's requests against the limit.
import { Bar, Panel } from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';
import type { Usage } from './usage.js';

export function UsagePanel({ usage: { used, limit, resetMs } }: { usage: Usage }) {
  const minutes = Math.ceil((resetMs ?? 0) / 60_000);
  const shown = Math.min(used, limit);
  return (
    <Panel
      title="Requests this hour"
      note={
        resetMs === null ? 'The hour begins with the next request' : `Starts anew in ${minutes} min`
      }
    >
      <div class="usage">
        <p>
          <strong class="figure">{formatQuantity(shown)}</strong> of {formatQuantity(limit)}, all
          keys together
          {used >= limit && '. Further requests are refused until then.'}
        </p>
        <Bar share={limit > 0 ? shown / limit : 1} />
      </div>
    </Panel>
  );
}
