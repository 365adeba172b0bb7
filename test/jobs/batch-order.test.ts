// The invoices of a batch are settled in the order sent, also when they wait: here under a credit
// limit, which each order would apply to other invoices.
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { Json } from '../support/client.js';
import { changeCustomer, makeCustomer } from '../support/customers.js';
import { invoiceRequest, makeCompany, type TestCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { hasRedisServer, REDIS_MISSING } from '../support/redis-server.js';
import { MODES, makeWithWorker, requireOrSkip, startForTests } from '../support/suite.js';

/** Their batches wait at the same time. Any other order is unlikely to be right for all of them. */
const COMPANIES = 10;
const LIMIT = 1_000;
const PRICES = [900, 200, 100, 50];
/** The totals of the invoices that fit, in the order of their numbers. */
const ACCEPTED = [900, 100];

for (const mode of MODES) {
  describe(`the order of a batch (queue in ${mode})`, () => {
    let stack: Awaited<ReturnType<typeof makeWithWorker>>;
    let companies: TestCompany[];
    let rounds = 0;

    before(async function () {
      if (mode === 'redis') requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
      stack = await makeWithWorker(mode);
      companies = await Promise.all(Array.from({ length: COMPANIES }, () => makeCompany(stack)));
      await stack.sql("UPDATE companies SET credit_limit_action = 'refuse'");
    });

    /** Sends a batch of each company for a customer of its own, every second one with a key. */
    const sendBatches = async (prefer: string, creditLimit: number | null = LIMIT) => {
      rounds += 1;
      const customerName = `Customer ${rounds}`;
      const record = { name: customerName, creditLimit };
      const customers = await Promise.all(companies.map(company => makeCustomer(company, record)));
      const invoices = PRICES.map(price =>
        invoiceRequest({ customerName, items: [{ name: 'Work', qty: 1, price }] }),
      );
      const post = async (company: TestCompany, index: number) => {
        const key = index % 2 ? { 'idempotency-key': `round-${rounds}` } : {};
        const headers = { prefer, ...key };
        const { body } = await company.post('/invoices/batch', { invoices }, { headers });
        return body.results.map(({ status }: Json) => status) as number[];
      };
      return {
        customerName,
        answers: Promise.all(companies.map(post)),
        repeat: () => Promise.all(companies.map(post)),
        setLimits: () =>
          Promise.all(
            companies.map((company, index) =>
              changeCustomer(company, customers[index], { creditLimit: LIMIT }),
            ),
          ),
      };
    };

    /** Expects the invoices of the round to be those of the order sent, once all are settled. */
    const expectInOrder = async (customerName: string) => {
      const queued = "SELECT FROM jobs WHERE status = 'queued' LIMIT 1";
      await until('all jobs are settled', async () => (await stack.sql(queued)).length === 0);
      const rows = await stack.sql<{ totals: number[] }>(
        `SELECT array_agg(total::float8 ORDER BY number) AS totals
         FROM invoices
         WHERE customer_name = $1
         GROUP BY company_id`,
        [customerName],
      );
      const found = rows.map(({ totals }) => totals.join());
      expect(found).to.deep.equal(Array(COMPANIES).fill(ACCEPTED.join()));
    };

    /** Rows of writes that are also in the queue become due later than others. */
    const allDue = () =>
      until('all queued jobs are due', async () => {
        const early = "SELECT FROM jobs WHERE status = 'queued' AND run_at > now() LIMIT 1";
        return (await stack.sql(early)).length === 0;
      });

    const accepted = Array(COMPANIES).fill([202, 202, 202, 202]);

    const loseQueue = async () => {
      if (stack.redis) {
        const redis = new Redis(stack.redis.url);
        await redis.flushall();
        await redis.quit();
      } else await stack.sql('DELETE FROM bullmq.job');
    };

    it('holds while the worker works, and a repeat with the key changes nothing', async () => {
      const { customerName, answers, repeat } = await sendBatches('wait=10');
      const statuses = Array(COMPANIES).fill([201, 409, 201, 409]);
      expect(await answers).to.deep.equal(statuses);
      await expectInOrder(customerName);
      const again = (await repeat()).filter((_, index) => index % 2);
      expect(again).to.deep.equal(statuses.slice(COMPANIES / 2));
    });

    for (const prefer of ['wait=1', 'wait=0', 'respond-async'])
      it(`holds after a worker was stopped (${prefer})`, async () => {
        process.kill(stack.worker.pid, 'SIGSTOP');
        const { customerName, answers, repeat } = await sendBatches(prefer);
        try {
          expect(await answers).to.deep.equal(accepted);
          await allDue();
        } finally {
          process.kill(stack.worker.pid, 'SIGCONT');
        }
        await expectInOrder(customerName);
        const again = (await repeat()).filter((_, index) => index % 2);
        expect(new Set(again.flat())).to.deep.equal(new Set([201, 409]));
      });

    it('holds after the store of the queue was lost', async () => {
      process.kill(stack.worker.pid, 'SIGSTOP');
      const { customerName, answers } = await sendBatches('wait=1');
      try {
        await loseQueue();
        expect(await answers).to.deep.equal(accepted);
        await loseQueue();
        await allDue();
      } finally {
        process.kill(stack.worker.pid, 'SIGCONT');
      }
      await expectInOrder(customerName);
    });

    it('holds under a limit that is set while the batch waits', async () => {
      process.kill(stack.worker.pid, 'SIGSTOP');
      const { customerName, answers, setLimits } = await sendBatches('respond-async', null);
      try {
        expect(await answers).to.deep.equal(accepted);
        await setLimits();
      } finally {
        process.kill(stack.worker.pid, 'SIGCONT');
      }
      await expectInOrder(customerName);
    });

    it('holds if a worker is killed, and two others take over', async () => {
      const sent = await sendBatches('wait=2');
      await stack.worker.stop('SIGKILL');
      await sent.answers;
      const more = await sendBatches('wait=1');
      expect(await more.answers).to.deep.equal(accepted);
      await Promise.all([startForTests('worker', stack.env), startForTests('worker', stack.env)]);
      await expectInOrder(sent.customerName);
      await expectInOrder(more.customerName);
    });
  });
}
