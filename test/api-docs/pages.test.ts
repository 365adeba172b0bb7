// The OpenAPI document and the pages under /docs, which need no key.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { changelogSection } from '../../src/api-docs/changelog.js';
import { SCOPES } from '../../src/api-keys/model.js';
import { PROBLEMS } from '../../src/platform/errors.js';
import { type Json, type Response, send } from '../support/client.js';
import { makeCompany } from '../support/factories.js';
import { ROOT } from '../support/processes.js';
import { describeMode, makeStores, startForTests } from '../support/suite.js';

const CHANGELOG = join(ROOT, 'CHANGELOG.md');
const DOCUMENT = '/api/external/openapi.json';
const TYPES = '/docs/client/tradepost.d.ts';
const PAGES = [
  '',
  '/authentication',
  '/stock-matching',
  '/tax',
  '/payments',
  '/documents',
  '/customers',
  '/idempotency',
  '/waiting',
  '/events',
  '/webhooks',
  '/pagination',
  '/errors',
  '/rate-limits',
  '/testing',
  '/shop-orders',
  '/client',
  '/changelog',
];
/** Pages of the dashboard that the documentation leads to. */
const DASHBOARD = ['/', '/invoices', '/integrations/api-access/new', '/sign-up'];

describeMode('postgres', 'the documentation', stack => {
  const get = (path: string) => send(stack().baseUrl, 'GET', path);

  it('serves the OpenAPI 3.1 document without a key', async () => {
    const { status, headers, body } = await get(DOCUMENT);
    expect(status).to.equal(200);
    expect(headers['content-type']).to.match(/^application\/json/u);
    expect(body.openapi).to.match(/^3\.1\./u);
    expect(headers).not.to.have.property('ratelimit');
  });

  it('answers HEAD, OPTIONS and unsupported methods of the document without a key', async () => {
    const { baseUrl } = stack();
    const head = await send(baseUrl, 'HEAD', DOCUMENT);
    expect([head.status, head.text]).to.deep.equal([200, '']);
    const options = await send(baseUrl, 'OPTIONS', DOCUMENT);
    expect([options.status, options.headers.allow]).to.deep.equal([204, 'GET, HEAD, OPTIONS']);
    const wrong = await send(baseUrl, 'POST', DOCUMENT, { json: {} });
    expect([wrong.status, wrong.headers.allow, wrong.body.code]).to.deep.equal([
      405,
      'GET, HEAD, OPTIONS',
      'method_not_allowed',
    ]);
  });

  it('refuses query parameters of the document, and an Accept that excludes JSON', async () => {
    expect((await get(`${DOCUMENT}?version=2`)).body.code).to.equal('unknown_parameter');
    const { status, body } = await send(stack().baseUrl, 'GET', DOCUMENT, {
      headers: { accept: 'text/html' },
    });
    expect([status, body.code]).to.deep.equal([406, 'not_acceptable']);
  });

  it('requires a key on paths next to the document', async () => {
    expect((await get('/api/external/openapi.yaml')).body.code).to.equal('missing_api_key');
    expect((await get(`${DOCUMENT}/more`)).body.code).to.equal('missing_api_key');
  });

  for (const page of PAGES) {
    it(`serves /docs${page} without foreign files and inline scripts`, async () => {
      const { status, headers, text } = await get(`/docs${page}`);
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(headers['content-security-policy'])
        .to.contain("default-src 'none'")
        .and.contain("style-src 'self'")
        .and.contain("script-src 'self'")
        .and.not.match(/unsafe|connect-src|https?:/u);
      expect(headers['x-content-type-options']).to.equal('nosniff');
      expect(loads(text).length).to.be.greaterThan(1);
      for (const address of loads(text)) {
        expect(address).to.match(/^\/docs\/assets\//u);
        const asset = await get(address);
        expect(asset.status, address).to.equal(200);
        expect(asset.headers['cache-control']).to.contain('immutable');
      }
      expect(text).not.to.match(/<script>|<style|style=|\son\w+=/u);
    });
  }

  it('has no dead links', async () => {
    const pages = new Map<string, Response>();
    for (const page of PAGES) pages.set(`/docs${page}`, await get(`/docs${page}`));
    for (const { text } of pages.values()) {
      for (const [, link = ''] of text.matchAll(/<a [^>]*href="([^"]+)"/gu)) {
        const [path = '', anchor = ''] = link.split('#');
        if ([DOCUMENT, TYPES, ...DASHBOARD].includes(path) || link.startsWith('https://')) continue;
        const target = path === '' ? text : pages.get(path)?.text;
        expect(target, link).to.be.a('string');
        if (anchor !== '') expect(target, link).to.contain(`id="${anchor}"`);
      }
    }
  });

  it('leads to pages of the dashboard that exist', async () => {
    for (const path of DASHBOARD) {
      const headers = { accept: 'text/html' };
      const { status } = await send(stack().baseUrl, 'GET', path, { headers });
      expect([200, 303], path).to.include(status);
    }
  });

  it('has every operation, with a command, its answer and its errors', async () => {
    const { text } = await get('/docs');
    const { body } = await get(DOCUMENT);
    for (const [path, methods] of Object.entries<Json>(body.paths)) {
      for (const [method, { operationId, requestBody, summary }] of Object.entries<Json>(methods)) {
        const [, after = ''] = text.split(`<div class="opened" id="${operationId}">`);
        const [shown = ''] = after.split('<details class="operation">');
        expect(text, summary).to.contain(`<code class="path">${path}</code>`).and.contain(summary);
        expect(shown, operationId)
          .to.contain(`$TRADEPOST_URL/api/external${path.replace(/\{.*/u, '')}`)
          .and.contain('<a href="/docs/errors#internal_error">');
        if (requestBody) expect(shown).to.contain(' -d ');
        if (method === 'delete') expect(shown).to.contain('curl -sS -X DELETE ');
        const [{ schema } = {}] = Object.values<Json>(requestBody?.content ?? {});
        const name =
          String(schema?.$ref ?? '')
            .split('/')
            .at(-1) ?? '';
        for (const field of Object.keys(body.components.schemas[name]?.properties ?? {}))
          expect(shown, operationId).to.contain(`<code class="name">${field}</code>`);
      }
    }
  });

  it('says what every scope allows', async () => {
    const { text } = await get('/docs/authentication');
    for (const scope of SCOPES) expect(text).to.contain(`<tr><td><code>${scope}</code></td><td>`);
  });

  it('has the page size of every list', async () => {
    const { text } = await get('/docs/pagination');
    const { body } = await get(DOCUMENT);
    for (const [path, { get: read }] of Object.entries<Json>(body.paths)) {
      const limit = read?.parameters?.find(({ name }: Json) => name === 'limit');
      if (!limit) continue;
      const [row = ''] = text
        .split('<tr>')
        .slice(1)
        .filter(each => each.includes(`<code>${path}</code>`));
      const [, most] = /served as (\d+)/u.exec(limit.description) ?? [];
      expect(row, path).to.contain(`<td>${limit.schema.default}</td><td>${most}</td>`);
    }
  });

  it('explains every error code at the address in a problem’s type', async () => {
    const { text } = await get('/docs/errors');
    for (const [code, [status]] of Object.entries(PROBLEMS)) {
      const section =
        text.match(new RegExp(`<section id="${code}">[\\s\\S]*?</section>`, 'u'))?.[0] ?? '';
      expect(section, code).to.contain(String(status)).and.contain('What to do');
    }
    const { body } = await get('/api/external/summary');
    expect(body.type).to.equal('/docs/errors#missing_api_key');
  });

  it('has relative addresses, so that no Host header decides what a cache stores', async () => {
    const headers = { host: 'other.example', 'x-forwarded-host': 'other.example' };
    const { body, text } = await send(stack().baseUrl, 'GET', DOCUMENT, { headers });
    expect(body.servers[0].url).to.equal('/api/external');
    expect(text).not.to.contain('other.example');
  });

  it('has PUBLIC_URL in its servers and links, as has the type of every problem', async () => {
    const stores = await makeStores('postgres');
    const env = { ...stores.env, PUBLIC_URL: 'https://trade.example/' };
    const [web] = await Promise.all([startForTests('web', env), startForTests('worker', env)]);
    const baseUrl = `http://127.0.0.1:${web.port}`;
    const { body, text } = await send(baseUrl, 'GET', DOCUMENT);
    expect(body.servers).to.have.length(1);
    expect(body.servers[0].url).to.equal('https://trade.example/api/external');
    expect(text)
      .to.contain('](https://trade.example/docs/errors#validation_failed)')
      .and.not.contain('](/')
      .and.not.contain('"type":"/');
    const company = await makeCompany({ ...stores, baseUrl });
    const invoices = [{ number: 'INV-000001' }];
    // A worker refuses this payment, since it alone looks for the invoice.
    const payment = { amount: 1, date: '2026-11-24', invoices };
    const headers = { 'idempotency-key': 'payment' };
    for (const { status, body: problem } of [
      await company.get('/invoices/1'),
      await company.post('/invoices', {}),
      await company.post('/payments', payment, { headers }),
      await company.post('/payments', payment, { headers }),
    ]) {
      expect(status).to.be.oneOf([404, 422]);
      expect(problem.type).to.equal(`https://trade.example/docs/errors#${problem.code}`);
    }
  });

  it('has the changelog, of which every page has a link', async () => {
    const { text } = await get('/docs/changelog');
    const [, version = ''] = /^## \[(.+?)\]/mu.exec(await readFile(CHANGELOG, 'utf8')) ?? [];
    expect(text).to.contain(`<h2>${version} `).and.contain('</pre></li>').and.not.contain('```');
    for (const page of ['', '/tax'])
      expect((await get(`/docs${page}`)).text).to.contain('href="/docs/changelog">Changelog');
  });

  it('answers a missing page with a problem, and redirects /docs/ to /docs', async () => {
    const missing = await get('/docs/nothing');
    expect([missing.status, missing.body.code]).to.deep.equal([404, 'not_found']);
    const { status, headers } = await get('/docs/');
    expect([status, headers.location]).to.deep.equal([308, '/docs']);
  });
});

