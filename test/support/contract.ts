// Checks every API response against the OpenAPI document: status, media type, headers and body. The
// document allows additional fields for later versions; here they are mismatches.
import type { IncomingHttpHeaders } from 'node:http';
import { buildDocument } from '../../src/api-docs/document.js';
import { EVENT_TYPES, type EventTypeName } from '../../src/events/types.js';
import { schemasOf } from './schemas.js';

const BASE = '/api/external';

interface Header {
  readonly required?: boolean;
  readonly schema: { readonly type?: string };
}

interface ResponseSpec {
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, ResponseSpec>>;
}

export interface CheckedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
}

const document = closeObjects(buildDocument(undefined)) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};
const templates = Object.keys(document.paths).map(template => ({
  template,
  pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u'),
}));
const ajv = schemasOf(document.components);

/** Any problem document, for unknown paths and methods, which no operation describes. */
const anyProblem: ResponseSpec = {
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/** Throws an error that names the mismatches. Ignores paths outside the API. */
export function checkResponse(method: string, path: string, response: CheckedResponse): void {
  const { pathname } = new URL(path, 'http://any');
  if (!pathname.startsWith(`${BASE}/`) || (method === 'OPTIONS' && response.status === 204)) return;
  const match = templates.find(({ pattern }) => pattern.test(pathname.slice(BASE.length)));
  const item = match && document.paths[match.template];
  const operation = item?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  const mismatches = operation
    ? operationMismatches(operation, method, response)
    : undocumentedMismatches(method, response);
  if (mismatches.length === 0) return;
  throw new Error(
    `${method} ${match?.template ?? pathname} ${response.status} does not match the OpenAPI ` +
      `document: ${mismatches.join('; ')}\n${response.text.slice(0, 500)}`,
  );
}

/** The ways in which the data of an event differ from the schema of its type. */
export function eventDataMismatches(type: EventTypeName, data: unknown): string[] {
  return schemaMismatches({ $ref: `#/components/schemas/${EVENT_TYPES[type].schema}` }, data);
}

function operationMismatches(
  operation: Operation,
  method: string,
  response: CheckedResponse,
): string[] {
  const spec = operation.responses[response.status];
  if (!spec)
    return [`the status is not documented, only ${Object.keys(operation.responses).join(', ')}`];
  return [
    ...headerMismatches(resolve(spec), response),
    ...bodyMismatches(resolve(spec), method, response),
  ];
}

function undocumentedMismatches(method: string, response: CheckedResponse): string[] {
  if (response.status < 400)
    return ['no operation has this method and path, but the response is a success'];
  return bodyMismatches(anyProblem, method, response);
}

function headerMismatches({ headers = {} }: ResponseSpec, response: CheckedResponse): string[] {
  return Object.entries(headers).flatMap(([name, described]) => {
    const { required, schema } = resolve(described);
    const value = response.headers[name.toLowerCase()];
    if (value === undefined) return required ? [`the header ${name} is missing`] : [];
    return schemaMismatches(schema, schema.type === 'integer' ? Number(value) : value).map(
      text => `${name}: ${text}`,
    );
  });
}

function bodyMismatches(
  { content }: ResponseSpec,
  method: string,
  response: CheckedResponse,
): string[] {
  if (method === 'HEAD' || !content)
    return response.text === '' ? [] : ['there is an unexpected body'];
  const type = String(response.headers['content-type']).split(';')[0] ?? '';
  const schema = content[type]?.schema;
  if (!schema) return [`the media type is ${type}, not ${Object.keys(content).join(', ')}`];
  // A test that requests compressed bytes checks them itself.
  return response.headers['content-encoding'] === undefined
    ? schemaMismatches(schema, type.includes('json') ? response.body : response.text)
    : [];
}

function schemaMismatches(schema: object, value: unknown): string[] {
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
}

/** Follows a $ref into the components. */
function resolve<Value extends object>(value: Value): Value {
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined) return value;
  return $ref
    .split('/')
    .slice(1)
    .reduce(
      (at, name) => (at as Record<string, unknown>)[name] as object,
      document as object,
    ) as Value;
}

/** Forbids additional properties in every object schema. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, closeObjects(member)]),
  );
  return members.type === 'object' && 'properties' in members
    ? { additionalProperties: false, ...members }
    : members;
}
