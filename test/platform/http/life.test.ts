// The life of a web process as its clients and operators see it.
import { spawn } from 'node:child_process';
import { expect } from 'chai';
import pg from 'pg';
import { type Response, send } from '../../support/client.js';
import { invoiceRequest, makeCompany } from '../../support/factories.js';
import { cleanEnvironment, ROOT, startProcess, until } from '../../support/processes.js';
import { openRaw } from '../../support/raw.js';
import { describeMode, inBothModes, makeStores } from '../../support/suite.js';

inBothModes('a web process', stack => {
  it('is alive and ready, and reports its dependencies', async () => {
    expect((await send(stack().baseUrl, 'GET', '/healthz')).status).to.equal(200);
    const { status, body } = await send(stack().baseUrl, 'GET', '/readyz');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      status: 'ready',
      checks: {
        postgres: 'ok',
        redis: stack().mode === 'redis' ? 'ok' : 'off',
        migrations: 'ok',
        oldestQueuedSeconds: body.checks.oldestQueuedSeconds,
        failedJobs: body.checks.failedJobs,
        audit: body.checks.audit,
      },
    });
    // Other tests of this database change rows on purpose, which the audit then reports.
    expect(body.checks.audit).to.be.oneOf(['ok', 'violations']);
    for (const count of ['oldestQueuedSeconds', 'failedJobs'])
      expect(body.checks[count], count).to.be.a('number');
  });
});

