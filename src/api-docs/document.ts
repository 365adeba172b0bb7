// The OpenAPI 3.1 document, put together once at start from the schemas that validate, the table of errors and the
// descriptions beside them.
import { bodySchema } from './json-schema.js';
import { parameters, paths, requestBodies } from './operations.js';
import { headers, problemResponses } from './responses.js';
import { responseSchemas } from './schemas.js';

const DESCRIPTION = `
Invoicing and inventory for trading and distribution businesses: create invoices, watch stock, read the month's figures.

Bodies are JSON in UTF-8 with camelCase keys. Times are RFC 3339 in UTC with milliseconds, dates are \`YYYY-MM-DD\`.
Money and quantities are JSON numbers in major units, exact to the last decimal. Nothing is coerced, and unknown fields and
query parameters are refused. HEAD works wherever GET does, OPTIONS names the methods of a path, any other method is 405.

Text is trimmed, normalised to Unicode NFC and counted in code points. Refused in it, as \`invalid_value\`: control characters
(a \`note\` may have tabs and line ends), lone surrogates, the separators U+2028 and U+2029, the bidirectional controls U+202A to
U+202E and U+2066 to U+2069, and U+FFFD.

**Guides:** [Authentication](/docs/authentication) · [Idempotency](/docs/idempotency) · [Waiting](/docs/waiting) ·
[Pagination](/docs/pagination) · [Errors](/docs/errors) · [Rate limits](/docs/rate-limits)

Within version 1 changes only add: fields, optional parameters and endpoints may come any time, so ignore what you do not know.
Anything that would break a client comes only under a new major version. The old one then stays for 24 months, and its answers
announce their end in the headers \`Deprecation\`, \`Sunset\` and \`Link\`.
`.trim();

const TAGS = [
  {
    name: 'Invoices',
    description: 'Issued invoices. They take their items out of stock and never change.',
  },
  { name: 'Inventory', description: 'Stock items, and the adjustments that move them.' },
  { name: 'Summary', description: "The current month's figures." },
  { name: 'Jobs', description: 'Writes that were answered with 202.' },
  { name: 'Documentation', description: 'What you are reading, for machines.' },
];

/** The document; `publicUrl` is where clients reach the API, where that is configured. */
export function buildDocument(publicUrl: string | undefined): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: { title: 'Tradepost API', version: '1', description: DESCRIPTION },
    servers: [
      { url: '/api/external', description: 'This server' },
      ...(publicUrl === undefined
        ? []
        : [{ url: `${publicUrl.replace(/\/+$/u, '')}/api/external`, description: 'Public' }]),
    ],
    tags: TAGS,
    paths,
    components: {
      schemas: {
        ...Object.fromEntries(
          Object.entries(requestBodies).map(([name, schema]) => [name, bodySchema(schema)]),
        ),
        ...responseSchemas,
      },
      parameters,
      headers,
      responses: problemResponses,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'An API key: `tpk_…`.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The same key, as `Authorization: Bearer tpk_…`.',
        },
      },
    },
  };
}
