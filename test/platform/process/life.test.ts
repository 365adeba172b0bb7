// The life of a real process: waiting for Postgres, refusing an old schema, stopping, crashing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, connect as openSocket, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { watchOutput } from '../../support/canary.js';
import { send } from '../../support/client.js';
import { makeCompany } from '../../support/factories.js';
import { cleanEnvironment, freePort, ROOT, startProcess, until } from '../../support/processes.js';
import { openProxy } from '../../support/proxy.js';
import { atEnd, makeStores, type Stores } from '../../support/suite.js';

const SCRIPTS = ['dist/src/server.js', 'dist/workers/main.js', 'dist/workers/scheduler.js'];
/** Far below the stop deadline of 15 s, which only a hanging process reaches. */
const PROMPT_MS = 5_000;
/** A process without a log reader starts and ends in this time, even on a busy machine. */
const STUCK_MS = 20_000;

describe('a process', () => {
  let stores: Stores;

  before(async () => {
    stores = await makeStores('postgres');
  });

  /** Starts a process without waiting for it to be ready. */
  const launch = (script: string, env: Record<string, string>) => {
    const child = spawn(process.execPath, [script], {
      cwd: ROOT,
      env: cleanEnvironment({ PORT: '0', ...env }),
    });
    watchOutput(script, child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => (output += chunk));
    const ended = new Promise<number | null>(resolve => child.once('exit', resolve));
    atEnd(async () => child.kill('SIGKILL'));
    return { child, ended, output: () => output };
  };

  it('waits for Postgres, logs that, and continues when it answers', async () => {
    const { hostname, port } = new URL(stores.databaseUrl);
    let refused = 0;
    const proxy: Server = createServer(socket => {
      socket.on('error', () => undefined);
      if (refused < 2) {
        refused += 1;
        return void socket.destroy();
      }
      const server = openSocket(Number(port), hostname);
      server.on('error', () => socket.destroy());
      socket.pipe(server).pipe(socket);
    });
    const proxyPort = await freePort();
    await new Promise<void>(resolve => proxy.listen(proxyPort, '127.0.0.1', resolve));
    const proxyUrl = Object.assign(new URL(stores.databaseUrl), {
      port: String(proxyPort),
    }).toString();
    const scheduler = await startProcess('scheduler', { ...stores.env, DATABASE_URL: proxyUrl });
    expect(scheduler.output()).to.include('waiting for Postgres');
    expect(await scheduler.stop()).to.equal(0);
    proxy.close();
  });

  for (const [type, signal] of [
    ['web', 'SIGINT'],
    ['worker', 'SIGTERM'],
    ['scheduler', 'SIGTERM'],
  ] as const) {
    it(`starts as ${type} although its first connections are ended, and exits 0`, async () => {
      const proxy = await openProxy(stores.databaseUrl);
      for (const name of [`tradepost-${type}`, 'tradepost-migrate', 'tradepost-queue'])
        proxy.terminate(name, 2);
      const running = await startProcess(type, { ...stores.env, DATABASE_URL: proxy.url });
      const lines = running.output().split('\n').filter(Boolean);
      const messages = lines.map(line => JSON.parse(line).msg);
      expect(messages).to.include('waiting for Postgres');
      expect(messages.join('; ')).not.to.match(/unexpected|failed|stop/u);
      const startedAt = Date.now();
      expect(await running.stop(signal), signal).to.equal(0);
      expect(Date.now() - startedAt, signal).to.be.below(PROMPT_MS);
    });
  }

  it('stops at once on SIGTERM while it waits for Postgres', async () => {
    const { child, ended, output } = launch('dist/workers/main.js', {
      ...stores.env,
      DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/none',
    });
    await until('it waits', async () => output().includes('waiting for Postgres'));
    expect(output()).to.include('ECONNREFUSED');
    expect(output()).not.to.include('hunter2');
    child.kill('SIGTERM');
    expect(await ended).to.equal(0);
  });

  it('warns once without NODE_ENV', async () => {
    const warning = 'NODE_ENV is not set';
    const worker = await startProcess('worker', { ...stores.env, NODE_ENV: '' });
    await worker.stop();
    expect(worker.output().split(warning)).to.have.length(2);
    const named = await startProcess('worker', { ...stores.env, NODE_ENV: 'development' });
    await named.stop();
    expect(named.output()).not.to.include(warning);
  });

  it('refuses an old schema with a sentence that names npm run migrate, and exits 1', async () => {
    await stores.sql('CREATE DATABASE empty');
    const empty = Object.assign(new URL(stores.databaseUrl), { pathname: '/empty' }).toString();
    await Promise.all(
      SCRIPTS.map(async script => {
        const { ended, output } = launch(script, { ...stores.env, DATABASE_URL: empty });
        expect(await ended, script).to.equal(1);
        expect(output(), script).to.include(
          'The database schema is not current. Run `npm run migrate`.',
        );
        expect(output(), script).not.to.include('stack');
      }),
    );
  });

  it('finishes the request in progress, closes its connection, and exits 0', async () => {
    const web = await startProcess('web', stores.env);
    const company = await makeCompany({ ...stores, baseUrl: `http://127.0.0.1:${web.port}` });
    const client = new pg.Client({ connectionString: stores.databaseUrl });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE summaries IN ACCESS EXCLUSIVE MODE');
    const answer = company.get('/summary');
    await until('the request waits', async () => {
      const waiting = await stores.sql(
        `SELECT
         FROM pg_stat_activity
         WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
      return waiting.length > 0;
    });
    const startedAt = Date.now();
    const stopped = web.stop();
    await until('it stops', async () => web.output().includes('"stopping"'));
    await client.end();
    expect((await answer).status).to.equal(200);
    expect(await stopped).to.equal(0);
    expect(Date.now() - startedAt).to.be.below(PROMPT_MS);
  });

  it('ends even if its log has no reader', async () => {
    const child = spawn(process.execPath, ['dist/workers/main.js'], {
      cwd: ROOT,
      env: cleanEnvironment({}),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.destroy();
    const code = await Promise.race([
      once(child, 'exit').then(([status]) => status),
      pause(STUCK_MS, 'still running'),
    ]);
    child.kill('SIGKILL');
    expect(code).to.equal(1);
  });

  it('logs what libraries and Node print as one JSON line each', async () => {
    const failure = 'Object.assign(new Error("lost\\nnow"), { parameters: ["hunter2"] })';
    const print = `console.warn("Rolling back failed", ${failure}); console.log({ a: 1 });
      console.error("two\\nlines"); process.emitWarning("old", "DeprecationWarning");`;
    const onSignal = `process.on("SIGUSR2",()=>{${print}})`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(onSignal)}`;
    const worker = await startProcess('worker', { ...stores.env, NODE_OPTIONS });
    process.kill(worker.pid, 'SIGUSR2');
    await until('it is logged', async () => worker.output().includes('Deprecation'));
    await worker.stop();
    const lines = worker.output().split('\n').filter(Boolean);
    const events = lines.map(line => JSON.parse(line)).filter(({ source }) => source);
    expect(events.map(({ level, type, msg }) => [level, type, msg])).to.deep.equal([
      [40, 'worker', 'Rolling back failed Error: lost\nnow'],
      [30, 'worker', '{ a: 1 }'],
      [50, 'worker', 'two\nlines'],
      [40, 'worker', 'DeprecationWarning: old'],
    ]);
  });

  it('logs an unexpected error once and exits 1', async () => {
    for (const failure of ['throw new Error("boom")', 'Promise.reject(new Error("boom"))']) {
      const onSignal = `process.on("SIGUSR2",()=>{${failure}})`;
      const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(onSignal)}`;
      const web = await startProcess('web', { ...stores.env, NODE_OPTIONS });
      expect((await send(`http://127.0.0.1:${web.port}`, 'GET', '/healthz')).status).to.equal(200);
      expect(await web.stop('SIGUSR2'), failure).to.equal(1);
      expect(web.output().split('"message":"boom"'), failure).to.have.length(2);
    }
  });
});
