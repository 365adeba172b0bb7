// A worker of the queue in Postgres that has nothing to do, during an outage and after it.
import { Writable } from 'node:stream';
import { expect } from 'chai';
import pg from 'pg';
import { pino } from 'pino';
import { createPostgresBackend } from '../../../src/platform/queue/bullmq.js';
import { startConsumer, workerOptions } from '../../../src/platform/queue/worker.js';
import { until } from '../../support/processes.js';
import { openProxy } from '../../support/proxy.js';
import { makeStores } from '../../support/suite.js';

const FAILURES = 3;
const AGAIN = 'the queue worker takes jobs again';

describe('an idle worker of the queue in Postgres', () => {
  it('looks for jobs after an outage, and says when it is over, and not before', async () => {
    const { databaseUrl, sql } = await makeStores('postgres');
    const proxy = await openProxy(databaseUrl);
    const pool = new pg.Pool({
      connectionString: proxy.url,
      options: '-c search_path=bullmq',
      keepAlive: true,
    });
    pool.on('error', () => undefined);
    const lines: string[] = [];
    const sink = new Writable({
      write(line, _encoding, done) {
        lines.push(JSON.parse(String(line)).msg);
        done();
      },
    });
    const handle = async () => undefined;
    const options = { ...workerOptions(pool, 'test'), drainDelay: 1 };
    const store = { backend: createPostgresBackend, isUp: () => true, isRequired: true } as const;
    const parts = { name: 'idle', handle, concurrency: 1, options, store };
    const stop = await startConsumer(parts as never, pino(sink) as never);
    try {
      await until('it waits for a job', async () => {
        const waiting = `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE '%has a claimable%'`;
        return (await sql(waiting)).length > 0;
      });
      proxy.refuse();
      await until('it has tried again', async () => proxy.refused >= FAILURES);
      expect(lines).to.include('queue worker error').and.not.include(AGAIN);
      proxy.accept();
      await until('it says so', async () => lines.includes(AGAIN));
    } finally {
      await stop();
      await pool.end();
    }
  });
});
