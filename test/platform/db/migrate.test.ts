// Migrations: from nothing, again, at several places at once, and under a newer schema.
import { expect } from 'chai';
import { migrate, schemaIsCurrent } from '../../../src/platform/db/migrate.js';
import { CHECKS } from '../../../src/verify/checks.js';
import { makeOldDatabase } from '../../support/old-schema.js';
import { makeStores, type Stores } from '../../support/suite.js';

/** A company that received 10 Pipe and sold 2, as the first releases wrote it. */
const BOOKS = `
  INSERT INTO companies (id, name, currency, time_zone, next_invoice_number, stock_version)
    VALUES ('00000000-0000-7000-8000-000000000001', 'Castle', 'USD', 'UTC', 2, 1);
  INSERT INTO items (company_id, id, sku, name, name_key, on_hand) SELECT id, id, 'P', 'Pipe', 'pipe', 8 FROM companies;
  INSERT INTO adjustments (company_id, id, submission_id, reason, movements, created_at)
    SELECT id, id, id, 'received', '[{"itemId":"00000000-0000-7000-8000-000000000001","name":"Pipe","delta":10,"onHandBefore":0,"onHandAfter":10}]', now()
    FROM companies;
  INSERT INTO invoices (company_id, id, submission_id, number, number_prefix, customer_name, customer_key, date, currency, total, lines, created_at)
    SELECT id, id, id, 1, 'INV-', 'Bright', 'bright', '2026-11-20', 'USD', 3,
      '[{"name":"Pipe","sku":"P","qty":2,"price":1.5,"amount":3,"itemId":"00000000-0000-7000-8000-000000000001"}]', now() FROM companies;
  INSERT INTO invoice_lines (company_id, invoice_id, position, item_id, item_key, name, sku, qty, price, amount)
    SELECT id, id, 1, id, id::text, 'Pipe', 'P', 2, 1.5, 3 FROM companies;
  INSERT INTO movements (company_id, item_id, delta, on_hand_after, kind, adjustment_id, created_at) SELECT id, id, 10, 10, 'received', id, now() FROM companies;
  INSERT INTO movements (company_id, item_id, delta, on_hand_after, kind, invoice_id, created_at) SELECT id, id, -2, 8, 'sale', id, now() FROM companies;
  INSERT INTO jobs (company_id, id, type, status, fingerprint, submission_id, request_id, result_id, finished_at)
    SELECT id, id, 'invoice.create', 'succeeded', sha256(''), id, 'r', id, now() FROM companies;
`;

describe('migrate', () => {
  let stores: Stores;
  let fresh: { databaseUrl: string; queueInPostgres: boolean };

  before(async function () {
    this.timeout(60_000);
    stores = await makeStores('postgres');
    await stores.sql('CREATE DATABASE fresh');
    const databaseUrl = Object.assign(new URL(stores.databaseUrl), {
      pathname: '/fresh',
    }).toString();
    fresh = { databaseUrl, queueInPostgres: true };
  });

  it('applies everything once, however many run it at the same time', async () => {
    expect(await schemaIsCurrent(fresh)).to.equal(false);
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(fresh)));
    expect(applied.filter(names => names.length > 0)).to.have.length(1);
    expect(await schemaIsCurrent(fresh)).to.equal(true);
    expect(await migrate(fresh)).to.deep.equal([]);
  });

  it('takes on a database with books in it: what they hold stays, and what they may not is refused from then on', async () => {
    const { databaseUrl, client, pending } = await makeOldDatabase(stores, 'with_books', '0005');
    await client.query(BOOKS);
    // What an invoice's lines were became its body: see test/migrations/bodies.test.ts.
    const read = async () =>
      (await client.query('SELECT i.*, m.*, j.* FROM invoices i, movements m, jobs j')).rows.map(
        ({ lines, ...row }) => row,
      );
    const before = await read();
    expect(before).to.have.length(2);
    expect(await migrate({ databaseUrl, queueInPostgres: false })).to.deep.equal(pending);
    // A later migration may add columns.
    const kept = (await read()).map(row =>
      Object.fromEntries(Object.keys(before[0]).map(name => [name, row[name]])),
    );
    expect(kept).to.deep.equal(before);
    for (const { sql } of CHECKS) expect((await client.query(sql)).rows).to.deep.equal([]);
    const refusal = await client
      .query('UPDATE items SET on_hand = 9')
      .catch((error: Error) => error.message);
    await client.end();
    expect(refusal).to.match(/on hand is the balance/u);
  });

  it("is not current without the queue's schema where the queue lives in Postgres", async () => {
    await stores.sql('CREATE DATABASE with_redis');
    const databaseUrl = Object.assign(new URL(stores.databaseUrl), {
      pathname: '/with_redis',
    }).toString();
    await migrate({ databaseUrl, queueInPostgres: false });
    expect(await schemaIsCurrent({ databaseUrl, queueInPostgres: false })).to.equal(true);
    expect(await schemaIsCurrent({ databaseUrl, queueInPostgres: true })).to.equal(false);
  });

  it('leaves a newer schema as it is, and takes it for current', async () => {
    const options = { databaseUrl: stores.databaseUrl, queueInPostgres: true };
    await stores.sql(`INSERT INTO migrations (name) VALUES ('9999-of-the-next-release.sql')`);
    expect(await migrate(options)).to.deep.equal([]);
    expect(await schemaIsCurrent(options)).to.equal(true);
  });
});
