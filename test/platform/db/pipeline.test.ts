// A transaction whose statements are sent together is still one: all or nothing, and told by its first failure.
import type { Socket } from 'node:net';
import { expect } from 'chai';
import {
  closeDatabase,
  inPipeline,
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

  before(async function () {
    this.timeout(60_000);
    stores = await makeStores('postgres');
    await stores.sql(
      'CREATE TABLE note (id int CONSTRAINT note_unique UNIQUE, text text NOT NULL)',
    );
  });
  beforeEach(async () => {
    await stores.sql('TRUNCATE note');
    // One connection: what a failed transaction left in it, the next one would meet.
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

  it('writes on the ground of what it read, and commits', async () => {
    const written = await inPipeline(
      tx => query<{ next: number }>('SELECT count(*)::int + 1 AS next FROM note', [], tx),
      async ([row], tx) => {
        const [one, two] = await Promise.all([
          query(insert, [row?.next, 'one'], tx),
          query(
            'INSERT INTO note (id, text) SELECT max(id) + 1, $1 FROM note RETURNING id',
            ['two'],
            tx,
          ),
        ]);
        expect(await notes(), 'before COMMIT').to.deep.equal([]);
        return [...one, ...two];
      },
    );
    expect(written).to.deep.equal([{ id: 1 }, { id: 2 }]);
    expect(await notes()).to.deep.equal([1, 2]);
  });

  it('sends statements without a wait for the answers before', async () => {
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

  it('undoes all of it for one failure, and tells that one whoever asks first', async () => {
    await stores.sql("INSERT INTO note VALUES (7, 'there')");
    const told: (string | undefined)[] = [];
    const tell = (error: unknown) => {
      told.push(violatedConstraint(error));
      throw error;
    };
    const error = await failure(
      inPipeline(
        async () => undefined,
        (_found, tx) =>
          Promise.all([
            query(insert, [1, 'before'], tx),
            // Heard a little later than the statements after it.
            query(insert, [7, 'again'], tx).finally(
              () => new Promise(resolve => setTimeout(resolve, 50)),
            ),
            query('SELECT 1', [], tx).catch(tell),
            query(insert, [2, 'after'], tx).catch(tell),
          ]),
      ),
    );
    expect(violatedConstraint(error)).to.equal('note_unique');
    expect(told).to.deep.equal(['note_unique', 'note_unique']);
    expect(await notes()).to.deep.equal([7]);
  });

  it('does not write where reading failed', async () => {
    const error = await failure(
      inPipeline(
        tx => Promise.all([query('SELECT 1 / 0', [], tx), query(insert, [1, 'read'], tx)]),
        async (_found, tx) => query(insert, [2, 'written'], tx),
      ),
    );
    expect(sqlState(error)).to.equal('22012');
    expect(await notes()).to.deep.equal([]);
  });

  it('undoes what was written where the caller throws', async () => {
    const error = await failure(
      inPipeline(
        async () => undefined,
        async (_found, tx) => {
          await query(insert, [1, 'written'], tx);
          throw new Error('changed my mind');
        },
      ),
    );
    expect(String(error)).to.equal('Error: changed my mind');
    expect(await notes()).to.deep.equal([]);
  });

  it('leaves nothing where its connection is lost, and says that it may be done again', async () => {
    const error = await failure(
      inPipeline(
        tx => query<{ pid: number }>('SELECT pg_backend_pid() AS pid', [], tx),
        async ([row], tx) => {
          await query(insert, [1, 'written'], tx);
          await Promise.all([
            query('SELECT pg_sleep(5)', [], tx),
            query(insert, [2, 'written'], tx),
            stores.sql('SELECT pg_terminate_backend($1)', [row?.pid]),
          ]);
        },
      ),
    );
    expect(isTransient(error), String(error)).to.equal(true);
    expect(await notes()).to.deep.equal([]);
  });
});
