// The OpenAPI document matches the service: routes, parameters and codes. Its examples are valid
// and it passes the linter.
import type Router from '@koa/router';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type Joi from 'joi';
import { buildDocument } from '../../src/api-docs/document.js';
import { bodySchema } from '../../src/api-docs/json-schema.js';
import { requestBodies } from '../../src/api-docs/operations.js';
import { docsRoutes } from '../../src/api-docs/routes.js';
import { apiSlices } from '../../src/app.js';
import { LANGUAGES } from '../../src/companies/parties/party.js';
import { adjustmentRequest, inventoryQuery } from '../../src/inventory/schema.js';
import { invoiceQuery } from '../../src/invoices/schema.js';
import type { Submitter } from '../../src/jobs/submit/submitter.js';
import { PROBLEMS } from '../../src/platform/errors.js';
import type { Cursors } from '../../src/platform/http/pagination.js';
import { hasForbiddenCharacter } from '../../src/platform/values/text.js';
import type { Json } from '../support/client.js';
import { checkResponse } from '../support/contract.js';
import { schemasOf } from '../support/schemas.js';
import { lintDocument } from './lint-document.js';

const document: Json = buildDocument(undefined);
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

function operations(): { path: string; method: string; operation: Json }[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    METHODS.filter(method => method in item).map(method => ({
      path,
      method,
      operation: item[method],
    })),
  );
}

function routesOf(router: Router): string[] {
  return router.stack.flatMap(({ path, methods }) =>
    methods
      .filter(method => method !== 'HEAD')
      .map(method => `${method} ${String(path).replaceAll(/:(\w+)/gu, '{$1}')}`),
  );
}

function resolve(value: Json): Json {
  if (value?.$ref === undefined) return value;
  return value.$ref
    .split('/')
    .slice(1)
    .reduce((at: Json, name: string) => at[name], document);
}

function keysOf(schema: Joi.Schema): string[] {
  return Object.keys((schema.describe() as { keys: object }).keys);
}

