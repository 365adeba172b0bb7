// How an entry of the document is made: a read, a list or a write with its parameters and answers.
import type Joi from 'joi';
import type { Example } from './invoices/examples.js';
import { queryParameters } from './json-schema.js';
import { accepted, notModified, type ProblemResponse, problemsOf } from './responses.js';
import { ref } from './schema-parts.js';

export type Spec = Readonly<Record<string, unknown>>;

export const READ = ['RequestId', 'IfNoneMatch'];
const WRITE = ['Prefer', 'IdempotencyKey', 'RequestId'];
const EVERY: readonly ProblemResponse[] = [
  'Unauthorized',
  'Forbidden',
  'NotAcceptable',
  'TooManyRequests',
  'InternalError',
  'Unavailable',
];
export const EVERY_BODY: readonly ProblemResponse[] = [
  ...EVERY,
  'TooLarge',
  'UnsupportedMediaType',
];
const EVERY_WRITE: readonly ProblemResponse[] = [...EVERY_BODY, 'BadWriteRequest', 'Unprocessable'];

interface OperationParts {
  readonly description: string;
  readonly success: Spec;
  readonly path?: readonly string[];
  readonly problems?: readonly ProblemResponse[];
}

export function read(
  operationId: string,
  tag: string,
  summary: string,
  scopes: readonly string[],
  parts: OperationParts,
): Spec {
  const { success: ok, path = [], problems = [] } = parts;
  return {
    ...operation(operationId, tag, summary, scopes, parts.description),
    parameters: refs([...path, ...READ]),
    responses: { 200: ok, 304: notModified, ...problemsOf([...EVERY, 'BadRequest', ...problems]) },
  };
}

export function list(
  operationId: string,
  tag: string,
  summary: string,
  scopes: readonly string[],
  query: Joi.ObjectSchema,
  parts: OperationParts,
): Spec {
  const { path = [], problems = [] } = parts;
  const filters = queryParameters(query).map(parameter => ({ in: 'query', ...parameter }));
  return {
    ...operation(operationId, tag, summary, scopes, parts.description),
    parameters: [...refs(path), ...filters, ...refs(READ)],
    responses: {
      200: parts.success,
      304: notModified,
      ...problemsOf([...EVERY, 'BadListRequest', ...problems]),
    },
  };
}

interface WriteParts extends OperationParts {
  readonly body: string;
  readonly examples: Readonly<Record<string, Example>>;
}

export function write(
  operationId: string,
  tag: string,
  summary: string,
  scopes: readonly string[],
  parts: WriteParts,
): Spec {
  const { body, examples, path = [], problems = [] } = parts;
  return {
    ...operation(operationId, tag, summary, scopes, parts.description),
    parameters: refs([...path, ...WRITE]),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref(body), examples } },
    },
    responses: { 201: parts.success, 202: accepted, ...problemsOf([...EVERY_WRITE, ...problems]) },
  };
}

/** Many writes in one request, with a result for each. */
export function batch(
  operationId: string,
  tag: string,
  summary: string,
  scopes: readonly string[],
  { description, body, examples, success }: WriteParts,
): Spec {
  return {
    ...operation(operationId, tag, summary, scopes, description),
    parameters: refs(WRITE),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref(body), examples } },
    },
    responses: { 200: success, ...problemsOf([...EVERY_BODY, 'BadWriteRequest', 'Invalid']) },
  };
}

/** The scopes are in the security requirement (as OpenAPI 3.1 roles) and, for people, in text. */
export function operation(
  operationId: string,
  tag: string,
  summary: string,
  scopes: readonly string[],
  description: string,
): Spec {
  const needs = scopes.map(scope => `\`${scope}\``).join(' or ');
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description}\n\nScope: ${needs}.`,
    security: scopes.flatMap(scope => [{ apiKey: [scope] }, { bearer: [scope] }]),
  };
}

export function listOf(name: string): { type: string; items: Spec } {
  return { type: 'array', items: ref(name) };
}

export function refs(names: readonly string[]): Spec[] {
  return names.map(name => ({ $ref: `#/components/parameters/${name}` }));
}
