// What each error code means, what to do about it, and how it looks: the page /docs/errors and the document's examples.
// Its type demands an entry for every code, so a code cannot come into the world unexplained.
import type { FieldError, ProblemCode } from '../platform/errors.js';

export interface ProblemExplanation {
  readonly means: string;
  readonly remedy: string;
  /** An example's detail and further members. */
  readonly detail: string;
  readonly members?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
}

const SHORT_ITEM = '01932d5c-1f4e-7cc3-9d0a-3b6a1d2f7e10';

export const PROBLEM_GUIDE: Readonly<Record<ProblemCode, ProblemExplanation>> = {
  malformed_json: {
    means:
      'The body is not JSON in UTF-8, is cut short, names a key twice, or is nested deeper than 32 levels.',
    remedy: 'Send what a JSON library writes, not text put together by hand.',
    detail: 'The body is not valid JSON.',
  },
  invalid_parameter: {
    means:
      'A query parameter has a value that it cannot have, or stands twice. The member parameter names it.',
    remedy: 'Look the parameter up in the reference. Values are never guessed at.',
    detail: 'The parameter "limit" is not valid: a whole number from 1.',
    members: { parameter: 'limit' },
  },
  unknown_parameter: {
    means: 'The endpoint has no such query parameter. The member parameter names it.',
    remedy: 'Look for a spelling mistake: a filter that was ignored would give wrong figures.',
    detail: 'The parameter "custommer" is not known here.',
    members: { parameter: 'custommer' },
  },
  invalid_cursor: {
    means: 'The cursor was not given out by this list.',
    remedy:
      'Follow the Link header as it is. A cursor is opaque: do not make, keep for good or change one.',
    detail: 'The cursor is not one that this list gave out.',
  },
  ambiguous_credentials: {
    means: 'The request carries two different API keys.',
    remedy: 'Send one key, in x-api-key or in Authorization.',
    detail: 'The request carries two different API keys; send one.',
  },
  invalid_idempotency_key: {
    means:
      'The Idempotency-Key is empty, longer than 255 characters, not visible ASCII, or sent twice.',
    remedy: 'A UUID does well.',
    detail: 'An Idempotency-Key is one header of 1 to 255 visible ASCII characters.',
  },
  missing_api_key: {
    means: 'The request carries no API key.',
    remedy: 'Send it as x-api-key, or as Authorization: Bearer. Never in the URL.',
    detail: 'Send an API key as x-api-key or as Authorization: Bearer.',
  },
  invalid_api_key: {
    means: 'There is no such key: it is cut, mistyped or of another installation.',
    remedy: 'Compare it with the one you were given. Keys begin with tpk_ and carry a checksum.',
    detail: 'This API key is not valid.',
  },
  expired_api_key: {
    means: 'The key had an end date, or was rotated and its overlap is over.',
    remedy: 'Use the new secret, or ask for a new key.',
    detail: 'This API key has expired.',
  },
  revoked_api_key: {
    means: 'Somebody of the company revoked the key.',
    remedy: 'Ask for a new key. A revoked one does not come back.',
    detail: 'This API key has been revoked.',
  },
  insufficient_scope: {
    means: 'The key is good, but may not do this. The member requiredScope names what it lacks.',
    remedy: 'Use a key with that scope, or have it added to this one.',
    detail: 'This key lacks the scope invoices:write.',
    members: { requiredScope: 'invoices:write' },
  },
  not_found: {
    means: 'There is nothing at this path, or no such record in your company.',
    remedy: 'Check the id. Records of other companies look exactly like missing ones.',
    detail: 'There is no such invoice.',
  },
  method_not_allowed: {
    means: 'The path exists, but not with this method. The header Allow names those it has.',
    remedy: 'Use one of these.',
    detail: 'DELETE is not allowed here; GET, HEAD, OPTIONS are.',
  },
  not_acceptable: {
    means: 'The Accept header excludes application/json, and nothing else is on offer.',
    remedy: 'Send Accept: application/json, or none.',
    detail: 'Answers are application/json; Accept must allow that.',
  },
  insufficient_stock: {
    means:
      'Stock would go below zero. Each entry of errors names a line, what it asks for and what is there.',
    remedy:
      'Take less, receive stock first, or have negative stock allowed for the company. Nothing was written.',
    detail: 'There is not enough stock; nothing was written.',
    errors: [
      {
        pointer: '/items/0/qty',
        code: 'insufficient_stock',
        detail: 'Ball valve 1/2": 12 requested, 7.5 available.',
        itemId: SHORT_ITEM,
        requested: 12,
        available: 7.5,
      },
    ],
  },
  stock_conflict: {
    means: 'An expectedOnHand does not hold: somebody else changed that stock since you looked.',
    remedy: 'Read the item again, and decide again. Nothing was written.',
    detail: 'Stock is not what was expected; nothing was written.',
    errors: [
      {
        pointer: '/items/0/expectedOnHand',
        code: 'invalid_value',
        detail: 'Ball valve 1/2" has 7.5 on hand.',
        itemId: SHORT_ITEM,
        onHand: 7.5,
      },
    ],
  },
  payload_too_large: {
    means: 'The body is larger than 512 KiB.',
    remedy: 'Split it: 250 lines fit well.',
    detail: 'The body is larger than 524288 bytes.',
  },
  unsupported_media_type: {
    means: 'The body is not declared as application/json in UTF-8, or it is compressed.',
    remedy: 'Send Content-Type: application/json and no Content-Encoding.',
    detail: 'Send the body as application/json in UTF-8.',
  },
  validation_failed: {
    means:
      'The body is JSON, but not what the endpoint takes. Each entry of errors points at one field.',
    remedy:
      'Mend all of them: every problem of a body comes in one answer. The field codes are below.',
    detail: 'The body has 2 invalid fields.',
    errors: [
      { pointer: '/items/0/qty', code: 'too_small', detail: 'This is too small.' },
      { pointer: '/custmerName', code: 'unknown_field', detail: 'This field is not known.' },
    ],
  },
  idempotency_key_reused: {
    means: 'This Idempotency-Key was used before, with another body or at another path.',
    remedy: 'One key for one intention: make a fresh one for a new write.',
    detail: 'This Idempotency-Key was used with another request; use a fresh one.',
  },
  rate_limit_exceeded: {
    means: "The company's requests of this hour are used up, all its keys together.",
    remedy: 'Wait for as many seconds as Retry-After says. Watch RateLimit on the way.',
    detail: 'The limit of 1000 requests an hour is used up. It resets in 1312 s.',
  },
  too_many_attempts: {
    means:
      'More than 30 keys from this address were refused within a minute. An IPv4 address is counted by itself, an IPv6 address with all of its /64.',
    remedy: 'Stop, mend the key, and go on after Retry-After. Keys in use are not held up.',
    detail: 'Too many refused keys from this address; wait before the next.',
  },
  internal_error: {
    means:
      'Something went wrong on our side. Nothing of its inside is shown; the log has it under the requestId.',
    remedy: 'Try again with the same Idempotency-Key. Where it stays, tell us the requestId.',
    detail: 'Something went wrong on our side. It was logged under this requestId.',
  },
  service_unavailable: {
    means:
      'A part of the service is away for the moment, or too many writes are waiting. Nothing was promised.',
    remedy: 'Try again after Retry-After, with the same Idempotency-Key.',
    detail: 'A part of the service is away for the moment. Nothing was promised; try again.',
  },
};
