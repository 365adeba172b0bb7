// Deleting old rows: what it deletes, and what it reads for that.
import { expect } from 'chai';
import { closeDatabase, query } from '../../../src/platform/db/connection.js';
import { deleteOldRows } from '../../../src/platform/db/retention.js';
import { makeStores, openForTests } from '../../support/suite.js';

const KEPT = 300;
const OLD = 100;
const CHUNK = 10;

describe('deleting old rows', () => {
  after(closeDatabase);

  it('reads the rows that stay once, however many chunks there are', async () => {
    const { databaseUrl } = await makeStores('postgres');
    // One connection, so that its own counters have all that it reads.
    openForTests(databaseUrl, 1);
    await query(
      `CREATE TABLE outcomes (
         company_id int, id int, finished_at timestamptz, kept boolean, PRIMARY KEY (company_id, id)
       )`,
      [],
    );
    await query('CREATE INDEX ON outcomes (finished_at)', []);
    await query(
      `INSERT INTO outcomes
       SELECT 1, number, now() - interval '40 days' + number * interval '1 second', number <= $1
       FROM generate_series(1, $1::int + $2::int + 1) AS number`,
      [KEPT, OLD],
    );
    await query('UPDATE outcomes SET finished_at = now() WHERE id = $1', [KEPT + OLD + 1]);
    await query('ANALYZE outcomes', []);
    await query('SET enable_seqscan = off', []);
    await query('SET enable_bitmapscan = off', []);
    const read = async () => {
      await query('SELECT pg_stat_force_next_flush()', []);
      const [row] = await query<{ read: number }>(
        `SELECT idx_tup_read::int AS read
         FROM pg_stat_user_indexes
         WHERE indexrelname = 'outcomes_finished_at_idx'`,
        [],
      );
      return row?.read ?? 0;
    };
    const before = await read();
    const retention = { table: 'outcomes', days: 30, keep: 'kept', chunk: CHUNK };
    await deleteOldRows(retention, { info: () => undefined } as never);
    expect(await query('SELECT id FROM outcomes WHERE NOT kept', [])).to.deep.equal([
      { id: KEPT + OLD + 1 },
    ]);
    expect(await query('SELECT FROM outcomes WHERE kept', [])).to.have.length(KEPT);
    // A chunk also reads the last row of the one before.
    expect((await read()) - before).to.be.within(KEPT + OLD, KEPT + OLD + 2 * (OLD / CHUNK + 1));
  });
});
