// The upgrade dates the entries of earlier releases by the contract, whenever they were written,
// and lets no earlier release write another one.
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type pg from 'pg';
import { migrate } from '../../src/platform/db/migrate.js';
import { BACKWARD_DATES } from '../../src/verify/ledger/dates.js';
import { TABLES } from '../../src/verify/ledger/tables.js';
import { entriesOf, expectedDates } from '../support/effective-dates.js';
import { ROOT, runScript, temporaryDirectory } from '../support/processes.js';
import { RELEASES, type Release } from './releases.js';
import { restoreRelease, statementsOn, withClient } from './restore.js';

/** The failures of a statement that 8322b58 retries without counting an attempt. */
const TRANSIENT = /^(57014|40001|40P01|55P03|25P03)$/u;

const FILL = '0024-fill-effective-dates.sql';

const release = (commit: string) => RELEASES.find(each => each.commit === commit) as Release;

/** The statements of the worker of 8322b58 that insert a payment of 1.00 for each invoice. */
const OLD_ENTRY = `
  WITH taken AS (
    UPDATE companies
    SET next_entry_sequence = next_entry_sequence + 1
    WHERE id = $1
    RETURNING next_entry_sequence - 1 AS sequence
  )
  INSERT INTO entries (company_id, id, submission_id, sequence, type, date, currency,
    customer_name, customer_key, amount, body, created_at)
  SELECT $1, gen_random_uuid(), gen_random_uuid(), sequence, 'payment', '2026-01-02', 'USD',
    'Ada', 'ada', $2, '{}', now()
  FROM taken
  RETURNING id, sequence`;
const OLD_ALLOCATION = `
  INSERT INTO allocations (company_id, invoice_id, sequence, source_id, amount)
  VALUES ($1, $2, $3, $4, 1)`;

function insertOldPayment(
  { databaseUrl }: Upgraded,
  companyId: string,
  invoiceIds: readonly string[],
): Promise<void> {
  return withClient(databaseUrl, async client => {
    await client.query('BEGIN');
    const { rows } = await client.query(OLD_ENTRY, [companyId, invoiceIds.length]);
    const [{ id, sequence }] = rows;
    for (const invoiceId of invoiceIds)
      await client.query(OLD_ALLOCATION, [companyId, invoiceId, sequence, id]);
    await client.query('COMMIT');
  });
}

interface Upgraded {
  readonly databaseUrl: string;
  readonly sql: ReturnType<typeof statementsOn>;
  /** Sorted, as the upgrade fills them. */
  readonly companyIds: readonly string[];
}

async function restore(commit: string, companies: number): Promise<Upgraded> {
  const databaseUrl = await restoreRelease(release(commit), companies);
  const sql = statementsOn(databaseUrl);
  const rows = await sql<{ id: string }>('SELECT id FROM companies ORDER BY id');
  return { databaseUrl, sql, companyIds: rows.map(({ id }) => id) };
}

const invoicesOf = ({ sql }: Upgraded, companyId: string) =>
  sql<{ id: string; date: string }>(
    'SELECT id, date::text AS date FROM invoices WHERE company_id = $1 ORDER BY number',
    [companyId],
  );

/** The ids of an early and of a late invoice. */
async function apartInvoices(database: Upgraded, companyId: string): Promise<string[]> {
  const invoices = await invoicesOf(database, companyId);
  const early = invoices.filter(({ date }) => date < '2026-01-20').slice(0, 1);
  const late = invoices.filter(({ date }) => date > '2026-04-01').slice(0, 1);
  return [...early, ...late].map(({ id }) => id);
}

async function expectDates(database: Upgraded): Promise<void> {
  for (const companyId of database.companyIds) {
    const entries = await entriesOf(database, companyId);
    expect(entries).to.have.length.above(500);
    const expected = expectedDates(entries, await invoicesOf(database, companyId));
    expect(entries.map(({ effective }) => effective)).to.deep.equal(expected);
    for (const { effective, allocations } of entries)
      for (const part of allocations) expect(part.effective).to.equal(effective);
  }
}

const verify = ({ databaseUrl }: Upgraded) =>
  runScript('src/commands/verify.js', [], { DATABASE_URL: databaseUrl });

/** Stops the upgrade when the fill has passed all companies once. */
async function migrateUntilFilled({ databaseUrl, sql }: Upgraded): Promise<void> {
  const { path: directory, remove } = await temporaryDirectory();
  await cp(join(ROOT, 'src/migrations'), directory, { recursive: true });
  const text = await readFile(join(directory, FILL), 'utf8');
  const steps = text.split(/^(?=-- step: )/mu);
  const filled = steps.findIndex(step => step.startsWith('-- step: repeat'));
  await writeFile(join(directory, FILL), steps.slice(0, filled + 1).join(''));
  for (const later of (await readdir(directory)).filter(name => name > FILL))
    await rm(join(directory, later));
  await migrate({ databaseUrl, queueInPostgres: false, directory });
  await sql(
    `WITH part AS (DELETE FROM migrations WHERE name = $1)
     INSERT INTO migrations (name) SELECT $1 || '#' || number FROM generate_series(1, $2) number`,
    [FILL, filled],
  );
  await remove();
}

describe('the effective dates after an upgrade', () => {
  it('follow the contract, also for entries that were written during it', async () => {
    const database = await restore('8322b58', 3);
    const { databaseUrl, companyIds } = database;
    const [first = ''] = companyIds;
    const paid = await apartInvoices(database, first);
    await migrateUntilFilled(database);
    await insertOldPayment(database, first, paid);
    await migrate({ databaseUrl, queueInPostgres: false });
    await expectDates(database);
    const entries = await entriesOf(database, first);
    const latest = Date.parse(entries.at(-1)?.effective ?? '');
    expect(entries.at(-1)).to.include({ date: '2026-01-02' });
    expect(latest).to.be.above(Date.parse('2026-04-01'));
  });

  it('are corrected where an earlier form of the migration left others', async () => {
    const database = await restore('3feb0043', 2);
    const { databaseUrl, sql, companyIds } = database;
    const [first = '', second = ''] = companyIds;
    await insertOldPayment(database, first, await apartInvoices(database, first));
    expect(await sql(BACKWARD_DATES(TABLES))).to.not.be.empty;
    const places = () =>
      sql(
        `SELECT 'entry', sequence, ctid::text FROM entries WHERE company_id = $1
         UNION ALL
         SELECT 'allocation', sequence, ctid::text FROM allocations WHERE company_id = $1
         ORDER BY 1, 2, 3`,
        [second],
      );
    const before = await places();
    await migrate({ databaseUrl, queueInPostgres: false });
    await expectDates(database);
    expect(await places(), 'right rows are not written again').to.deep.equal(before);
    expect(verify(database).stdout).to.not.include('effective date');
  });

  for (const { commit } of RELEASES)
    it(`are required of a worker of an earlier release, on a database of ${commit}`, async () => {
      const database = await restore(commit, 1);
      const { databaseUrl, companyIds } = database;
      await migrate({ databaseUrl, queueInPostgres: false });
      const [companyId = ''] = companyIds;
      const paid = await apartInvoices(database, companyId);
      const before = await entriesOf(database, companyId);
      const error = await insertOldPayment(database, companyId, paid).then(
        () => null,
        (thrown: pg.DatabaseError) => thrown,
      );
      expect(error?.code).to.match(TRANSIENT);
      expect(error?.message).to.include('earlier release');
      expect(await entriesOf(database, companyId)).to.have.length(before.length);
    });
});
