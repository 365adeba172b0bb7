// The endpoints of the delivery log.
import { type Endpoint, listEndpoint } from '../../api/endpoint.js';
import { type FieldError, notFound } from '../../platform/errors.js';
import { fieldError } from '../../platform/field-errors.js';
import { noParameters } from '../../platform/http/input/query.js';
import { millisecondsOf } from '../../platform/http/input/time.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { type RedeliveryRequest, redeliveryRequest } from '../endpoints/schema.js';
import {
  answering,
  deliverySequence,
  ENDPOINT_NOUN,
  ENDPOINT_PATH,
  endpointId,
  WEBHOOK_STATE,
  WEBHOOKS,
  webhookAction,
} from '../route-parts.js';
import { deliveryQuery, findWebhookDelivery, listWebhookDeliveries } from './queries.js';
import { type RedeliveryChoice, redeliverMany, redeliverOne, skipDelivery } from './redeliver.js';

const DELIVERIES = `${ENDPOINT_PATH}/deliveries`;
const DELIVERY = `${DELIVERIES}/{sequence}`;

export const deliveryEndpoints: readonly Endpoint[] = [
  webhookAction(
    'request',
    {
      path: `${ENDPOINT_PATH}/redeliver`,
      id: 'redeliverWebhooks',
      summary: 'Redeliver events',
      description:
        'Sends deliveries again, with the same bytes and id, after new events: those of ' +
        '`sequences`, or those of a time. Up to 10,000.',
      body: { name: 'WebhookRedeliveryRequest', schema: redeliveryRequest },
      answer: 'The number of deliveries.',
      schema: 'WebhookRedelivery',
      conflicts: WEBHOOK_STATE,
    },
    async (ctx, companyId) => {
      const choice = redeliveryChoice(ctx.request.body);
      return JSON.stringify({ count: await redeliverMany(companyId, endpointId(ctx), choice) });
    },
  ),
  listEndpoint({
    ...WEBHOOKS,
    path: DELIVERIES,
    id: 'listWebhookDeliveries',
    summary: 'List deliveries',
    description:
      'Newest first, for 30 days. A plain array; the `Link` header leads to the next page. With ' +
      'a filter, a page may have fewer deliveries than the limit and still have a next page.',
    noun: ENDPOINT_NOUN,
    query: deliveryQuery,
    answer: 'A page of deliveries.',
    schema: 'WebhookDelivery',
    cursors: 'webhook deliveries',
    page: ({ companyId }, filter, position, id) =>
      listWebhookDeliveries(companyId, id, filter, position),
  }),
  {
    ...WEBHOOKS,
    type: 'read',
    path: DELIVERY,
    id: 'getWebhookDelivery',
    summary: 'Get a delivery',
    description: 'With its attempts, oldest first.',
    noun: ENDPOINT_NOUN,
    answer: 'The delivery.',
    schema: 'WebhookDeliveryWithAttempts',
    middleware: () => [
      noParameters,
      answering(async (ctx, companyId) => {
        const delivery = await findWebhookDelivery(
          companyId,
          endpointId(ctx),
          deliverySequence(ctx),
        );
        if (!delivery) throw notFound('delivery');
        return JSON.stringify(delivery);
      }),
    ],
  },
  webhookAction(
    'request',
    {
      path: `${DELIVERY}/redeliver`,
      id: 'redeliverWebhook',
      summary: 'Redeliver an event',
      description: 'Sends it again with the same bytes and id, in any status of the endpoint.',
      answer: 'The number of deliveries.',
      schema: 'WebhookRedelivery',
    },
    async (ctx, companyId) => {
      await redeliverOne(companyId, endpointId(ctx), deliverySequence(ctx));
      return JSON.stringify({ count: 1 });
    },
  ),
  webhookAction(
    'action',
    {
      path: `${DELIVERY}/skip`,
      id: 'skipWebhookDelivery',
      summary: 'Skip a delivery',
      description: 'A pending delivery is not tried again, and holds up no other.',
      answer: 'The delivery.',
      schema: 'WebhookDelivery',
      conflicts: WEBHOOK_STATE,
    },
    (ctx, companyId) => skipDelivery(companyId, endpointId(ctx), deliverySequence(ctx)),
  ),
];

/** Throws Problem `validation_failed`. */
function redeliveryChoice(body: unknown): RedeliveryChoice {
  const { sequences, from, to, only } = validateBody(redeliveryRequest, body, choiceErrors);
  if (sequences) return { sequences };
  return { from: from ?? 0, to: to ?? null, onlyFailed: only === 'failed' };
}

/** The errors of members that do not fit together. The body may be invalid elsewhere. */
function choiceErrors(body: unknown): FieldError[] {
  const { sequences, from, to, only } = (body ?? {}) as Partial<
    Record<keyof RedeliveryRequest, unknown>
  >;
  if (sequences != null) {
    if (from != null) return [];
    return Object.entries({ to, only })
      .filter(([, value]) => value != null)
      .map(([name]) => fieldError([name], 'invalid_value', 'Belongs to "from".'));
  }
  if (from == null) return [];
  const errors = only == null ? [fieldError(['only'], 'required')] : [];
  const [first, last] = [from, to].map(millisecondsOf);
  if (first != null && last != null && last < first)
    errors.push(fieldError(['to'], 'invalid_value', 'Must not be before "from".'));
  return errors;
}
