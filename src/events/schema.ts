// The query of GET /events, and the filter by type that other lists of events share.
import Joi from 'joi';
import { object, type Typed, typed, type ValueOf } from '../platform/http/input/typed-schema.js';
import { pageSize } from '../platform/http/input/validate.js';
import { matchTypes } from './types.js';

export const MAX_EVENTS = 200;
const MAX_WAIT_SECONDS = 20;

/** The current position, instead of a sequence. */
export const LAST_POSITION = 'last';

function position(): Typed<number | typeof LAST_POSITION | undefined> {
  const schema = Joi.string()
    .custom((text: string, helpers) => {
      if (text === LAST_POSITION) return text;
      const sequence = Number(text);
      return /^\d+$/u.test(text) && Number.isSafeInteger(sequence)
        ? sequence
        : helpers.error('invalid_value', { sentence: 'Must be a whole number or "last".' });
    })
    .description(
      'The `after` of the page before. `last`: no events, only the current position. Default: ' +
        'the oldest event.',
    )
    .meta({ schema: { type: 'string', pattern: '^(\\d+|last)$' } });
  return typed<number | typeof LAST_POSITION>(schema);
}

/** Names and groups of types, separated by commas. An unknown one is refused. */
export function eventTypes(): Typed<ReadonlySet<string> | undefined> {
  const schema = Joi.string()
    .custom(
      (text: string, helpers) =>
        matchTypes(text.split(',')) ??
        helpers.error('invalid_value', {
          sentence: 'Must be types of events or groups such as invoice.*, separated by commas.',
        }),
    )
    .description('Types and groups, such as `invoice.*,customer.created`. Default: all.')
    .meta({ schema: { type: 'string' } });
  return typed<ReadonlySet<string>>(schema);
}

function seconds(): Typed<number | undefined> {
  const schema = Joi.string()
    .custom((text: string, helpers) =>
      /^\d+$/u.test(text)
        ? Math.min(Number(text), MAX_WAIT_SECONDS)
        : helpers.error('invalid_value', { sentence: 'Must be a whole number of seconds.' }),
    )
    .description(
      'Waits up to this many seconds for an event. More than ' +
        `${MAX_WAIT_SECONDS} is ${MAX_WAIT_SECONDS}.`,
    )
    .meta({ schema: { type: 'integer', minimum: 0, default: 0 } });
  return typed<number>(schema);
}

export const eventQuery = object({
  after: position(),
  limit: pageSize(50, MAX_EVENTS).description('Events per page.'),
  types: eventTypes(),
  wait: seconds().default(0),
});
export type EventQuery = ValueOf<typeof eventQuery>;
