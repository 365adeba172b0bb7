// A queue of writes hands out the next job while the former ones are in progress: a job is finished
// as soon as another one may be taken.
import { expect } from 'chai';
import type { OnStop } from '../../../src/platform/process/lifecycle.js';
import { createLog } from '../../../src/platform/process/log.js';
import { openQueues } from '../../../src/platform/queue/open.js';
import { until } from '../../support/processes.js';
import { hasRedisServer, REDIS_MISSING } from '../../support/redis-server.js';
import { MODES, makeStores, requireOrSkip, type Stores } from '../../support/suite.js';

const QUEUE = 'early';
const CONCURRENCY = 3;
const JOBS = CONCURRENCY + 2;
const log = createLog('test', 'silent');

for (const mode of MODES) {
  describe(`jobs in progress (queue in ${mode})`, () => {
    let stores: Stores;
    const releases: (() => unknown)[] = [];
    const onStop: OnStop = (_name, release) => releases.push(release);
    const stop = async () => {
      for (const release of releases.splice(0).reverse()) await release();
    };

    before(async function () {
      if (mode === 'redis') requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
      stores = await makeStores(mode);
    });
    afterEach(stop);

    /** Adds jobs, and runs each of them until it is ended by its number. */
    async function runJobs() {
      const { databaseUrl, redis } = stores;
      const options = { databaseUrl, redisUrl: redis?.url, poolMax: 6 };
      const queues = await openQueues(options, log, onStop);
      const producer = await queues.producer(QUEUE);
      const ends = new Map<number, (error?: Error) => void>();
      const handle = ({ data }: { data: unknown }) =>
        new Promise<void>((resolve, reject) => {
          ends.set((data as { number: number }).number, error =>
            error ? reject(error) : resolve(),
          );
        });
      await queues.shardWorkers({ [QUEUE]: handle }, CONCURRENCY);
      for (let number = 0; number < JOBS; number += 1) await producer.add('job', { number });
      const end = (number: number, error?: Error) => {
        ends.get(number)?.(error);
        ends.delete(number);
      };
      await until('as many jobs run as may', async () => ends.size === CONCURRENCY);
      return { producer, ends, end };
    }

    it('are as many as allowed, and all but the last are finished in the queue', async () => {
      const { producer, ends, end } = await runJobs();
      await until('the others wait', async () => {
        const { active, waiting } = await producer.depth();
        return active === 1 && waiting === JOBS - CONCURRENCY;
      });
      end(1);
      await until('the next one runs', async () => ends.has(CONCURRENCY));
      expect([...ends.keys()]).to.deep.equal([0, 2, CONCURRENCY]);
      end(0, new Error('a failure ends a job, too'));
      await until('the last one runs', async () => ends.has(JOBS - 1));
      for (const number of ends.keys()) end(number);
      if (mode === 'postgres')
        expect(await stores.sql('SELECT FROM bullmq.event')).to.deep.equal([]);
    });

    it('have all ended when the worker has stopped', async () => {
      const { ends, end } = await runJobs();
      let hasStopped = false;
      const stopping = stop().then(() => {
        hasStopped = true;
      });
      for (const number of [...ends.keys()]) {
        await new Promise(resolve => setTimeout(resolve, 50));
        expect(hasStopped).to.equal(false);
        end(number);
      }
      await stopping;
      expect(ends.size).to.equal(0);
    });
  });
}
