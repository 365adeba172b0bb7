// The answers of the document: headers, successes, and the possible codes of each status.
import { PROBLEMS, Problem, type ProblemCode } from '../platform/errors.js';
import { problemDocument } from '../platform/problem-document.js';
import { answers } from './examples.js';
import { REQUEST_ID } from './invoices/examples.js';
import type { JsonSchema } from './json-schema.js';
import { LEDGER_REFUSALS } from './ledger/problems.js';
import { PROBLEM_GUIDE } from './problem-guide.js';
import { ref } from './schema-parts.js';

type Spec = Readonly<Record<string, unknown>>;

const header = (
  description: string,
  schema: JsonSchema,
  example: unknown,
  required = false,
): Spec => ({
  description,
  ...(required ? { required } : {}),
  schema,
  example,
});
const text = { type: 'string' };
const seconds = { type: 'integer', minimum: 0 };

export const headers: Readonly<Record<string, Spec>> = {
  'X-Request-Id': header("The request's id: yours, or a new one.", text, REQUEST_ID, true),
  'API-Version': header('The major version of the API.', { type: 'string', const: '1' }, '1', true),
  'RateLimit-Policy': header(
    'The limit and its window in seconds (IETF draft).',
    text,
    '"hourly";q=1000;w=3600',
    true,
  ),
  RateLimit: header(
    'Requests left, and seconds until the window ends (IETF draft).',
    text,
    '"hourly";r=987;t=1312',
    true,
  ),
  'X-RateLimit-Limit': header('Requests per hour.', { type: 'integer', minimum: 1 }, 1000, true),
  'X-RateLimit-Remaining': header('Requests left.', { type: 'integer', minimum: 0 }, 987, true),
  'X-RateLimit-Reset': header(
    'When the window ends, in seconds since 1970.',
    seconds,
    1795167559,
    true,
  ),
  Location: header(
    'The address of the record.',
    { type: 'string', format: 'uri-reference' },
    '/api/external/invoices/01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e42',
    true,
  ),
  'Job-Location': header(
    'The address of the job.',
    { type: 'string', format: 'uri-reference' },
    '/api/external/jobs/01932d5c-8a39-7b64-9e77-2f1d6c8b0a35',
    true,
  ),
  'Retry-After': header('Seconds to wait before the next attempt.', seconds, 2, true),
  Link: header(
    'The next page, as rel="next" (RFC 8288). Absent on the last page alone, which a short or ' +
      'empty page need not be.',
    text,
    '<https://api.example.com/api/external/invoices?limit=50&cursor=AbCd>; rel="next"',
  ),
  ETag: header('For If-None-Match and If-Match.', text, '"5f2b0c"'),
  'Preference-Applied': header(
    'The preference that was applied (RFC 7240).',
    text,
    'respond-async',
  ),
  'Idempotency-Replayed': header(
    '`true` if this is the outcome of an earlier request with the same Idempotency-Key.',
    { type: 'string', const: 'true' },
    'true',
  ),
  'WWW-Authenticate': header('How to authenticate (RFC 6750).', text, 'Bearer realm="api"', true),
};

const ALWAYS = ['X-Request-Id', 'API-Version'];
const LIMITS = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];
const WRITE = ['Preference-Applied', 'Idempotency-Replayed'];

/** The codes of each problem answer. All codes of one answer have the same status. */
const PROBLEM_RESPONSES = {
  BadDocumentRequest: ['unknown_parameter'],
  BadRequest: ['unknown_parameter', 'ambiguous_credentials'],
  BadListRequest: [
    'invalid_parameter',
    'unknown_parameter',
    'invalid_cursor',
    'ambiguous_credentials',
  ],
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
  OutOfStock: ['insufficient_stock', 'invalid_state'],
  StockRefused: ['insufficient_stock', 'stock_conflict'],
  ItemConflict: ['already_exists', 'invalid_state'],
  ...LEDGER_REFUSALS,
  PreconditionFailed: ['precondition_failed'],
  TooLarge: ['payload_too_large'],
  UnsupportedMediaType: ['unsupported_media_type'],
  Invalid: ['validation_failed'],
  Unprocessable: ['validation_failed', 'idempotency_key_reused'],
  TooManyRequests: ['rate_limit_exceeded', 'too_many_attempts'],
  InternalError: ['internal_error'],
  Unavailable: ['service_unavailable'],
} as const satisfies Record<string, readonly ProblemCode[]>;

