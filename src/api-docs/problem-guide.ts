// The meaning, the remedy and an example of each error code, for /docs/errors and the OpenAPI
// document. The type requires an entry for every code, so no code stays unexplained.
import { MAX_REFUSALS } from '../api-keys/authenticate.js';
import type { FieldError, ProblemCode } from '../platform/errors.js';
import { type FieldCode, fieldError, validationFailed } from '../platform/field-errors.js';
import { INTERNAL_ERROR, UNAVAILABLE } from '../platform/http/errors.js';
import {
  BODY_LIMIT_BYTES,
  payloadTooLarge,
  unsupportedMediaType,
} from '../platform/http/input/body.js';
import { MAX_ITEMS } from '../platform/http/input/validate.js';
import { MAX_FIELD_ERRORS } from '../platform/problem-document.js';
import { DECIMALS } from '../platform/values/money.js';
import { TESTS_PER_MINUTE } from '../webhooks/log/test.js';
import { customerProblems } from './customers/problems.js';
import { documentProblems } from './documents/problems.js';
import { eventProblems } from './events/problems.js';
import { LEDGER_FIELD_CODES, ledgerProblems } from './ledger/problems.js';
import { webhookProblems } from './webhooks/problems.js';

export interface ProblemExplanation {
  readonly means: string;
  readonly remedy: string;
  /** The `detail` of the example. `members` and `errors` are its other members. */
  readonly detail: string;
  readonly members?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
}

const SHORT_ITEM = '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e40';
const INVALID_FIELDS = [
  fieldError(['items', 0, 'qty'], 'too_small', { limit: 0, exclusive: true }),
  fieldError(['refrence'], 'unknown_field', { suggestion: 'reference' }),
];

