// One webhook: its health, its log, and the forms that test, pause, rotate, repeat and delete it.
import Joi from 'joi';
import { invalidField } from '../../platform/field-errors.js';
import { calendarDate, decimal } from '../../platform/http/input/validate.js';
import type { DeliveryJson, EndpointJson } from '../../webhooks/endpoints/endpoint.js';
import { findEndpoint } from '../../webhooks/endpoints/queries.js';
import { DEFAULT_OVERLAP } from '../../webhooks/endpoints/schema.js';
import { deleteEndpoint, rotateSecret, updateEndpoint } from '../../webhooks/endpoints/service.js';
import { listWebhookDeliveries } from '../../webhooks/log/queries.js';
import { redeliverMany } from '../../webhooks/log/redeliver.js';
import { testEndpoint } from '../../webhooks/log/test.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { buttonForm, type FormRequest, plainForm } from '../kit/forms/plain-form.js';
import { type Answer, getOr404, type PageAnswer, type PageRequest } from '../kit/page.js';
import { ButtonLink, PageHead, Panel, Time } from '../kit/ui/components.js';
import { Facts } from '../kit/ui/facts.js';
import { Button, Field, Form } from '../kit/ui/fields.js';
import { secretPage } from './create.js';
import { DeliveryTable } from './delivery.js';
import { EndpointBadge, WEBHOOK_PAGES, WebhookBanner } from './parts.js';

const SHOWN_DELIVERIES = 50;
const CONFIRMATION = 'delete';
const GUARD = 'manage-keys';

interface Forms {
  readonly test?: FormState;
  readonly rotate?: FormState;
  readonly redeliver?: FormState;
  readonly remove?: FormState;
}

const rotateBody = Joi.object({ overlapHours: decimal(0, 168).required() });
const redeliverBody = Joi.object({ since: calendarDate().required() });
const removeBody = Joi.object({ confirmation: Joi.string().required() });
const noFields = Joi.object({});

export async function showEndpoint(request: PageRequest): Promise<Answer> {
  return endpointPage({ ...request, loaded: await load(request) });
}

function load({ session, params }: PageRequest): Promise<EndpointJson> {
  return getOr404('webhook', params.id, async id => {
    const found = await findEndpoint(session.companyId, id);
    return found === null ? null : (JSON.parse(found) as EndpointJson);
  });
}

const form = { guard: GUARD, load } as const;

export const testForm = plainForm<object, typeof GUARD, EndpointJson>({
  ...form,
  path: `${WEBHOOK_PAGES}/:id/test`,
  schema: noFields,
  save: async (_body, { session, loaded: { id } }) => {
    const { status, error } = await testEndpoint(session.companyId, id, undefined);
    const outcome = error ?? `it answered ${status}`;
    return { to: `${WEBHOOK_PAGES}/${id}`, flash: `Test sent: ${outcome}.` };
  },
  page: (test, request) => endpointPage(request, { test }),
});

const setStatus = (verb: string, status: 'active' | 'paused', flash: string) =>
  buttonForm(`${WEBHOOK_PAGES}/:id/${verb}`, GUARD, async ({ session, params }) => {
    const { id = '' } = params;
    await updateEndpoint(session.companyId, id, { status });
    return { to: `${WEBHOOK_PAGES}/${id}`, flash };
  });

export const pauseButton = setStatus('pause', 'paused', 'Paused. Events wait until you resume.');
export const resumeButton = setStatus('resume', 'active', 'Active. Events that waited are sent.');

/** Only this response contains the secret. */
export const rotateWebhookForm = plainForm<{ overlapHours: number }, typeof GUARD, EndpointJson>({
  ...form,
  path: `${WEBHOOK_PAGES}/:id/rotate`,
  schema: rotateBody,
  save: async ({ overlapHours }, { session, loaded: { id } }) =>
    secretPage(
      'Your new secret',
      JSON.parse(await rotateSecret(session.companyId, id, overlapHours)),
    ),
  page: (rotate, request) => endpointPage(request, { rotate }),
});

export const redeliverForm = plainForm<{ since: string }, typeof GUARD, EndpointJson>({
  ...form,
  path: `${WEBHOOK_PAGES}/:id/redeliver`,
  schema: redeliverBody,
  save: async ({ since }, { session, loaded: { id } }) => {
    const choice = { from: Date.parse(`${since}T00:00:00Z`), to: null, onlyFailed: true };
    const count = await redeliverMany(session.companyId, id, choice);
    return { to: `${WEBHOOK_PAGES}/${id}`, flash: `${count} failed deliveries are sent again.` };
  },
  page: (redeliver, request) => endpointPage(request, { redeliver }),
});

