// The operator commands: one JSON value on stdout, or one sentence on stderr, and exit 0 or 1.
import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { DEFAULT_SCOPES } from '../../src/api-keys/model.js';
import { runAdminCommand } from '../../src/commands/admin-commands.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { migrate } from '../../src/platform/db/migrate.js';
import { registerSecret } from '../support/canary.js';
import { type Json, send } from '../support/client.js';
import { ADMIN_CONTEXT } from '../support/commands.js';
import { invoiceRequest } from '../support/factories.js';
import { ROOT, runScript, temporaryDirectory, until } from '../support/processes.js';
import { atEnd, describeMode, openForTests } from '../support/suite.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/u;
const BASE_URL = 'https://books.example.com';
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';

describeMode('postgres', 'the operator commands', stack => {
  before(() => {
    openForTests(stack().databaseUrl, 2);
  });
  after(closeDatabase);

  const admin = async (args: string[], password = ''): Promise<Json> =>
    JSON.parse(
      JSON.stringify(
        await runAdminCommand(args, {
          ...ADMIN_CONTEXT,
          readPassword: async () => password,
          baseUrl: BASE_URL,
        }),
      ),
    );
  const refusal = async (args: string[], password = ''): Promise<string> => {
    try {
      await admin(args, password);
    } catch (error) {
      expect((error as Error).message, args.join(' ')).to.match(/^[^\n]+\.$/u);
      return (error as Error).message;
    }
    throw new Error(`${args.join(' ')} was not refused`);
  };
  const makeCompany = async (): Promise<string> =>
    (await admin(['company', 'create', '--name', 'Harbour Supply'])).companyId;
  const summary = (key: string) => send(stack().baseUrl, 'GET', '/api/external/summary', { key });
  const becomes = (what: string, key: string, expected: number | string) =>
    until(
      what,
      async () => {
        const { status, body } = await summary(key);
        return status === expected || body.code === expected;
      },
      1_000,
    );

  it('create a company and a key that works at once and is shown only once', async () => {
    const company = await admin([
      'company',
      'create',
      '--name',
      '  Harbour Supply ',
      '--currency',
      'JPY',
      '--timezone',
      'Asia/Tokyo',
    ]);
    expect(company).to.have.all.keys('companyId', 'name');
    expect(company.name).to.equal('Harbour Supply');
    const issued = await admin(['key', 'create', '--company', company.companyId]);
    expect(issued).to.have.all.keys('keyId', 'key');
    expect(issued.keyId).to.match(UUID_V7);
    const { status, body } = await summary(issued.key);
    expect(status).to.equal(200);
    expect(body).to.include({ currency: 'JPY' });
    expect(body.period.timezone).to.equal('Asia/Tokyo');
    expect(
      JSON.stringify(await admin(['key', 'list', '--company', company.companyId])),
    ).not.to.include(issued.key);
  });

  it('change a company within a second, its currency only before the first invoice', async () => {
    const companyId = await makeCompany();
    const { key } = await admin(['key', 'create', '--company', companyId]);
    const changed = await admin([
      'company',
      'update',
      '--company',
      companyId,
      '--currency',
      'EUR',
      '--rate-limit',
      '7',
      '--allow-negative-stock',
    ]);
    expect(changed).to.deep.equal({
      companyId,
      name: 'Harbour Supply',
      currency: 'EUR',
      timezone: 'UTC',
      rateLimit: 7,
      allowNegativeStock: true,
      termsDays: null,
      defaultTaxRate: null,
      creditLimitAction: 'warn',
    });
    await until(
      'the limit holds',
      async () => (await summary(key)).headers['x-ratelimit-limit'] === '7',
      1_000,
    );
    await send(stack().baseUrl, 'POST', '/api/external/invoices', { key, json: invoiceRequest() });
    expect(
      await refusal(['company', 'update', '--company', companyId, '--currency', 'USD']),
    ).to.match(/currency can't be changed/u);
    const strict = await admin([
      'company',
      'update',
      '--company',
      companyId,
      '--no-allow-negative-stock',
    ]);
    expect(strict.allowNegativeStock).to.equal(false);
  });

  it('set what happens to invoices above a credit limit', async () => {
    const companyId = await makeCompany();
    const update = (action: string) => [
      ...['company', 'update', '--company', companyId, '--credit-limit-action', action],
    ];
    const { creditLimitAction } = await admin(update('refuse'));
    expect(creditLimitAction).to.equal('refuse');
    expect(await refusal(update('stop'))).to.match(/must be warn or refuse/u);
    const create = ['company', 'create', '--name', 'Strict', '--credit-limit-action', 'refuse'];
    const strict = await admin(create);
    const [row] = await stack().sql('SELECT credit_limit_action FROM companies WHERE id = $1', [
      strict.companyId,
    ]);
    expect(row).to.deep.equal({ credit_limit_action: 'refuse' });
  });

  it('set and clear the terms and the default tax rate of invoices', async () => {
    const companyId = await makeCompany();
    const { key } = await admin(['key', 'create', '--company', companyId]);
    const update = (...options: string[]) =>
      admin(['company', 'update', '--company', companyId, ...options]);
    expect(await update('--terms-days', '14', '--default-tax-rate', '8.1')).to.include({
      termsDays: 14,
      defaultTaxRate: 8.1,
    });
    const create = async () => {
      const path = '/api/external/invoices';
      const { body } = await send(stack().baseUrl, 'POST', path, { key, json: invoiceRequest() });
      return [body.dueDate, body.taxTotal];
    };
    expect(await create()).to.deep.equal(['2026-12-04', 1.5]);
    expect(await update('--default-tax-rate', 'none')).to.include({
      termsDays: 14,
      defaultTaxRate: null,
    });
    expect(await update('--terms-days', 'none')).to.include({ termsDays: null });
    await until('both are cleared', async () => (await create()).join() === ',0', 2_000);
    for (const [option, value, sentence] of [
      ['--terms-days', '366', /whole number of days from 0 to 365/u],
      ['--terms-days', '1.5', /whole number of days/u],
      ['--terms-days', 'soon', /must be a number/u],
      ['--default-tax-rate', '100.1', /from 0 to 100/u],
      ['--default-tax-rate', '7.00001', /at most 4 decimals/u],
    ] as const)
      expect(await refusal(['company', 'update', '--company', companyId, option, value])).to.match(
        sentence,
      );
  });

  it('rotate, narrow and revoke a key with effect within a second', async () => {
    const companyId = await makeCompany();
    const { keyId, key } = await admin([
      'key',
      'create',
      '--company',
      companyId,
      '--name',
      'Shop',
      '--scopes',
      'summary:read',
    ]);
    expect((await summary(key)).status).to.equal(200);

    const rotated = await admin(['key', 'rotate', '--key', keyId, '--overlap-hours', '0']);
    expect(rotated).to.have.all.keys('keyId', 'key');
    expect(rotated.keyId).to.equal(keyId);
    expect((await summary(rotated.key)).status).to.equal(200);
    await becomes('the old secret is refused', key, 'expired_api_key');

    const narrowed = await admin([
      'key',
      'update',
      '--key',
      keyId,
      '--scopes',
      'invoices:read,inventory:read',
    ]);
    expect(narrowed.scopes).to.deep.equal(['invoices:read', 'inventory:read']);
    await becomes('the scope is gone', rotated.key, 'insufficient_scope');

    expect((await admin(['key', 'revoke', '--key', keyId])).revokedAt).to.be.a('string');
    await becomes('the key is refused', rotated.key, 'revoked_api_key');
    expect(await refusal(['key', 'rotate', '--key', keyId])).to.match(/revoked/u);

    const expiring = await admin([
      'key',
      'create',
      '--company',
      companyId,
      '--expires-at',
      '2020-01-31T00:00:00+01:00',
    ]);
    await becomes('an expired key is refused', expiring.key, 'expired_api_key');
    const listed = await admin(['key', 'list', '--company', companyId]);
    expect(listed.map((record: Json) => record.keyId)).to.deep.equal([expiring.keyId, keyId]);
    expect(listed[0]).to.deep.include({
      companyId,
      scopes: [...DEFAULT_SCOPES],
      expiresAt: '2020-01-30T23:00:00.000Z',
    });
  });

  it('make a link that lets a user, even an operator, choose a new password', async () => {
    const companyId = await makeCompany();
    const email = `lost-${companyId}@example.com`;
    const create = ['user', 'create', '--company', companyId, '--email', email];
    await admin([...create, '--password-stdin', '--operator'], 'correct horse');
    const before = Date.now();
    const link = await admin(['user', 'reset-link', '--email', email.toUpperCase()]);
    expect(link).to.have.all.keys('url', 'expiresAt');
    registerSecret(link.url.slice(link.url.lastIndexOf('/') + 1));
    expect(link.url).to.match(/^https:\/\/books\.example\.com\/reset-password\/[\w-]{43}$/u);
    expect(link.expiresAt).to.match(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/u);
    expect(Date.parse(link.expiresAt) - before).to.be.closeTo(24 * 3_600_000, 60_000);
    const page = await send(stack().baseUrl, 'GET', new URL(link.url).pathname);
    expect([page.status, page.text.includes(email)]).to.deep.equal([200, true]);
    const unknown = ['user', 'reset-link', '--email', 'unknown@example.com'];
    expect(await refusal(unknown)).to.equal(
      'There is no user with the e-mail address unknown@example.com.',
    );
    expect(await refusal(['user', 'reset-link'])).to.contain('requires --email');
  });

  it('create a user with the password from stdin, stored only as a hash', async () => {
    const companyId = await makeCompany();
    const email = `${companyId}@example.com`;
    const args = [
      'user',
      'create',
      '--company',
      companyId,
      '--email',
      email,
      '--password-stdin',
      '--role',
      'owner',
      '--operator',
    ];
    const user = await admin(args, 'correct horse\n');
    expect(user).to.deep.equal({ userId: user.userId, email });
    const [row] = await stack().sql('SELECT * FROM users WHERE id = $1', [user.userId]);
    expect(row).to.include({ role: 'owner', operator: true });
    expect(row?.password_hash).to.match(/^scrypt\$/u);
    expect(await refusal(args, 'correct horse\n')).to.match(/already exists/u);
    expect(await refusal(args, 'short\n')).to.match(/^Use at least 10 characters/u);
  });

  it('create a user with any of the roles, and refuse another one', async () => {
    const companyId = await makeCompany();
    const args = ['user', 'create', '--company', companyId, '--password-stdin'];
    for (const role of ['warehouse', 'readonly']) {
      const email = `${role}-${companyId}@example.com`;
      const { userId } = await admin(
        [...args, '--email', email, '--role', role],
        'correct horse\n',
      );
      const [row] = await stack().sql('SELECT role FROM users WHERE id = $1', [userId]);
      expect(row?.role).to.equal(role);
    }
    expect(
      await refusal([...args, '--email', 'a@example.com', '--role', 'king'], 'correct horse\n'),
    ).to.equal('--role must be one of owner, member, warehouse, readonly.');
  });

  it('list all companies with their settings, by name', async () => {
    const companyId = await makeCompany();
    const companies = await admin(['company', 'list']);
    const listed = companies.find((company: Json) => company.companyId === companyId);
    const update = ['company', 'update', '--company', companyId, '--name', 'Harbour Supply'];
    expect(listed).to.deep.equal(await admin(update));
    const names = companies.map(({ name }: Json) => name.toLowerCase());
    expect(names).to.deep.equal([...names].sort());
  });

  it('list the users of a company, change their roles, and end their access', async () => {
    const companyId = await makeCompany();
    const emails = ['boss', 'clerk'].map(name => `${name}-${companyId}@example.com`);
    const [boss = '', clerk = ''] = emails;
    const create = ['user', 'create', '--company', companyId, '--password-stdin', '--email'];
    await admin([...create, boss, '--role', 'owner'], 'correct horse');
    const { userId } = await admin([...create, clerk], 'correct horse');
    const list = () => admin(['user', 'list', '--company', companyId]);
    const rolesOf = async () => (await list()).map(({ email, role }: Json) => [email, role]);
    expect(await rolesOf()).to.deep.equal([
      [boss, 'owner'],
      [clerk, 'member'],
    ]);
    const setRole = ['user', 'set-role', '--email', clerk.toUpperCase(), '--role'];
    const changed = await admin([...setRole, 'warehouse']);
    expect(changed).to.deep.equal({
      ...{ userId, email: clerk, name: null },
      ...{ role: 'warehouse', operator: false, disabled: false },
      ...{ createdAt: changed.createdAt, lastSeenAt: null },
    });
    expect((await list())[1]).to.deep.equal(changed);
    expect(await refusal([...setRole, 'king'])).to.match(/^--role must be one of owner, member/u);
    const disabled = await admin(['user', 'disable', '--email', clerk]);
    expect(disabled).to.deep.equal({ ...changed, disabled: true });
    const lastOwner = 'This is the last owner who can sign in. Make another member an owner first.';
    expect(await refusal(['user', 'disable', '--email', boss])).to.equal(lastOwner);
    const demote = ['user', 'set-role', '--email', boss, '--role', 'member'];
    expect(await refusal(demote)).to.equal(lastOwner);
    for (const command of [['disable'], ['set-role', '--role', 'member']])
      expect(await refusal(['user', ...command, '--email', 'unknown@example.com'])).to.equal(
        'There is no user with the e-mail address unknown@example.com.',
      );
    expect(await refusal(['user', 'list', '--company', UNKNOWN_ID])).to.match(/no company/u);
  });

  it('name the command that is nearest to an unknown one', async () => {
    const meant = {
      'company lst': 'company list',
      'companies list': 'company list',
      'list users': 'user list',
      'user set_role': 'user set-role',
      keys: 'key create',
      'JOBS RETRY': 'jobs retry',
      'reset-link user': 'user reset-link',
    };
    for (const [typed, command] of Object.entries(meant))
      expect(await refusal(typed.split(' '))).to.equal(
        `Unknown command "${typed}"; the nearest is "${command}"; see npm run admin -- --help.`,
      );
    for (const typed of ['frobnicate everything', 'constructor', 'toString'])
      expect(await refusal(typed.split(' '))).to.equal(
        `Unknown command "${typed}"; see npm run admin -- --help.`,
      );
  });

  it('list jobs, and retry one that failed because of an internal error', async () => {
    const companyId = await makeCompany();
    const { key } = await admin(['key', 'create', '--company', companyId]);
    const created = await send(stack().baseUrl, 'POST', '/api/external/invoices', {
      key,
      json: invoiceRequest(),
    });
    const [job] = await admin(['jobs', 'list', '--company', companyId]);
    expect(job).to.include({
      companyId,
      type: 'invoice.create',
      status: 'succeeded',
      error: null,
      retryable: false,
    });
    expect(job).not.to.have.property('payload');
    expect(await refusal(['jobs', 'retry', '--job', job.jobId])).to.match(/nothing to retry/u);
    expect(
      await admin(['jobs', 'list', '--status', 'failed', '--company', companyId]),
    ).to.deep.equal([]);

    // The state of a job whose attempts all met an unexpected error.
    const failed = '01900000-0000-7000-9000-000000000001';
    await stack().sql(
      `INSERT INTO jobs (
         company_id, id, type, status, fingerprint, submission_id, request_id,
         payload, error, attempts, created_at, finished_at
       )
       SELECT company_id, $2, type, 'failed', fingerprint, gen_random_uuid(), 'r',
         $3, '{}', 5, now(), now()
       FROM jobs
       WHERE company_id = $1`,
      [companyId, failed, JSON.stringify(invoiceRequest())],
    );
    expect(
      (await admin(['jobs', 'list', '--status', 'failed', '--company', companyId]))[0],
    ).to.include({
      jobId: failed,
      retryable: true,
    });
    expect((await admin(['jobs', 'retry', '--job', failed])).status).to.equal('queued');
    await until('the invoice exists', async () => {
      const { body } = await send(stack().baseUrl, 'GET', '/api/external/invoices', { key });
      return body.length === 2 && body[1].id === created.body.id;
    });
  });

  it('refuse bad options in one sentence that names the problem', async () => {
    const refused: [args: string[], sentence: RegExp][] = [
      [['company', 'create'], /requires --name/u],
      [['company', 'create', '--name', ' '], /1 to 255 characters/u],
      [['company', 'create', '--name', 'N', '--currency', 'XYZ'], /XYZ is not an ISO 4217/u],
      [
        ['company', 'create', '--name', 'N', '--timezone', 'Mars/Olympus'],
        /Mars\/Olympus is not an IANA time zone/u,
      ],
      [
        ['company', 'create', '--name', 'N', '--timezone', 'europe/berlin'],
        /europe\/berlin is not an IANA time zone/u,
      ],
      [['company', 'create', '--name', 'N', '--rate-limit', '0'], /whole number/u],
      [
        ['company', 'create', '--name', 'N', '--rate-limit', '-5'],
        /^company create: --rate-limit requires a value \(.*: --rate-limit=VALUE\); see [^.]*\.$/u,
      ],
      [['company', 'update', '--company', UNKNOWN_ID, '--name', 'N'], /no company/u],
      [['company', 'update', '--company', '42'], /--company must be a UUID/u],
      [
        ['company', 'update', '--company', UNKNOWN_ID, '--colour', 'red'],
        /Unknown option '--colour'/u,
      ],
      [['key', 'create', '--company', UNKNOWN_ID, '--scopes', 'all'], /no company|Scopes are/u],
      [
        ['key', 'create', '--company', UNKNOWN_ID, '--expires-at', '2027-02-30T00:00:00Z'],
        /no company|RFC 3339/u,
      ],
      [['key', 'rotate', '--key', UNKNOWN_ID], /no key/u],
      [['jobs', 'list', '--status', 'lost'], /queued, succeeded or failed/u],
      [['jobs', 'retry', '--job', UNKNOWN_ID], /no job/u],
      [['jobs', 'retry', '--all', '--since', '2026-01-01'], /--since must be an RFC 3339/u],
      [['company', 'remove'], /Unknown command "company remove"/u],
      [[], /^No command given/u],
    ];
    for (const [args, sentence] of refused)
      expect(await refusal(args), args.join(' ')).to.match(sentence);
    const companyId = await makeCompany();
    expect(await refusal(['key', 'create', '--company', companyId, '--scopes', 'all'])).to.match(
      /Scopes must be one or more of/u,
    );
    expect(
      await refusal([
        'key',
        'create',
        '--company',
        companyId,
        '--expires-at',
        '2027-02-30T00:00:00Z',
      ]),
    ).to.match(/RFC 3339/u);
  });
});

describeMode('postgres', 'an operator command as a process', stack => {
  const run = (args: string[], env: Record<string, string> = {}) =>
    runScript('src/commands/admin.js', args, { ...stack().env, ...env }, 'correct horse\n');

  it('prints only one JSON value on stdout, reads the password from stdin, and exits 0', () => {
    const made = run(['company', 'create', '--name', 'N']);
    expect(made.stdout).to.match(/^\{"companyId":"[^"]+","name":"N"\}\n$/u);
    expect([made.stderr, made.code]).to.deep.equal(['', 0]);
    const { companyId } = JSON.parse(made.stdout);
    const user = run([
      'user',
      'create',
      '--company',
      companyId,
      '--email',
      `${companyId}@x.org`,
      '--password-stdin',
    ]);
    expect(JSON.parse(user.stdout)).to.have.all.keys('userId', 'email');
  });

  it('prints one sentence on stderr and exits 1 if it fails', () => {
    expect(run(['company', 'create'])).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: 'company create requires --name.\n',
    });
  });

  it('prints nothing that a library or Node prints', () => {
    const print = 'process.on("exit", () => { console.warn("a"); console.log("b"); })';
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(print)}`;
    const { code, stdout, stderr } = run(['company', 'create'], { NODE_OPTIONS });
    expect({ code, stdout, stderr }).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: 'company create requires --name.\n',
    });
  });

  it('says that Postgres is unavailable, and repeats no password', () => {
    const { code, stdout, stderr } = run(['jobs', 'list'], {
      DATABASE_URL: 'postgres://me:hunter2@localhost:1/none',
    });
    expect(stderr).to.match(/^Postgres is unavailable: [^\n]*ECONNREFUSED[^\n]*\.\n$/u);
    expect(stderr).not.to.include('hunter2');
    expect([code, stdout]).to.deep.equal([1, '']);
  });

  it('creates the embedded database silently, and reports only its missing schema', async () => {
    const { path, remove } = await temporaryDirectory();
    atEnd(remove);
    expect(run(['jobs', 'list'], { DATABASE_URL: '', DATA_DIR: path })).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: 'The database schema is not current. Run `npm run migrate`.\n',
    });
    const { code, stdout, stderr } = runScript('src/commands/migrate.js', [], { DATA_DIR: path });
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.match(/^Applied 0001-\S+\.sql, .*\.\n$/u);
    expect(run(['jobs', 'list'], { DATABASE_URL: '', DATA_DIR: path }).stdout).to.equal('[]\n');
  });

  it('needs no queue schema, which is missing if the queue is in Redis', async () => {
    const { databaseUrl, sql } = stack();
    await sql('CREATE DATABASE without_queue');
    const url = Object.assign(new URL(databaseUrl), { pathname: '/without_queue' }).toString();
    await migrate({ databaseUrl: url, queueInPostgres: false });
    expect(run(['jobs', 'list'], { DATABASE_URL: url })).to.deep.equal({
      code: 0,
      stdout: '[]\n',
      stderr: '',
    });
  });

  it('explains itself with --help, without a database', () => {
    for (const script of [
      'src/commands/admin.js',
      'src/commands/migrate.js',
      'src/commands/verify.js',
      'src/start/main.js',
    ]) {
      const { code, stdout, stderr } = runScript(script, ['--help'], {
        DATABASE_URL: 'postgres://127.0.0.1:1/none',
      });
      expect(stdout, script).to.match(/^npm (run|start)/u);
      expect([code, stderr], script).to.deep.equal([0, '']);
    }
  });

  it('refuses bad arguments before it starts or asks a database', async () => {
    const { path, remove } = await temporaryDirectory();
    atEnd(remove);
    const refused: [script: string, args: string[], sentence: string][] = [
      ['admin', ['company', 'crate'], 'Unknown command "company crate"; the nearest is'],
      ['admin', ['company', 'create'], 'company create requires --name.'],
      ['migrate', ['--force'], 'migrate does not accept --force; see'],
      ['verify', ['everything'], 'verify does not accept everything; see'],
    ];
    for (const [script, args, sentence] of refused) {
      const env = { DATA_DIR: path };
      const { code, stdout, stderr } = runScript(`src/commands/${script}.js`, args, env);
      expect([code, stdout], script).to.deep.equal([1, '']);
      expect(stderr, script).to.include(sentence);
    }
    expect(await readdir(path)).to.deep.equal([]);
  });

  it('says what build and check do with --help, without running them', () => {
    for (const name of ['build', 'check']) {
      const command = ['run', '--silent', name, '--', '--help'];
      const stdout = execFileSync('npm', command, { cwd: ROOT, encoding: 'utf8' });
      expect(stdout).to.match(new RegExp(`^npm run ${name}\\b[^\\n]*\\n\\n[A-Z]`, 'u'));
    }
  });
});
