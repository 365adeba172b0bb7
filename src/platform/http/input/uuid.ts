// A UUID in a request.
import Joi from 'joi';
import { isUuid } from '../../values/ids.js';
import { typed } from './typed-schema.js';
import type { TextSchema } from './validate.js';

/** A UUID, in lower case. */
export function uuid(): TextSchema {
  const schema = Joi.string()
    .custom((value: string, helpers) =>
      isUuid(value)
        ? value.toLowerCase()
        : helpers.error('invalid_value', { sentence: 'Must be a UUID.' }),
    )
    .meta({ schema: { type: 'string', format: 'uuid' } });
  return typed(schema);
}
