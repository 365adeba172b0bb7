// An endpoint's JSON, and that of a delivery and of an attempt.
import { jsonObject, timeJson } from '../../platform/db/sql.js';
import {
  choice,
  count,
  described,
  flag,
  integer,
  type JsonSchema,
  list,
  named,
  namedSchemas,
  object,
  orNull,
  type ParsedJson,
  rendered,
  text,
  time,
  uuid,
} from '../../platform/values/json-shape.js';
import { ATTEMPT_ERRORS } from '../sending/outcome.js';

export const ENDPOINT_STATUSES = ['active', 'paused', 'disabled'] as const;
const HEALTHS = ['healthy', 'failing'] as const;
const DISABLED_REASONS = ['gone', 'no_success', 'secret_lost'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

const members = {
  id: uuid,
  url: text,
  types: list(text),
  description: orNull(text),
  ordered: flag,
  status: choice(ENDPOINT_STATUSES),
  health: described(
    choice(HEALTHS),
    '`failing`: deliveries fail in a row, so there are only probes until one succeeds.',
  ),
  disabledReason: orNull(choice(DISABLED_REASONS)),
  disableAt: described(
    orNull(time),
    'When a failing endpoint will be disabled unless a probe succeeds.',
  ),
  position: described(count, 'The sequence of the last event that was delivered or passed over.'),
  behind: described(count, 'The newest sequence minus the position.'),
  missed: described(count, 'Events that expired before the position reached them.'),
  lastSuccessAt: orNull(time),
  lastFailureAt: orNull(time),
  secrets: described(
    list(object({ createdAt: time, expiresAt: orNull(time) })),
    'Newest first. Each delivery has a signature per secret.',
  ),
  createdAt: time,
  updatedAt: time,
};

const ENDPOINT = named('WebhookEndpoint', object(members));
export type EndpointJson = ParsedJson<typeof ENDPOINT>;

const ENDPOINT_WITH_SECRET = named(
  'WebhookEndpointWithSecret',
  object({ ...members, secret: described(text, 'Shown only now.') }),
);

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'skipped'] as const;
const TRIGGERS = ['first', 'retry', 'probe', 'manual'] as const;
export type Trigger = (typeof TRIGGERS)[number];

const deliveryMembers = {
  sequence: count,
  eventId: uuid,
  type: text,
  status: choice(DELIVERY_STATUSES),
  attemptCount: count,
  nextAttemptAt: orNull(time),
  createdAt: described(time, 'The time of the first attempt.'),
};
const DELIVERY = named('WebhookDelivery', object(deliveryMembers));
export type DeliveryJson = ParsedJson<typeof DELIVERY>;

const headerMap = rendered<Readonly<Record<string, string>>>({
  type: 'object',
  additionalProperties: { type: 'string' },
} satisfies JsonSchema);

const ATTEMPT = named(
  'WebhookAttempt',
  object({
    at: time,
    durationMs: integer,
    trigger: choice(TRIGGERS),
    status: described(orNull(integer), 'The status of the answer; null without one.'),
    error: described(
      orNull(choice(ATTEMPT_ERRORS)),
      'Null for an answer other than a redirect, whatever its status is.',
    ),
    request: object({
      headers: headerMap,
      body: described(orNull(text), 'Null after the event has expired.'),
    }),
    response: orNull(
      object({ headers: headerMap, body: described(text, 'The first 1,024 bytes.') }),
    ),
  }),
);
export type AttemptJson = ParsedJson<typeof ATTEMPT>;
const DELIVERY_WITH_ATTEMPTS = named(
  'WebhookDeliveryWithAttempts',
  object({ ...deliveryMembers, attempts: list(ATTEMPT) }),
);
const REDELIVERY = named('WebhookRedelivery', object({ count }));

/** For the OpenAPI document. */
export const webhookSchemas = namedSchemas(
  ENDPOINT,
  ENDPOINT_WITH_SECRET,
  DELIVERY,
  DELIVERY_WITH_ATTEMPTS,
  ATTEMPT,
  REDELIVERY,
);

/** SQL: a secret that still signs. */
export const IS_VALID_SECRET = '(s.expires_at IS NULL OR s.expires_at > clock_timestamp())';

/** SQL for the JSON of the endpoint e. */
export const endpointJson = jsonObject(`
  e.id, e.url, e.types, e.description, e.ordered, e.status, e.health,
  e.disabled_reason AS "disabledReason",
  ${timeJson('e.disable_at')} AS "disableAt",
  e.position,
  (
    SELECT greatest(0, c.next_event_sequence - 1 - e.position)
    FROM companies c
    WHERE c.id = e.company_id
  ) AS behind,
  e.missed,
  ${timeJson('e.last_success_at')} AS "lastSuccessAt",
  ${timeJson('e.last_failure_at')} AS "lastFailureAt",
  (
    SELECT COALESCE(json_agg(json_build_object(
      'createdAt', ${timeJson('s.created_at')},
      'expiresAt', ${timeJson('s.expires_at')}
    ) ORDER BY s.created_at DESC, s.id DESC), '[]')
    FROM webhook_secrets s
    WHERE s.company_id = e.company_id AND s.endpoint_id = e.id AND ${IS_VALID_SECRET}
  ) AS secrets,
  ${timeJson('e.created_at')} AS "createdAt",
  ${timeJson('e.updated_at')} AS "updatedAt"`);

/** SQL for the JSON of the delivery d. */
export const deliveryJson = jsonObject(`
  d.sequence, d.event_id AS "eventId", d.type, d.status,
  d.attempts AS "attemptCount",
  ${timeJson('d.next_attempt_at')} AS "nextAttemptAt",
  ${timeJson('d.created_at')} AS "createdAt"`);
