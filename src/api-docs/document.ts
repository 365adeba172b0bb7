// The OpenAPI 3.1 document, built from the declared endpoints, the schemas that validate requests
// and the table of errors.
import { API } from '../platform/api-path.js';
import { documentWebhooks } from './events/webhooks.js';
import { headers, parameters } from './headers.js';
import { bodySchema } from './json-schema.js';
import { documentPaths, requestBodies } from './operations.js';
import { problemResponses } from './responses.js';
import { responseSchemas } from './schemas.js';

/** The conventions that all operations share. The reference on /docs shows them too. */
export const CONVENTIONS = `
Bodies are JSON in UTF-8 with camelCase keys. Times are RFC 3339 in UTC with milliseconds, and
dates are \`YYYY-MM-DD\`. Money and quantities are JSON numbers in major units, exact to the last
decimal. Nothing is coerced; unknown properties and query parameters are refused. HEAD works
wherever GET does, OPTIONS lists the methods of a path, and any other method gets 405.

Text is trimmed, normalized to Unicode NFC and counted in code points. It must not contain control
characters (a \`note\` may have line feeds; in an adjustment, tabs and carriage returns too),
lone surrogates, the separators U+2028 and U+2029, the bidirectional controls U+202A to U+202E and
U+2066 to U+2069, or U+FFFD: these are \`invalid_value\`.

Version 1 only grows: new fields, optional parameters and endpoints may appear at any time, so
ignore what you do not know. Breaking changes come only with a new major version. The old one then
remains available for 24 months and announces its end in the headers \`Deprecation\`, \`Sunset\`
and \`Link\`.
`.trim();

const DESCRIPTION = `
Invoicing and inventory for trading and distribution businesses: create invoices, record payments
and credit notes, see what each customer owes, track stock and read the month's figures.

${CONVENTIONS}

**Guides:** [Orders from a shop](/docs/shop-orders) · [Typed client](/docs/client) ·
[Authentication](/docs/authentication) · [Stock matching](/docs/stock-matching) ·
[Tax](/docs/tax) · [Payments and credit notes](/docs/payments) ·
[Customers, statements and aging](/docs/customers) · [Idempotency](/docs/idempotency) ·
[Waiting](/docs/waiting) · [Events](/docs/events) · [Webhooks](/docs/webhooks) ·
[Pagination](/docs/pagination) ·
[Errors](/docs/errors) ·
[Rate limits](/docs/rate-limits) · [Testing](/docs/testing)
`.trim();

const TAGS = [
  {
    name: 'Invoices',
    description:
      'Issued invoices. They reduce the stock of their items. Only the settlement changes: ' +
      'status, amounts paid, credited and due, and the settlement date.',
  },
  { name: 'Payments', description: "Customers' money: payments, allocations and refunds." },
  { name: 'Credit notes', description: 'Corrections of invoices, and the entries of an invoice.' },
  {
    name: 'Documents',
    description: 'Invoices and credit notes on paper and as electronic invoices.',
  },
  {
    name: 'E-mails',
    description: 'Documents that are sent to customers, and what became of them.',
  },
  {
    name: 'Customers',
    description:
      'Records that add data to the names on invoices: addresses, terms, tax, limits and holds.',
  },
  { name: 'Receivables', description: 'What customers owe: statements of account, and aging.' },
  { name: 'Inventory', description: 'Stock items, and the adjustments that change their stock.' },
  { name: 'Summary', description: "The current month's figures." },
  { name: 'Events', description: 'Every change of your company, as a feed.' },
  {
    name: 'Webhooks',
    description: 'Endpoints of your own to which events are sent, and the log of deliveries.',
  },
  { name: 'Jobs', description: 'Writes that returned 202.' },
  { name: 'Documentation', description: 'This reference as OpenAPI.' },
];

/**
 * Builds the document as JSON text. `publicUrl` is the configured address at which clients reach
 * the API. Without it the addresses are relative, as OpenAPI allows: the text must not depend on
 * the Host header of a request, because shared caches may store it.
 */
export function documentText(publicUrl: string | undefined): string {
  const document = buildDocument(publicUrl);
  if (publicUrl === undefined) return JSON.stringify(document);
  return JSON.stringify(document, (name, value) => {
    if (typeof value !== 'string') return value;
    if (name === 'description') return value.replaceAll('](/docs', `](${publicUrl}/docs`);
    // The examples of problems are recorded from a service without a public address.
    return name === 'type' && value.startsWith('/docs') ? publicUrl + value : value;
  });
}

export function buildDocument(publicUrl: string | undefined): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tradepost API',
      version: '1',
      description: DESCRIPTION,
      // As in package.json: the API may be used, but the product is not licensed to others.
      license: { name: 'UNLICENSED' },
    },
    servers: [{ url: `${publicUrl ?? ''}${API}`, description: 'This installation' }],
    tags: TAGS,
    paths: documentPaths(),
    webhooks: documentWebhooks(),
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
