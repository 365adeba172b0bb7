// A UUID in a request.
import Joi from 'joi';
import { API } from '../../api-path.js';
import { isUuid } from '../../values/ids.js';
import { typed } from './typed-schema.js';
import type { TextSchema } from './validate.js';

/** A UUID, in lower case. `advice` is a sentence for a caller who has something else. */
export function uuid(advice = ''): TextSchema {
  const sentence = `Must be a UUID.${advice && ` ${advice}`}`;
  const schema = Joi.string()
    .custom((value: string, helpers) =>
      isUuid(value) ? value.toLowerCase() : helpers.error('invalid_value', { sentence }),
    )
    .meta({ schema: { type: 'string', format: 'uuid' } });
  return typed(schema);
}

/** The advice for a caller who has a number: the list, or the lists, that find the id. */
export function findsId(...lists: readonly string[]): string {
  return `${lists.map(list => `GET ${API}/${list}=`).join(' or ')} finds it.`;
}
