// An answered write is never lost: a worker is killed and Redis is lost under load.
import { expect } from 'chai';
import type { Response } from '../support/client.js';
import { expectVerified } from '../support/commands.js';
import { signedIn } from '../support/dashboard.js';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../support/factories.js';
import { importFile } from '../support/imports.js';
import { type RunningProcess, until } from '../support/processes.js';
import { hasRedisServer, REDIS_MISSING, startRedis } from '../support/redis-server.js';
import {
  MODES,
  makeWithWorker,
  requireOrSkip,
  type Stack,
  startForTests,
} from '../support/suite.js';

const CLIENTS = 200;
/** Rows of an import: more than a worker applies before it is killed. */
const IMPORTED = 5_000;

const create = (company: TestCompany, at: number, wait = 'wait=10') =>
  company.post(
    '/invoices',
    invoiceRequest({
      reference: `R-${at}`,
      items: [{ name: at % 3 ? 'Pipe' : 'Delivery', qty: 1, price: 1 }],
    }),
    { headers: { 'idempotency-key': `order-${at}`, prefer: wait } },
  );

/** Expects every answered write once and numbers without a gap, and that verify agrees. */
async function expectAllWritten(
  stack: Stack,
  companies: TestCompany[],
  answers: Response[][],
): Promise<void> {
  for (const [index, company] of companies.entries()) {
    const own = answers[index] ?? [];
    expect(
      own.filter(({ status }) => status !== 201 && status !== 202).map(({ text }) => text),
    ).to.deep.equal([]);
    await until('every 202 is settled', async () => {
      const queued = "SELECT 1 FROM jobs WHERE company_id = $1 AND status = 'queued'";
      return (await stack.sql(queued, [company.companyId])).length === 0;
    });
    const rows = await stack.sql<{ id: string; number: string; reference: string }>(
      'SELECT id, number, reference FROM invoices WHERE company_id = $1 ORDER BY number',
      [company.companyId],
    );
    expect(rows.map(({ number }) => Number(number))).to.deep.equal(own.map((_, at) => at + 1));
    expect(rows.map(({ reference }) => reference).sort()).to.deep.equal(
      own.map((_, at) => `R-${at}`).sort(),
    );
    const byReference = new Map(rows.map(row => [row.reference, row.id]));
    for (const { status, body } of own)
      if (status === 201) expect(byReference.get(body.reference)).to.equal(body.id);
  }
  await expectVerified(stack);
}

/** Sends `CLIENTS` creates at once over the companies; `meanwhile` runs after a tenth of them. */
async function createThrough(
  companies: TestCompany[],
  meanwhile: () => Promise<void>,
): Promise<Response[][]> {
  const each = CLIENTS / companies.length;
  let done = 0;
  const all = companies.map(company =>
    Array.from({ length: each }, async (_, at) => {
      const answer = await create(company, at);
      done += 1;
      return answer;
    }),
  );
  await until('the first answers', async () => done >= CLIENTS / 10);
  await meanwhile();
  return Promise.all(all.map(own => Promise.all(own)));
}

/** Uploads a file whose rows each add one to one of 700 items. Returns the import's progress. */
async function uploadImport(stack: Stack) {
  const { companyId } = await makeCompany(stack);
  const { browser } = await signedIn(stack, companyId);
  const rows = Array.from({ length: IMPORTED }, (_, at) => `Item ${at % 700},1\n`);
  const { headers } = await importFile(browser, { content: `name,delta\n${rows.join('')}` });
  expect(headers.location).to.match(/^\/inventory\/imports\//u);
  const progress = async () => {
    const [row] = await stack.sql<{ status: string; rowsDone: number; received: number }>(
      `SELECT status, rows_done AS "rowsDone",
         (SELECT COALESCE(sum(on_hand), 0)::int FROM items WHERE company_id = $1) AS received
       FROM imports
       WHERE company_id = $1`,
      [companyId],
    );
    if (!row) throw new Error('there is no import');
    return row;
  };
  return { progress };
}

async function makeTraders(stack: Stack, count: number): Promise<TestCompany[]> {
  const companies = await Promise.all(Array.from({ length: count }, () => makeCompany(stack)));
  await Promise.all(companies.map(company => receive(company, { name: 'Pipe', delta: CLIENTS })));
  return companies;
}

for (const mode of MODES) {
  describe(`under load (queue in ${mode})`, () => {
    let stack: Awaited<ReturnType<typeof makeWithWorker>>;
    let worker: RunningProcess;

    before(async function () {
      if (mode === 'redis') requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
      // Small batches, so that the kill interrupts some of them.
      stack = await makeWithWorker(mode, { BATCH_MAX: '10' });
      ({ worker } = stack);
    });

    it('a killed worker loses no answered write and writes none twice', async () => {
      const companies = await makeTraders(stack, 4);
      const imported = await uploadImport(stack);
      const answers = await createThrough(companies, async () => {
        await until(
          'the first rows of the import',
          async () => (await imported.progress()).rowsDone > 0,
        );
        await worker.stop('SIGKILL');
        expect((await imported.progress()).rowsDone).to.be.lessThan(IMPORTED);
        worker = await startForTests('worker', stack.env);
      });
      await until('the import is done', async () => (await imported.progress()).status === 'done');
      expect(await imported.progress()).to.deep.equal({
        status: 'done',
        rowsDone: IMPORTED,
        received: IMPORTED,
      });
      await expectAllWritten(stack, companies, answers);
      for (const company of companies) {
        const [again] = await Promise.all([create(company, 7)]);
        expect([again.status, again.headers['idempotency-replayed']]).to.deep.equal([201, 'true']);
      }
    });

    if (mode === 'postgres') return;
    it('web answers while Redis is down and when it is back, and loses no write', async () => {
      const companies = await makeTraders(stack, 2);
      const port = stack.redis?.port;
      const answers = await createThrough(companies, async () => stack.redis?.stop('SIGKILL'));
      await expectAllWritten(stack, companies, answers);
      const [away] = await makeTraders(stack, 1);
      if (!away) throw new Error('no company');
      expect((await create(away, 0, 'wait=30')).status).to.equal(201);
      expect((await create(away, 1, 'respond-async')).status).to.equal(202);
      const again = await startRedis(port);
      try {
        expect((await create(away, 2)).status).to.equal(201);
        await until(
          'all three invoices exist',
          async () => (await away.get('/invoices')).body.length === 3,
        );
      } finally {
        for (const running of [stack.web, worker]) await running.stop();
        await again.stop();
      }
    });
  });
}
