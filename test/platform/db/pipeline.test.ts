// A transaction that sends its statements together is still all or nothing, and fails with its
// first error.
import type { Socket } from 'node:net';
import { expect } from 'chai';
import {
  closeDatabase,
  inPipeline,
  inTransaction,
  openDatabase,
  query,
} from '../../../src/platform/db/connection.js';
import {
  isTransient,
  sqlState,
  violatedConstraint,
} from '../../../src/platform/postgres-errors.js';
import { makeStores, type Stores } from '../../support/suite.js';

describe('a transaction in a pipeline', () => {
  let stores: Stores;

  before(async () => {
    stores = await makeStores('postgres');
    await stores.sql(
      'CREATE TABLE note (id int CONSTRAINT note_unique UNIQUE, text text NOT NULL)',
    );
  });
  beforeEach(async () => {
    await stores.sql('TRUNCATE note');
    // One connection: the next transaction would meet whatever a failed one left behind.
    openDatabase({ url: stores.databaseUrl, poolMax: 1, name: 'test-pipeline' });
  });
  afterEach(closeDatabase);

  const notes = async () =>
    (await stores.sql<{ id: number }>('SELECT id FROM note ORDER BY id')).map(({ id }) => id);
  const insert = 'INSERT INTO note (id, text) VALUES ($1, $2) RETURNING id';
  const failure = async (work: Promise<unknown>): Promise<unknown> => {
    const error = await work.then(
      () => new Error('nothing failed'),
      thrown => thrown,
    );
    expect(await query('SELECT 1 AS one', [])).to.deep.equal([{ one: 1 }]);
    return error;
  };

  it('writes what depends on its reads, and commits', async () => {
    const written = await inPipeline(
      tx => query<{ next: number }>('SELECT count(*)::int + 1 AS next FROM note', [], tx),
      ([row], tx) =>
        Promise.all([
          query(insert, [row?.next, 'one'], tx),
          query(
            'INSERT INTO note (id, text) SELECT max(id) + 1, $1 FROM note RETURNING id',
            ['two'],
            tx,
          ),
        ]),
    );
    expect(written).to.deep.equal([[{ id: 1 }], [{ id: 2 }]]);
    expect(await notes()).to.deep.equal([1, 2]);
  });

  it('sends statements without waiting for earlier answers', async () => {
    await inPipeline(
      async tx => {
        const stream = tx.client.connection.stream as Socket;
        const slow = query('SELECT pg_sleep(0.2)', [], tx);
        const { bytesWritten } = stream;
        const quick = query('SELECT 1', [], tx);
        expect(stream.bytesWritten).to.be.greaterThan(bytesWritten);
        await Promise.all([slow, quick]);
      },
      async () => undefined,
    );
  });

  it('rolls back on a failure, which every later statement reports', async () => {
    await stores.sql("INSERT INTO note VALUES (7, 'there')");
    const reported: (string | undefined)[] = [];
    const report = (error: unknown) => {
      reported.push(violatedConstraint(error));
      throw error;
    };
    const error = await failure(
      inPipeline(
        async () => undefined,
        (_found, tx) =>
          Promise.all([
            query(insert, [1, 'before'], tx),
            // Reported a little later than the statements after it.
            query(insert, [7, 'again'], tx).finally(
              () => new Promise(resolve => setTimeout(resolve, 50)),
            ),
            query('SELECT 1', [], tx).catch(report),
            query(insert, [2, 'after'], tx).catch(report),
          ]),
      ),
    );
    expect(violatedConstraint(error)).to.equal('note_unique');
    expect(reported).to.deep.equal(['note_unique', 'note_unique']);
    expect(await notes()).to.deep.equal([7]);
  });

  it('does not write if a read failed', async () => {
    const error = await failure(
      inPipeline(
        tx => Promise.all([query('SELECT 1 / 0', [], tx), query(insert, [1, 'read'], tx)]),
        async (_found, tx) => query(insert, [2, 'written'], tx),
      ),
    );
    expect(sqlState(error)).to.equal('22012');
    expect(await notes()).to.deep.equal([]);
  });

  it('rolls back if the caller throws', async () => {
    const error = await failure(
      inPipeline(
        async () => undefined,
        (_found, tx) => {
          query(insert, [1, 'written'], tx).catch(() => undefined);
          throw new Error('changed my mind');
        },
      ),
    );
    expect(String(error)).to.equal('Error: changed my mind');
    expect(await notes()).to.deep.equal([]);
  });

  it('rolls back if the caller of inTransaction throws after an answer', async () => {
    const error = await failure(
      inTransaction(async tx => {
        await query(insert, [1, 'written'], tx);
        throw new Error('changed my mind');
      }),
    );
    expect(String(error)).to.equal('Error: changed my mind');
    expect(await notes()).to.deep.equal([]);
  });

  it('leaves nothing behind if its connection is lost, and may be retried', async () => {
    const error = await failure(
      inPipeline(
        tx => query<{ pid: number }>('SELECT pg_backend_pid() AS pid', [], tx),
        ([row], tx) =>
          Promise.all([
            query(insert, [1, 'written'], tx),
            query('SELECT pg_sleep(5)', [], tx),
            query(insert, [2, 'written'], tx),
            stores.sql('SELECT pg_terminate_backend($1)', [row?.pid]),
          ]),
      ),
    );
    expect(isTransient(error), String(error)).to.equal(true);
    expect(await notes()).to.deep.equal([]);
  });

  it('refuses statements that come after its end', async () => {
    let late: Promise<unknown> = Promise.resolve();
    await failure(
      inPipeline(
        async () => undefined,
        (_found, tx) =>
          Promise.all([
            query('SELECT 1 / 0', [], tx),
            new Promise((_, reject) => {
              late = stores.sql('SELECT pg_sleep(0.1)').then(() => query(insert, [1, 'late'], tx));
              late.catch(reject);
            }),
          ]),
      ),
    );
    expect(await late.catch(String)).to.equal('Error: the transaction has ended');
    expect(await notes()).to.deep.equal([]);
  });
});
