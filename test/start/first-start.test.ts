// Mistakes of a first day: a wrong option, HOST or PORT, and stores that do not answer yet.
import { createServer, connect as openSocket } from 'node:net';
import { expect } from 'chai';
import { listenProblem } from '../../src/platform/process/listen-problem.js';
import { freePort, launch, runScript, START_SCRIPT, until } from '../support/processes.js';
import { atEnd, makeStores } from '../support/suite.js';

const READY_MS = 60_000;

describe('a first npm start', () => {
  it('refuses arguments and options that npm keeps for itself, and names the variable', () => {
    for (const argument of ['--foo', 'web']) {
      const { code, stdout, stderr } = runScript(START_SCRIPT, [argument], { PORT: '0' });
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.equal(`npm start does not accept ${argument}; see npm start -- --help.\n`);
    }
    const { code, stderr } = runScript(START_SCRIPT, ['8080'], { npm_config_port: 'true' });
    expect(code).to.equal(1);
    expect(stderr).to.include('PORT=VALUE npm start');
  });

  it('says which of HOST and PORT is wrong, before it starts anything', () => {
    for (const host of ['192.0.2.1', 'no-such-host.invalid']) {
      const { code, stderr } = runScript(START_SCRIPT, [], { HOST: host, PORT: '0' });
      expect(code).to.equal(1);
      expect(stderr).to.include(`HOST ${host} is not an address of this machine.`);
      expect(stderr.trim().split('\n')).to.have.length(1);
    }
    const sentence = (code: string) => listenProblem({ code, message: '' }, '127.0.0.1', 80);
    expect(sentence('EACCES')).to.match(/may not listen on port 80\. Set PORT to 1024 or more/u);
    expect(sentence('EADDRINUSE')).to.match(/^Port 80 is in use\./u);
  });

  it('waits for a DATABASE_URL that does not answer yet, and needs no Redis', async () => {
    const stores = await makeStores('postgres');
    const port = await freePort();
    const target = new URL(stores.databaseUrl);
    const env = {
      ...stores.env,
      PORT: '0',
      npm_lifecycle_event: '',
      REDIS_URL: 'redis://127.0.0.1:1',
      DATABASE_URL: Object.assign(new URL(target), { port: String(port) }).toString(),
    };
    const started = launch(START_SCRIPT, env, {
      name: 'npm start',
      mayTell: line => !/^\S+ *\| /u.test(line),
    });
    atEnd(() => started.stop());
    const { output } = started;
    const isWaiting = async () =>
      output().includes(`waiting for Postgres: connect ECONNREFUSED 127.0.0.1:${port}`);
    await until(output, isWaiting, READY_MS);
    const proxy = createServer(socket => {
      const server = openSocket(Number(target.port), target.hostname);
      for (const end of [socket, server]) end.on('error', () => undefined);
      socket.pipe(server).pipe(socket);
    }).listen(port, '127.0.0.1');
    atEnd(async () => proxy.close());
    await until(output, async () => output().includes('Tradepost is ready'), READY_MS);
    // A stack trace names files of the queue, too.
    const aboutRedis = output()
      .split('\n')
      .filter(line => /"msg":"[^"]*(?:redis|queue)/iu.test(line));
    const warnings = aboutRedis.filter(line => /"level":[456]0/u.test(line));
    expect(warnings, warnings.join('\n')).to.have.length.at.most(3);
    expect(warnings.join('\n')).not.to.include('stack');
    expect(await started.stop()).to.equal(0);
  });
});
