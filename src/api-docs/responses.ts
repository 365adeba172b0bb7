// The answers of the document: successes, and the possible codes of each status.
import type { EndpointType } from '../api/endpoint.js';
import { API } from '../platform/api-path.js';
import { PROBLEMS, Problem, type ProblemCode } from '../platform/errors.js';
import { problemDocument } from '../platform/problem-document.js';
import type { JsonSchema } from '../platform/values/json-shape.js';
import { reference } from '../platform/values/json-shape.js';
import { ENDPOINTS } from './endpoints.js';
import type { Examples } from './examples.js';
import { REQUEST_ID } from './headers.js';
import { PROBLEM_GUIDE } from './problem-guide.js';

type Spec = Readonly<Record<string, unknown>>;

const ALWAYS = ['X-Request-Id', 'API-Version'];
const LIMITS = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];
export const WRITE_HEADERS = ['Preference-Applied', 'Idempotency-Replayed'];

/** The codes of each problem answer that endpoints share. One answer's codes have one status. */
const SHARED_PROBLEMS = {
  BadDocumentRequest: ['unknown_parameter'],
  BadRequest: ['unknown_parameter', 'ambiguous_credentials'],
  BadListRequest: [
    'invalid_parameter',
    'unknown_parameter',
    'invalid_cursor',
    'ambiguous_credentials',
  ],
  BadReportRequest: ['invalid_parameter', 'unknown_parameter', 'ambiguous_credentials'],
  BadWriteRequest: [
    'malformed_json',
    'unknown_parameter',
    'ambiguous_credentials',
    'invalid_idempotency_key',
  ],
  BadUpdateRequest: ['malformed_json', 'unknown_parameter', 'ambiguous_credentials'],
  Unauthorized: ['missing_api_key', 'invalid_api_key', 'expired_api_key', 'revoked_api_key'],
  Forbidden: ['insufficient_scope'],
  NotFound: ['not_found'],
  NotAcceptable: ['not_acceptable'],
  EventsExpired: ['events_expired'],
  PreconditionFailed: ['precondition_failed'],
  TooLarge: ['payload_too_large'],
  UnsupportedMediaType: ['unsupported_media_type'],
  Invalid: ['validation_failed'],
  Unprocessable: ['validation_failed', 'idempotency_key_reused'],
  TooManyRequests: ['rate_limit_exceeded', 'too_many_attempts'],
  TooManyEmails: ['email_limit_exceeded', 'rate_limit_exceeded', 'too_many_attempts'],
  InternalError: ['internal_error'],
  Unavailable: ['service_unavailable'],
} as const satisfies Record<string, readonly ProblemCode[]>;

/** The name of a problem answer that endpoints share. */
export type ProblemResponse = keyof typeof SHARED_PROBLEMS;

/** The 409 answers that endpoints declare. */
const conflicts = ENDPOINTS.flat().flatMap(({ type, conflicts: own = {} }) =>
  Object.entries(own).map(([name, codes]) => ({ name, codes, isWrite: type === 'write' })),
);

const PROBLEM_RESPONSES: Readonly<Record<string, readonly ProblemCode[]>> = {
  ...SHARED_PROBLEMS,
  ...Object.fromEntries(conflicts.map(({ name, codes }) => [name, codes])),
};

/** Answers that may come before the request is counted: they promise no RateLimit headers. */
const UNCOUNTED = new Set<string>([
  'BadDocumentRequest',
  'BadRequest',
  'BadListRequest',
  'BadReportRequest',
  'BadWriteRequest',
  'BadUpdateRequest',
  'Unauthorized',
  'NotAcceptable',
  'TooManyRequests',
  'TooManyEmails',
  'InternalError',
  'Unavailable',
]);
const EXTRA_HEADERS: Readonly<Record<string, readonly string[]>> = {
  Unauthorized: ['WWW-Authenticate'],
  TooManyRequests: ['Retry-After'],
  TooManyEmails: ['Retry-After'],
  Unavailable: ['Retry-After'],
  Unprocessable: WRITE_HEADERS,
  InternalError: WRITE_HEADERS,
  ...Object.fromEntries(conflicts.map(({ name, isWrite }) => [name, isWrite ? WRITE_HEADERS : []])),
};

