// The types of events as the webhooks of the OpenAPI document.
import { EVENT_TYPES } from '../../events/types.js';
import { reference } from '../../platform/values/json-shape.js';

type Spec = Readonly<Record<string, unknown>>;

export function documentWebhooks(): Readonly<Record<string, Spec>> {
  return Object.fromEntries(
    Object.entries(EVENT_TYPES).map(([type, { when }]) => [type, { post: operation(type, when) }]),
  );
}

function operation(type: string, when: string): Spec {
  const schema = {
    allOf: [reference('Event'), { type: 'object', properties: { type: { const: type } } }],
  };
  return {
    operationId: `on_${type.replace('.', '_')}`,
    tags: ['Events'],
    summary: type,
    description: when,
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 204: { description: 'Any 2xx: the event was received.' } },
  };
}
