// The embedded PostgreSQL with its real programs: sharing, races, crashes, and running as root.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import pg from 'pg';
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  type HoldOptions,
  holdEmbeddedPostgres,
} from '../../src/embedded-postgres/hold.js';
import { DIRECTORY_PREFIX } from '../support/processes.js';

const MODULE_URL = new URL('../../src/embedded-postgres/hold.js', import.meta.url).href;
const SHARED_DIR = '/var/lib/tradepost';
const TEMPORARY = join(await fs.realpath(tmpdir()), basename(DIRECTORY_PREFIX));
const DEADLINE_MS = 10_000;
const isRoot = process.geteuid?.() === 0;

describe('embedded PostgreSQL', () => {
  /** Shared by all tests that need no empty directory, since creating a cluster takes seconds. */
  let sharedDir: string;
  let dataDir: string;
  let messages: string[];
  let holders: (() => Promise<unknown>)[];
  let cleanUps: (() => Promise<unknown>)[];

  before(async () => {
    sharedDir = await fs.mkdtemp(TEMPORARY);
    await fs.chmod(sharedDir, 0o755);
  });

  after(() => fs.rm(sharedDir, { recursive: true, force: true }));

  beforeEach(async () => {
    holders = [];
    cleanUps = [];
    messages = [];
    if (isRoot && !(await fs.stat(SHARED_DIR).catch(() => null))) {
      cleanUps.push(() => fs.rmdir(SHARED_DIR).catch(() => {}));
    }
    dataDir = join(sharedDir, '.data');
  });

  afterEach(async () => {
    for (const release of holders) await release();
    const pid = await readPid().catch(() => null); // The server of a killed last holder still runs.
    if (pid) process.kill(pid, 'SIGINT');
    await waitFor(async () => (await readPid().catch(() => null)) === null);
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });

  async function makeDir(mode: number): Promise<string> {
    const dir = await fs.mkdtemp(TEMPORARY);
    cleanUps.push(() => fs.rm(dir, { recursive: true, force: true }));
    await fs.chmod(dir, mode);
    return dir;
  }

  async function hold(options: Partial<HoldOptions> = {}): Promise<EmbeddedPostgres> {
    const held = await holdEmbeddedPostgres({
      dataDir,
      say: message => messages.push(message),
      ...options,
    });
    holders.push(() => held.release());
    return held;
  }

  /** Holds in another process until that is killed. */
  async function holdElsewhere(): Promise<{ url: string; kill(): Promise<unknown> }> {
    const script = `
      const { holdEmbeddedPostgres } = await import(${JSON.stringify(MODULE_URL)});
      const held = await holdEmbeddedPostgres({ dataDir: process.argv[1], say() {} });
      process.stdout.write(held.url);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const kill = () => {
      child.kill('SIGKILL');
      return exited;
    };
    holders.push(kill);
    const died = exited.then(() => expect.fail('the other process ended before it held'));
    const [url] = (await Promise.race([once(child.stdout, 'data'), died])) as [Buffer];
    died.catch(() => {});
    return { url: url.toString(), kill };
  }

  async function readPid(): Promise<number> {
    return Number.parseInt(
      await fs.readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'),
      10,
    );
  }

  async function listData(): Promise<string[]> {
    return (await fs.readdir(dataDir)).sort();
  }

  it('is one server for all holders, and stops when the last one releases it', async () => {
    const first = await hold();
    const second = await hold();
    expect(second.url).to.equal(first.url);
    expect(first.url).to.match(/^postgres:\/\/tradepost:[\w-]{32}@127\.0\.0\.1:\d+\/tradepost$/);

    await first.release();
    await first.release();
    expect(await query(second.url, 'SELECT current_database() AS value')).to.equal('tradepost');

    await second.release();
    expect(await isServing(second.url)).to.equal(false);
    expect(await listData()).to.deep.equal(['postgres', 'postgres.log']);
  });

  it('keeps the data from one run to the next', async () => {
    const first = await hold();
    await query(first.url, 'CREATE TABLE kept_by_stop AS SELECT 42 AS value');
    await first.release();
    expect(await query((await hold()).url, 'SELECT value FROM kept_by_stop')).to.equal(42);
  });

  it('makes one cluster when several processes start at once in an empty directory', async () => {
    dataDir = join(await makeDir(0o755), '.data');
    const holds = await Promise.all([hold(), hold(), holdElsewhere()]);
    expect(new Set(holds.map(held => held.url)).size).to.equal(1);
    expect(await listData()).to.deep.equal(['postgres', 'postgres.log']);
  });

  it('finds the running server or restarts it while others release it', async () => {
    await Promise.all(
      Array.from({ length: 3 }, async () => {
        for (let round = 0; round < 2; round += 1) {
          const held = await hold();
          expect(await query(held.url, 'SELECT 1 AS value')).to.equal(1);
          await held.release();
        }
      }),
    );
    await waitFor(async () => (await readPid().catch(() => null)) === null);
  });

  it('does not count a holder that was killed', async () => {
    const killed = await holdElsewhere();
    await killed.kill();
    const held = await hold();
    expect(held.url).to.equal(killed.url);
    await waitFor(async () => (await query(held.url, COUNT_HOLDERS)) === '1');
    await held.release();
    expect(await isServing(held.url)).to.equal(false);
  });

  it('notifies its holder when the server dies, and restarts it at the same address', async () => {
    const first = await hold();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS value');
    process.kill(await readPid(), 'SIGKILL');
    await first.lost;

    const second = await hold();
    expect(second.url).to.equal(first.url);
    expect(await query(second.url, 'SELECT value FROM kept')).to.equal(42);
    await first.release();
    expect(await isServing(second.url)).to.equal(true);
  });

  it('ignores a lock file whose process id now belongs to another program', async () => {
    await (await hold()).release();
    const cluster = join(dataDir, 'postgres');
    // PostgreSQL itself would take a process of its own user, except a parent, for a live server.
    const { uid, gid } = await fs.stat(cluster);
    const other = spawn('sleep', ['60'], { stdio: 'ignore', uid, gid });
    holders.push(async () => other.kill());
    await fs.writeFile(
      join(cluster, 'postmaster.pid'),
      `${other.pid}\n${cluster}\n1700000000\n5432\n\n127.0.0.1\n 1 1\nready\n`,
    );
    const held = await hold();
    expect(await query(held.url, 'SELECT 1 AS value')).to.equal(1);
    expect(await readPid()).not.to.equal(other.pid);
  });

  it('deletes the remains of a start that died, but not of one that is alive', async () => {
    const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(dead, 'exit');
    const left = [`postgres.new-${dead.pid}-0a`, `postgres.new-${process.pid}-0b`];
    for (const name of left) await fs.mkdir(join(dataDir, name), { recursive: true });
    await hold();
    expect(await listData()).to.deep.equal(['postgres', 'postgres.log', left[1]]);
  });

  it('leaves data of another major version alone and names both versions', async () => {
    dataDir = join(await makeDir(0o755), '.data');
    const cluster = join(dataDir, 'postgres');
    await fs.mkdir(cluster, { recursive: true, mode: 0o755 });
    await fs.writeFile(join(cluster, 'PG_VERSION'), '15\n');
    const before = await fs.stat(cluster);

    const error = await failure(hold());
    expect(error).to.be.instanceOf(EmbeddedPostgresError);
    expect(error.message).to.match(/PostgreSQL 15, .*PostgreSQL 18.*nothing was changed/);
    const after = await fs.stat(cluster);
    expect([after.mtimeMs, after.mode, after.uid]).to.deep.equal([
      before.mtimeMs,
      before.mode,
      before.uid,
    ]);
    expect(await fs.readdir(cluster)).to.deep.equal(['PG_VERSION']);
    expect(await listData()).to.deep.equal(['postgres']);
  });

  it('says what to do if there is no PostgreSQL for the platform', async () => {
    const platform = process.platform;
    Object.defineProperty(process, 'platform', { value: 'sunos' });
    const error = await failure(hold()).finally(() =>
      Object.defineProperty(process, 'platform', { value: platform }),
    );
    expect(error).to.be.instanceOf(EmbeddedPostgresError);
    expect(error.message).to.match(/no embedded PostgreSQL for sunos-\w+: set DATABASE_URL/);
  });

  it('does the postinstall of the package if npm skipped it', async () => {
    const packageDir = await copyPackage(await makeDir(0o755));
    const held = await hold({ packageDir });
    expect(await query(held.url, 'SELECT 1 AS value')).to.equal(1);
    expect((await fs.lstat(join(packageDir, 'native/lib/libpq.so.5'))).isSymbolicLink()).to.equal(
      true,
    );
  });

  it('never writes its password to the log or the terminal', async () => {
    const held = await hold();
    const { password } = new URL(held.url);
    const log = await fs.readFile(join(dataDir, 'postgres.log'), 'utf8');
    const visible = messages.join('\n') + log;
    expect(password).to.have.length(32);
    expect(visible).not.to.contain(password);
    const { mode } = await fs.stat(join(dataDir, 'postgres', 'tradepost-password'));
    expect(mode & 0o777).to.equal(0o600);
  });

  (isRoot ? describe : describe.skip)(
    'as root (skipped otherwise: only root must run it as another user)',
    () => {
      it('puts the data elsewhere and says so if the user cannot enter the directory', async () => {
        dataDir = join(await makeDir(0o700), '.data');
        const first = await hold();
        const home = dirname(await fs.readlink(join(dataDir, 'postgres')));
        cleanUps.push(() => fs.rm(home, { recursive: true }));
        expect(home).to.contain(SHARED_DIR);
        expect(messages.filter(message => message.includes(home))).not.to.deep.equal([]);
        await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS value');
        await first.release();
        expect(await query((await hold()).url, 'SELECT value FROM kept')).to.equal(42);
      });

      it('starts with an empty cluster if the data elsewhere was deleted', async () => {
        dataDir = join(await makeDir(0o700), '.data');
        await fs.mkdir(dataDir);
        const home = join(await makeDir(0o755), 'gone');
        await fs.symlink(join(home, 'postgres'), join(dataDir, 'postgres'));
        await hold();
        expect((await fs.readdir(home)).sort()).to.deep.equal(['postgres', 'postgres.log']);
      });

      it('runs a copy of the programs if the user cannot read the installed ones', async () => {
        const version = `0.0.0-test-${process.pid}`;
        const copy = join(SHARED_DIR, `postgresql-${version}`);
        cleanUps.push(() => fs.rm(copy, { recursive: true, force: true }));
        const packageDir = await copyPackage(await makeDir(0o700), version);
        const held = await hold({ packageDir });
        expect(await fs.readFile(join(dataDir, 'postgres', 'postmaster.opts'), 'utf8')).to.contain(
          copy,
        );
        expect((await fs.lstat(join(copy, 'native/lib/libpq.so.5'))).isSymbolicLink()).to.equal(
          true,
        );

        await held.release();
        messages = [];
        await hold({ packageDir });
        expect(messages).to.deep.equal([]);
      });

      it('takes back a cluster that was restored as root', async () => {
        await (await hold()).release();
        const cluster = join(dataDir, 'postgres');
        for (const name of ['', ...(await fs.readdir(cluster, { recursive: true }))]) {
          await fs.chown(join(cluster, name), 0, 0);
        }
        await fs.chmod(cluster, 0o755);
        expect(await query((await hold()).url, 'SELECT 1 AS value')).to.equal(1);
      });
    },
  );
});

const COUNT_HOLDERS = `SELECT count(*) AS value
  FROM pg_stat_activity
  WHERE application_name = 'tradepost-holder'`;

async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<{ value: unknown }>(sql)).rows[0]?.value;
  } finally {
    await client.end();
  }
}

async function isServing(url: string): Promise<boolean> {
  return query(url, 'SELECT 1').then(
    () => true,
    () => false,
  );
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => expect.fail('it succeeded'),
    (error: Error) => error,
  );
}

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) expect.fail('the condition did not come true in time');
    await delay(20);
  }
}

/** The npm package before its postinstall: no links between libraries, no executable programs. */
async function copyPackage(parent: string, version?: string): Promise<string> {
  const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const target = join(parent, 'package');
  const isLink = async (path: string) => (await fs.lstat(path)).isSymbolicLink();
  await fs.cp(dirname(dirname(fileURLToPath(entry))), target, {
    recursive: true,
    filter: async source => !(await isLink(source)),
  });
  for (const program of ['initdb', 'pg_ctl', 'postgres'])
    await fs.chmod(join(target, 'native/bin', program), 0o644);
  if (version) await fs.writeFile(join(target, 'package.json'), JSON.stringify({ version }));
  return target;
}