describe('a web process whose log is not read', () => {
  it('keeps answering: a stuck reader blocks no request', async () => {
    const stores = await makeStores('postgres');
    const env = cleanEnvironment({ ...stores.env, PORT: '0', HOST: '127.0.0.1' });
    const child = spawn(process.execPath, ['dist/src/server.js'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
    try {
      const { port } = await new Promise<{ port: number }>(resolve =>
        child.once('message', message => resolve(message as { port: number })),
      );
      // About 200 bytes of log each: more than any pipe buffers.
      for (let round = 0; round < 40; round += 1) {
        const answers = Array.from({ length: 100 }, () =>
          send(`http://127.0.0.1:${port}`, 'GET', '/healthz'),
        );
        expect(new Set((await Promise.all(answers)).map(({ status }) => status))).to.deep.equal(
          new Set([200]),
        );
      }
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('a web process that is told to stop', () => {
  it('turns unready, finishes requests in flight, closes connections and exits 0', async () => {
    const stores = await makeStores('postgres');
    const web = await startProcess('web', stores.env);
    const baseUrl = `http://127.0.0.1:${web.port}`;
    const company = await makeCompany({ ...stores, baseUrl });
    // No worker runs, so the request waits as long as the stopping process allows.
    const inFlight = company.post('/invoices', invoiceRequest(), { headers: { prefer: 'wait=2' } });
    const idle = openRaw(web.port);
    const silent = openRaw(web.port);
    idle.socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    await until('idle', async () => idle.text().includes('ok'));
    const stopped = web.stop();
    const ready: (Response | null)[] = [];
    await until('unready', async () => {
      ready.push(await send(baseUrl, 'GET', '/readyz').catch(() => null));
      return ready.at(-1)?.status === 503;
    });
    expect(ready.at(-1)?.body.status).to.equal('stopping');
    const answer = await inFlight;
    expect([answer.status, answer.body.status, answer.headers.connection]).to.deep.equal([
      202,
      'queued',
      'close',
    ]);
    await Promise.all([idle.closed, silent.closed]);
    expect(await stopped).to.equal(0);
    const jobs = await stores.sql('SELECT 1 FROM jobs WHERE company_id = $1', [company.companyId]);
    expect(jobs).to.have.length(1);
  });

  it('is unready for a moment even without requests in flight, and exits 0', async () => {
    const stores = await makeStores('postgres');
    const web = await startProcess('web', stores.env);
    const stopped = web.stop();
    let seen: Response | null = null;
    await until('unready', async () => {
      seen = await send(`http://127.0.0.1:${web.port}`, 'GET', '/readyz').catch(() => null);
      return seen?.status === 503;
    });
    const { body, headers } = seen as unknown as Response;
    expect([body.status, headers['retry-after'], headers.connection]).to.deep.equal([
      'stopping',
      '2',
      'close',
    ]);
    expect(await stopped).to.equal(0);
  });
});

describe('a web process without Postgres', () => {
  it('answers 503 with Retry-After and recovers; /healthz stays 200', async () => {
    const stores = await makeStores('postgres');
    const web = await startProcess('web', stores.env);
    const baseUrl = `http://127.0.0.1:${web.port}`;
    const company = await makeCompany({ ...stores, baseUrl });
    const name = new URL(stores.databaseUrl).pathname.slice(1);
    const admin = new pg.Client({
      connectionString: Object.assign(new URL(stores.databaseUrl), {
        pathname: '/postgres',
      }).toString(),
    });
    await admin.connect();
    try {
      expect((await company.get('/invoices')).status).to.equal(200);
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
        [name],
      );
      await until('unready', async () => (await send(baseUrl, 'GET', '/readyz')).status === 503);
      const ready = await send(baseUrl, 'GET', '/readyz');
      expect([ready.body.status, ready.body.checks.postgres]).to.deep.equal([
        'unavailable',
        'unavailable',
      ]);
      expect(Number(ready.headers['retry-after'])).to.be.above(0);
      await until(
        'the key is looked up again',
        async () => (await company.get('/invoices')).status === 503,
      );
      const { body, headers } = await company.get('/invoices');
      expect([body.code, headers['content-type']]).to.deep.equal([
        'service_unavailable',
        'application/problem+json',
      ]);
      expect(Number(headers['retry-after'])).to.be.above(0);
      expect((await send(baseUrl, 'GET', '/healthz')).status).to.equal(200);
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await until(
        'ready again',
        async () => (await send(baseUrl, 'GET', '/readyz')).status === 200,
      );
      expect((await company.get('/invoices')).status).to.equal(200);
    } finally {
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await admin.end();
      await web.stop();
    }
  });
});

describeMode('postgres', 'the log', stack => {
  it('has one JSON line per request with id, company, job, route, status and time', async () => {
    const company = await makeCompany(stack());
    const headers = { 'x-request-id': 'log-test' };
    await send(stack().baseUrl, 'POST', '/api/external/invoices', {
      key: company.key,
      json: invoiceRequest(),
      headers,
    });
    await until('logged', async () => stack().web.output().includes('log-test'));
    const lines = stack()
      .web.output()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    const [line, ...more] = lines.filter(({ requestId }) => requestId === 'log-test');
    expect(more).to.deep.equal([]);
    expect(line).to.include({
      companyId: company.companyId,
      route: '/api/external/invoices',
      status: 201,
      method: 'POST',
    });
    expect(line.jobId).to.match(/^[0-9a-f-]{36}$/u);
    expect(line.ms).to.be.a('number');
  });

  it('never contains a key, a cookie, a query or a body', async () => {
    const company = await makeCompany(stack());
    const secrets = ['cookie-7f3a', 'body-7f3a', 'query-7f3a', 'password-7f3a', company.key];
    const base = stack().baseUrl;
    const headers = { cookie: 'session=cookie-7f3a', authorization: `Bearer ${company.key}` };
    const post = (raw: string) => send(base, 'POST', '/api/external/invoices', { headers, raw });
    await post(JSON.stringify(invoiceRequest({ customerName: 'body-7f3a' })));
    await post('{"customerName":"body-7f3a"');
    await post('{"body-7f3a":"password-7f3a"}');
    await send(base, 'GET', '/api/external/invoices?customerName=query-7f3a', { headers });
    await send(base, 'GET', `/api/external/${company.key}/query-7f3a`, { headers });
    await send(base, 'GET', `/api/external/invoices?key=${company.key}`, { headers });
    await send(base, 'GET', '/api/external/invoices', {
      headers: { 'x-api-key': `${company.key}x` },
    });
    await send(base, 'GET', '/api/external/summary', {
      headers: { ...headers, 'x-request-id': 'the-last' },
    });
    await until('logged', async () => stack().web.output().includes('the-last'));
    for (const secret of secrets) expect(stack().web.output()).not.to.contain(secret);
  });
});
