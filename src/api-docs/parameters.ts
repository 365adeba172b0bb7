// The parameters that operations share: request headers and the id of a path.

type Spec = Readonly<Record<string, unknown>>;

// No examples here: the reference's try-it would send them, and everyone would use the same key.
export const parameters: Readonly<Record<string, Spec>> = {
  RequestId: headerParameter(
    'X-Request-Id',
    'Your own id for the request: 1–128 characters of `A-Za-z0-9._:-`, for example ' +
      '`order-4711`. The answer, the log and the job repeat it.',
    // No pattern: an id of another form is replaced, not refused.
    { type: 'string' },
  ),
  IfNoneMatch: headerParameter('If-None-Match', 'The ETag of your copy: 304 if it is current.', {
    type: 'string',
  }),
  IfMatch: headerParameter(
    'If-Match',
    'The ETag of your copy: the change is made only if the item is still the same, else 412.',
    { type: 'string' },
  ),
  Prefer: headerParameter(
    'Prefer',
    '`wait=N`: wait up to N seconds for the outcome (0–30, default 10; more counts as 30). ' +
      '`respond-async`: return 202 at once. RFC 7240; see [Waiting](/docs/waiting).',
    { type: 'string' },
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
};

function headerParameter(name: string, description: string, schema: Spec): Spec {
  return { name, in: 'header', description, schema };
}
