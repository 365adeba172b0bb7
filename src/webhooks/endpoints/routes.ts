// The endpoints for webhook endpoints. Nothing is queued: the response comes from the transaction.
import { plainRequest } from '../../api/answer-write.js';
import { authOf, type Endpoint, patchEndpoint, readEndpoint } from '../../api/endpoint.js';
import { API } from '../../platform/api-path.js';
import { noParameters } from '../../platform/http/input/query.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { testEndpoint } from '../log/test.js';
import {
  answering,
  COLLECTION,
  ENDPOINT_NOUN,
  ENDPOINT_PATH,
  endpointId,
  WEBHOOK_STATE,
  WEBHOOKS,
  webhookAction,
} from '../route-parts.js';
import { checkEndpoint } from './check-target.js';
import { findEndpoint, listEndpoints } from './queries.js';
import {
  DEFAULT_OVERLAP,
  endpointPatch,
  endpointRequest,
  rotationRequest,
  testRequest,
} from './schema.js';
import { createEndpoint, deleteEndpoint, rotateSecret, updateEndpoint } from './service.js';

const CONFLICTS = {
  WebhookConflict: ['already_exists', 'limit_reached'],
  EventsExpired: ['events_expired'],
} as const;

export const endpointEndpoints: readonly Endpoint[] = [
  {
    ...WEBHOOKS,
    type: 'create',
    path: COLLECTION,
    id: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description:
      'Events of `types` are then sent to `url`: from the next one on, or those after `after`. ' +
      'The answer shows the secret, once. The same URL again is refused with `existingId`.',
    body: { name: 'WebhookEndpointRequest', schema: endpointRequest },
    answer: 'The endpoint with its secret.',
    schema: 'WebhookEndpointWithSecret',
    hasLocation: true,
    conflicts: CONFLICTS,
    middleware: () => [
      ...plainRequest,
      async ctx => {
        const { companyId } = authOf(ctx);
        const request = await checkEndpoint(endpointRequest, ctx.request.body, companyId);
        const { id, body } = await createEndpoint(companyId, request);
        ctx.status = 201;
        ctx.set('Location', `${API}${COLLECTION}/${id}`);
        ctx.type = 'json';
        ctx.body = body;
      },
    ],
  },
  {
    ...WEBHOOKS,
    type: 'list',
    path: COLLECTION,
    id: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    description: 'All of them, oldest first: a plain array without pages.',
    answer: 'The endpoints.',
    schema: 'WebhookEndpoint',
    middleware: () => [noParameters, answering((_ctx, companyId) => listEndpoints(companyId))],
  },
  readEndpoint({
    ...WEBHOOKS,
    path: ENDPOINT_PATH,
    id: 'getWebhookEndpoint',
    summary: 'Get a webhook endpoint',
    description: 'Its health, and how far it is behind the newest event.',
    noun: ENDPOINT_NOUN,
    answer: 'The endpoint.',
    schema: 'WebhookEndpoint',
    find: ({ companyId }, id) => findEndpoint(companyId, id),
  }),
  patchEndpoint({
    ...WEBHOOKS,
    path: ENDPOINT_PATH,
    id: 'updateWebhookEndpoint',
    summary: 'Change a webhook endpoint',
    description:
      'A JSON Merge Patch (RFC 7396). `"status": "active"` makes it healthy from any status; it ' +
      'continues at its position. `after` moves the position: events that were delivered are not ' +
      'sent again.',
    noun: ENDPOINT_NOUN,
    body: { name: 'WebhookEndpointPatch', schema: endpointPatch },
    answer: 'The changed endpoint.',
    schema: 'WebhookEndpoint',
    conflicts: CONFLICTS,
    patch: async (ctx, id) => {
      const { companyId } = authOf(ctx);
      const patch = await checkEndpoint(endpointPatch, ctx.request.body, companyId, id);
      return updateEndpoint(companyId, id, patch);
    },
  }),
  {
    ...WEBHOOKS,
    type: 'delete',
    path: ENDPOINT_PATH,
    id: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'Nothing more is sent to it, and its deliveries are not shown any more.',
    noun: ENDPOINT_NOUN,
    answer: 'Deleted.',
    schema: 'WebhookEndpoint',
    middleware: () => [
      noParameters,
      async ctx => {
        await deleteEndpoint(authOf(ctx).companyId, endpointId(ctx));
        ctx.status = 204;
      },
    ],
  },
  webhookAction(
    'action',
    {
      path: `${ENDPOINT_PATH}/rotate-secret`,
      id: 'rotateWebhookSecret',
      summary: 'Rotate the secret',
      description:
        'The answer shows the new secret, once. Until the overlap ends, each delivery has a ' +
        'signature of the current secret, too; 0 hours end all others at once.',
      body: { name: 'WebhookSecretRotation', schema: rotationRequest },
      answer: 'The endpoint with its new secret.',
      schema: 'WebhookEndpointWithSecret',
      conflicts: { WebhookSecretLimit: ['limit_reached'] },
    },
    (ctx, companyId) => {
      const { overlapHours = DEFAULT_OVERLAP } = validateBody(rotationRequest, ctx.request.body);
      return rotateSecret(companyId, endpointId(ctx), overlapHours);
    },
  ),
  webhookAction(
    'action',
    {
      path: `${ENDPOINT_PATH}/test`,
      id: 'testWebhookEndpoint',
      summary: 'Send a test',
      description:
        'Sends a `webhook_endpoint.test`, or a sample of `type`, with `"test": true`, in any ' +
        'status of the endpoint. Its health and its deliveries stay as they are. 10 per minute.',
      body: { name: 'WebhookTest', schema: testRequest },
      answer: 'The attempt.',
      schema: 'WebhookAttempt',
      conflicts: WEBHOOK_STATE,
    },
    async (ctx, companyId) => {
      const { type } = validateBody(testRequest, ctx.request.body);
      return JSON.stringify(await testEndpoint(companyId, endpointId(ctx), type));
    },
  ),
];
