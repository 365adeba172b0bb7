// The operator commands for webhooks.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { childEnvironment, loadConfig } from '../../config/index.js';
import { runAdminCommand } from '../../src/commands/admin-commands.js';
import { CommandError } from '../../src/commands/interruption.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { configureWebhooks } from '../../src/webhooks/settings.js';
import type { Json } from '../support/client.js';
import { ADMIN_CONTEXT } from '../support/commands.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { ROOT, until } from '../support/processes.js';
import { answerWith, type Receiver, startReceiver, verifyWebhook } from '../support/receiver.js';
import { describeMode, openForTests } from '../support/suite.js';
import { makeEndpoint, type TestEndpoint, writeEvents } from '../support/webhooks.js';

describeMode('postgres', 'the operator commands for webhooks', stack => {
  let company: TestCompany;
  let receiver: Receiver;
  let endpoint: TestEndpoint;
  before(async () => {
    const { databaseUrl, env } = stack();
    openForTests(databaseUrl, 2);
    await configureWebhooks(loadConfig({ NODE_ENV: 'test', ...env }));
  });
  after(closeDatabase);
  beforeEach(async () => {
    company = await makeCompany(stack());
    receiver = await startReceiver();
    endpoint = await makeEndpoint(company, receiver.url);
  });

  const admin = async (verb: string, ...more: string[]): Promise<Json> => {
    const args = ['webhooks', verb, '--company', company.companyId, ...more];
    return JSON.parse(JSON.stringify(await runAdminCommand(args, ADMIN_CONTEXT)));
  };
  const ofEndpoint = (verb: string, ...more: string[]) =>
    admin(verb, '--endpoint', endpoint.id, ...more);

  /** Prints until the condition is met, and returns the lines. */
  const listen = async (enough: (lines: Json[]) => boolean, ...more: string[]) => {
    const lines: Json[] = [];
    const interrupted = new AbortController();
    const print = (line: Json) => void lines.push(line);
    const args = ['webhooks', 'listen', '--company', company.companyId, ...more];
    const context = { ...ADMIN_CONTEXT, print, signal: interrupted.signal };
    const running = runAdminCommand(args, context);
    await until('enough lines', async () => enough(lines), 30_000);
    interrupted.abort();
    return { lines, result: await running };
  };

  it('list, pause, resume and test endpoints', async () => {
    expect((await admin('list')).map(({ id }: Json) => id)).to.deep.equal([endpoint.id]);
    expect((await ofEndpoint('pause')).status).to.equal('paused');
    expect((await ofEndpoint('resume')).status).to.equal('active');
    expect(await ofEndpoint('test', '--type', 'key.updated')).to.include({ status: 204 });
    expect(receiver.received).to.have.lengthOf(1);
    for (const type of ['foo', 'key.*', '']) {
      const refused = await ofEndpoint('test', '--type', type).catch((error: unknown) => error);
      expect(refused, type).to.be.instanceOf(CommandError);
      expect((refused as Error).message).to.match(
        /^--type must be one of invoice\.created, .*, webhook_endpoint\.disabled\.$/u,
      );
    }
    expect(receiver.received).to.have.lengthOf(1);
  });

  it('redeliver one event, or those of a time', async () => {
    await writeEvents(company, 2);
    await until('the deliveries', async () => receiver.received.length === 2);
    await until('the log', async () => {
      const { body } = await company.get(`${endpoint.path}/deliveries`);
      return body.length === 2;
    });
    expect(await ofEndpoint('redeliver', '--sequence', '2')).to.deep.equal({ count: 1 });
    const since = ['--from', '2020-01-01T00:00:00Z'];
    expect(await ofEndpoint('redeliver', ...since, '--only', 'all')).to.deep.equal({ count: 2 });
    expect(await ofEndpoint('redeliver', ...since)).to.deep.equal({ count: 0 });
    await ofEndpoint('pause');
    expect(await ofEndpoint('redeliver', '--sequence', '1')).to.deep.equal({ count: 1 });
    const unknown = await ofEndpoint('redeliver', '--sequence', '9').catch(error => error);
    expect(unknown.message).to.equal('There is no such delivery.');
  });

  const to2019 = ['--to', '2019-01-01T00:00:00Z'];
  const refusals: [args: string[], message: RegExp][] = [
    [['redeliver'], /either --sequence or --from/u],
    [['redeliver', '--sequence', '1.5'], /^--sequence must be a whole number, at most \d+\.$/u],
    [
      ['redeliver', '--sequence', '9'.repeat(30)],
      /^--sequence must be a whole number, at most \d+\.$/u,
    ],
    [['redeliver', '--sequence', '1', '--only', 'all'], /^--to and --only belong to --from\.$/u],
    [['redeliver', '--sequence', '1', ...to2019], /^--to and --only belong to --from\.$/u],
    [['redeliver', '--from', '2020-01-01T00:00:00Z', ...to2019], /^--to must not be before/u],
    [['listen', '--types', 'key.*, foo,bar'], /^--types has "foo"; it takes .*, key\.updated, /u],
    [['listen', '--after', '0.5'], /^--after must be a whole number, at most \d+\.$/u],
  ];
  for (const [[verb = '', ...args], message] of refusals)
    it(`refuse ${verb} ${args.join(' ').slice(0, 60)}`, async () => {
      const refused = await ofEndpoint(verb, ...args).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(CommandError);
      expect((refused as Error).message).to.match(message);
    });

  it('print the events as they come', async () => {
    await writeEvents(company, 3);
    const { lines, result } = await listen(found => found.length === 2, '--after', '1');
    expect(lines.map(({ sequence }) => sequence)).to.deep.equal([2, 3]);
    expect(result).to.equal(undefined);
  });

  it('stop without an error when the reader of their lines ends', async () => {
    await writeEvents(company, 2);
    const script = join(ROOT, 'dist/src/commands/admin.js');
    const command = `"$NODE" ${script} webhooks listen --company ${company.companyId} --after 0`;
    const { stderr } = spawnSync('sh', ['-c', `(${command}; echo "exit $?" >&2) | true`], {
      env: childEnvironment({ ...stack().env, NODE: process.execPath }),
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect(stderr).to.equal('exit 0\n');
  });

  it('forward events with a new secret, or with that of an endpoint', async () => {
    await company.patch(endpoint.path, { status: 'paused' });
    const program = await startReceiver(answerWith(500));
    await writeEvents(company, 1);
    const forward = ['--forward', `${program.url}/hooks`, '--after', '0'];
    const fresh = await listen(found => found.length === 2, ...forward);
    const [{ secret }, line] = fresh.lines as [Json, Json];
    expect(line).to.include({ sequence: 1, type: 'key.updated', status: 500, error: null });
    const [webhook] = program.received;
    if (webhook) verifyWebhook(webhook, secret);
    const types = ['--types', 'key.*', '--endpoint', endpoint.id];
    const own = await listen(found => found.length === 1, ...forward, ...types);
    expect(own.lines[0]).to.include({ sequence: 1 });
    expect(verifyWebhook(program.received[1] as never, endpoint.secret)).to.include({
      sequence: 1,
    });
  });
});
