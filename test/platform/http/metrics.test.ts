// GET /metrics: its contents and its access control.
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { send } from '../../support/client.js';
import { invoiceRequest, makeCompany } from '../../support/factories.js';
import { startProcess, until } from '../../support/processes.js';
import { describeMode, inBothModes, makeProcesses, requireOrSkip } from '../../support/suite.js';

inBothModes(
  '/metrics',
  stack => {
    const scrape = async () => (await send(stack().baseUrl, 'GET', '/metrics')).text;

    it('reports requests, queues, jobs, refusals, summaries, pool and event loop', async () => {
      const company = await makeCompany(stack());
      await company.post('/invoices', invoiceRequest());
      await company.get('/invoices?x=1');
      const { status, headers } = await send(stack().baseUrl, 'GET', '/metrics');
      expect([status, headers['content-type']]).to.deep.equal([
        200,
        'text/plain; version=0.0.4; charset=utf-8',
      ]);
      const created = 'method="POST",route="/api/external/invoices",status="201"';
      const series = [
        ['tradepost_http_request_duration_seconds_count', created, '\\d+'],
        ['tradepost_http_request_duration_seconds_bucket', 'le="0.1",', '\\d+'],
        ['tradepost_refusals_total', 'code="unknown_parameter"', '\\d+'],
        ['tradepost_queue_jobs', 'queue="invoices",state="waiting"', '\\d+'],
        ['tradepost_queue_jobs', 'queue="scheduled",state="delayed"', '\\d+'],
        ['tradepost_oldest_queued_job_seconds', '', '\\d+'],
        ['tradepost_summary_age_seconds', '', '[\\d.e-]+'],
        ['tradepost_webhook_lag_seconds', 'health="healthy"', '0'],
        ['tradepost_batch_size_sum', 'type="invoice.create"[^}]*process="worker-', '[1-9]\\d*'],
        ['tradepost_job_duration_seconds_count', 'type="invoice.create"', '[1-9]\\d*'],
        ['tradepost_database_pool_connections', 'state="using"[^}]*process="web"', '\\d+'],
        ['nodejs_eventloop_lag_p99_seconds', 'process="web"', '[\\d.e-]+'],
      ].map(
        ([name, labels, value]) => new RegExp(`^${name}\\{[^}]*${labels}[^}]*\\} ${value}$`, 'mu'),
      );
      // The worker publishes its figures every 5 s. A figure that is not read in time is left out.
      let text = '';
      const missing = () => series.filter(pattern => !pattern.test(text));
      await until(
        () => `/metrics has ${missing().join(' and ')}`,
        async () => {
          text = await scrape();
          return missing().length === 0;
        },
      );
      expect(text, 'labels contain nothing of the request')
        .not.to.contain(company.key)
        .and.not.to.contain('x=1');
    });

    it('does not exist for requests that a proxy forwards without the token', async () => {
      const headers = ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via', 'x-real-ip'];
      for (const name of headers)
        expect(
          (await send(stack().baseUrl, 'GET', '/metrics', { headers: { [name]: '127.0.0.1' } }))
            .status,
          name,
        ).to.equal(404);
      const forwarded = { 'x-forwarded-for': '127.0.0.1' };
      const refused = await send(stack().baseUrl, 'GET', '/metrics', { headers: forwarded });
      const missing = await send(stack().baseUrl, 'GET', '/missing', { headers: forwarded });
      expect(refused.status).to.equal(404);
      expect(refused.body.detail).to.equal(missing.body.detail);
      for (const method of ['HEAD', 'OPTIONS', 'POST'])
        expect(
          (await send(stack().baseUrl, method, '/metrics', { headers: forwarded })).status,
          method,
        ).to.equal(404);
    });

    it('answers without the token only if the Host names loopback', async () => {
      const status = async (host: string, headers: Record<string, string> = {}) =>
        (await send(stack().baseUrl, 'GET', '/metrics', { headers: { host, ...headers } })).status;
      for (const host of [
        'localhost',
        'LOCALHOST:3000',
        '127.0.0.1',
        '127.8.9.10:80',
        '[::1]:3000',
      ])
        expect(await status(host), host).to.equal(200);
      const others = ['books.example.com', 'localhost.example.com', '127.0.0.1.example.com'];
      const authorization = `Bearer ${stack().env.METRICS_TOKEN}`;
      for (const host of [...others, 'example.com:3000', '10.0.0.1', '[::2]']) {
        expect(await status(host), host).to.equal(404);
        expect(await status(host, { authorization }), host).to.equal(200);
      }
    });

    it('answers HEAD, OPTIONS, unsupported methods and parameters like every path', async () => {
      const ask = (method: string, path = '/metrics') => send(stack().baseUrl, method, path);
      const head = await ask('HEAD');
      expect([head.status, head.text]).to.deep.equal([200, '']);
      const options = await ask('OPTIONS');
      expect([options.status, options.headers.allow, options.text]).to.deep.equal([
        204,
        'GET, HEAD, OPTIONS',
        '',
      ]);
      const wrong = await ask('POST');
      expect([
        wrong.status,
        wrong.headers.allow,
        wrong.headers['content-type'],
        wrong.body.code,
      ]).to.deep.equal([
        405,
        'GET, HEAD, OPTIONS',
        'application/problem+json',
        'method_not_allowed',
      ]);
      expect((await ask('GET', '/metrics?x=1')).body.code).to.equal('unknown_parameter');
    });
  },
  makeProcesses,
);

const TOKEN = 'a-token-of-mine';

describeMode('postgres', '/metrics without Authorization: Bearer METRICS_TOKEN', stack => {
  const statuses = async (host: string) => {
    const settings = { ...stack().env, HOST: '0.0.0.0', METRICS_TOKEN: TOKEN };
    const web = await startProcess('web', settings);
    const get = async (headers: Record<string, string>) =>
      (await send(`http://${host}:${web.port}`, 'GET', '/metrics', { headers })).status;
    try {
      return [
        await get({}),
        await get({ authorization: 'Bearer a-token-of-yours' }),
        await get({ authorization: `Bearer ${TOKEN}` }),
      ];
    } finally {
      await web.stop();
    }
  };

  it('does not exist for other machines', async function () {
    const outer = Object.values(networkInterfaces())
      .flat()
      .find(address => address?.family === 'IPv4' && !address.internal);
    requireOrSkip(this, outer !== undefined, 'this machine has no network interface but loopback');
    expect(await statuses(outer?.address ?? '')).to.deep.equal([404, 404, 200]);
  });
});
