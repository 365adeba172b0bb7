// Rows of a release before texts were compared without invisible characters.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CustomerRecord, EMPTY_FIELDS, renderCustomer } from '../../src/customers/record.js';
import { migrate } from '../../src/platform/db/migrate.js';
import { newId } from '../../src/platform/values/ids.js';
import { ROOT, runScript } from '../support/processes.js';
import { RELEASES, type Release } from './releases.js';
import { restoreRelease, withClient } from './restore.js';

const HIDDEN = '\u200b';
const AT = '2026-11-01T00:00:00.000Z';
const release = RELEASES.find(({ schema }) => schema >= '0023') as Release;

/** As text.matchKey of that release folds these texts. */
const formerKey = (text: string) => text.toLowerCase();

/** SQL for a JSON text with the name $2 in place of the row's. */
const renamed = (json: string) => `replace(${json},
    '"customerName":"' || customer_name || '"',
    '"customerName":"' || $2 || '"')`;

/** Give everything of a plain name the other name, with the keys of that release. */
const RENAME_INVOICES = `
  UPDATE invoices SET customer_name = $2, customer_key = $3, body = ${renamed('body')}
  WHERE customer_key = $1`;
const RENAME_ENTRIES = `
  UPDATE entries SET customer_name = $2, customer_key = $3, body = ${renamed('body')},
    first_body = ${renamed('first_body')}
  WHERE customer_key = $1`;

