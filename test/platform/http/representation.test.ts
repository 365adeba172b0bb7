// ETags and 304, compression, HEAD, and the Accept headers.
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { accepts, preferredCoding } from '../../../src/platform/http/accept.js';
import { send } from '../../support/client.js';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../../support/factories.js';
import { describeMode } from '../../support/suite.js';

describeMode('postgres', 'the representation of a resource', stack => {
  const readable = ['/summary', '/invoices', '/inventory'];

  it('has a strong ETag with every 200 of GET, the same one while nothing changes', async () => {
    const company = await makeCompany(stack());
    const { body: invoice } = await company.post('/invoices', invoiceRequest());
    for (const path of [...readable, `/invoices/${invoice.id}`]) {
      const first = await company.get(path);
      expect(first.status, path).to.equal(200);
      expect(first.headers.etag, path).to.match(/^"[\w-]+"$/u);
      if (path !== '/summary')
        expect((await company.get(path)).headers.etag, path).to.equal(first.headers.etag);
    }
  });

  it('has another ETag after a change, even if only a next page was added', async () => {
    const company = await makeCompany(stack());
    await company.post('/invoices', invoiceRequest({ date: '2026-11-20' }));
    const { headers: one, body: rows } = await company.get('/invoices?limit=1');
    expect(one.link).to.equal(undefined);
    await company.post('/invoices', invoiceRequest({ date: '2026-11-19' }));
    const { headers: two, body: sameRows } = await company.get('/invoices?limit=1');
    expect(sameRows).to.deep.equal(rows);
    expect(two.link).to.contain('rel="next"');
    expect(two.etag).not.to.equal(one.etag);
  });

  it('answers If-None-Match with 304, without a body and with the rate-limit headers', async () => {
    const company = await makeCompany(stack());
    const { etag = '' } = (await company.get('/inventory')).headers;
    for (const named of [etag, `W/${etag}`, `"other", W/"x,y", ${etag}`, '*']) {
      const { status, headers, text } = await company.get('/inventory', {
        headers: { 'if-none-match': named },
      });
      expect(status, named).to.equal(304);
      expect(text).to.equal('');
      expect(headers.etag).to.equal(etag);
      expect(headers).to.include.keys(
        'ratelimit',
        'ratelimit-policy',
        'x-ratelimit-remaining',
        'x-request-id',
        'vary',
      );
      expect(headers).not.to.have.any.keys('content-type', 'content-length', 'content-encoding');
    }
    for (const named of ['"other"', etag.slice(1, -1), `"${etag.slice(1, -2)}"`]) {
      expect(
        (await company.get('/inventory', { headers: { 'if-none-match': named } })).status,
        named,
      ).to.equal(200);
    }
  });

  it('never answers a refusal or a write with 304', async () => {
    const company = await makeCompany(stack());
    const headers = { 'if-none-match': '*' };
    expect((await company.get('/nothing', { headers })).status).to.equal(404);
    expect((await company.post('/invoices', invoiceRequest(), { headers })).status).to.equal(201);
  });

  it('compresses bodies over 1 KiB with the coding that the client prefers', async () => {
    const company = await withManyItems();
    const plain = await fetchBytes(company, 'GET', {});
    expect(plain.headers['content-encoding']).to.equal(undefined);
    expect(plain.headers.vary).to.match(/accept-encoding/iu);
    const br = await fetchBytes(company, 'GET', { 'accept-encoding': 'gzip, deflate, br' });
    const gzip = await fetchBytes(company, 'GET', { 'accept-encoding': 'gzip;q=1, br;q=0.5' });
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).to.deep.equal([
      'br',
      'gzip',
    ]);
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).to.equal(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).to.equal(true);
    for (const { headers, bytes } of [plain, br, gzip])
      expect(headers['content-length']).to.equal(String(bytes.length));
  });

  it('has one ETag per content coding, and 304 only for the coding to be sent', async () => {
    const company = await withManyItems();
    const tags = new Map<string, string>();
    for (const coding of ['identity', 'gzip', 'br']) {
      const { headers } = await fetchBytes(company, 'GET', { 'accept-encoding': coding });
      tags.set(coding, headers.etag ?? '');
      const again = { 'accept-encoding': coding, 'if-none-match': headers.etag ?? '' };
      const { status, bytes, headers: notModified } = await fetchBytes(company, 'GET', again);
      expect(status, coding).to.equal(304);
      expect(bytes.length).to.equal(0);
      expect(notModified.etag).to.equal(headers.etag);
    }
    expect(new Set(tags.values()).size).to.equal(3);
    const other = { 'accept-encoding': 'br', 'if-none-match': tags.get('identity') ?? '' };
    expect((await fetchBytes(company, 'GET', other)).status).to.equal(200);
  });

  it('leaves bodies of up to 1 KiB uncompressed', async () => {
    const company = await makeCompany(stack());
    const { headers } = await company.get('/inventory', { headers: { 'accept-encoding': 'br' } });
    expect(headers['content-encoding']).to.equal(undefined);
  });

  it("answers HEAD with GET's headers and no body, compressed or not", async () => {
    const company = await withManyItems();
    for (const coding of ['identity', 'gzip', 'br']) {
      const get = await fetchBytes(company, 'GET', { 'accept-encoding': coding });
      const head = await fetchBytes(company, 'HEAD', { 'accept-encoding': coding });
      expect(head.status).to.equal(200);
      expect(head.bytes.length).to.equal(0);
      for (const name of [
        'etag',
        'content-length',
        'content-type',
        'content-encoding',
        'vary',
        'link',
      ])
        expect(head.headers[name], `${name} of ${coding}`).to.deep.equal(get.headers[name]);
    }
    const known = { 'if-none-match': (await fetchBytes(company, 'HEAD', {})).headers.etag ?? '' };
    expect((await fetchBytes(company, 'HEAD', known)).status).to.equal(304);
  });

  async function withManyItems(): Promise<TestCompany> {
    const company = await makeCompany(stack());
    await receive(
      company,
      ...Array.from({ length: 30 }, (_, at) => ({ name: `Valve DN ${at}`, delta: at + 1 })),
    );
    return company;
  }

  function fetchBytes(company: TestCompany, method: string, headers: Record<string, string>) {
    return new Promise<{
      status: number;
      headers: import('node:http').IncomingHttpHeaders;
      bytes: Buffer;
    }>((resolve, reject) => {
      const all = { 'x-api-key': company.key, ...headers };
      request(
        `${stack().baseUrl}/api/external/inventory?limit=20`,
        { method, headers: all },
        incoming => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              bytes: Buffer.concat(chunks),
            }),
          );
        },
      )
        .on('error', reject)
        .end();
    });
  }

  it('answers 406 only if Accept excludes application/json', async () => {
    const company = await makeCompany(stack());
    for (const accept of [
      'text/html',
      'application/json;q=0, */*',
      'application/xml;q=0.9',
      'application/problem+json',
    ]) {
      const { status, body } = await company.get('/invoices', { headers: { accept } });
      expect([status, body.code], accept).to.deep.equal([406, 'not_acceptable']);
    }
    for (const accept of [
      '*/*',
      'application/*;q=0.1',
      'application/json; charset=utf-8',
      'text/html, */*;q=0.8',
      '',
    ]) {
      expect((await company.get('/invoices', { headers: { accept } })).status, accept).to.equal(
        200,
      );
    }
    const { status, body } = await send(stack().baseUrl, 'GET', '/api/external/invoices', {
      headers: { accept: 'text/html' },
    });
    expect([status, body.code]).to.deep.equal([401, 'missing_api_key']);
  });
});

describe('the Accept headers', () => {
  it('are read with their q-values', () => {
    expect(preferredCoding('br;q=0, gzip;q=0.001')).to.equal('gzip');
    expect(preferredCoding('*')).to.equal('br');
    expect(preferredCoding('*;q=0')).to.equal(null);
    expect(preferredCoding('gzip;q=0.5, identity')).to.equal(null);
    expect(preferredCoding('deflate, compress')).to.equal(null);
    expect(preferredCoding('GZIP ; Q=0.5')).to.equal('gzip');
    expect(accepts('application/json', 'application/json;version=1;q=0.2')).to.equal(true);
    expect(accepts('application/json', '*/*;q=0')).to.equal(false);
  });
});
