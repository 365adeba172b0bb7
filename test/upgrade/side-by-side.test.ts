// The upgrade of a large database while processes of the release before serve it, and then those of
// both releases: no request waits for the migration, and every write has the outcome that its
// client was told.
import { join } from 'node:path';
import { expect } from 'chai';
import { type Exchange, Journal } from '../faults/journal.js';
import { judgeWrites, type WrittenSystem } from '../faults/judge-writes.js';
import { createRandom } from '../faults/random.js';
import { entriesOf, expectedDates } from '../support/effective-dates.js';
import { addKey, type TestCompany } from '../support/factories.js';
import {
  launch,
  ROOT,
  type RunningProcess,
  runScript,
  startProcess,
  temporaryDirectory,
  until,
} from '../support/processes.js';
import { atEnd, requireOrSkip } from '../support/suite.js';
import { UpgradeLoad, waitedMs, whyBad } from './load.js';
import { compileRelease, missingHistory, RELEASES, type Release } from './releases.js';
import { restoreRelease, statementsOn, withClient } from './restore.js';

/** The oldest release that a database may be of. Its companies have some 680 entries each. */
const [release] = RELEASES;
const COMPANIES = 60;
/** Of a request, on a machine that has nothing else to do. */
const WAIT_MAX_MS = 1_000;
/** The slowest of the few requests before the upgrade tells how busy the machine is. */
const BUSY_FACTOR = 3;
const REQUESTS_PER_PHASE = 120;
/** A machine with much else to do needs minutes to fill and verify 40,000 entries. */
const TIMEOUT_MS = 900_000;
const TYPES = ['web', 'worker', 'scheduler'] as const;

describe('an upgrade under load', () => {
  it('lets no request wait, and loses or changes no write', async function () {
    this.timeout(TIMEOUT_MS);
    if (!release) throw new Error('there is no release to upgrade from');
    const missing = missingHistory(release);
    requireOrSkip(this, missing === null, missing ?? '');
    const { databaseUrl, env, sql, old, start } = await serveOld(release);
    const oldPort = portOf(old);
    const journal = new Journal(join(env.DATA_DIR, 'journal'));
    const readers = await makeReaders(sql);
    const load = await UpgradeLoad.start(oldPort, sql, readers, journal, createRandom(1));
    const more = async (what: string) => {
      const wanted = load.ended + REQUESTS_PER_PHASE;
      await until(`${REQUESTS_PER_PHASE} requests ${what}`, async () => load.ended >= wanted);
    };

    await more('before the upgrade');
    const startedAt = Date.now();
    const migrating = launch('src/commands/migrate.js', env);
    expect(await migrating.ended, migrating.output()).to.equal(0);
    const migratedMs = Date.now() - startedAt;
    await more('on the new schema');
    const [waiting] = await sql(
      `SELECT count(*) > 0 AS some, max(attempts)::int AS attempts
       FROM jobs
       WHERE status = 'queued' AND job_queue(type) = 'ledger'`,
    );
    expect(waiting, 'what the old worker cannot settle').to.deep.equal({ some: true, attempts: 0 });
    const present = await start(ROOT);
    load.ports = [oldPort, portOf(present)];
    await more('of both releases');
    load.ports = [portOf(present)];
    for (const each of old) await each.stop();
    await more('of the new release');
    await load.stop();

    const requests: Exchange[] = [...journal.entries, ...journal.reads];
    const { idleMs, migrationMs, afterMs } = longestWaits(requests, startedAt, migratedMs);
    process.stdout.write(
      `      migrated in ${migratedMs} ms; ${requests.length} requests waited for up to ` +
        `${idleMs} ms before, ${migrationMs} ms during and ${afterMs} ms after it\n`,
    );
    expect(requests.map(whyBad).filter(why => why !== null)).to.deep.equal([]);
    expect(Math.max(migrationMs, afterMs)).to.be.below(WAIT_MAX_MS + BUSY_FACTOR * idleMs);
    await judge(databaseUrl, load.companies, portOf(present), journal);
    const verifying = launch('src/commands/verify.js', env);
    expect(await verifying.ended, verifying.output()).to.equal(0);
  });
});