describe('the OpenAPI document', () => {
  it('names only characters that text must not contain', () => {
    const named: string[] = document.info.description.match(/(?<=U\+)[0-9A-F]{4}/gu);
    expect(named).to.include.members(['2028', '2029', '202A', '202E', '2066', '2069', 'FFFD']);
    for (const code of named)
      expect(hasForbiddenCharacter(String.fromCodePoint(Number.parseInt(code, 16)))).to.equal(true);
  });

  it('has every route under the base path, and no other', () => {
    const slices = apiSlices({} as Submitter, {} as Cursors).flatMap(routesOf);
    const own = routesOf(docsRoutes(undefined))
      .filter(route => route.includes(' /api/external/'))
      .map(route => route.replace('/api/external', ''));
    expect(
      operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`),
    ).to.have.members([...slices, ...own]);
  });

  it('has every query parameter of a list, with its values', () => {
    const queryOf = (path: string) =>
      document.paths[path].get.parameters
        .map(resolve)
        .filter((parameter: Json) => parameter.in === 'query');
    const namesOf = (path: string) => queryOf(path).map((parameter: Json) => parameter.name);
    const invoiceFilters = ['limit', 'cursor', 'from', 'to', 'customerName', 'reference', 'number'];
    const dueFilters = ['customerId', 'status', 'overdue', 'dueFrom', 'dueTo'];
    const listFilters = ['q', 'updatedSince', 'orderReference'];
    expect(namesOf('/invoices'))
      .to.have.members([...invoiceFilters, ...dueFilters, ...listFilters])
      .and.deep.equal(keysOf(invoiceQuery));
    expect(namesOf('/inventory'))
      .to.have.members([
        ...['limit', 'cursor', 'low', 'archived', 'sku', 'name', 'q', 'updatedSince'],
      ])
      .and.deep.equal(keysOf(inventoryQuery));
    const limit = queryOf('/invoices').find((parameter: Json) => parameter.name === 'limit');
    expect(limit.schema).to.deep.equal({ type: 'integer', minimum: 1, default: 50 });
    expect(limit.description).to.contain('More than 200 is served as 200.');
  });

  it('has every field of every body, at every depth', () => {
    for (const [name, schema] of Object.entries(requestBodies)) {
      const written = document.components.schemas[name];
      const { items } = (schema.describe() as Json).keys;
      expect(Object.keys(written.properties)).to.deep.equal(keysOf(schema));
      if (items)
        expect(Object.keys(written.properties.items.items.properties)).to.deep.equal(
          Object.keys(items.items[0].keys),
        );
      for (const field of Object.values<Json>(written.properties))
        expect(field.description).to.be.a('string');
    }
  });

  it('has an exclusive minimum of 0 for a quantity, and an inclusive one for a price', () => {
    const { qty, price } =
      document.components.schemas.InvoiceRequest.properties.items.items.properties;
    expect(qty).to.include({ type: 'number', exclusiveMinimum: 0, maximum: 1_000_000 });
    expect(price).to.include({ minimum: 0, maximum: 999_999_999.9999 });
    expect(price.type).to.deep.equal(['number', 'null']);
  });

  it('lets null clear any field of a customer, at its own type', () => {
    const { properties } = document.components.schemas.CustomerPatch;
    const types = Object.entries<Json>(properties).map(([name, { type, anyOf }]) => [
      name,
      [type ?? anyOf.map((part: Json) => part.type)].flat().join(),
    ]);
    const kept = ['name', 'number', 'archived'];
    for (const [name = '', type = ''] of types)
      expect(type.includes('null'), name).to.equal(!kept.includes(name));
    expect(Object.fromEntries(types)).to.include({
      ...{ email: 'string,null', aliases: 'array,null', language: 'string,null' },
      ...{ address: 'object,null', hold: 'boolean,null', termsDays: 'integer,null' },
    });
    expect(properties.language.enum).to.deep.equal([...LANGUAGES, null]);
  });

  it('accepts and refuses the same bodies as the service', () => {
    const validate = new Ajv2020({ strict: false, formats: { uuid: true } }).compile(
      bodySchema(adjustmentRequest),
    );
    const entries = [
      { name: 'Valve', delta: 1 },
      { name: 'Valve', sku: 'V', count: 0 },
      { itemId: '01932d5c-1f4e-7cc3-9d0a-3b6a1d2f7e10', name: null, delta: 1, count: null },
      { delta: 1 },
      { name: null, delta: 1 },
      { name: 'Valve' },
      { name: 'Valve', delta: 1, count: 1 },
      { itemId: '01932d5c-1f4e-7cc3-9d0a-3b6a1d2f7e10', sku: 'V', delta: 1 },
      { name: 'Valve', delta: 1, colour: 'red' },
      { name: 'Valve', delta: '1' },
      { name: '', delta: 1 },
      { name: 'Valve', delta: 1, unitCost: -1 },
    ];
    for (const reason of ['received', 'gift']) {
      for (const entry of entries) {
        const body = { reason, items: [entry] };
        const { error } = adjustmentRequest.validate(body, { convert: false });
        expect(validate(body), JSON.stringify(body)).to.equal(error === undefined);
      }
    }
  });

  it('names every error code, each with its status', () => {
    const written = Object.values<Json>(document.components.responses).flatMap(({ content }) => {
      const [, { properties }] = content['application/problem+json'].schema.allOf;
      return properties.code.enum.map((code: string) => `${code} ${properties.status.const}`);
    });
    const all = Object.entries(PROBLEMS).map(([code, [status]]) => `${code} ${status}`);
    // 405 answers methods that have no operation in the document.
    expect([...new Set(written)]).to.have.members(
      all.filter(code => code !== 'method_not_allowed 405'),
    );
    expect(document.components.schemas.Problem.properties.code.enum).to.deep.equal(
      Object.keys(PROBLEMS),
    );
  });

  it('has each answer under the status of its codes', () => {
    for (const { path, operation } of operations()) {
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        const schema = resolve(response).content?.['application/problem+json']?.schema;
        if (schema) expect(String(schema.allOf[1].properties.status.const), path).to.equal(status);
      }
    }
  });

  it('has examples that are valid against their schemas', () => {
    const ajv = schemasOf(document.components);
    let checked = 0;
    for (const { path, method, operation } of operations()) {
      const contents = [
        operation.requestBody,
        ...Object.values<Json>(operation.responses).map(resolve),
      ];
      for (const [, { schema, examples = {} }] of contents.flatMap(part =>
        Object.entries<Json>(part?.content ?? {}),
      )) {
        const validate = ajv.compile(schema);
        for (const [name, { value }] of Object.entries<Json>(examples)) {
          expect(
            validate(value),
            `${method} ${path} ${name}: ${ajv.errorsText(validate.errors)}`,
          ).to.equal(true);
          checked += 1;
        }
      }
    }
    expect(checked).to.be.greaterThan(50);
  });

  it('has the Link header and the error of a cursor only where pages have a cursor', () => {
    for (const { path, operation } of operations()) {
      const hasCursor = operation.parameters.some(({ name }: Json) => name === 'cursor');
      const { headers = {} } = resolve(operation.responses[200] ?? {});
      const { description = '' } = resolve(operation.responses[400] ?? {});
      const isFeed = path === '/events';
      expect('Link' in headers, `Link of ${path}`).to.equal(hasCursor);
      if (!isFeed)
        expect(description.includes('invalid_cursor'), `cursor of ${path}`).to.equal(hasCursor);
    }
  });

  it('names the scope that each operation needs', () => {
    const scopes = operations().map(({ operation }) =>
      operation.security.map((one: Json) => one.apiKey ?? one.bearer),
    );
    for (const [at, { path, operation }] of operations().entries()) {
      if (path === '/openapi.json') expect(operation.security).to.deep.equal([]);
      else
        for (const [scope] of scopes[at]) expect(operation.description).to.contain(`\`${scope}\``);
    }
  });

  it('passes the linter without a warning', async () => {
    const { status, output } = await lintDocument();
    expect(status, output).to.equal(0);
    expect(output)
      .to.contain('Your API description is valid')
      .and.not.match(/warning was|\d+ warning/iu);
  });
});

