// The deliveries of a webhook, and one of them with its attempts: requests and answers.
import Joi from 'joi';
import { notFound } from '../../platform/errors.js';
import type { AttemptJson, DeliveryJson } from '../../webhooks/endpoints/endpoint.js';
import { type DeliveryWithAttempts, findWebhookDelivery } from '../../webhooks/log/queries.js';
import { redeliverOne } from '../../webhooks/log/redeliver.js';
import type { FormState } from '../kit/forms/form-state.js';
import { type FormRequest, plainForm } from '../kit/forms/plain-form.js';
import { type Answer, getOr404, type PageAnswer, type PageRequest } from '../kit/page.js';
import {
  Badge,
  ButtonLink,
  Copyable,
  PageHead,
  Panel,
  Time,
  type Tone,
} from '../kit/ui/components.js';
import { Facts } from '../kit/ui/facts.js';
import { Button, Form, Hidden } from '../kit/ui/fields.js';
import { Table } from '../kit/ui/list.js';
import { WEBHOOK_PAGES } from './parts.js';

const STATES: Readonly<Record<DeliveryJson['status'], { label: string; tone: Tone }>> = {
  pending: { label: 'Waiting', tone: 'warn' },
  succeeded: { label: 'Delivered', tone: 'done' },
  failed: { label: 'Failed', tone: 'bad' },
  skipped: { label: 'Skipped', tone: 'plain' },
};

const pathOf = (endpointId: string, sequence: number | string) =>
  `${WEBHOOK_PAGES}/${endpointId}/delivery?sequence=${sequence}`;

export function DeliveryTable({
  endpointId,
  deliveries,
}: {
  endpointId: string;
  deliveries: readonly DeliveryJson[];
}) {
  if (deliveries.length === 0) return <p class="note">Nothing has been sent yet.</p>;
  return (
    <Table
      caption="Deliveries, newest first"
      rows={deliveries}
      columns={[
        {
          head: 'Event',
          cell: ({ sequence, type }) => (
            <a class="row-name" href={pathOf(endpointId, sequence)}>
              {sequence} · {type}
            </a>
          ),
        },
        {
          head: 'Status',
          cell: ({ status }) => <Badge tone={STATES[status].tone}>{STATES[status].label}</Badge>,
        },
        { head: 'Attempts', align: 'end', cell: ({ attemptCount }) => attemptCount },
        { head: 'First attempt', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}

interface Loaded {
  readonly endpointId: string;
  readonly delivery: DeliveryWithAttempts;
}

async function load({ session, params, query, form }: PageRequest): Promise<Loaded> {
  const sequence = query.get('sequence') ?? form.get('sequence') ?? '';
  const delivery = await getOr404('webhook', params.id, async id =>
    /^[1-9]\d{0,14}$/u.test(String(sequence))
      ? findWebhookDelivery(session.companyId, id, Number(sequence))
      : null,
  );
  if (params.id === undefined) throw notFound('webhook');
  return { endpointId: params.id, delivery };
}

export async function showWebhookDelivery(request: PageRequest): Promise<Answer> {
  return deliveryPage({ ...request, loaded: await load(request) });
}

/** The form's field has the sequence. */
export const redeliverOneForm = plainForm<{ sequence: string }, 'manage-keys', Loaded>({
  path: `${WEBHOOK_PAGES}/:id/redeliver-one`,
  guard: 'manage-keys',
  load,
  schema: Joi.object({ sequence: Joi.string().required() }),
  save: async (_body, { session, loaded: { endpointId, delivery } }) => {
    await redeliverOne(session.companyId, endpointId, delivery.sequence);
    return { to: pathOf(endpointId, delivery.sequence), flash: 'It is sent again.' };
  },
  page: (state, request) => deliveryPage(request, state),
});

function deliveryPage(
  { loaded: { endpointId, delivery } }: FormRequest<Loaded>,
  state?: FormState,
): PageAnswer {
  const { sequence, type, status, nextAttemptAt, attempts } = delivery;
  const title = `${sequence} · ${type}`;
  const next = nextAttemptAt === null ? '–' : <Time key="next" at={nextAttemptAt} />;
  const body = (
    <>
      <PageHead title={title}>
        <ButtonLink href={`${WEBHOOK_PAGES}/${endpointId}`} quiet>
          Webhook
        </ButtonLink>
      </PageHead>
      <Panel title="Delivery">
        <Facts
          facts={[
            [
              'Status',
              <Badge key="status" tone={STATES[status].tone}>
                {STATES[status].label}
              </Badge>,
            ],
            ['Attempts', String(delivery.attemptCount)],
            ['Next attempt', next],
          ]}
        />
        <Form
          action={`${WEBHOOK_PAGES}/${endpointId}/redeliver-one`}
          {...(state ? { state } : {})}
          label="Redeliver"
        >
          <Hidden name="sequence" value={String(sequence)} />
          <Button quiet>Redeliver</Button>
        </Form>
      </Panel>
      {attempts.map((attempt, index) => (
        <AttemptPanel key={attempt.at} attempt={attempt} number={index + 1} />
      ))}
    </>
  );
  return { title, body };
}

function AttemptPanel({ attempt, number }: { attempt: AttemptJson; number: number }) {
  const { at, durationMs, trigger, status, error, request, response } = attempt;
  return (
    <Panel title={`Attempt ${number}`} note={`${trigger}, ${durationMs} ms`}>
      <Facts
        facts={[
          ['At', <Time key="at" at={at} />],
          ['Answer', error ?? String(status)],
        ]}
      />
      <Copyable label="Request" text={messageOf(request)} block />
      {response !== null && <Copyable label="Answer" text={messageOf(response)} block />}
    </Panel>
  );
}

function messageOf({
  headers,
  body,
}: {
  headers: Readonly<Record<string, string>>;
  body: string | null;
}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [...lines, '', body ?? '(the event has expired)'].join('\n');
}
