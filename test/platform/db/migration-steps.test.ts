// Migrations beside other sessions: the steps of a file, interruptions, and locks that others hold.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { migrate } from '../../../src/platform/db/migrate.js';
import { temporaryDirectory, until } from '../../support/processes.js';
import { atEnd, makeStores, type Stores } from '../../support/suite.js';

const QUICK_MS = 1_000;

describe('the steps of migrations', () => {
  let stores: Stores;
  let folder: string;
  let databases = 0;

  before(async () => {
    stores = await makeStores('postgres');
    const { path, remove } = await temporaryDirectory();
    folder = path;
    atEnd(remove);
  });

  interface Place {
    readonly client: pg.Client;
    readonly options: Parameters<typeof migrate>[0];
    /** Writes files, and runs the migrations. */
    run(files: Record<string, string>): Promise<string[]>;
  }

  /** An empty database with migrations of its own. */
  async function makePlace(): Promise<Place> {
    databases += 1;
    const name = `steps_${databases}_${process.pid}`;
    await stores.sql(`CREATE DATABASE ${name}`);
    const databaseUrl = Object.assign(new URL(stores.databaseUrl), {
      pathname: `/${name}`,
    }).toString();
    const directory = join(folder, name);
    await mkdir(directory);
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    atEnd(() => client.end());
    const options = { databaseUrl, queueInPostgres: false, directory };
    return {
      client,
      options,
      async run(files) {
        for (const [file, text] of Object.entries(files))
          await writeFile(join(directory, file), text);
        return migrate(options);
      },
    };
  }

  const messageOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: Error) => error.message,
    );

  it('leave what is done when one fails, and continue with it', async () => {
    const { client, run } = await makePlace();
    const first = { '0001-a.sql': 'CREATE TABLE a (id int); INSERT INTO a VALUES (1);' };
    const second = `
      -- step: once
      CREATE TABLE b (id int);
      -- step: repeat
      UPDATE a SET id = id + 1 WHERE id < 5;
      -- step: once
      INSERT INTO b SELECT id / (SELECT count(*) FROM c) FROM a;`;
    expect(await messageOf(run({ ...first, '0002-b.sql': second }))).to.include('"c"');
    await client.query('CREATE TABLE c AS SELECT 1');
    expect(await run({})).to.deep.equal(['0002-b.sql']);
    expect((await client.query('SELECT id FROM b')).rows).to.deep.equal([{ id: 5 }]);
    const { rows } = await client.query('SELECT name FROM migrations ORDER BY name');
    expect(rows.map(({ name }) => name)).to.deep.equal(['0001-a.sql', '0002-b.sql']);
  });

  it('let others read the table that they wait for', async () => {
    const { client, options, run } = await makePlace();
    await run({ '0001-a.sql': 'CREATE TABLE a (id int);' });
    const reader = new pg.Client({ connectionString: options.databaseUrl });
    await reader.connect();
    atEnd(() => reader.end());
    await client.query('BEGIN');
    await client.query('SELECT FROM a');
    let isDone = false;
    const migrating = run({ '0002-b.sql': 'ALTER TABLE a ADD COLUMN b int;' }).then(() => {
      isDone = true;
    });
    const isWaiting = async () =>
      (
        await reader.query(
          `SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted
             AND relation = 'a'::regclass`,
        )
      ).rows.length > 0;
    // Twice: it gives up, and comes back.
    for (const wanted of [true, false, true])
      await until('the migration waits, or pauses', async () => (await isWaiting()) === wanted);
    const startedAt = performance.now();
    await reader.query('SELECT FROM a');
    expect(performance.now() - startedAt).to.be.below(QUICK_MS);
    expect(isDone).to.equal(false);
    await client.query('COMMIT');
    await migrating;
  });

  it('end with a sentence that names the session whose lock is never free', async () => {
    const { client, options, run } = await makePlace();
    await run({ '0001-a.sql': 'CREATE TABLE a (id int);' });
    await writeFile(join(options.directory ?? '', '0002-b.sql'), 'ALTER TABLE a ADD COLUMN b int;');
    await client.query("SET application_name = 'nightly-report'; BEGIN; SELECT FROM a");
    expect(await messageOf(migrate(options, 500))).to.match(
      /^Another session holds a lock .* process \d+ \("nightly-report"\), .*run it again\.$/u,
    );
    await client.query('ROLLBACK');
    expect(await migrate(options)).to.deep.equal(['0002-b.sql']);
  });

  it('replace an index whose build was interrupted', async () => {
    const { client, run } = await makePlace();
    await run({ '0001-a.sql': 'CREATE TABLE a (id int); INSERT INTO a VALUES (1), (1);' });
    const build =
      '-- step: concurrently\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS a_id ON a (id);';
    expect(await messageOf(run({ '0002-b.sql': build }))).to.include('could not create unique');
    const valid = async () =>
      (await client.query("SELECT indisvalid FROM pg_index WHERE indrelid = 'a'::regclass")).rows;
    expect(await valid()).to.deep.equal([{ indisvalid: false }]);
    await client.query('DELETE FROM a');
    expect(await run({})).to.deep.equal(['0002-b.sql']);
    expect(await valid()).to.deep.equal([{ indisvalid: true }]);
  });

  it('do not include one of an unknown kind', async () => {
    const { run } = await makePlace();
    const message = await messageOf(run({ '0001-a.sql': '-- step: twice\nSELECT 1;' }));
    expect(message).to.equal('0001-a.sql: there is no step "twice"');
  });
});