describe('the check of every response against the document', () => {
  const headers = {
    'x-request-id': 'r',
    'api-version': '1',
    'ratelimit-policy': '"hourly";q=1000;w=3600',
    ratelimit: '"hourly";r=1;t=1',
    'x-ratelimit-limit': '1000',
    'x-ratelimit-remaining': '1',
    'x-ratelimit-reset': '1795167559',
    'content-type': 'application/json; charset=utf-8',
  };
  const [invoice]: Json[] =
    document.paths['/invoices'].get.responses[200].content['application/json'].examples.page.value;
  const answer = (body: Json, changes: object = {}) => ({
    status: 200,
    headers,
    text: JSON.stringify(body),
    body,
    ...changes,
  });
  const check = (response: Json) => () =>
    checkResponse('GET', '/api/external/invoices?limit=1', response);

  it('accepts a documented answer', () => {
    expect(check(answer([invoice]))).not.to.throw();
  });

  it('finds an extra field, a missing one and one of another type', () => {
    const { total: _total, ...less } = invoice;
    expect(check(answer([{ ...invoice, colour: 'red' }]))).to.throw(/GET \/invoices 200 .*colour/u);
    expect(check(answer([less]))).to.throw(/total/u);
    expect(check(answer([{ ...invoice, items: [{ ...invoice.items[0], qty: '2' }] }]))).to.throw(
      /\/0\/items\/0\/qty/u,
    );
  });

  it('finds an undocumented status, code, media type and a missing header', () => {
    expect(check(answer([invoice], { status: 418 }))).to.throw(/status is not documented/u);
    const problem =
      document.components.responses.InvoiceRefused.content['application/problem+json'].examples
        .insufficient_stock.value;
    const asProblem = { ...headers, 'content-type': 'application/problem+json' };
    expect(
      check(answer({ ...problem, status: 403 }, { status: 403, headers: asProblem })),
    ).to.throw(/\/code/u);
    expect(
      check(answer([invoice], { headers: { ...headers, 'content-type': 'text/html' } })),
    ).to.throw(/media type/u);
    expect(check(answer([invoice], { headers: { ...headers, ratelimit: undefined } }))).to.throw(
      /RateLimit is missing/u,
    );
  });

  it('accepts only a problem on a path without an operation', () => {
    const odd = (response: Json) => () => checkResponse('GET', '/api/external/nothing', response);
    expect(odd(answer({}))).to.throw(/no operation/u);
    expect(odd(answer({ error: 'oops' }, { status: 404 }))).to.throw(/media type/u);
  });
});
