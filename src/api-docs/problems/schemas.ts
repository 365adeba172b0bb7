// The JSON Schemas of problems and of the errors of their fields.
import { PROBLEMS } from '../../platform/errors.js';
import {
  choice,
  described,
  integer,
  money,
  number,
  object,
  orNull,
  partial,
  rendered,
  text,
  uuid,
} from '../../platform/values/json-shape.js';
import { customerProblemMembers } from '../customers/schemas.js';
import { invoiceStateMembers, ledgerFieldErrorMembers } from '../ledger/schemas.js';
import { FIELD_CODES } from '../problem-guide.js';
import { fieldErrorMembers, schemasOf } from '../schema-parts.js';

const FieldError = object({
  pointer: described(
    text,
    'RFC 6901 pointer into the request body. Of a document: into /company, /customer or /invoice.',
  ),
  code: choice(Object.keys(FIELD_CODES)),
  detail: text,
  ...partial({
    itemId: described(
      orNull(uuid),
      'With `insufficient_stock` and `stock_conflict`; null for an item that this adjustment ' +
        'would create.',
    ),
    ...ledgerFieldErrorMembers,
    existingId: described(
      uuid,
      'With `already_exists`, and with a `customerName` that is the number of a customer: the ' +
        'existing record.',
    ),
    rule: described(text, 'With `document_incomplete`: the broken rule of EN 16931.'),
    ...invoiceStateMembers,
    requested: described(number, "The line's own quantity, or the amount of the request."),
    available: described(number, 'The quantity on hand, or the amount due or unallocated.'),
    onHand: described(number, 'With `stock_conflict`: the quantity on hand.'),
  }),
});

const Problem = object(
  {
    type: described(
      rendered({ type: 'string', format: 'uri-reference' }),
      'URL of the explanation.',
    ),
    title: text,
    status: rendered({ type: 'integer', minimum: 400, maximum: 599 }),
    code: described(choice(Object.keys(PROBLEMS)), 'For programs. More values may follow.'),
    detail: described(text, 'For people. The wording may change.'),
    instance: described(text, 'The path of the request, as it was sent.'),
    requestId: described(text, 'For the log and for support; also in X-Request-Id.'),
    ...partial({
      oldest: described(integer, 'With `events_expired`: the oldest event that is retained.'),
      existingId: described(
        uuid,
        'With `already_exists`: the existing item, transfer or customer. With ' +
          '`validation_failed`: that of the first error with one.',
      ),
      requested: described(
        money,
        'With `amount_exceeds_unallocated`, and with `credit_limit_exceeded`: the total of the ' +
          'invoice.',
      ),
      available: described(
        money,
        'With `amount_exceeds_unallocated`: the unallocated amount. With ' +
          '`credit_limit_exceeded`: what is left of the limit; negative if it is exceeded already.',
      ),
      ...invoiceStateMembers,
      parameter: described(text, 'With `invalid_parameter` and `unknown_parameter`: its name.'),
      ...customerProblemMembers,
      requiredScope: described(text, 'With `insufficient_scope`: the scope that the key lacks.'),
      ...fieldErrorMembers,
    }),
  },
  'RFC 9457 problem details.',
);

export const problemSchemas = schemasOf({ Problem, FieldError });