/** The processes of the release on a large database of its own. */
async function serveOld(served: Release) {
  const root = compileRelease(served);
  const databaseUrl = await restoreRelease(served, COMPANIES);
  const { path, remove } = await temporaryDirectory();
  atEnd(remove);
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: path,
    SESSION_SECRET: 'a'.repeat(32),
    DATABASE_POOL_MAX: '6',
  };
  // The queue's own tables are not in the dump.
  expect(runScript('src/commands/migrate.js', [], env, '', root).code).to.equal(0);
  const start = async (from: string) => {
    const started = await Promise.all(TYPES.map(type => startProcess(type, env, from)));
    for (const each of started) atEnd(() => each.stop());
    return started;
  };
  return { databaseUrl, env, sql: statementsOn(databaseUrl), old: await start(root), start };
}

const portOf = (processes: readonly RunningProcess[]) =>
  processes.find(({ port }) => port > 0)?.port ?? 0;

/** How long the slowest request waited that ended before, met or followed the migration. */
function longestWaits(requests: readonly Exchange[], startedAt: number, migratedMs: number) {
  const endedAt = startedAt + migratedMs;
  const longest = (isMeant: (sentAt: number, answeredAt: number) => boolean) =>
    Math.round(
      Math.max(
        ...requests
          .filter(request => isMeant(request.startedAt, request.endedAt ?? 0))
          .map(waitedMs),
      ),
    );
  return {
    idleMs: longest((_, answeredAt) => answeredAt < startedAt),
    migrationMs: longest((sentAt, answeredAt) => sentAt < endedAt && answeredAt >= startedAt),
    afterMs: longest(sentAt => sentAt >= endedAt),
  };
}

/** Companies of the dump, with keys. Their methods of HTTP are not used. */
async function makeReaders(sql: ReturnType<typeof statementsOn>): Promise<TestCompany[]> {
  const rows = await sql<{ id: string }>('SELECT id FROM companies ORDER BY id LIMIT 2');
  await sql('UPDATE companies SET rate_limit_per_hour = 1000000');
  return Promise.all(
    rows.map(async ({ id: companyId }) => {
      const { key } = await addKey({ sql }, companyId, [
        'invoices:read',
        'inventory:read',
        'summary:read',
        'payments:read',
      ]);
      return { companyId, key } as TestCompany;
    }),
  );
}

/** The release before accepts a payment of an invoice on which nothing is due. */
const OF_OLD_RULE = /\/payments \{.*\}: created; the model: refused: amount_exceeds_due/u;

/** As after a run of the fault harness, for the companies of the load. */
async function judge(
  databaseUrl: string,
  companies: readonly TestCompany[],
  port: number,
  journal: Journal,
): Promise<void> {
  const ids = companies.map(({ companyId }) => `'${companyId}'`).join(', ');
  // Shadow the tables, so that the judge sees no other company.
  const own = ['invoices', 'entries', 'adjustments', 'movements', 'jobs'].map(
    table =>
      `CREATE TEMP VIEW ${table} AS SELECT * FROM public.${table} WHERE company_id IN (${ids})`,
  );
  const system: WrittenSystem = {
    webPorts: [port],
    query: (text, values = []) =>
      withClient(databaseUrl, async client => {
        await client.query(own.join(';'));
        return (await client.query(text, values)).rows;
      }),
  };
  const { acknowledged, finals: _, books, model, ...errors } = await judgeWrites(system, journal);
  expect(acknowledged).to.have.length.above(REQUESTS_PER_PHASE);
  const { overpaid, overReturned } = books;
  const sentences = [...Object.values(errors), overpaid, overReturned, model.violations]
    .flat()
    .filter(sentence => !OF_OLD_RULE.test(sentence));
  expect(sentences.join('\n')).to.equal('');
  for (const { companyId } of companies) {
    const entries = await entriesOf({ sql: system.query }, companyId);
    const invoices = await system.query<{ id: string; date: string }>(
      'SELECT id, date::text AS date FROM invoices WHERE company_id = $1',
      [companyId],
    );
    expect(entries.map(({ effective }) => effective)).to.deep.equal(
      expectedDates(entries, invoices),
    );
  }
}
