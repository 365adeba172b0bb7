// The bodies of the requests for endpoints.
import Joi from 'joi';
import { type EventTypeName, isEventType, matchTypes } from '../../events/types.js';
import { instant } from '../../platform/http/input/time.js';
import {
  array,
  object,
  oneOf,
  optional,
  typed,
  type ValueOf,
  yesOrNo,
} from '../../platform/http/input/typed-schema.js';
import { text } from '../../platform/http/input/validate.js';

const MAX_TYPES = 50;
const MAX_TYPE_LENGTH = 100;
const MAX_DESCRIPTION = 255;
export const MAX_URL_TEXT = 4_000;
export const DEFAULT_OVERLAP = 24;
const MAX_OVERLAP = 168;

/** Its form is checked later, with its host. */
const url = () =>
  typed<string>(
    Joi.string()
      .allow('')
      .custom((value: string, helpers) =>
        value.length > MAX_URL_TEXT ? helpers.error('invalid_url') : value,
      )
      .description('An https URL with a public host, of at most 2,000 characters.')
      .meta({ schema: { type: 'string', format: 'uri', maxLength: 2_000 } }),
  );

const typeText = <Name extends string>(isKnown: (text: string) => boolean) =>
  typed<Name>(
    // Joi.string() refuses an empty text in its own words, or accepts it unchecked.
    Joi.any()
      .custom((value: unknown, helpers) => {
        if (typeof value !== 'string') return helpers.error('wrong_type', { type: 'a string' });
        return value.length <= MAX_TYPE_LENGTH && isKnown(value)
          ? value
          : helpers.error('invalid_value', { sentence: 'There is no such type of event.' });
      })
      .meta({ schema: { type: 'string' } }),
  );

/** Names of types, groups such as `invoice.*`, and `*`. */
const types = () =>
  typed<readonly string[]>(
    Joi.array()
      .items(typeText(text => matchTypes([text]) !== null))
      .min(1)
      .max(MAX_TYPES)
      .description('Types of events, groups such as `invoice.*`, or `*` for all of them.'),
  );

/** A whole number from 0 to `max`. */
const wholeNumber = (max: number, description: string) =>
  typed<number>(
    Joi.any()
      .custom((value: unknown, helpers) => {
        if (typeof value !== 'number') return helpers.error('wrong_type', { type: 'a number' });
        if (value < 0) return helpers.error('too_small', { limit: 0 });
        if (value > max) return helpers.error('too_large', { limit: max });
        const sentence = 'Must be a whole number.';
        return Number.isInteger(value) ? value : helpers.error('invalid_value', { sentence });
      })
      .description(description)
      .meta({ schema: { type: 'integer', minimum: 0, maximum: max } }),
  );

export function isPosition(value: unknown): value is number | 'last' {
  return value === 'last' || (Number.isSafeInteger(value) && Number(value) >= 0);
}

/** A sequence, or `last`. Its range is checked with the feed. */
const after = () =>
  typed<number | 'last'>(
    Joi.any()
      .custom((value: unknown, helpers) => {
        if (isPosition(value)) return value;
        const sentence = 'Must be a sequence of 0 or more, or "last".';
        return helpers.error('invalid_value', { sentence });
      })
      .description('The sequence after which to begin. Default: that of the newest event, `last`.')
      .meta({ schema: { anyOf: [{ type: 'integer', minimum: 0 }, { const: 'last' }] } }),
  );

const description = () =>
  typed<string | null>(
    text(MAX_DESCRIPTION).allow(null).description('For people. Nothing depends on it.'),
  );

const ordered = () =>
  yesOrNo().description(
    'True: one event at a time, and one that fails holds up the next. Default: false.',
  );

export const endpointRequest = object({
  url: url().required(),
  types: types().required(),
  description: description(),
  ordered: optional(ordered()),
  after: optional(after()),
});
export type EndpointRequest = ValueOf<typeof endpointRequest>;

export const endpointPatch = object({
  url: url(),
  types: types(),
  description: description(),
  ordered: ordered(),
  after: after(),
  status: oneOf('active', 'paused').description(
    '`active` makes an endpoint healthy, from any status.',
  ),
});
export type EndpointPatch = ValueOf<typeof endpointPatch>;

export const rotationRequest = object({
  overlapHours: optional(
    wholeNumber(
      MAX_OVERLAP,
      `How long the current secret signs, too. Default: ${DEFAULT_OVERLAP}.`,
    ),
  ),
});

export const testRequest = object({
  type: optional(typeText<EventTypeName>(isEventType)).description(
    'A type of event, of which a sample is sent.',
  ),
});

const MAX_SEQUENCES = 100;

const sequence = () =>
  typed<number>(
    Joi.any()
      .custom((value: unknown, helpers) =>
        Number.isSafeInteger(value) && Number(value) > 0
          ? value
          : helpers.error('invalid_value', { sentence: 'Must be the sequence of an event.' }),
      )
      .meta({ schema: { type: 'integer', minimum: 1 } }),
  );

/** `from` and `to` are in milliseconds since 1970. */
export const redeliveryRequest = typed<RedeliveryRequest, Joi.ObjectSchema>(
  object({
    sequences: optional(array(sequence()).min(1).max(MAX_SEQUENCES)).description(
      'Deliveries by the sequences of their events. In place of `from`. A repeated one counts ' +
        'once.',
    ),
    from: optional(instant()).description("The first time of an event's `timestamp`."),
    to: optional(instant()).description("The last time of an event's `timestamp`. Default: now."),
    only: optional(oneOf('failed', 'all')).description('Which deliveries. Required with `from`.'),
  }).xor('sequences', 'from') as Joi.ObjectSchema,
);

export interface RedeliveryRequest {
  readonly sequences?: readonly number[];
  readonly from?: number;
  readonly to?: number;
  readonly only?: 'failed' | 'all';
}
