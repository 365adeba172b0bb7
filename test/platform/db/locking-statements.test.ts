// The one list of the statements that lock rows, each with the test that puts it under load. A join
// that locks may lose rows without an error, so a new statement needs such a test, too.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { lockCompanies } from '../../../src/companies/lock.js';
import { updateItem } from '../../../src/inventory/service.js';
import { DueJobs } from '../../../src/jobs/settle/due-jobs.js';
import { closeDatabase, openDatabase, query } from '../../../src/platform/db/connection.js';
import { refreshSummary } from '../../../src/summary/refresh.js';
import { sample, stressLocks } from '../../support/locking.js';
import { ROOT } from '../../support/processes.js';
import { makeStores, type Stores } from '../../support/suite.js';

const HERE = 'platform/db/locking-statements';
/** By file: how many locking clauses it has, and the test in which they run under load. */
const LOCKING: Readonly<Record<string, readonly [clauses: number, test: string]>> = {
  'companies/lock.ts': [1, HERE],
  'demo/date-history.ts': [1, 'start/first-start'],
  'imports/progress.ts': [1, 'imports/isolation'],
  'imports/start.ts': [1, 'imports/isolation'],
  // The second one skips rows that are locked elsewhere; the next look finds them.
  'jobs/settle/due-jobs.ts': [2, HERE],
  'platform/leases/leases.ts': [1, 'platform/leases/leases'],
  'rollups/progress.ts': [1, HERE],
  // The audit skips rows that are locked elsewhere; the next sweep checks them.
  'verify/audit-jobs.ts': [1, 'audit'],
  // The sweep skips rows that are locked elsewhere; the next one finds them.
  'webhooks/endpoints/schedule.ts': [1, 'webhooks/durability'],
};
const CLAUSE = /\bFOR (?:NO KEY UPDATE|UPDATE|SHARE)\b/gu;
const COMMENT = /^\s*(?:\/\/|\*|\/\*\*).*$/gmu;

describe('the statements that lock rows', () => {
  let stores: Stores;
  before(async () => {
    stores = await makeStores('postgres');
  });

  const makeCompanies = async (count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => uuidv7());
    await stores.sql(
      `INSERT INTO companies (id, name, currency, time_zone)
       SELECT id, 'Locked', 'USD', 'UTC' FROM unnest($1::uuid[]) AS id`,
      [ids],
    );
    return ids;
  };

  it('are all in the list, with a test that exists', () => {
    const src = join(ROOT, 'src');
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
    const found = files
      .filter(name => name.endsWith('.ts'))
      .map(name => {
        const code = readFileSync(join(src, name), 'utf8').replace(COMMENT, '');
        return [name, code.match(CLAUSE)?.length ?? 0] as const;
      });
    const locking = found.filter(([, clauses]) => clauses > 0).sort();
    expect(locking).to.deep.equal(
      Object.entries(LOCKING).map(([name, [clauses]]) => [name, clauses]),
    );
    for (const [, test] of Object.values(LOCKING))
      expect(existsSync(join(ROOT, 'test', `${test}.test.ts`)), test).to.equal(true);
  });

  it('lock every company that a batch concerns', async () => {
    const companies = await makeCompanies(12);
    const result = await stressLocks<readonly string[]>({
      databaseUrl: stores.databaseUrl,
      pick: () => sample(companies, 5),
      wanted: picked => picked,
      lock: async (picked, tx) => (await lockCompanies(picked, {}, tx)).map(({ id }) => id),
      change: (picked, tx) =>
        query(
          'UPDATE companies SET names_version = names_version + 1 WHERE id = ANY($1)',
          [picked],
          tx,
        ),
    });
    expect(result).to.deep.equal({ committed: 400, wrong: 0, failures: [] });
  });

  it('find every summary that is refreshed while its company changes', async () => {
    const companies = await makeCompanies(3);
    openDatabase({ url: stores.databaseUrl, poolMax: 8, name: 'summaries', lookupPlans: true });
    let isDone = false;
    const change = async () => {
      while (!isDone)
        await query('UPDATE companies SET stock_version = stock_version + 1 WHERE id = ANY($1)', [
          companies,
        ]);
    };
    const refresh = async () => {
      for (let count = 0; count < 25; count += 1) {
        const [companyId = ''] = sample(companies, 1);
        expect(await refreshSummary(companyId)).to.be.a('string');
      }
    };
    const refreshing = Promise.all(Array.from({ length: 6 }, refresh)).finally(() => {
      isDone = true;
    });
    await Promise.all([change(), refreshing]).finally(closeDatabase);
  });

  it('give each due job to one worker', async () => {
    const companies = await makeCompanies(5);
    const jobs = companies.flatMap(companyId =>
      Array.from({ length: 80 }, () => ({ companyId, id: uuidv7() })),
    );
    await stores.sql(
      `INSERT INTO jobs (company_id, id, type, status, fingerprint, submission_id, request_id,
         payload, run_at)
       SELECT company_id, id, 'invoice.create', 'queued', decode(repeat('00', 32), 'hex'), id, '',
         '{}', now()
       FROM unnest($1::uuid[], $2::uuid[]) AS job (company_id, id)`,
      [jobs.map(({ companyId }) => companyId), jobs.map(({ id }) => id)],
    );
    openDatabase({ url: stores.databaseUrl, poolMax: 8, name: 'claims', lookupPlans: true });
    const claimed: string[] = [];
    const claim = async () => {
      const due = new DueJobs('invoices');
      for (let isDone = false; !isDone; ) {
        const rows = await due.claimOf(companies, { rows: 3 }, 600_000);
        claimed.push(...rows.map(({ id }) => id));
        isDone = rows.length === 0;
      }
    };
    await Promise.all(Array.from({ length: 8 }, claim)).finally(closeDatabase);
    expect(claimed.sort()).to.deep.equal(jobs.map(({ id }) => id).sort());
  });

  it('keep every change that people make to one item at the same time', async () => {
    const [companyId = ''] = await makeCompanies(1);
    const [item] = await stores.sql<{ id: string }>(
      `WITH item AS (
         INSERT INTO items (company_id, id, name, name_key)
         VALUES ($1, gen_random_uuid(), 'Hose', 'hose')
         RETURNING *
       )
       INSERT INTO item_keys (company_id, item_id, name_key)
       SELECT company_id, id, name_key FROM item
       RETURNING item_id AS id`,
      [companyId],
    );
    openDatabase({ url: stores.databaseUrl, poolMax: 8, name: 'patches' });
    const patches = ['unit', 'sku', 'reorderPoint', 'unitCost', 'unitPrice', 'name'].map(
      async field => {
        for (let round = 1; round <= 20; round += 1) {
          const value = /unit$|sku|name/u.test(field) ? `${field} ${round}` : round;
          const body = await updateItem(companyId, item?.id ?? '', { [field]: value }, null);
          expect(JSON.parse(body)[field]).to.equal(value);
        }
      },
    );
    await Promise.all(patches).finally(closeDatabase);
    const [row] = await stores.sql(
      `SELECT unit, sku, reorder_point::int, unit_cost::int, unit_price::int, name FROM items
       WHERE id = $1`,
      [item?.id],
    );
    expect(Object.values(row ?? {})).to.deep.equal(['unit 20', 'sku 20', 20, 20, 20, 'name 20']);
  });
});