export const deleteWebhookForm = plainForm<{ confirmation: string }, typeof GUARD, EndpointJson>({
  ...form,
  path: `${WEBHOOK_PAGES}/:id/delete`,
  schema: removeBody,
  save: async ({ confirmation }, { session, loaded: { id } }) => {
    if (confirmation.trim() !== CONFIRMATION)
      throw invalidField('confirmation', `Enter the word: ${CONFIRMATION}`);
    await deleteEndpoint(session.companyId, id);
    return { to: WEBHOOK_PAGES, flash: 'Webhook deleted. Nothing more is sent to it.' };
  },
  page: (remove, request) => endpointPage(request, { remove }),
});

async function endpointPage(
  { session, loaded: endpoint }: FormRequest<EndpointJson>,
  forms: Forms = {},
): Promise<PageAnswer> {
  const { companyId } = session;
  const { id, url, description, status } = endpoint;
  const filter = { limit: SHOWN_DELIVERIES };
  const page = await listWebhookDeliveries(companyId, id, filter, undefined);
  const deliveries = JSON.parse(String(page?.body ?? '[]')) as DeliveryJson[];
  const isActive = status === 'active';
  const body = (
    <>
      <PageHead title="Webhook" note={url}>
        <ButtonLink href={WEBHOOK_PAGES} quiet>
          All webhooks
        </ButtonLink>
      </PageHead>
      <WebhookBanner endpoints={[endpoint]} />
      <Panel title="Endpoint">
        <Facts
          facts={[
            ['Status', <EndpointBadge key="status" {...endpoint} />],
            ['Events', endpoint.types.join(', ')],
            ['Order', endpoint.ordered ? 'One at a time' : 'Several at once'],
            ['Description', description ?? '–'],
            ['Behind', String(endpoint.behind)],
            ['Missed', String(endpoint.missed)],
            ['Last success', <TimeOrDash key="success" at={endpoint.lastSuccessAt} />],
            ['Last failure', <TimeOrDash key="failure" at={endpoint.lastFailureAt} />],
          ]}
        />
        <div class="row">
          <Form
            action={`${WEBHOOK_PAGES}/${id}/test`}
            {...(forms.test ? { state: forms.test } : {})}
            label="Test"
          >
            <Button quiet>Send a test</Button>
          </Form>
          <Form
            action={`${WEBHOOK_PAGES}/${id}/${isActive ? 'pause' : 'resume'}`}
            label={isActive ? 'Pause' : 'Resume'}
          >
            <Button quiet>{isActive ? 'Pause' : 'Resume'}</Button>
          </Form>
        </div>
      </Panel>
      <Panel title="Deliveries" note="The newest of the last 30 days">
        <DeliveryTable endpointId={id} deliveries={deliveries} />
      </Panel>
      <Actions id={id} forms={forms} />
    </>
  );
  return { title: 'Webhook', body };
}

function TimeOrDash({ at }: { at: string | null }) {
  return at === null ? '–' : <Time at={at} />;
}

function Actions({ id, forms }: { id: string; forms: Forms }) {
  const path = `${WEBHOOK_PAGES}/${id}`;
  const rotate = forms.rotate ?? newForm({ overlapHours: String(DEFAULT_OVERLAP) }, rotateBody);
  return (
    <>
      <Panel title="Redeliver" note="Send failed deliveries again." split>
        <Form
          action={`${path}/redeliver`}
          state={forms.redeliver ?? newForm({}, redeliverBody)}
          label="Redeliver failed since"
        >
          <Field name="since" label="Redeliver failed since" type="date" />
          <Button quiet>Redeliver</Button>
        </Form>
      </Panel>
      <Panel title="Rotate" note="Issue a new secret; the old one signs for a while, too." split>
        <Form action={`${path}/rotate`} state={rotate} label="Rotate">
          <Field
            name="overlapHours"
            label="Hours until the old secret ends"
            hint="0 to 168. 0 ends the old secret immediately."
          />
          <Button quiet>Rotate</Button>
        </Form>
      </Panel>
      <Panel
        title="Delete"
        note="Nothing more is sent, and the deliveries are not shown any more."
        class="danger-zone"
        split
      >
        <Form
          action={`${path}/delete`}
          {...(forms.remove ? { state: forms.remove } : {})}
          label="Delete"
        >
          <Field
            name="confirmation"
            label={`Enter the word to confirm: ${CONFIRMATION}`}
            autocomplete="off"
          />
          <Button danger>Delete</Button>
        </Form>
      </Panel>
    </>
  );
}
