// The headers of requests and answers that operations share, and the id in a path.
import { API } from '../platform/api-path.js';
import type { JsonSchema } from '../platform/values/json-shape.js';
import { text } from '../platform/values/json-shape.js';

const TEXT = text.schema;

type Spec = Readonly<Record<string, unknown>>;

export const REQUEST_ID = 'order-4711';

// The parameters have no examples: tools that send examples would all use the same key.
export const parameters: Readonly<Record<string, Spec>> = {
  RequestId: headerParameter(
    'X-Request-Id',
    'Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example ' +
      '`order-4711`. It is echoed in the response, the log and the job.',
    // There is no pattern, because an id of another form is replaced rather than refused.
    TEXT,
  ),
  IfNoneMatch: headerParameter(
    'If-None-Match',
    'The ETag of your copy: 304 if it is current.',
    TEXT,
  ),
  IfMatch: headerParameter(
    'If-Match',
    'The ETag of your copy: the change is made only if the record is still the same, else 412.',
    TEXT,
  ),
  Prefer: headerParameter(
    'Prefer',
    '`wait=N`: wait up to N seconds for the outcome (0–30, default 10; more counts as 30). ' +
      '`respond-async`: return 202 at once. RFC 7240; see [Waiting](/docs/waiting).',
    TEXT,
  ),
  IdempotencyKey: headerParameter(
    'Idempotency-Key',
    'Makes retries safe: the same key, path and body return the same outcome for 30 days. 1–255' +
      ' visible ASCII characters, for example a UUID. See [Idempotency](/docs/idempotency).',
    { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  ),
  Id: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the record.',
    schema: { type: 'string', format: 'uuid' },
  },
  Sequence: {
    name: 'sequence',
    in: 'path',
    required: true,
    description: 'The sequence of the event.',
    schema: { type: 'integer', minimum: 1 },
  },
};

function headerParameter(name: string, description: string, schema: Spec): Spec {
  return { name, in: 'header', description, schema };
}

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
const seconds = { type: 'integer', minimum: 0 };

export const headers: Readonly<Record<string, Spec>> = {
  'X-Request-Id': header("The request's id: yours, or a new one.", TEXT, REQUEST_ID, true),
  'API-Version': header('The major version of the API.', { type: 'string', const: '1' }, '1', true),
  'RateLimit-Policy': header(
    'The limit and its window in seconds (IETF draft).',
    TEXT,
    '"hourly";q=1000;w=3600',
    true,
  ),
  RateLimit: header(
    'Requests left, and seconds until the window ends (IETF draft).',
    TEXT,
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
    'URL of the record.',
    { type: 'string', format: 'uri-reference' },
    `${API}/invoices/01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e42`,
    true,
  ),
  'Job-Location': header(
    'URL of the job.',
    { type: 'string', format: 'uri-reference' },
    `${API}/jobs/01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e4f`,
    true,
  ),
  'Retry-After': header('Seconds to wait before the next attempt.', seconds, 2, true),
  Link: header(
    'The next page, as rel="next" (RFC 8288). Absent on the last page alone, which a short or ' +
      'empty page need not be.',
    TEXT,
    `<https://api.example.com${API}/invoices?limit=50&cursor=AbCd>; rel="next"`,
  ),
  ETag: header('For If-None-Match and If-Match.', TEXT, '"5f2b0c"'),
  'Content-Disposition': header('The name of the file.', TEXT, 'inline; filename="INV-000001.pdf"'),
  'Document-Profile': header(
    'The best form that the data allow: `en16931` for an electronic invoice, else `plain`. A ' +
      'delivery note has none.',
    { type: 'string', enum: ['en16931', 'plain'] },
    'en16931',
  ),
  'Document-Warnings': header(
    'The characters that the fonts of a PDF do not have. They are drawn as U+FFFD. After 200 of ' +
      'them, `...` stands for the others.',
    TEXT,
    'U+1F382',
  ),
  'Preference-Applied': header(
    'The preference that was applied (RFC 7240).',
    TEXT,
    'respond-async',
  ),
  'Idempotency-Replayed': header(
    '`true` if this is the outcome of an earlier request with the same Idempotency-Key.',
    { type: 'string', const: 'true' },
    'true',
  ),
  'WWW-Authenticate': header('How to authenticate (RFC 6750).', TEXT, 'Bearer realm="api"', true),
};
