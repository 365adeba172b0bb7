// The one vocabulary of errors. A slice throws Problem with a code; platform/http translates it to
// a response, the jobs slice to a job's outcome. Any other error is a defect or an outage, and
// clients see none of its details.

export interface FieldError {
  /** RFC 6901 pointer into the request body. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly [member: string]: unknown;
}

/** Every code that a client can receive, with its status and title (RFC 9457). */
export const PROBLEMS = {
  malformed_json: [400, 'Malformed JSON'],
  invalid_parameter: [400, 'Invalid parameter'],
  unknown_parameter: [400, 'Unknown parameter'],
  invalid_cursor: [400, 'Invalid cursor'],
  ambiguous_credentials: [400, 'Ambiguous credentials'],
  invalid_idempotency_key: [400, 'Invalid idempotency key'],
  missing_api_key: [401, 'Missing API key'],
  invalid_api_key: [401, 'Invalid API key'],
  expired_api_key: [401, 'Expired API key'],
  revoked_api_key: [401, 'Revoked API key'],
  insufficient_scope: [403, 'Insufficient scope'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  not_acceptable: [406, 'Not acceptable'],
  insufficient_stock: [409, 'Insufficient stock'],
  stock_conflict: [409, 'Stock conflict'],
  already_exists: [409, 'Already exists'],
  invalid_state: [409, 'Invalid state'],
  amount_exceeds_due: [409, 'Amount exceeds what is due'],
  amount_exceeds_unallocated: [409, 'Amount exceeds what is unallocated'],
  credit_exceeds_invoice: [409, 'Credit exceeds the invoice'],
  customer_on_hold: [409, 'Customer on hold'],
  credit_limit_exceeded: [409, 'Credit limit exceeded'],
  document_incomplete: [409, 'Document incomplete'],
  document_unavailable: [409, 'Document unavailable'],
  email_not_configured: [409, 'E-mail not configured'],
  limit_reached: [409, 'Limit reached'],
  events_expired: [410, 'Events expired'],
  precondition_failed: [412, 'Precondition failed'],
  payload_too_large: [413, 'Payload too large'],
  unsupported_media_type: [415, 'Unsupported media type'],
  validation_failed: [422, 'Validation failed'],
  idempotency_key_reused: [422, 'Idempotency key reused'],
  rate_limit_exceeded: [429, 'Rate limit exceeded'],
  too_many_attempts: [429, 'Too many attempts'],
  email_limit_exceeded: [429, 'E-mail limit exceeded'],
  internal_error: [500, 'Internal error'],
  service_unavailable: [503, 'Service unavailable'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof PROBLEMS;

export interface ProblemDetails {
  readonly errors?: readonly FieldError[];
  /** How many more field errors there are than `errors` has. */
  readonly errorsOmitted?: number;
  /** Further members of the problem document, such as requiredScope. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal that the client can act on. `detail` is a sentence for people. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, detail: string, details: ProblemDetails = {}) {
    super(detail);
    this.code = code;
    this.details = details;
  }
}

/** The Retry-After of every 503. */
export const RETRY_AFTER_SECONDS = '2';

/** The end of a 503's detail: nothing of the request is carried out. */
export const NOT_ACCEPTED =
  'The request was not accepted. Retry it later with the same Idempotency-Key.';
/** The end of a 503's detail if a worker may have the write, or Postgres may have stored it. */
export const MAY_BE_CARRIED_OUT =
  'It may still be carried out. Repeat it with the same Idempotency-Key, or look before you ' +
  'repeat it.';

/** The company has no such record, such as "payment". `advice` is a further sentence. */
export function notFound(noun: string, advice = ''): Problem {
  return new Problem('not_found', `There is no such ${noun}.${advice && ` ${advice}`}`);
}

/** A dependency is unavailable. `detail` says whether the request may still be carried out. */
export function unavailable(detail: string): Problem {
  return new Problem('service_unavailable', detail, {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
