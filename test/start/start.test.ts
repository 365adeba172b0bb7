// `npm start` for a newcomer: one command starts everything. However it is stopped or killed, the
// next start works with the same data.
import { execFileSync, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { type Json, send } from '../support/client.js';
import { Browser } from '../support/dashboard.js';
import {
  freePort,
  type Launched,
  launch,
  START_SCRIPT,
  temporaryDirectory,
  until,
} from '../support/processes.js';
import { requireOrSkip } from '../support/suite.js';

const READY_MS = 60_000;

interface Started extends Launched {
  readonly baseUrl: () => string;
  readonly key: () => string;
}

describe('npm start', () => {
  let dataDir: { path: string; remove: () => Promise<void> };
  const running: Started[] = [];
  /** The tests continue with each other's starts and data, since a start takes seconds. */
  let first: Started;

  before(async () => {
    dataDir = await temporaryDirectory();
  });

  after(async () => {
    for (const started of running.splice(0)) await started.stop();
    await until(
      'all processes of the test have ended',
      async () => processesWith(dataDir.path).length === 0,
      READY_MS,
    );
    await dataDir.remove();
  });

  function start(env: Record<string, string> = {}): Started {
    const settings = {
      PORT: '0',
      DATA_DIR: dataDir.path,
      NODE_ENV: '',
      npm_lifecycle_event: '',
      ...env,
    };
    const launched = launch(START_SCRIPT, settings, {
      name: 'npm start',
      // The banner shows the demo company's key. The log, with a name before each line, never does.
      mayTell: line => !/^\S+ *\| /u.test(line),
    });
    const started = {
      ...launched,
      baseUrl: () => /ready: (http:\S+)/u.exec(launched.output())?.[1] ?? '',
      key: () => /tpk_\w+/u.exec(launched.output())?.[0] ?? '',
    };
    running.push(started);
    return started;
  }

  const ready = (started: Started) =>
    until(
      'npm start is ready',
      async () => {
        if (started.child.exitCode !== null) throw new Error(`it ended:\n${started.output()}`);
        return started.baseUrl() !== '' && started.output().includes('inventory?low=1');
      },
      READY_MS,
    );

  /** Signs in as the printed line says. Returns the status: 303 redirects to the overview. */
  const signIn = async (started: Started): Promise<number> => {
    const [, url = '', email = '', password = ''] =
      /Dashboard +(\S+)\n +E-mail +(\S+)\n +Password +([a-z\d]+)\n/u.exec(started.output()) ?? [];
    return (await new Browser(url).send('/sign-in', { email, password })).status;
  };

  const get = async (started: Started, path: string): Promise<Json> =>
    (await send(started.baseUrl(), 'GET', `/api/external${path}`, { key: started.key() })).body;

  it('prints a base URL, sign-in, key and four curl lines that work as pasted', async function () {
    requireOrSkip(
      this,
      spawnSync('curl', ['--version']).status === 0,
      'curl is not installed: apt-get install curl',
    );
    first = start();
    await ready(first);
    const pasted = /^export KEY=[\s\S]*low=1'$/mu.exec(first.output())?.[0] ?? '';
    expect(pasted.match(/tpk_/gu)).to.have.length(1);
    for (const line of pasted.split('\n')) expect(line.length).to.be.at.most(132);
    const answers = execFileSync('sh', ['-c', pasted], { encoding: 'utf8' });
    const bodies = answers.trim().split('\n');
    const [summary, invoices, created, low] = bodies.map(body => JSON.parse(body));
    expect(bodies).to.have.length(4);
    expect(summary.invoices.count).to.be.above(0);
    expect(summary.previous.count).to.be.above(100);
    expect(invoices).to.have.length(5);
    expect(created).to.include({ number: 'INV-000361', status: 'open' });
    expect(low.length).to.be.within(5, 15);
    expect(await get(first, '/inventory')).to.have.length(40);
    expect(await signIn(first)).to.equal(303);
    const complaints = first.output().match(/^.*"level":[456]0.*$/gmu);
    expect(complaints, 'warnings and errors in the log').to.equal(null);
  });

  it('restarts a killed worker, web (at its address) and Postgres, and continues', async () => {
    const create = async () => {
      const invoice = {
        customerName: 'A',
        date: '2026-11-20',
        items: [{ name: 'Delivery', qty: 1, price: 1 }],
      };
      return (
        await send(first.baseUrl(), 'POST', '/api/external/invoices', {
          key: first.key(),
          json: invoice,
        })
      ).status;
    };
    const kill = (script: string) => {
      const [found] = processesWith(dataDir.path).filter(({ command }) => command.includes(script));
      process.kill(found?.pid ?? 0, 'SIGKILL');
    };
    kill('workers/main.js');
    expect(await create()).to.equal(201);
    kill('src/server.js');
    await until(
      'the printed address answers again',
      () =>
        create().then(
          status => status === 201,
          () => false,
        ),
      READY_MS,
    );
    const [postmaster] = processesWith(dataDir.path).filter(({ command }) => / -D /u.test(command));
    process.kill(postmaster?.pid ?? 0, 'SIGKILL');
    await until('writes succeed again', async () => (await create()) === 201, READY_MS);
  });

  it('logs one JSON line per event, after the process name, unless it writes to a terminal', () => {
    const [before = '', after = ''] = first.output().split(/^Tradepost is ready: [\s\S]*low=1'$/mu);
    const events = (before + after).split('\n').filter(line => line !== '');
    const parsed = events.map(line => {
      const [, name, event = ''] = /^(\S+) *\| (.*)$/u.exec(line) ?? [];
      const { type, msg } = JSON.parse(event) as { type: string; msg: string };
      expect(type).to.equal(name);
      return { type, msg };
    });
    const types = new Set(parsed.map(({ type }) => type));
    expect(types)
      .to.include.keys('start', 'web', 'worker', 'scheduler')
      .and.have.property('size', 4);
    expect(parsed.map(({ msg }) => msg)).to.include('exited (SIGKILL); restarting it');
  });

  it('shares its database with a second start until the last one stops', async () => {
    const host = Object.values(networkInterfaces()).some(list =>
      list?.some(({ address }) => address === '::1'),
    )
      ? '::1'
      : '127.0.0.1';
    const second = start({ HOST: host });
    await ready(second);
    expect(second.baseUrl()).to.match(
      host === '::1' ? /^http:\/\/\[::1\]:\d+$/u : /^http:\/\/127/u,
    );
    expect(await get(second, '/invoices?limit=200')).to.deep.equal(
      await get(first, '/invoices?limit=200'),
    );
    expect(await first.stop()).to.equal(0);
    expect(first.output()).to.match(/"type":"start","msg":"stopped"\}\n$/u);
    expect(await get(second, '/inventory')).to.have.length(40);
    expect(await second.stop()).to.equal(0);
    expect(processesWith(dataDir.path)).to.deep.equal([]);
  });

  it('retains data and key, and starts again even after kill -9', async () => {
    const third = start();
    await ready(third);
    expect(third.key()).to.equal(first.key());
    expect(await signIn(third)).to.equal(303);
    const invoices = await get(third, '/invoices?limit=200');
    expect(invoices).to.have.length(200);
    await third.stop('SIGKILL');

    const last = start({ PORT: new URL(third.baseUrl()).port });
    await ready(last);
    expect(last.baseUrl()).to.equal(third.baseUrl());
    expect(await get(last, '/invoices?limit=200')).to.deep.equal(invoices);
    expect(await last.stop('SIGINT')).to.equal(0);
    await until(
      'no process of the killed run is left',
      async () => processesWith(dataDir.path).length === 0,
    );
  });

  it('says in one sentence that its port is in use', async () => {
    const port = await freePort();
    const listener = createServer().listen(port, '127.0.0.1');
    const started = start({ PORT: String(port) });
    expect(await started.ended).to.equal(1);
    expect(started.output()).to.include(`Port ${port} is in use.`);
    listener.close();
  });
});

/** Processes of this data directory: children by their environment, Postgres by its arguments. */
function processesWith(dataDir: string): { pid: number; command: string }[] {
  const listed = execFileSync('ps', ['axeww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return listed.split('\n').flatMap(line => {
    const match = /^\s*(\d+) (.*)$/u.exec(line);
    const ours =
      match?.[2]?.includes(dataDir) &&
      !/^(ps|sh) /u.test(match[2]) &&
      Number(match[1]) !== process.pid;
    return match && ours ? [{ pid: Number(match[1]), command: match[2] ?? '' }] : [];
  });
}
