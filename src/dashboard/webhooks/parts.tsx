// The parts that the pages of webhooks share.
import type { EndpointJson } from '../../webhooks/endpoints/endpoint.js';
import { listEndpoints } from '../../webhooks/endpoints/queries.js';
import { Badge, Time } from '../kit/ui/components.js';

export const WEBHOOK_PAGES = '/integrations/webhooks';
export const NEW_WEBHOOK = `${WEBHOOK_PAGES}/new`;

const REASONS: Readonly<Record<string, string>> = {
  gone: 'It answered 410: gone for good.',
  no_success: 'It has not answered with a success for five days.',
  secret_lost: 'Its secret is lost. Rotate the secret, then resume.',
};

export async function readEndpoints(companyId: string): Promise<EndpointJson[]> {
  return JSON.parse(await listEndpoints(companyId)) as EndpointJson[];
}

export function EndpointBadge({ status, health }: Pick<EndpointJson, 'status' | 'health'>) {
  if (status === 'disabled') return <Badge tone="bad">Disabled</Badge>;
  if (status === 'paused') return <Badge>Paused</Badge>;
  if (health === 'failing') return <Badge tone="bad">Failing</Badge>;
  return <Badge tone="good">Active</Badge>;
}

/** The notice for owners of endpoints that get no events. Nothing without one. */
export function WebhookBanner({ endpoints }: { endpoints: readonly EndpointJson[] }) {
  const broken = endpoints.filter(
    ({ status, health }) => status === 'disabled' || (status === 'active' && health === 'failing'),
  );
  if (broken.length === 0) return null;
  return (
    <div class="message warn" role="status">
      {broken.map(({ id, url, status, disabledReason, disableAt }) => (
        <p key={id}>
          The webhook{' '}
          <a class="in-text wraps" href={`${WEBHOOK_PAGES}/${id}`}>
            {url}
          </a>{' '}
          {status === 'disabled' ? 'is disabled. ' : 'is failing. '}
          {status === 'disabled' ? REASONS[disabledReason ?? ''] : null}
          {status !== 'disabled' && disableAt !== null && (
            <>
              It will be disabled on <Time at={disableAt} />.
            </>
          )}
        </p>
      ))}
    </div>
  );
}
