// Request bodies: which are accepted, and which are refused before validation.
import { expect } from 'chai';
import { send } from '../../../support/client.js';
import { invoiceRequest, makeCompany, type TestCompany } from '../../../support/factories.js';
import { exchange, statusOf } from '../../../support/raw.js';
import { describeMode } from '../../../support/suite.js';

const LIMIT_BYTES = 512 * 1024;

describeMode('postgres', 'a request body', stack => {
  const post = (company: TestCompany, raw: string | Buffer, headers: Record<string, string> = {}) =>
    company.post('/invoices', undefined, { raw, headers });
  const valid = JSON.stringify(invoiceRequest());
  const withValue = (json: string) => valid.replace('18.5', json);

  const malformed: Record<string, string | Buffer> = {
    'nothing at all': '',
    'only white space': ' \n',
    'half an object': '{"customerName":',
    'two values': `${valid}{}`,
    'a comment': `${valid}// done`,
    'a trailing comma': '{"a":1,}',
    'single quotes': "{'a':1}",
    NaN: withValue('NaN'),
    Infinity: withValue('-Infinity'),
    'a hexadecimal number': withValue('0x10'),
    'a leading plus': withValue('+1'),
    'a leading zero': withValue('01'),
    'a byte order mark': `\ufeff${valid}`,
    'invalid UTF-8': Buffer.concat([
      Buffer.from('{"customerName":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]),
    'an encoded surrogate': Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('"}'),
    ]),
    'UTF-16': Buffer.from(valid, 'utf16le'),
    'a raw control character in a string': '{"customerName":"a\u0000b"}',
    'a duplicate key': '{"date":"2026-11-20","date":"2026-11-20"}',
    'a duplicate key that is escaped once': '{"date":"2026-11-20","\\u0064ate":"2026-11-20"}',
    'a duplicate key in a nested object': '{"items":[{"qty":1,"qty":2}]}',
    '33 levels': `${'['.repeat(33)}${']'.repeat(33)}`,
    'a depth bomb': `${'{"a":'.repeat(80_000)}1${'}'.repeat(80_000)}`,
    'an open depth bomb': '['.repeat(500_000),
  };
  for (const [title, raw] of Object.entries(malformed)) {
    it(`is 400 malformed_json with ${title}`, async () => {
      const company = await makeCompany(stack());
      const { status, body, headers } = await post(company, raw);
      expect([status, body.code]).to.deep.equal([400, 'malformed_json']);
      expect(headers['content-type']).to.equal('application/problem+json');
    });
  }

  it('is 415 unless it is application/json in UTF-8, without any Content-Encoding', async () => {
    const company = await makeCompany(stack());
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-type': 'application/jsonp' },
      { 'content-type': 'application/problem+json' },
      { 'content-type': 'application/json, text/plain' },
      { 'content-type': '' },
      { 'content-type': 'application/json; charset=iso-8859-1' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-encoding': 'gzip' },
      { 'content-encoding': 'br' },
      { 'content-encoding': 'identity' },
      { 'content-encoding': 'nonsense' },
    ] as Record<string, string>[]) {
      const { status, body } = await post(company, valid, headers);
      expect([status, body.code], JSON.stringify(headers)).to.deep.equal([
        415,
        'unsupported_media_type',
      ]);
    }
    for (const type of [
      'application/json',
      'APPLICATION/JSON; Charset="UTF-8"',
      'application/json;charset=utf8;v=1',
    ])
      expect((await post(company, valid, { 'content-type': type })).status, type).to.equal(201);
    expect(
      (await send(stack().baseUrl, 'POST', '/api/external/invoices', { key: company.key })).status,
    ).to.equal(415);
  });

  it('may have 512 KiB and not one byte more, with and without Content-Length', async () => {
    const company = await makeCompany(stack());
    const padded = (bytes: number) => valid + ' '.repeat(bytes - valid.length);
    expect((await post(company, padded(LIMIT_BYTES))).status).to.equal(201);
    const { status, body } = await post(company, padded(LIMIT_BYTES + 1));
    expect([status, body.code]).to.deep.equal([413, 'payload_too_large']);
    const chunked = [
      'POST /api/external/invoices HTTP/1.1',
      'Host: localhost',
      `x-api-key: ${company.key}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '',
      `${(LIMIT_BYTES + 1).toString(16)}`,
      padded(LIMIT_BYTES + 1),
      '0\r\n\r\n',
    ].join('\r\n');
    expect(statusOf(await exchange(stack().web.port, chunked))).to.equal(413);
  });

  it('fits 250 full lines with the longest names', async () => {
    const company = await makeCompany(stack());
    const name = '🦀'.repeat(255);
    const items = Array.from({ length: 250 }, () => ({
      name,
      sku: null,
      qty: 1_000,
      price: 399_999.9999,
    }));
    const raw = JSON.stringify(invoiceRequest({ customerName: name, items }));
    const { status, body } = await post(company, raw);
    expect(status).to.equal(201);
    expect(body.items[249].name).to.equal(name);
    expect(body.total).to.equal(99_999_999_975);
  });

  it('gets all its errors in one answer', async () => {
    const company = await makeCompany(stack());
    const raw = `{"customerName":"","date":"2026-02-30","reference":7,
      "unknown":1,"__proto__":{},"constructor":1,
      "items":[{"name":"\\ud800","qty":0.30000000000000004,"price":1e400},
               {"name":"a\\u0000b","qty":"1","price":-1},
               {"name":"a\\u202ebc","qty":-0,"price":null},
               {"qty":9007199254740993,"price":true,"name":["x"]},null,7]}`;
    const { status, body } = await post(company, raw);
    expect([status, body.code]).to.deep.equal([422, 'validation_failed']);
    const found = new Map(
      body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
    );
    expect(Object.fromEntries(found)).to.deep.equal({
      '/customerName': 'empty',
      '/date': 'invalid_date',
      '/reference': 'wrong_type',
      '/unknown': 'unknown_field',
      '/__proto__': 'unknown_field',
      '/constructor': 'unknown_field',
      '/items/0/name': 'invalid_value',
      '/items/0/qty': 'too_many_decimals',
      '/items/0/price': 'too_large',
      '/items/1/name': 'invalid_value',
      '/items/1/qty': 'wrong_type',
      '/items/1/price': 'too_small',
      '/items/2/name': 'invalid_value',
      '/items/2/qty': 'too_small',
      '/items/2/price': 'wrong_type',
      '/items/3/qty': 'too_large',
      '/items/3/price': 'wrong_type',
      '/items/3/name': 'wrong_type',
      '/items/4': 'wrong_type',
      '/items/5': 'wrong_type',
    });
  });

  it('gets a quick answer even if it is full of mistakes', async () => {
    const company = await makeCompany(stack());
    const floods = [
      `{"items":[${'{},'.repeat(170_000)}{}]}`,
      `{${Array.from({ length: 40_000 }, (_, at) => `"k${at}":0`).join()}}`,
      `{"items":[${'{"__proto__":0},'.repeat(30_000)}{}]}`,
    ];
    for (const raw of floods) {
      const { status, body, text } = await post(company, raw);
      expect([status, body.code]).to.deep.equal([422, 'validation_failed']);
      expect(text.length).to.be.below(LIMIT_BYTES);
    }
    const { body } = await post(company, floods[0] ?? '');
    expect(body.errors).to.deep.include({
      pointer: '/items',
      code: 'too_many_items',
      detail: 'At most 250 items.',
    });
  });

  it('preserves emoji, umlauts and the longest names', async () => {
    const company = await makeCompany(stack());
    for (const name of ['🧾👩‍🔧', 'Größe Ø 12 µm', 'x'.repeat(255)]) {
      const { status, body } = await post(
        company,
        JSON.stringify(invoiceRequest({ customerName: name })),
      );
      expect([status, body.customerName]).to.deep.equal([201, name]);
    }
    const { body } = await post(
      company,
      JSON.stringify(invoiceRequest({ customerName: 'x'.repeat(256) })),
    );
    expect(body.errors[0]).to.include({ pointer: '/customerName', code: 'too_long' });
  });

  it('is not read if the path, method or scope is refused first', async () => {
    const company = await makeCompany(stack(), { scopes: ['invoices:read'] });
    expect((await company.post('/nothing', undefined, { raw: '{' })).body.code).to.equal(
      'not_found',
    );
    expect(
      (await send(stack().baseUrl, 'PUT', '/api/external/invoices', { key: company.key, raw: '{' }))
        .status,
    ).to.equal(405);
    expect((await company.post('/invoices', undefined, { raw: '{' })).body.code).to.equal(
      'insufficient_scope',
    );
  });
});

describeMode('postgres', 'a problem', stack => {
  it('is a problem document on every path and names its request', async () => {
    const company = await makeCompany(stack());
    const cases: [method: string, path: string, status: number, code: string][] = [
      ['GET', '/nothing', 404, 'not_found'],
      ['GET', '/healthz/', 404, 'not_found'],
      ['POST', '/healthz', 405, 'method_not_allowed'],
      ['GET', '/healthz?x=1', 400, 'unknown_parameter'],
      ['GET', '/readyz?verbose', 400, 'unknown_parameter'],
      ['GET', '/docs?x=1', 400, 'unknown_parameter'],
      ['GET', '/docs/errors?x=1&x=1', 400, 'unknown_parameter'],
      ['GET', '/docs/?x=1', 400, 'unknown_parameter'],
      ['GET', '/api/external', 404, 'not_found'],
      ['GET', '/api/external/invoices/not-a-uuid', 404, 'not_found'],
      ['GET', '/api/external/jobs/not-a-uuid', 404, 'not_found'],
      ['DELETE', '/api/external/invoices', 405, 'method_not_allowed'],
      ['HEAD', '/api/external/inventory/adjustments', 405, 'method_not_allowed'],
      ['GET', '/api/external/summary?month=1', 400, 'unknown_parameter'],
      ['GET', '/api/external/invoices?limit=1&limit=2', 400, 'invalid_parameter'],
      ['GET', '/api/external/invoices?cursor=forged', 400, 'invalid_cursor'],
    ];
    for (const [method, path, status, code] of cases) {
      const headers = { 'x-request-id': 'a-Z.0:_1' };
      const answer = await send(stack().baseUrl, method, path, { key: company.key, headers });
      expect(answer.status, `${method} ${path}`).to.equal(status);
      expect(answer.headers['content-type']).to.equal('application/problem+json');
      expect(answer.headers).to.include({ 'x-request-id': 'a-Z.0:_1', 'api-version': '1' });
      if (method === 'HEAD') continue;
      expect(answer.body).to.include({
        status,
        code,
        requestId: 'a-Z.0:_1',
        instance: path.split('?')[0],
      });
      expect(Object.keys(answer.body)).to.include.members(['type', 'title', 'detail']);
    }
  });

  it('lists the supported methods with 405, and with 204 for OPTIONS', async () => {
    const { key } = await makeCompany(stack());
    const allow = async (method: string, path: string) => {
      const { status, headers, text } = await send(
        stack().baseUrl,
        method,
        `/api/external${path}`,
        { key },
      );
      return [status, headers.allow, method === 'OPTIONS' ? text : undefined];
    };
    expect(await allow('PATCH', '/invoices')).to.deep.equal([
      405,
      'GET, HEAD, OPTIONS, POST',
      undefined,
    ]);
    const { body } = await send(stack().baseUrl, 'DELETE', '/api/external/summary', { key });
    expect(body.detail).to.equal('DELETE is not supported. Allowed: GET, HEAD, OPTIONS.');
    expect(await allow('OPTIONS', '/invoices')).to.deep.equal([
      204,
      'GET, HEAD, OPTIONS, POST',
      '',
    ]);
    expect(await allow('POST', '/summary')).to.deep.equal([405, 'GET, HEAD, OPTIONS', undefined]);
    expect((await allow('OPTIONS', '/nothing'))[0]).to.equal(404);
  });

  it('explains in a sentence what is wrong with a parameter, a body or a credential', async () => {
    const company = await makeCompany(stack());
    const details: [path: string, detail: string][] = [
      ['/invoices?limit=0', '"limit" must be a whole number of at least 1.'],
      ['/invoices?from=bad', '"from" must be a date (YYYY-MM-DD) from 1900-01-01 to 2100-12-31.'],
      ['/inventory?low=x', '"low" must be 1, true, 0 or false.'],
      ['/inventory?sku=', '"sku" must not be empty.'],
      ['/inventory?low=1&low=1', '"low" is given more than once.'],
      ['/summary?month=1', '"month" is not a parameter of this endpoint, which takes none.'],
      [
        '/inventory?color=red',
        '"color" is not a parameter of this endpoint, which takes limit, cursor, low, archived, ' +
          'sku, name, q, and updatedSince.',
      ],
    ];
    for (const [path, detail] of details)
      expect((await company.get(path)).body.detail).to.equal(detail);
    const raw = Buffer.alloc(600_000, ' ');
    const { body } = await company.post('/invoices', undefined, { raw });
    expect(body.detail).to.equal('The body is larger than 512 KiB.');
    for (const authorization of [company.key, `Basic ${company.key}`]) {
      const answer = await send(stack().baseUrl, 'GET', '/api/external/summary', {
        headers: { authorization },
      });
      expect([answer.body.code, answer.body.detail]).to.deep.equal([
        'missing_api_key',
        "The Authorization header must be 'Bearer <key>'.",
      ]);
    }
  });

  it("uses the caller's request id only if it is well-formed", async () => {
    for (const given of ['', 'a b', 'x'.repeat(129), 'ü', 'a\tb', '<script>']) {
      const { headers } = await send(stack().baseUrl, 'GET', '/healthz', {
        headers: { 'x-request-id': given },
      });
      expect(headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/u);
    }
  });
});
