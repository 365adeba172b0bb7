// The headers that keep other sites from framing, sniffing, caching, running or reading an answer.
import { expect } from 'chai';
import { type RequestOptions, send } from '../../support/client.js';
import { addKey, invoiceRequest, makeCompany } from '../../support/factories.js';
import { describeMode } from '../../support/suite.js';

describeMode('postgres', 'the headers of every kind of answer', stack => {
  it('restrict browsers, and reveal nothing about the server', async () => {
    const company = await makeCompany(stack());
    const { key: powerless } = await addKey(stack(), company.companyId, []);
    const poor = await makeCompany(stack(), { rateLimit: 1 });
    await poor.get('/summary');
    const { etag = '' } = (await company.get('/inventory')).headers;
    const { key } = company;
    const json = invoiceRequest();
    const api = '/api/external';
    const answers: [status: number, method: string, path: string, options?: RequestOptions][] = [
      [200, 'GET', `${api}/invoices`, { key }],
      [200, 'HEAD', `${api}/invoices`, { key }],
      [201, 'POST', `${api}/invoices`, { key, json }],
      [202, 'POST', `${api}/invoices`, { key, json, headers: { prefer: 'respond-async' } }],
      [204, 'OPTIONS', `${api}/invoices`, { key }],
      [304, 'GET', `${api}/inventory`, { key, headers: { 'if-none-match': etag } }],
      [400, 'GET', `${api}/invoices?x=1`, { key }],
      [401, 'GET', `${api}/invoices`],
      [403, 'GET', `${api}/invoices`, { key: powerless }],
      [404, 'GET', `${api}/nothing`, { key }],
      [404, 'GET', '/nothing'],
      [405, 'PATCH', `${api}/invoices`, { key }],
      [406, 'GET', `${api}/invoices`, { key, headers: { accept: 'text/html' } }],
      [413, 'POST', `${api}/invoices`, { key, raw: Buffer.alloc(600_000, ' ') }],
      [415, 'POST', `${api}/invoices`, { key, raw: 'a', headers: { 'content-encoding': 'gzip' } }],
      [422, 'POST', `${api}/invoices`, { key, json: {} }],
      [429, 'GET', `${api}/invoices`, { key: poor.key }],
      [200, 'GET', `${api}/openapi.json`],
      [200, 'GET', '/docs'],
      [308, 'GET', '/docs/'],
      [200, 'GET', '/healthz'],
      [200, 'GET', '/readyz'],
      [200, 'GET', '/metrics'],
    ];
    for (const [status, method, path, options = {}] of answers) {
      const asked = {
        ...options,
        headers: { origin: 'https://elsewhere.example', ...options.headers },
      };
      const answer = await send(stack().baseUrl, method, path, asked);
      const what = `${method} ${path} ${status}`;
      expect(answer.status, what).to.equal(status);
      expect(answer.headers, what).to.include({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
      const policy = String(answer.headers['content-security-policy']);
      expect(policy, what)
        .to.match(/^default-src 'none';.*frame-ancestors 'none'$/u)
        .and.not.match(/unsafe/u);
      expect(answer.headers['cache-control'], what).to.match(
        path.startsWith(`${api}/i`) && options.key ? /^private, no-cache$/u : /no-cache/u,
      );
      expect(answer.headers, what).not.to.have.any.keys(
        'server',
        'x-powered-by',
        'access-control-allow-origin',
      );
    }
  });
});
