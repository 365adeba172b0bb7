// Integrations → Webhooks: the company's endpoints, with their health.
import type { EndpointJson } from '../../webhooks/endpoints/endpoint.js';
import type { PageAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink, Empty, PageHead, Panel, Time } from '../kit/ui/components.js';
import { Table } from '../kit/ui/list.js';
import {
  EndpointBadge,
  NEW_WEBHOOK,
  readEndpoints,
  WEBHOOK_PAGES,
  WebhookBanner,
} from './parts.js';

export async function showEndpoints({ session }: PageRequest): Promise<PageAnswer> {
  const endpoints = await readEndpoints(session.companyId);
  const body = (
    <>
      <PageHead
        title="Webhooks"
        note="Webhooks tell your shop or accounting software of each change at once."
      >
        <ButtonLink href="/docs/webhooks" quiet>
          Guide
        </ButtonLink>
        {endpoints.length > 0 && <ButtonLink href={NEW_WEBHOOK}>Add webhook</ButtonLink>}
      </PageHead>
      <WebhookBanner endpoints={endpoints} />
      {endpoints.length === 0 ? (
        <Empty
          title="No webhooks yet"
          icon="key"
          actions={<ButtonLink href={NEW_WEBHOOK}>Add webhook</ButtonLink>}
        >
          <p>Add the address of a program of yours, and it gets every change of your company.</p>
        </Empty>
      ) : (
        <Panel title="Endpoints">
          <EndpointTable endpoints={endpoints} />
        </Panel>
      )}
    </>
  );
  return { title: 'Webhooks', body };
}

function EndpointTable({ endpoints }: { endpoints: readonly EndpointJson[] }) {
  return (
    <Table
      caption="Webhooks, oldest first"
      rows={endpoints}
      columns={[
        {
          head: 'Address',
          cell: ({ id, url, description }) => (
            <>
              <a class="row-name wraps" href={`${WEBHOOK_PAGES}/${id}`}>
                {url}
              </a>
              {description !== null && <span class="by">{description}</span>}
            </>
          ),
        },
        { head: 'Status', cell: endpoint => <EndpointBadge {...endpoint} /> },
        { head: 'Events', cell: ({ types }) => <span class="wraps">{types.join(', ')}</span> },
        { head: 'Behind', align: 'end', cell: ({ behind }) => behind },
        {
          head: 'Last success',
          cell: ({ lastSuccessAt }) =>
            lastSuccessAt === null ? 'Never' : <Time at={lastSuccessAt} />,
        },
      ]}
    />
  );
}
