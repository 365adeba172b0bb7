// Claims of queued rows that are due: divided over companies, whatever each one has queued.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { invoiceWrites } from '../../src/invoices/post.js';
import { DueJobs } from '../../src/jobs/settle/due-jobs.js';
import { closeDatabase, openDatabase } from '../../src/platform/db/connection.js';
import { makeStores, type Stores } from '../support/suite.js';

const noneExcluded = () => false;

describe('a claim of due jobs', () => {
  let stores: Stores;
  before(async () => {
    stores = await makeStores('postgres');
    openDatabase({ url: stores.databaseUrl, poolMax: 2, name: 'due-jobs', lookupPlans: true });
  });
  after(closeDatabase);

  /** Queues jobs of a new company and returns its id. */
  const queueJobs = async (count: number, runAt = '-1 minute', weight: number | null = null) => {
    const companyId = uuidv7();
    await stores.sql(
      `INSERT INTO jobs (
         company_id, id, type, status, fingerprint,
         submission_id, request_id, payload, run_at, weight
       )
       SELECT $1, gen_random_uuid(), 'invoice.create', 'queued', sha256('x'),
         gen_random_uuid(), 'due', '{}', now() + $3::interval, $4
       FROM generate_series(1, $2::int)`,
      [companyId, count, runAt, weight],
    );
    return companyId;
  };
  const clear = () =>
    stores.sql(`UPDATE jobs SET status = 'failed', run_at = NULL, error = '{}', finished_at = now()
      WHERE status = 'queued'`);
  afterEach(clear);

  const claim = async (due: DueJobs, limit: number, isExcluded: (id: string) => boolean) => {
    const counts: Record<string, number> = {};
    for (const { companyId } of await due.claim(limit, isExcluded))
      counts[companyId] = (counts[companyId] ?? 0) + 1;
    return counts;
  };

  it('claims rows of every company, even if the first company has many older ones', async () => {
    const many = await queueJobs(5_000, '-1 hour');
    const [few, fewer, none] = [
      await queueJobs(3),
      await queueJobs(1),
      await queueJobs(2, '1 minute'),
    ];
    const due = new DueJobs(invoiceWrites.queue);
    expect(await claim(due, 90, noneExcluded)).to.deep.equal({
      [many]: 30,
      [few]: 3,
      [fewer]: 1,
    });
    expect(await claim(due, 90, noneExcluded)).to.deep.equal({ [many]: 90 });
    expect(await claim(due, 90, id => id === many)).to.deep.equal({});
    expect(none).to.be.a('string');
  });

  it('claims rows whose time is further ahead than any pause: a clock was set back', async () => {
    const [paused, ahead] = [await queueJobs(2, '80 seconds'), await queueJobs(2, '1 hour')];
    const due = new DueJobs(invoiceWrites.queue);
    expect(await claim(due, 90, noneExcluded)).to.deep.equal({ [ahead]: 2 });
    expect(paused).to.be.a('string');
  });

  it('claims about as many lines of each company, and at least one row', async () => {
    const heavy = await queueJobs(50, '-1 hour', 250);
    const due = new DueJobs(invoiceWrites.queue);
    expect(await claim(due, 100, noneExcluded)).to.deep.equal({ [heavy]: 10 });
    const [light, heaviest] = [
      await queueJobs(60, '-1 minute', 5),
      await queueJobs(2, '-1 s', 9_000),
    ];
    expect(await claim(due, 100, noneExcluded)).to.deep.equal({
      [heavy]: 4,
      [light]: 33,
      [heaviest]: 1,
    });
  });

  it('claims from every company in turn if there are more than one claim can take', async () => {
    const companies: string[] = [];
    for (let at = 0; at < 5; at += 1) companies.push(await queueJobs(10));
    const due = new DueJobs(invoiceWrites.queue);
    const claimed: string[][] = [];
    for (let turn = 0; turn < 3; turn += 1)
      claimed.push(Object.keys(await claim(due, 2, noneExcluded)).sort());
    const [a = '', b = '', c = '', d = '', e = ''] = companies.sort();
    expect(claimed).to.deep.equal([[a, b], [c, d], [e]]);
    expect(Object.keys(await claim(due, 2, noneExcluded)).sort()).to.deep.equal([a, b]);
  });
});