export const PROBLEM_GUIDE: Readonly<Record<ProblemCode, ProblemExplanation>> = {
  malformed_json: {
    means:
      'The body is not JSON in UTF-8, is truncated, repeats a key, or is nested deeper than 32 ' +
      'levels.',
    remedy: 'Use a JSON library instead of building the body by hand.',
    detail: 'The body is not valid JSON at line 3, column 12.',
  },
  invalid_parameter: {
    means:
      'A query parameter has an invalid value or is given more than once. The property parameter ' +
      'names it.',
    remedy: 'Check the parameter in the reference. Values are never guessed.',
    detail: '"limit" must be a whole number of at least 1.',
    members: { parameter: 'limit' },
  },
  unknown_parameter: {
    means: 'The endpoint has no such query parameter. The property parameter names it.',
    remedy: 'Check the spelling. An ignored filter would return wrong figures, so none is ignored.',
    detail: '"low" is not a parameter of this endpoint, which takes none.',
    members: { parameter: 'low' },
  },
  invalid_cursor: {
    means:
      'This cursor was not issued by this list, or the feed of events has no event with the ' +
      'sequence `after` yet.',
    remedy:
      'Follow the Link header unchanged. A cursor is opaque: do not create, edit or store one. ' +
      'For the feed, check the key, and copy the data again.',
    detail: 'This cursor was not issued by this list.',
  },
  ambiguous_credentials: {
    means: 'The request has two different API keys.',
    remedy: 'Send one key, in x-api-key or in Authorization.',
    detail: 'The request carries two different credentials; send one.',
  },
  invalid_idempotency_key: {
    means:
      'The Idempotency-Key is empty, longer than 255 characters, not visible ASCII, or sent twice.',
    remedy: 'Use a UUID, for example.',
    detail: 'Idempotency-Key must be one header of 1 to 255 visible ASCII characters.',
  },
  missing_api_key: {
    means: 'The request has no API key, or its Authorization header has another scheme.',
    remedy: 'Send the key as x-api-key or as Authorization: Bearer, never in the URL.',
    detail: 'Send an API key as x-api-key or as Authorization: Bearer.',
  },
  invalid_api_key: {
    means: 'The key does not exist: it is truncated, mistyped or from another installation.',
    remedy: 'Compare it with the key you received. Keys begin with tpk_ and end with a checksum.',
    detail: 'This API key is not valid.',
  },
  expired_api_key: {
    means: 'The key has passed its expiry, or was rotated and its overlap has ended.',
    remedy: 'Use the new secret, or ask for a new key.',
    detail: 'This API key has expired.',
  },
  revoked_api_key: {
    means: 'The key was revoked.',
    remedy: 'Ask for a new key. A revoked key cannot be restored.',
    detail: 'This API key has been revoked.',
  },
  insufficient_scope: {
    means: 'The key is valid but lacks a scope. The property requiredScope names it.',
    remedy: 'Use a key with that scope, or have the scope added to this key.',
    detail: 'This key lacks the scope invoices:write.',
    members: { requiredScope: 'invoices:write' },
  },
  not_found: {
    means: 'The path does not exist, or your company has no such record.',
    remedy: "Check the id. Another company's record looks exactly like a missing one.",
    detail: 'There is no such invoice.',
  },
  method_not_allowed: {
    means: 'The path does not support this method. The header Allow lists those that it does.',
    remedy: 'Use one of the allowed methods.',
    detail: 'DELETE is not supported. Allowed: GET, HEAD, OPTIONS.',
  },
  not_acceptable: {
    means:
      'The Accept header excludes the format of the response: application/json, text/csv with ' +
      'format=csv, or that of a document, application/pdf or application/xml.',
    remedy: 'Name that format in Accept, or send no Accept header.',
    detail: 'Responses are application/json. Accept must allow it.',
  },
  insufficient_stock: {
    means:
      'Stock would go below zero. Each entry of errors names a line, its quantity and what is ' +
      'available.',
    remedy:
      'Reduce the quantity, receive stock first, or allow negative stock for the company. ' +
      'Nothing was written.',
    detail: 'There is not enough stock; nothing was written.',
    errors: [
      {
        ...fieldError(
          ['items', 0, 'qty'],
          'insufficient_stock',
          'Ball valve 1/2": 12 requested, 7.5 available.',
        ),
        itemId: SHORT_ITEM,
        requested: 12,
        available: 7.5,
      },
    ],
  },
  stock_conflict: {
    means: 'An expectedOnHand does not match: the stock changed after you read it.',
    remedy: 'Read the item again and decide again. Nothing was written.',
    detail: 'Stock is not what was expected; nothing was written.',
    errors: [
      {
        ...fieldError(
          ['items', 0, 'expectedOnHand'],
          'stock_conflict',
          'Ball valve 1/2" has 7.5 on hand.',
        ),
        itemId: SHORT_ITEM,
        onHand: 7.5,
      },
    ],
  },
  already_exists: {
    means:
      'Another item has this name or SKU, another customer has this name, alias, number or ' +
      'externalId, another webhook endpoint has this URL, or a transfer with this externalId is ' +
      'recorded. The property existingId names the existing record.',
    remedy:
      'Choose another value, or change the existing item or customer first. An archived customer ' +
      'keeps its values. A transfer is recorded once: read the existing one.',
    detail: 'Another item has this name.',
    members: { existingId: SHORT_ITEM },
    errors: [fieldError(['name'], 'already_exists', 'Another item has this name.')],
  },
  invalid_state: {
    means:
      'The state of the record does not allow the change: an item with stock cannot be archived, ' +
      'a paid or credited invoice not be voided, a void one not be credited, a refunded or ' +
      'reversed payment not be reversed. A customer that owes something or has unallocated money ' +
      'cannot be archived, one with invoices or payments not be deleted, and a merged one not be ' +
      'changed. A void invoice is not sent by e-mail, only a pending delivery is skipped, and ' +
      'only an active endpoint gets several deliveries again. Or the company changed its ' +
      'currency while the write was queued.',
    remedy: 'Read the record and decide again: detail names what is in the way.',
    detail: 'Ball valve 1/2" has 7.5 on hand. Only an item with 0 on hand can be archived.',
  },
  ...customerProblems,
  ...documentProblems,
  ...eventProblems,
  ...ledgerProblems,
  ...webhookProblems,
  precondition_failed: {
    means: 'If-Match does not have the current ETag: the record changed after you read it.',
    remedy: 'Read the record again, decide again, and send its new ETag. Nothing was written.',
    detail: 'The item has changed since you read it.',
  },
  payload_too_large: {
    means: payloadTooLarge(BODY_LIMIT_BYTES).message,
    remedy: `Split it. The largest invoice, ${MAX_ITEMS} lines, fits easily.`,
    detail: payloadTooLarge(BODY_LIMIT_BYTES).message,
  },
  unsupported_media_type: {
    means:
      'The body is not declared as application/json in UTF-8, or it is compressed. PATCH also ' +
      'takes application/merge-patch+json.',
    remedy: 'Send Content-Type: application/json and no Content-Encoding.',
    detail: unsupportedMediaType('application/json').message,
  },
  validation_failed: {
    means:
      'The body is JSON, but some fields are invalid. Each entry of errors points to one field. ' +
      `A response lists at most ${MAX_FIELD_ERRORS}; errorsOmitted says how many more there are.`,
    remedy:
      'Fix all of them: one response has every error of a body. The field codes are explained ' +
      'below.',
    detail: validationFailed(INVALID_FIELDS).message,
    errors: INVALID_FIELDS,
  },
  idempotency_key_reused: {
    means: 'This Idempotency-Key was used before, with another body or path.',
    remedy: 'Use a new key for each new write.',
    detail: 'This Idempotency-Key was used with another request. Use a new key.',
  },
  rate_limit_exceeded: {
    means: "The company's requests for this hour are used up. All its keys count together.",
    remedy: 'Wait for the seconds in Retry-After. Watch the RateLimit header to stay below.',
    detail: 'The limit of 1000 requests per hour is used up. It resets in 1312 s.',
  },
  too_many_attempts: {
    means:
      `More than ${MAX_REFUSALS} keys from this address were refused within a minute. ` +
      'IPv6 addresses count by /64. Or the company tested its webhook endpoints more than ' +
      `${TESTS_PER_MINUTE} times within a minute.`,
    remedy: 'Fix the key and retry after Retry-After. Keys in use keep working.',
    detail: 'Too many refused keys from this address; wait before the next.',
  },
  internal_error: {
    means: 'Something went wrong on our side. The log has the details under the requestId.',
    remedy:
      'Try again with the same Idempotency-Key. If it persists, contact support with the ' +
      'requestId.',
    detail: INTERNAL_ERROR,
  },
  service_unavailable: {
    means:
      'A store is unavailable, too many writes are queued or wait for other work of the company, ' +
      'or a list took too long. The detail of a write says whether it may still be carried out.',
    remedy:
      'Try again after Retry-After, with the same Idempotency-Key. Without one, look before you ' +
      'repeat a write that may still be carried out. Narrow a list: fewer days, or one customer.',
    detail: UNAVAILABLE,
  },
};

