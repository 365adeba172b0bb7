// The demo company: three months of records with times of their own, and one key per database.
import { expect } from 'chai';
import { ensureDemoCompany } from '../../src/demo/demo.js';
import { checkDocument } from '../../src/documents/e-invoice/check.js';
import { loadDocument } from '../../src/documents/model/load.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { expectVerified } from '../support/commands.js';
import { temporaryDirectory } from '../support/processes.js';
import { atEnd, makeStores, openForTests, type Stores } from '../support/suite.js';

const DAY_MS = 86_400_000;

describe('the demo company', () => {
  let stores: Stores;
  let dataDir: string;
  const startedAt = Date.now();

  before(async () => {
    stores = await makeStores('postgres');
    const directory = await temporaryDirectory();
    atEnd(directory.remove);
    dataDir = directory.path;
    await ensureDemoCompany(stores.databaseUrl, dataDir);
  });

  it('has 360 invoices of the working days of three months, each created on its date', async () => {
    const [figures] = await stores.sql<{ count: number; days: number; first: Date; last: Date }>(
      `SELECT count(*)::int AS count, count(DISTINCT date)::int AS days,
         min(created_at) AS first, max(created_at) AS last
       FROM invoices
       WHERE date = created_at::date
         AND (date = now()::date
           OR EXTRACT(DOW FROM date) > 0 AND EXTRACT(HOUR FROM created_at) BETWEEN 8 AND 17)`,
    );
    expect(figures).to.include({ count: 360 });
    // Working days: all but Sundays.
    expect(figures?.days).to.be.within(77, 79);
    expect((startedAt - Number(figures?.first)) / DAY_MS).to.be.within(88, 91);
    expect((startedAt - Number(figures?.last)) / DAY_MS).to.be.below(1 / 24);
  });

  it('has invoices in every state: most paid, some overdue, credited in part or void', async () => {
    const [figures] = await stores.sql<Record<string, number>>(
      `SELECT count(*) FILTER (WHERE status = 'paid')::int AS paid,
         count(*) FILTER (WHERE status = 'void')::int AS void,
         count(*) FILTER (WHERE status = 'open' AND due_date >= now()::date)::int AS later,
         count(*) FILTER (WHERE status = 'open' AND due_date < now()::date)::int AS overdue,
         count(*) FILTER (WHERE status = 'open' AND paid > 0)::int AS partly_paid,
         count(*) FILTER (WHERE status = 'open' AND credited > 0)::int AS partly_credited,
         count(*) FILTER (WHERE due_date <> date + 30)::int AS other_terms,
         count(DISTINCT body::json #>> '{taxes,0,category}')::int AS tax_categories
       FROM invoices`,
    );
    expect(figures).to.include({ void: 2, other_terms: 0, tax_categories: 2 });
    expect(figures?.paid).to.be.within(220, 300);
    expect(figures?.later).to.be.within(50, 110);
    expect(figures?.overdue).to.be.within(5, 25);
    expect(figures?.partly_paid).to.be.above(0);
    expect(figures?.partly_credited).to.be.above(0);
  });

  it('has entries of every type in the order of their times, and no refused write', async () => {
    const types = await stores.sql<{ type: string; count: number }>(
      'SELECT type, count(*)::int AS count FROM entries GROUP BY type',
    );
    const counts = Object.fromEntries(types.map(({ type, count }) => [type, count]));
    expect(counts).to.have.keys('payment', 'reversal', 'allocation', 'refund', 'creditNote');
    expect(counts.payment).to.be.above(150);
    expect(counts.creditNote).to.be.above(12);
    const [wrong] = await stores.sql(
      `SELECT
         count(*) FILTER (WHERE created_at < previous OR created_at > now())::int AS misplaced,
         count(*) FILTER (WHERE date <> created_at::date)::int AS misdated,
         count(*) FILTER (WHERE shown_at <> to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           AND type NOT IN ('reversal', 'allocation'))::int AS misprinted
       FROM (
         SELECT *, lag(created_at) OVER (ORDER BY sequence) AS previous,
           body::json ->> 'createdAt' AS shown_at
         FROM entries
       ) e`,
    );
    expect(wrong).to.deep.equal({ misplaced: 0, misdated: 0, misprinted: 0 });
    const [rests] = await stores.sql(
      `SELECT count(*) FILTER (WHERE unallocated > 0) > 1 AS some_unallocated,
         max((SELECT count(*) FROM allocations a WHERE a.source_id = e.id)) > 3 AS several_invoices
       FROM entries e WHERE type = 'payment'`,
    );
    expect(rests).to.deep.equal({ some_unallocated: true, several_invoices: true });
    const jobs = await stores.sql("SELECT type, error FROM jobs WHERE status <> 'succeeded'");
    expect(jobs).to.deep.equal([]);
  });

  it('has records of most customers, which are as old as the company', async () => {
    const customers = await stores.sql<{
      name: string;
      hold: boolean;
      archived: boolean;
      left: number | null;
      overdue: number;
      aliases: string;
    }>(
      `SELECT c.name, c.hold, c.archived,
         (
           c.credit_limit - sum(i.total - i.paid - i.credited) FILTER (WHERE i.status = 'open')
         )::float8 AS left,
         count(i.*) FILTER (WHERE i.status = 'open' AND i.due_date < now()::date)::int AS overdue,
         (
           SELECT v.body::json ->> 'aliases'
           FROM customer_versions v
           WHERE v.customer_id = c.id AND v.version = c.version
         ) AS aliases
       FROM customers c
       LEFT JOIN customer_names n ON n.customer_id = c.id
       LEFT JOIN invoices i ON i.customer_key = n.name_key
       GROUP BY c.company_id, c.id`,
    );
    const inUse = customers.filter(({ archived }) => !archived);
    const names = await stores.sql('SELECT DISTINCT customer_key FROM invoices');
    expect([inUse.length, customers.length, names.length]).to.deep.equal([22, 23, 25]);
    const byName = new Map(inUse.map(customer => [customer.name, customer]));
    expect(byName.get('Bright & Sons')?.aliases).to.equal('["Bright and Sons"]');
    expect(inUse.filter(({ hold }) => hold).map(({ name }) => name)).to.deep.equal(['Lopez Obras']);
    expect(byName.get('Lopez Obras')?.overdue).to.be.above(0);
    expect(byName.get('Delta Electric')?.overdue).to.be.above(0);
    expect(byName.get('Delta Electric')?.left).to.be.below(0);
    expect(byName.get('Eastgate Builders')?.left).to.be.within(0, 100);
    const [wrong] = await stores.sql(
      `SELECT
         count(*) FILTER (WHERE c.created_at <> o.created_at)::int AS misdated,
         count(*) FILTER (WHERE EXISTS (
           SELECT
           FROM invoices i
           JOIN customer_names n ON n.name_key = i.customer_key
           WHERE c.hold AND n.customer_id = c.id AND i.created_at > c.updated_at
         ))::int AS invoiced_on_hold,
         count(*) FILTER (
           WHERE (v.body::json ->> 'createdAt', v.body::json ->> 'updatedAt')
             <> (to_char(c.created_at, shown.format), to_char(c.updated_at, shown.format))
         )::int AS misprinted
       FROM customers c
       JOIN companies o ON o.id = c.company_id
       JOIN customer_versions v ON v.customer_id = c.id AND v.version = c.version,
         (SELECT 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' AS format) shown`,
    );
    expect(wrong).to.deep.equal({ misdated: 0, invoiced_on_hold: 0, misprinted: 0 });
  });

  it('names its owner as the person behind every record', async () => {
    for (const [table, column] of [
      ...['invoices', 'adjustments', 'entries'].map(each => [each, 'created_by']),
      ['customer_versions', 'changed_by'],
    ]) {
      const actors = await stores.sql(
        `SELECT DISTINCT ${column} ->> 'kind' AS kind, ${column} ->> 'name' AS name
         FROM ${table}`,
      );
      expect(actors, table).to.deep.equal([{ kind: 'user', name: 'owner@harbour-street.example' }]);
    }
  });

  it("moves each item's stock up and down over these days, and never below zero", async () => {
    const items = await stores.sql<Record<'days' | 'sales' | 'receipts' | 'lowest', number>>(
      `SELECT
         EXTRACT(EPOCH FROM max(created_at) - min(created_at))::float8 / 86400 AS days,
         count(*) FILTER (WHERE kind = 'sale')::int AS sales,
         count(*) FILTER (WHERE kind = 'received')::int AS receipts,
         min(on_hand_after)::float8 AS lowest
       FROM movements
       GROUP BY item_id`,
    );
    expect(items).to.have.length(40);
    for (const { days, sales, lowest } of items) {
      expect(days).to.be.within(60, 91);
      expect(sales).to.be.above(5);
      expect(lowest).to.be.at.least(0);
    }
    expect(items.filter(({ receipts }) => receipts > 1)).to.have.length.above(20);
    const wrongOrder = await stores.sql(
      `SELECT
       FROM (
         SELECT created_at < lag(created_at) OVER (PARTITION BY item_id ORDER BY id) AS is_earlier
         FROM movements
       ) movement
       WHERE is_earlier`,
    );
    expect(wrongOrder).to.have.length(0);
  });

  it('breaks no invariant, and its records are protected again', async () => {
    await expectVerified(stores);
    for (const [table, column] of [
      ...['invoices', 'adjustments', 'movements', 'entries'].map(each => [each, 'created_at']),
      ...['customer_versions', 'customer_name_versions'].map(each => [each, 'valid_from']),
    ]) {
      const change = stores.sql(`UPDATE ${table} SET ${column} = now()`);
      const refusal = await change.catch((error: Error) => error.message);
      expect(refusal, table).to.be.a('string');
    }
  });

  it('has a profile before its first invoice, so that its documents are e-invoices', async () => {
    openForTests(stores.databaseUrl, 2);
    try {
      const invoices = await stores.sql<{ id: string; companyId: string }>(
        `SELECT DISTINCT ON (i.customer_key) i.id, i.company_id AS "companyId"
         FROM invoices i
         JOIN customer_names n ON n.company_id = i.company_id AND n.name_key = i.customer_key
         ORDER BY i.customer_key, i.number`,
      );
      expect(invoices.length).to.be.above(20);
      for (const { companyId, id } of invoices) {
        const document = await loadDocument(companyId, 'invoice', id);
        if (!document) throw new Error('the document is missing');
        const { refusal } = checkDocument(document);
        expect(refusal?.details.errors ?? [], document.buyer.name).to.deep.equal([]);
        expect(document.seller).to.include({ legalName: 'Harbour Street Supply LLC' });
        expect(document.seller.logo).not.to.equal(null);
      }
    } finally {
      await closeDatabase();
    }
  });

  it('is complete: a second start changes nothing', async () => {
    const figures = () =>
      stores
        .sql(
          `SELECT count(*), max(created_at), max(id),
             (SELECT count(*) FROM customer_versions) AS versions,
             (SELECT max(valid_from) FROM customer_versions) AS last_version
           FROM movements`,
        )
        .then(([row]) => row);
    const before = await figures();
    await ensureDemoCompany(stores.databaseUrl, dataDir);
    expect(await figures()).to.deep.equal(before);
  });

  it('has one key per database, although they share a DATA_DIR', async () => {
    const other = await makeStores('postgres');
    const keys: (string | undefined)[] = [];
    for (const { databaseUrl } of [stores, other, stores, other])
      keys.push((await ensureDemoCompany(databaseUrl, dataDir))?.key);
    expect(keys.slice(2)).to.deep.equal(keys.slice(0, 2));
    expect(new Set(keys).size).to.equal(2);
    for (const { sql } of [stores, other])
      expect(await sql('SELECT FROM api_keys')).to.have.length(1);
  });
});
