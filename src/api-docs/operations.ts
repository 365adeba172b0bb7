// The operations of the document, from the declarations of the endpoints. An endpoint's type
// decides its parameters, headers and common problems.
import type Joi from 'joi';
import { type Endpoint, type EndpointType, methodOf } from '../api/endpoint.js';
import { reference } from '../platform/values/json-shape.js';
import { ENDPOINTS } from './endpoints.js';
import { type Examples, examplesOf } from './examples.js';
import { queryParameters } from './json-schema.js';
import {
  accepted,
  file,
  noContent,
  notModified,
  openApiDocument,
  type ProblemResponse,
  problemsOf,
  success,
  WRITE_HEADERS,
} from './responses.js';

type Spec = Readonly<Record<string, unknown>>;

const EVERY: readonly ProblemResponse[] = [
  'Unauthorized',
  'Forbidden',
  'NotAcceptable',
  'TooManyRequests',
  'InternalError',
  'Unavailable',
];
const EVERY_BODY: readonly ProblemResponse[] = [...EVERY, 'TooLarge', 'UnsupportedMediaType'];
const READ = ['RequestId', 'IfNoneMatch'];
const WRITE = ['Prefer', 'IdempotencyKey', 'RequestId'];
const DIRECT = ['IdempotencyKey', 'RequestId'];
const REPLAYED = ['Idempotency-Replayed'];

interface TypeParts {
  readonly status: number;
  /** The shared parameters, by name. */
  readonly parameters: readonly string[];
  /** The headers that a success has and other answers do not. */
  readonly headers: readonly string[];
  readonly problems: readonly ProblemResponse[];
}

const TYPES: Readonly<Record<EndpointType, TypeParts>> = {
  read: {
    status: 200,
    parameters: READ,
    headers: ['ETag'],
    problems: [...EVERY, 'BadRequest'],
  },
  list: {
    status: 200,
    parameters: READ,
    headers: ['ETag', 'Link'],
    problems: [...EVERY, 'BadListRequest'],
  },
  report: {
    status: 200,
    parameters: READ,
    headers: ['ETag', 'Link'],
    problems: [...EVERY, 'BadListRequest'],
  },
  feed: {
    status: 200,
    parameters: READ,
    headers: ['ETag'],
    problems: [...EVERY, 'BadListRequest', 'EventsExpired'],
  },
  document: {
    status: 200,
    parameters: READ,
    headers: ['ETag', 'Content-Disposition', 'Document-Profile', 'Document-Warnings'],
    problems: [...EVERY, 'BadReportRequest'],
  },
  write: {
    status: 201,
    parameters: WRITE,
    headers: WRITE_HEADERS,
    problems: [...EVERY_BODY, 'BadWriteRequest', 'Unprocessable'],
  },
  batch: {
    status: 200,
    parameters: WRITE,
    headers: WRITE_HEADERS,
    problems: [...EVERY_BODY, 'BadWriteRequest', 'Invalid'],
  },
  create: {
    status: 201,
    parameters: DIRECT,
    headers: REPLAYED,
    problems: [...EVERY_BODY, 'BadWriteRequest', 'Unprocessable'],
  },
  send: {
    status: 202,
    parameters: DIRECT,
    headers: REPLAYED,
    problems: [...EVERY_BODY, 'BadWriteRequest', 'Unprocessable', 'TooManyEmails'],
  },
  action: {
    status: 200,
    parameters: DIRECT,
    headers: REPLAYED,
    problems: [...EVERY_BODY, 'BadWriteRequest', 'Unprocessable'],
  },
  request: {
    status: 202,
    parameters: DIRECT,
    headers: [],
    problems: [...EVERY_BODY, 'BadWriteRequest', 'Unprocessable'],
  },
  delete: {
    status: 204,
    parameters: ['RequestId'],
    headers: [],
    problems: [...EVERY, 'BadRequest'],
  },
  update: {
    status: 200,
    parameters: ['IfMatch', 'RequestId'],
    headers: ['ETag'],
    problems: [...EVERY_BODY, 'BadUpdateRequest', 'PreconditionFailed', 'Invalid'],
  },
};

/** The headers of a request that an endpoint may ignore, and the answers that they cause. */
const IGNORED = {
  parameters: ['IdempotencyKey', 'IfMatch'],
  headers: REPLAYED,
  problems: { BadWriteRequest: 'BadUpdateRequest', Unprocessable: 'Invalid' },
} as const;

function typeParts({ type, isPlain, query }: Endpoint): TypeParts {
  const parts = query ? TYPES[type] : withoutQuery(TYPES[type]);
  if (!isPlain) return parts;
  const without = (names: readonly string[], ignored: readonly string[]) =>
    names.filter(name => !ignored.includes(name));
  const plain: Readonly<Record<string, ProblemResponse>> = IGNORED.problems;
  return {
    ...parts,
    parameters: without(parts.parameters, IGNORED.parameters),
    headers: without(parts.headers, IGNORED.headers),
    problems: parts.problems
      .filter(name => name !== 'PreconditionFailed')
      .map(name => plain[name] ?? name),
  };
}