/** The meaning of each code of `errors[]`. A field's own `detail` names the rule that it breaks. */
export const FIELD_CODES: Readonly<Record<FieldCode, string>> = {
  required: 'The field is missing.',
  wrong_type: 'The value has another JSON type than the field. Nothing is coerced.',
  empty: 'The text or array is empty.',
  too_short: 'The text has fewer characters than the minimum.',
  too_long: 'The text has more characters than the maximum.',
  too_small: 'The number is below the minimum.',
  too_large: 'The number or a sum is above the maximum, or a discount exceeds what it reduces.',
  too_many_decimals: `The number has more than ${DECIMALS} decimals, or than its currency has.`,
  too_many_items: 'The array, the taxes of an invoice or the invoices of a payment are too many.',
  invalid_date:
    'The value is not a calendar date (YYYY-MM-DD) from 1900-01-01 to 2100-12-31, or it is too ' +
    'early or too late.',
  invalid_value: 'The value is not allowed, or fields exclude each other.',
  unknown_field: 'The object has no such property.',
  unknown_item: 'There is no stock item with this SKU, name or id.',
  unknown_customer: 'There is no customer with this id, or the record is archived.',
  ...LEDGER_FIELD_CODES,
  invalid_url: 'The URL of a webhook endpoint has a form that is not allowed.',
  private_address: 'The host of the URL has an address that is not public.',
  unsupported_character: 'The text has a character that a PDF cannot show.',
  insufficient_stock: 'Less is on hand than the line requests.',
  stock_conflict: 'The stock is not what the entry expects.',
  already_exists: 'Another record has this value. The property existingId names it.',
  invalid_state: 'The state of the record does not allow the change.',
};