describe('invisible characters, after an upgrade', () => {
  let databaseUrl: string;
  let companyId: string;
  const ids: Record<string, string> = {};

  before(async () => {
    databaseUrl = await restoreRelease(release, 1);
    await withClient(databaseUrl, async client => {
      await client.query('SET session_replication_role = replica');
      ({ id: companyId } = (await client.query('SELECT id FROM companies')).rows[0]);
      for (const [from, to] of [
        ['bob', `Bo${HIDDEN}b`],
        ['cy', `A${HIDDEN}da`],
      ] as const) {
        const values = [from, to, formerKey(to)];
        await client.query(RENAME_INVOICES, values);
        await client.query(RENAME_ENTRIES, values);
        for (const table of ['allocations', 'customer_totals'])
          await client.query(`UPDATE ${table} SET customer_key = $2 WHERE customer_key = $1`, [
            ...[from, formerKey(to)],
          ]);
        await client.query('UPDATE monthly_tops SET customers = array_replace(customers, $1, $2)', [
          ...[from, formerKey(to)],
        ]);
        await client.query('UPDATE search_texts SET lines = replace(lines, $1, $2)', [
          ...[`${from}\u0002`, `${formerKey(to)}\u0002`],
        ]);
      }
      const item = async (name: string, sku: string) => {
        ids[name] = newId();
        const values = [companyId, ids[name], name, formerKey(name), sku, formerKey(sku)];
        await client.query(
          `INSERT INTO items (company_id, id, name, name_key, sku, sku_key)
           VALUES ($1, $2, $3, $4, $5, $6)`,
          values,
        );
        await client.query(
          `INSERT INTO item_keys (company_id, item_id, name_key, matches_from)
           SELECT $1, $2, $3, next_invoice_number FROM companies`,
          [companyId, ids[name], formerKey(name)],
        );
        await client.query(
          `UPDATE companies SET item_count = item_count + 1, low_items = low_items + 1,
             items_out_of_stock = items_out_of_stock + 1`,
        );
      };
      await item(`Pi${HIDDEN}pe`, `P${HIDDEN}-1`);
      await item(`Val\u00adve`, `V${HIDDEN}-1`);
      const record = async (number: string, name: string, externalId: string) => {
        ids[name] = newId();
        const stored: CustomerRecord = {
          ...{ ...EMPTY_FIELDS, id: ids[name] as string, number, name, externalId },
          ...{ mergedInto: null, createdAt: AT, updatedAt: AT },
        };
        const key = formerKey(name);
        await client.query(
          `INSERT INTO customers (company_id, id, number, number_key, name, name_key, external_id,
             version, created_at, updated_at, search_key)
           VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $8, $9)`,
          [
            ...[companyId, ids[name], number, formerKey(number), name, key, externalId, AT],
            [key, formerKey(number)].join('\n'),
          ],
        );
        const of = [companyId, key, ids[name]];
        await client.query('INSERT INTO customer_names VALUES ($1, $2, $3)', of);
        await client.query(
          `INSERT INTO customer_name_versions (company_id, name_key, customer_id, valid_from)
           VALUES ($1, $2, $3, $4)`,
          [...of, AT],
        );
        await client.query(
          `INSERT INTO customer_versions (company_id, customer_id, version, valid_from, body)
           VALUES ($1, $2, 1, $3, $4)`,
          [companyId, ids[name], AT, renderCustomer(stored)],
        );
      };
      await record('C-1', 'Acme', 'crm-1');
      await record(`C${HIDDEN}-1`, `Ac${HIDDEN}me`, `crm${HIDDEN}-1`);
      await record(`C${HIDDEN}-3`, `Bo${HIDDEN}b`, `crm${HIDDEN}-3`);
      await client.query(
        `UPDATE companies SET customer_count = 3, next_customer_number = 4,
           customers_changed_at = $1`,
        [AT],
      );
    });
    await migrate({ databaseUrl, queueInPostgres: false });
  });

  const rows = (text: string, ...values: unknown[]) =>
    withClient(databaseUrl, async client => (await client.query(text, values)).rows);
  const command = (script: string, ...args: string[]) =>
    runScript(`src/commands/${script}.js`, args, { DATABASE_URL: databaseUrl });

  it('are those of Unicode, in the migration as in text.ts', () => {
    const sql = readFileSync(join(ROOT, 'src/migrations/0028-invisible-characters.sql'), 'utf8');
    const classes = Array.from(sql.matchAll(/'(\[\\u00AD[^\]]*\])/gu), ([, text = '']) =>
      text.replaceAll(/'\s+'/gu, '').replaceAll(/\\U(\w{8})/gu, '\\u{$1}'),
    );
    expect(classes).to.have.length(2);
    for (const each of classes) {
      const inMigration = new RegExp(`^${each}$`, 'u');
      for (let code = 0; code <= 0x10ffff; code += 1) {
        const character = String.fromCodePoint(code);
        const isIgnorable = /^\p{Default_Ignorable_Code_Point}$/u.test(character);
        if (inMigration.test(character) !== isIgnorable) expect.fail(code.toString(16));
      }
    }
  });

  it('are in no key, except where two rows would have the same one', async () => {
    const keys = await rows(
      `SELECT name_key AS key FROM items
       UNION SELECT name_key FROM item_keys
       UNION SELECT sku_key FROM items
       UNION SELECT name_key FROM customers
       UNION SELECT number_key FROM customers
       UNION SELECT external_id FROM customers
       UNION SELECT name_key FROM customer_names
       UNION SELECT name_key FROM customer_name_versions
       UNION SELECT customer_key FROM invoices
       UNION SELECT customer_key FROM entries
       UNION SELECT customer_key FROM allocations
       UNION SELECT customer_key FROM customer_totals
       UNION SELECT unnest(customers) FROM monthly_tops`,
    );
    const hidden = keys.map(({ key }) => key).filter(key => /[\u200b\u00ad]/u.test(key));
    expect(hidden.sort()).to.deep.equal(
      [`pi${HIDDEN}pe`, `p${HIDDEN}-1`, `ac${HIDDEN}me`, `c${HIDDEN}-1`, `crm${HIDDEN}-1`].sort(),
    );
    const names = await rows('SELECT DISTINCT customer_key AS key FROM invoices ORDER BY 1');
    expect(names.map(({ key }) => key)).to.deep.equal(['ada', 'bob']);
  });

  it('leave figures, histories and records that verify finds right', () => {
    const { code, stdout } = command('verify');
    expect(stdout.trim().split('\n').slice(0, -1)).to.deep.equal([]);
    expect(code).to.equal(0);
  });

  it('are listed where two rows coincide, until one of them is changed', async () => {
    const conflicts = () => {
      const { stdout, stderr } = command('admin', 'texts', 'conflicts');
      expect(stderr).to.equal('');
      return JSON.parse(stdout);
    };
    const listed = conflicts();
    const [{ id: pipe }] = await rows(`SELECT id FROM items WHERE name_key = 'pipe'`);
    const [item, customer] = [ids[`Pi${HIDDEN}pe`], ids[`Ac${HIDDEN}me`]];
    expect(listed.map((each: { kind: string }) => each.kind)).to.deep.equal([
      ...['customerExternalId', 'customerName', 'customerNumber', 'itemName', 'itemSku'],
    ]);
    for (const { kind, id, existingId } of listed)
      expect([id, existingId], kind).to.deep.equal(
        kind.startsWith('item') ? [item, pipe] : [customer, ids.Acme],
      );
    await rows(`UPDATE items SET archived = true WHERE id = $1`, item);
    await rows(
      `UPDATE customers SET merged_into = $2, archived = true WHERE id = $1`,
      customer,
      ids.Acme,
    );
    await rows(
      'UPDATE customer_names SET customer_id = $2 WHERE customer_id = $1',
      customer,
      ids.Acme,
    );
    expect(conflicts()).to.deep.equal([]);
  });
});