/** An endpoint without query parameters has no pages, and refuses no parameter's value. */
function withoutQuery(parts: TypeParts): TypeParts {
  return {
    ...parts,
    headers: parts.headers.filter(name => name !== 'Link'),
    problems: parts.problems.map(name =>
      name === 'BadListRequest' || name === 'BadReportRequest' ? 'BadRequest' : name,
    ),
  };
}

/** The request bodies by the names of their schemas. */
export const requestBodies: Readonly<Record<string, Joi.ObjectSchema>> = Object.fromEntries(
  ENDPOINTS.flat().flatMap(({ body }) => (body ? [[body.name, body.schema]] : [])),
);

/** The paths of the document, below the API's base path. */
export function documentPaths(): Readonly<Record<string, Readonly<Record<string, Spec>>>> {
  const paths: Record<string, Record<string, Spec>> = {};
  for (const endpoint of ENDPOINTS.flat())
    paths[endpoint.path] = { ...paths[endpoint.path], [methodOf(endpoint)]: operation(endpoint) };
  return { ...paths, '/openapi.json': { get: getOpenApiDocument } };
}

/** The scopes are in the security requirement (as OpenAPI 3.1 roles) and, for people, in text. */
function operation(endpoint: Endpoint): Spec {
  const { id, tag, summary, description, path, query, body, needsAllScopes } = endpoint;
  const scopes = [endpoint.scope].flat();
  const { parameters } = typeParts(endpoint);
  const { requests = {}, answers } = examplesOf(id);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}\n\n${scopeSentence(scopes, needsAllScopes)}`,
    security: (needsAllScopes ? [scopes] : scopes.map(scope => [scope])).flatMap(required => [
      { apiKey: required },
      { bearer: required },
    ]),
    parameters: [
      ...(path.includes('{id}') ? refs(['Id']) : []),
      ...(path.includes('{sequence}') ? refs(['Sequence']) : []),
      ...(query ? queryParameters(query).map(parameter => ({ in: 'query', ...parameter })) : []),
      ...refs(parameters),
    ],
    ...(body ? { requestBody: requestBody(endpoint, body.name, requests) } : {}),
    responses: responses(endpoint, answers),
  };
}

function scopeSentence(scopes: readonly string[], areAllNeeded = false): string {
  const names = scopes.map(scope => `\`${scope}\``);
  return areAllNeeded ? `Scopes: ${names.join(' and ')}.` : `Scope: ${names.join(' or ')}.`;
}

function requestBody({ type, isPlain }: Endpoint, name: string, examples: Examples): Spec {
  const content = { schema: reference(name), examples };
  return {
    // A plain endpoint takes no body as an empty object.
    required: isPlain !== true,
    content: {
      ...(type === 'update' ? { 'application/merge-patch+json': content } : {}),
      'application/json': content,
    },
  };
}

function responses(endpoint: Endpoint, examples: Readonly<Record<string, Examples>>): Spec {
  const { type, noun, answer, schema, hasLocation, conflicts = {} } = endpoint;
  const parts = typeParts(endpoint);
  const { status, headers, problems } = parts;
  const own = typeof schema === 'string' ? reference(schema) : { anyOf: schema.map(reference) };
  const body = type === 'list' ? { type: 'array', items: own } : own;
  const location = hasLocation ? ['Location'] : [];
  return {
    [status]:
      type === 'delete'
        ? noContent(answer)
        : type === 'document'
          ? file(answer, String(schema), examples[status] ?? {}, headers)
          : success(answer, body, examples[status] ?? {}, [...headers, ...location], type),
    ...(methodOf({ type }) === 'get' ? { 304: notModified } : {}),
    ...(type === 'write' ? { 202: accepted(examples[202] ?? {}) } : {}),
    ...problemsOf([...problems, ...(noun === undefined ? [] : ['NotFound'])]),
    ...problemsOf(Object.keys(conflicts)),
  };
}

const getOpenApiDocument: Spec = {
  operationId: 'getOpenApiDocument',
  tags: ['Documentation'],
  summary: 'This document',
  description: 'Needs no key and does not count towards the rate limit.',
  security: [],
  parameters: refs(READ),
  responses: {
    200: openApiDocument,
    304: notModified,
    ...problemsOf(['BadDocumentRequest', 'NotAcceptable', 'InternalError']),
  },
};

function refs(names: readonly string[]): Spec[] {
  return names.map(name => ({ $ref: `#/components/parameters/${name}` }));
}
