// A UUID in a request.
import Joi from 'joi';
import { isUuid } from '../../values/ids.js';

/** A UUID, in lower case. */
export function uuid(): Joi.StringSchema {
  return Joi.string()
    .custom((value: string, helpers) =>
      isUuid(value)
        ? value.toLowerCase()
        : helpers.error('invalid_value', { sentence: 'Must be a UUID.' }),
    )
    .meta({ schema: { type: 'string', format: 'uuid' } });
}
