// Every session of the product has the same settings, however it is opened, also behind a pooler in
// transaction mode, whose sessions belong to no client.
import { expect } from 'chai';
import {
  closeDatabase,
  connectClient,
  type DatabaseOptions,
  inPipeline,
  inTransaction,
  openDatabase,
  query,
} from '../../../src/platform/db/connection.js';
import { readReport, readRows } from '../../../src/platform/db/list-reads.js';
import { openModels } from '../../../src/platform/db/models.js';
import { openProbe } from '../../../src/platform/db/probe.js';
import { openReplica, queryReplica } from '../../../src/platform/db/replica.js';
import { createLog } from '../../../src/platform/process/log.js';
import { hasPgbouncer, PGBOUNCER_MISSING, startPooler } from '../../support/pooler.js';
import { makeStores, requireOrSkip, type Stores } from '../../support/suite.js';

const COMPANY = '00000000-0000-4000-8000-000000000000';
const READ = `
  SELECT name, setting
  FROM pg_settings
  WHERE name = 'jit'
    OR name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`;

type Row = { name: string; setting: string };
type Settings = Record<string, string>;

const named = (rows: readonly Row[]): Settings =>
  Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));

describe('the settings of a session', () => {
  let stores: Stores;
  let pooled: string | undefined;
  const releases: (() => unknown)[] = [];
  const onStop = (_name: string, release: () => unknown) => void releases.push(release);
  const log = createLog('test', 'silent');

  before(async () => {
    stores = await makeStores('postgres');
    if (hasPgbouncer()) pooled = await startPooler(stores.databaseUrl);
  });
  afterEach(async () => {
    for (const release of releases.splice(0)) await release();
    await closeDatabase();
  });

  /** Each way to run a statement on the process's database. */
  const ways: Readonly<Record<string, () => Promise<Row[]>>> = {
    'a statement': () => query<Row>(READ, []),
    'a transaction': () => inTransaction(tx => query<Row>(READ, [], tx)),
    'a pipeline': () =>
      inPipeline(
        tx => query<Row>(READ, [], tx),
        async rows => rows,
      ),
    'a model': async () => (await openModels().query(READ))[0] as Row[],
    'a list': () => readRows<Row>(COMPANY, READ, []),
    'a report': () => readReport<Row>(COMPANY, READ, []),
  };
  const allWays = async (options: Partial<DatabaseOptions>) => {
    openDatabase({ url: stores.databaseUrl, poolMax: 2, listsMax: 1, name: 'test', ...options });
    const found: Record<string, Settings> = {};
    for (const [way, run] of Object.entries(ways)) found[way] = named(await run());
    return found;
  };
  const LIMITS = {
    idle_in_transaction_session_timeout: '1500',
    jit: 'off',
    lock_timeout: '5000',
    statement_timeout: '15000',
  };
  const EXPECTED = {
    'a statement': LIMITS,
    'a transaction': LIMITS,
    'a pipeline': LIMITS,
    'a model': LIMITS,
    'a list': { ...LIMITS, statement_timeout: '2000' },
    'a report': { ...LIMITS, statement_timeout: '12000' },
  };

  it('are those of the product in each of the process’s pools', async () => {
    expect(await allWays({})).to.deep.equal(EXPECTED);
  });

  it('are the same behind a pooler, inside and outside of a transaction', async function () {
    requireOrSkip(this, pooled !== undefined, PGBOUNCER_MISSING);
    expect(await allWays({ url: pooled ?? '', pooled: true, listsMax: 0 })).to.deep.equal(EXPECTED);
  });

  it('stay out of the pooler’s sessions, which other clients use next', async function () {
    requireOrSkip(this, pooled !== undefined, PGBOUNCER_MISSING);
    await allWays({ url: pooled ?? '', pooled: true, listsMax: 0 });
    await closeDatabase();
    const other = openDatabase({ url: pooled ?? '', poolMax: 3, name: 'test', pooled: true });
    const rows = await Promise.all([1, 2, 3].map(() => other.query<Row>(READ)));
    expect(rows.map(found => named(found.rows).jit)).to.deep.equal(['on', 'on', 'on']);
  });

  it('roll a failed statement back behind a pooler, and the next one works', async function () {
    requireOrSkip(this, pooled !== undefined, PGBOUNCER_MISSING);
    openDatabase({ url: pooled ?? '', poolMax: 1, name: 'test', pooled: true });
    const failed = await query('SELECT 1 / 0', []).catch(error => error.code);
    expect(failed).to.equal('22012');
    expect(await query('SELECT 1 AS one', [])).to.deep.equal([{ one: 1 }]);
  });

  it('are the same in a client of its own, a health check and the replica', async () => {
    const client = await connectClient(stores.databaseUrl, 'test');
    releases.push(() => client.end());
    expect(named((await client.query<Row>(READ)).rows)).to.deep.equal(LIMITS);

    const probe = openProbe(stores.databaseUrl, 700, onStop);
    const checked = await probe(tx => tx.query<Row>(READ, []));
    expect(named(checked)).to.include({ jit: 'off', statement_timeout: '700' });

    openReplica({ url: stores.databaseUrl, poolMax: 1, name: 'test' }, log, onStop);
    expect(named(await queryReplica<Row>(READ, []))).to.include({ jit: 'off' });
  });

  it('hold beside options in the operator’s URL', async () => {
    const url = new URL(stores.databaseUrl);
    url.searchParams.set('options', '-c jit=on -c search_path=other');
    const client = await connectClient(url.toString(), 'test');
    releases.push(() => client.end());
    expect(await client.query('SHOW jit')).to.have.deep.property('rows', [{ jit: 'off' }]);
    expect(await client.query('SHOW search_path'))
      .to.have.property('rows')
      .that.deep.equals([{ search_path: 'other' }]);
  });
});
