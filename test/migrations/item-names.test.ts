// The upgrade of a database whose items were matched by exact SKUs.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { migrate } from '../../src/platform/db/migrate.js';
import { ROOT } from '../support/processes.js';
import { makeStores } from '../support/suite.js';

const COMPANY = '01932d5c-1f4e-7cc3-9d0a-3b6a1d2f7e10';
const MIGRATIONS = join(ROOT, 'src/migrations');

describe('the migration of names and SKUs', () => {
  it('stops if two items in use have SKUs that are the same now, and names them', async () => {
    const stores = await makeStores('postgres');
    await stores.sql('CREATE DATABASE before_names');
    const databaseUrl = Object.assign(new URL(stores.databaseUrl), {
      pathname: '/before_names',
    }).toString();
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await client.query('CREATE TABLE migrations (name text PRIMARY KEY, applied_at timestamptz)');
      for (const name of (await readdir(MIGRATIONS)).sort().filter(file => file < '0007')) {
        await client.query(await readFile(join(MIGRATIONS, name), 'utf8'));
        await client.query('INSERT INTO migrations VALUES ($1, now())', [name]);
      }
      await client.query(
        `INSERT INTO companies (id, name, currency, time_zone, next_invoice_number)
         VALUES ('${COMPANY}', 'Old', 'USD', 'UTC', 8);
         INSERT INTO items (company_id, id, name, name_key, sku, sku_key, archived)
         SELECT '${COMPANY}', gen_random_uuid(), name, lower(name), sku, lower(sku), archived
         FROM (VALUES ('Pipe', 'P-1', false), ('Hose', 'p-1', false), ('Reel', 'P-1', true))
           AS item (name, sku, archived);
         INSERT INTO item_keys (company_id, item_id, name_key, archived)
         SELECT company_id, id, name_key, archived FROM items`,
      );
      const options = { databaseUrl, queueInPostgres: false };
      const refused = await migrate(options).catch((error: Error) => error.message);
      expect(refused).to.include('SKUs that differ only in case or spacing').and.include('P-1');
      await client.query(`UPDATE items SET sku = 'p-2', sku_key = 'p-2' WHERE name = 'Hose'`);
      expect(await migrate(options)).to.include('0007-item-names.sql');
      const { rows } = await client.query(
        `SELECT name_key AS key, matches_from::int AS from, matches_until::int AS until
         FROM item_keys ORDER BY name_key`,
      );
      expect(rows).to.deep.equal([
        { key: 'hose', from: 8, until: null },
        { key: 'pipe', from: 8, until: null },
        { key: 'reel', from: 8, until: 8 },
      ]);
    } finally {
      await client.end();
    }
  });
});
