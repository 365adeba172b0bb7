// Connections that Postgres ends at the moment it opens them: the end arrives in the same packet,
// before the code that asked for the connection can listen for it. Mocha fails a test whose process
// gets an uncaught error.
import { expect } from 'chai';
import {
  closeDatabase,
  connectClient,
  openDatabase,
  query,
} from '../../../src/platform/db/connection.js';
import { openModels } from '../../../src/platform/db/models.js';
import { openReplica, queryReplica } from '../../../src/platform/db/replica.js';
import { isTransient } from '../../../src/platform/postgres-errors.js';
import type { OnStop } from '../../../src/platform/process/lifecycle.js';
import { createLog } from '../../../src/platform/process/log.js';
import { openQueues, type Queues } from '../../../src/platform/queue/open.js';
import { openTerminator } from '../../support/proxy.js';

const log = createLog('test', 'silent');

describe('a connection that ends at its opening', () => {
  let url: string;
  const releases: (() => unknown)[] = [];
  const onStop: OnStop = (_name, release) => releases.push(release);

  before(async () => {
    url = await openTerminator();
  });
  beforeEach(() => openDatabase({ url, poolMax: 2, name: 'test-termination' }));
  afterEach(async () => {
    for (const release of releases.splice(0).reverse()) await release();
    await closeDatabase();
  });

  const expectTransient = async (work: Promise<unknown>): Promise<void> => {
    const error = await work.then(
      () => new Error('nothing failed'),
      reason => reason,
    );
    expect(isTransient(error), String(error)).to.equal(true);
  };
  const queues = (): Promise<Queues> =>
    openQueues({ databaseUrl: url, redisUrl: undefined, poolMax: 2 }, log, onStop);

  it('is a transient failure of a statement', () => expectTransient(query('SELECT 1', [])));

  it('is a transient failure of a model', () => expectTransient(openModels().query('SELECT 1')));

  it('is a transient failure of a session', () =>
    expectTransient(connectClient(url, 'test').then(client => client.query('SELECT 1'))));

  it('of the replica makes the primary answer', async () => {
    openReplica({ url, poolMax: 2, name: 'test-replica' }, log, onStop);
    expect(await queryReplica('SELECT 1', [])).to.deep.equal([]);
  });

  it('is a transient failure of a queue and of its worker', async () => {
    await expectTransient((await queues()).producer('invoices'));
    await expectTransient((await queues()).worker('invoices', 1, async () => undefined));
  });
});