export const problemResponses: Readonly<Record<string, Spec>> = Object.fromEntries(
  Object.entries(PROBLEM_RESPONSES).map(([name, codes]) => [name, problemResponse(name, codes)]),
);

/** References to problem answers, by status. */
export function problemsOf(names: readonly string[]): Record<string, Spec> {
  return Object.fromEntries(
    names.map(name => [
      statusOf(PROBLEM_RESPONSES[name] ?? []),
      { $ref: `#/components/responses/${name}` },
    ]),
  );
}

function statusOf([code]: readonly ProblemCode[]): number {
  return PROBLEMS[code as ProblemCode][0];
}

/** A success with a body of the schema. `more` are headers that other answers do not have. */
export function success(
  description: string,
  schema: JsonSchema,
  examples: Examples,
  more: readonly string[],
  type?: EndpointType,
): Spec {
  const csv = { schema: { type: 'string', description: 'All rows, with `format=csv`.' } };
  return {
    description,
    headers: headersOf([...ALWAYS, ...LIMITS, ...more]),
    content: {
      'application/json': { schema, examples },
      ...(type === 'report' ? { 'text/csv': csv } : {}),
    },
  };
}

/** A success with a file. */
export function file(
  description: string,
  mediaType: string,
  examples: Examples,
  more: readonly string[],
): Spec {
  return {
    description,
    headers: headersOf([...ALWAYS, ...LIMITS, ...more]),
    content: { [mediaType]: { schema: { type: 'string' }, examples } },
  };
}

/** A success without a body. */
export function noContent(description: string): Spec {
  return { description, headers: headersOf([...ALWAYS, ...LIMITS]) };
}

export const accepted = (examples: Examples): Spec => ({
  description:
    'The write is not finished yet, or the request did not wait for it. It will be ' +
    'carried out, even after the crash or loss of any process. Poll the job at `Location`.',
  headers: {
    ...headersOf([...ALWAYS, ...LIMITS, ...WRITE_HEADERS, 'Retry-After']),
    Location: { $ref: '#/components/headers/Job-Location' },
  },
  content: { 'application/json': { schema: reference('Job'), examples } },
});

export const notModified: Spec = {
  description: 'Your copy with this ETag is current. No body.',
  headers: headersOf([...ALWAYS, 'ETag']),
};

/** The answer of GET /openapi.json. */
export const openApiDocument: Spec = {
  description: 'The OpenAPI 3.1 document.',
  headers: headersOf([...ALWAYS, 'ETag']),
  content: { 'application/json': { schema: { type: 'object' } } },
};

function headersOf(names: readonly string[]): Record<string, Spec> {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}

function problemResponse(name: string, codes: readonly ProblemCode[]): Spec {
  const explained = codes.map(
    code => `[\`${code}\`](/docs/errors#${code}): ${PROBLEM_GUIDE[code].means}`,
  );
  return {
    description: explained.join('\n\n'),
    headers: headersOf([
      ...ALWAYS,
      ...(UNCOUNTED.has(name) ? [] : LIMITS),
      ...(EXTRA_HEADERS[name] ?? []),
    ]),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            reference('Problem'),
            { properties: { status: { const: statusOf(codes) }, code: { enum: codes } } },
          ],
        },
        examples: Object.fromEntries(codes.map(code => [code, { value: problemExample(code) }])),
      },
    },
  };
}

/** A problem document as the API returns it. */
export function problemExample(code: ProblemCode): Spec {
  const { detail, members = {}, errors } = PROBLEM_GUIDE[code];
  const problem = new Problem(code, detail, { members, ...(errors ? { errors } : {}) });
  const { errors: last, ...document } = problemDocument(problem, `${API}/invoices`);
  return { ...document, requestId: REQUEST_ID, ...(last === undefined ? {} : { errors: last }) };
}