describe('the page of a changelog', () => {
  it('shows what Markdown it knows and escapes the rest', () => {
    const html = changelogSection(
      [
        ...['# Changelog', '', 'Intro', 'continues.', '', '## [1.0.0] - 2026-12-01', '### Added'],
        ...['- `a < b` and <script>alert(1)</script>', '  on two lines.', '', '  ```sql'],
        ...['  SELECT "1"', '    WHERE 1 < 2;', '', '  -- end', '  ```', '- Last', '', '#### No'],
      ].join('\n'),
    );
    expect(html.replaceAll('\n<', '<')).to.equal(
      '<p>Intro continues.</p><h2>1.0.0 - 2026-12-01</h2><h3>Added</h3>' +
        '<ul><li><code>a &lt; b</code> and &lt;script>alert(1)&lt;/script> on two lines.' +
        '<pre><code>SELECT &quot;1&quot;\n  WHERE 1 &lt; 2;\n\n-- end</code></pre></li>' +
        '<li>Last</li></ul><p>#### No</p>',
    );
  });
});

/** Addresses that a browser loads with the page. */
function loads(html: string): string[] {
  const found = html.matchAll(/<(?:link|script|img)\b[^>]*?(?:href|src)="([^"]+)"/gu);
  return [...found].map(([, address = '']) => address);
}
