// Debian's PgBouncer in transaction mode between the product and Postgres: each transaction may run
// in another session, so state left in a session would reach other clients.
import { expect } from 'chai';
import { invoiceRequest, makeCompany, receive } from '../../support/factories.js';
import { hasPgbouncer, PGBOUNCER_MISSING, startPooler } from '../../support/pooler.js';
import { PROCESS_SCRIPTS, runScript, until } from '../../support/processes.js';
import { hasRedisServer } from '../../support/redis-server.js';
import {
  MODES,
  makeStores,
  requireOrSkip,
  type Stores,
  startForTests,
} from '../../support/suite.js';

const WRITES = 60;

for (const mode of MODES) {
  describe(`behind a pooler (queue in ${mode})`, () => {
    let stores: Stores;
    let pooled: string;

    before(async function () {
      requireOrSkip(this, hasPgbouncer(), PGBOUNCER_MISSING);
      if (mode === 'redis') requireOrSkip(this, hasRedisServer(), 'apt-get install redis-server');
      stores = await makeStores(mode);
      pooled = await startPooler(stores.databaseUrl);
    });

    it('creates, lists, adjusts, sums up, replays and survives a killed worker', async () => {
      const env = { ...stores.env, DATABASE_URL: pooled, DATABASE_DIRECT_URL: stores.databaseUrl };
      const [web, worker] = await Promise.all([
        startForTests('web', env),
        startForTests('worker', { ...env, BATCH_MAX: '10' }),
        ...(mode === 'postgres' ? [startForTests('scheduler', env)] : []),
      ]);
      const company = await makeCompany(
        { ...stores, baseUrl: `http://127.0.0.1:${web.port}` },
        { rateLimit: 1_000 },
      );
      await receive(company, { name: 'Pipe', delta: WRITES });
      let answered = 0;
      const create = async (at: number) => {
        const request = invoiceRequest({
          reference: `R-${at}`,
          items: [{ name: 'Pipe', qty: 1, price: 1 }],
        });
        const answer = await company.post('/invoices', request, {
          headers: { 'idempotency-key': `order-${at}`, prefer: 'wait=20' },
        });
        answered += 1;
        return answer;
      };
      const creating = Array.from({ length: WRITES }, (_, at) => create(at));
      await until('the first answers', async () => answered > WRITES / 10);
      await worker.stop('SIGKILL');
      await startForTests('worker', env);
      const answers = await Promise.all(creating);
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 201));
      const again = await create(7);
      expect([again.status, again.headers['idempotency-replayed'], again.text]).to.deep.equal([
        201,
        'true',
        answers[7]?.text,
      ]);
      expect((await company.get(`/invoices?limit=${WRITES}`)).body).to.have.length(WRITES);
      const inventory = await company.get('/inventory');
      expect(inventory.body[0].onHand).to.equal(0);
      // The invoices' date may be in another month than today.
      expect((await company.get('/summary')).body.invoices.count).to.be.within(0, WRITES);
      if (mode === 'postgres') {
        const counts = await stores.sql('SELECT points FROM rate_limits WHERE key LIKE $1', [
          `%${company.companyId}`,
        ]);
        expect(counts, 'every request is counted for all processes').to.deep.equal([
          { points: WRITES + 5 },
        ]);
      }
      expect(`${web.output()}${worker.output()}`).to.not.match(
        /prepared statement|unsupported startup parameter/u,
      );
    });

    if (mode === 'redis') return;
    it('runs migrations and verify on Postgres itself', () => {
      const env = { ...stores.env, DATABASE_URL: pooled, DATABASE_DIRECT_URL: stores.databaseUrl };
      for (const command of ['migrate', 'verify']) {
        const { code, stdout, stderr } = runScript(`src/commands/${command}.js`, [], env);
        expect([code, stderr], stdout).to.deep.equal([0, '']);
      }
    });

    it('ends with what to set if nothing names Postgres itself', () => {
      const env = { ...stores.env, DATABASE_URL: pooled, PORT: '0' };
      const sentence =
        'A pooler answered in place of Postgres: ' +
        'set DATABASE_DIRECT_URL to the address of Postgres itself.';
      const admin = runScript('src/commands/admin.js', ['company', 'list'], env);
      expect([admin.code, admin.stdout, admin.stderr]).to.deep.equal([1, '', `${sentence}\n`]);
      for (const command of ['verify', 'migrate']) {
        const { code, stdout, stderr } = runScript(`src/commands/${command}.js`, [], env);
        expect([code, stdout, stderr]).to.deep.equal([1, '', `${sentence}\n`]);
      }
      for (const script of Object.values(PROCESS_SCRIPTS)) {
        const { code, stdout } = runScript(script, [], env);
        expect(stdout).to.include(sentence);
        expect(code).to.equal(1);
      }
    });
  });
}
