// Holds every response of the API against the OpenAPI document: its status, its media type, its headers and its body. The
// document leaves objects open, because fields may be added; here they are closed, so a field that is not in it is found.
import type { IncomingHttpHeaders } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { buildDocument } from '../../src/api-docs/document.js';

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

const document = closed(buildDocument(undefined)) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
};
const templates = Object.keys(document.paths).map(template => ({
  template,
  pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u'),
}));
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajvFormats.default(ajv);
const compiled = new Map<object, ValidateFunction>();

/** Any refusal, for what no operation describes: unknown paths and wrong methods. */
const anyProblem: ResponseSpec = {
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/** Throws an error that names the mismatch. Paths outside the API pass. */
export function checkResponse(method: string, path: string, response: CheckedResponse): void {
  const { pathname } = new URL(path, 'http://any');
  if (!pathname.startsWith(`${BASE}/`) || (method === 'OPTIONS' && response.status === 204)) return;
  const found = templates.find(({ pattern }) => pattern.test(pathname.slice(BASE.length)));
  const item = found && document.paths[found.template];
  const operation = item?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  const problems = operation
    ? describeMismatch(operation, method, response)
    : otherMismatch(method, response);
  if (problems.length === 0) return;
  const what = `${method} ${found?.template ?? pathname} ${response.status}`;
  throw new Error(
    `${what} is not as the OpenAPI document has it: ${problems.join('; ')}\n${response.text.slice(0, 500)}`,
  );
}

function describeMismatch(
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

function otherMismatch(method: string, response: CheckedResponse): string[] {
  if (response.status < 400)
    return ['no operation has this method and path, and yet it is no refusal'];
  return bodyMismatches(anyProblem, method, response);
}

function headerMismatches({ headers = {} }: ResponseSpec, response: CheckedResponse): string[] {
  return Object.entries(headers).flatMap(([name, described]) => {
    const { required, schema } = resolve(described);
    const value = response.headers[name.toLowerCase()];
    if (value === undefined) return required ? [`the header ${name} is missing`] : [];
    return mismatches(schema, schema.type === 'integer' ? Number(value) : value).map(
      text => `${name}: ${text}`,
    );
  });
}

function bodyMismatches(
  { content }: ResponseSpec,
  method: string,
  response: CheckedResponse,
): string[] {
  if (method === 'HEAD' || !content) return response.text === '' ? [] : ['there is a body'];
  const type = String(response.headers['content-type']).split(';')[0] ?? '';
  const schema = content[type]?.schema;
  if (!schema) return [`the media type is ${type}, not ${Object.keys(content).join(', ')}`];
  // A test that asks for compressed bytes reads them itself.
  return response.headers['content-encoding'] === undefined
    ? mismatches(schema, response.body)
    : [];
}

function mismatches(schema: object, value: unknown): string[] {
  const validate =
    compiled.get(schema) ?? ajv.compile({ ...schema, components: document.components });
  compiled.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
}

/** Follows a reference into the components. */
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

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, closed(member)]),
  );
  return members.type === 'object' && 'properties' in members
    ? { additionalProperties: false, ...members }
    : members;
}