export type ProblemResponse = keyof typeof PROBLEM_RESPONSES;

/** Answers that may come before the request is counted: they promise no RateLimit headers. */
const UNCOUNTED = new Set<string>([
  'BadDocumentRequest',
  'BadRequest',
  'BadListRequest',
  'BadWriteRequest',
  'BadUpdateRequest',
  'Unauthorized',
  'NotAcceptable',
  'TooManyRequests',
  'InternalError',
  'Unavailable',
]);
const EXTRA_HEADERS: Readonly<Partial<Record<ProblemResponse, readonly string[]>>> = {
  Unauthorized: ['WWW-Authenticate'],
  TooManyRequests: ['Retry-After'],
  Unavailable: ['Retry-After'],
  OutOfStock: WRITE,
  StockRefused: WRITE,
  Unprocessable: WRITE,
  InternalError: WRITE,
};

export const problemResponses: Readonly<Record<string, Spec>> = Object.fromEntries(
  Object.entries(PROBLEM_RESPONSES).map(([name, codes]) => [
    name,
    problemResponse(name as ProblemResponse, codes),
  ]),
);

/** The problem responses of an operation by status. */
export function problemsOf(names: readonly ProblemResponse[]): Record<string, Spec> {
  return Object.fromEntries(
    names.map(name => [
      PROBLEMS[PROBLEM_RESPONSES[name][0]][0],
      { $ref: `#/components/responses/${name}` },
    ]),
  );
}

/** A success with a body of the schema. `more` are its headers beyond those of every answer. */
export function success(
  description: string,
  schema: JsonSchema,
  examples: string,
  more: readonly string[],
): Spec {
  return {
    description,
    headers: headersOf([...ALWAYS, ...LIMITS, ...more]),
    content: { 'application/json': { schema, examples: answers[examples] } },
  };
}

export const created = (
  what: string,
  schema: string,
  more: readonly string[],
  examples = schema,
): Spec => success(what, ref(schema), examples, [...WRITE, ...more]);

export const accepted: Spec = {
  description:
    'The write is not finished yet, or the request did not wait for it. This is a promise: the ' +
    'write survives the crash or loss of any process. Poll the job at `Location`.',
  headers: {
    ...headersOf([...ALWAYS, ...LIMITS, ...WRITE, 'Retry-After']),
    Location: { $ref: '#/components/headers/Job-Location' },
  },
  content: { 'application/json': { schema: ref('Job'), examples: answers.Accepted } },
};

export const notModified: Spec = {
  description: 'Your copy with this ETag is current. No body.',
  headers: headersOf([...ALWAYS, 'ETag']),
};

/** The document itself. */
export const openApiDocument: Spec = {
  description: 'The OpenAPI 3.1 document.',
  headers: headersOf([...ALWAYS, 'ETag']),
  content: { 'application/json': { schema: { type: 'object' } } },
};

function headersOf(names: readonly string[]): Record<string, Spec> {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}

function problemResponse(name: ProblemResponse, codes: readonly ProblemCode[]): Spec {
  const [status] = PROBLEMS[codes[0] as ProblemCode];
  const explained = codes.map(
    code => `[\`${code}\`](/docs/errors#${code}): ${PROBLEM_GUIDE[code].means}`,
  );
  return {
    description: explained.join('\n\n'),
    headers: headersOf([
      ...ALWAYS,
      ...(UNCOUNTED.has(name) ? [] : LIMITS),
      ...(EXTRA_HEADERS[name] ?? (name in LEDGER_REFUSALS ? WRITE : [])),
    ]),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            ref('Problem'),
            { properties: { status: { const: status }, code: { enum: codes } } },
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
  const { errors: last, ...document } = problemDocument(problem, '/api/external/invoices');
  return { ...document, requestId: REQUEST_ID, ...(last === undefined ? {} : { errors: last }) };
}
