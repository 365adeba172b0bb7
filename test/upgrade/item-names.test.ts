// Items that a process of the release before archives, restores or names on the present schema.
import { expect } from 'chai';
import { migrate } from '../../src/platform/db/migrate.js';
import { RELEASES } from './releases.js';
import { restoreRelease, statementsOn } from './restore.js';

/** As the web process of 8322b58 writes them. */
const ARCHIVE = `
  UPDATE item_keys SET archived = true
  WHERE company_id = $1 AND item_id = $2`;
const RESTORE = `
  UPDATE item_keys SET archived = false
  WHERE company_id = $1 AND item_id = $2 AND archived`;
const ADD_NAME = `
  INSERT INTO item_keys (company_id, item_id, name_key, archived)
  VALUES ($1, $2, 'tube', false)
  ON CONFLICT (company_id, item_id, name_key) DO UPDATE SET archived = EXCLUDED.archived`;

describe('the names of items after an upgrade', () => {
  for (const release of RELEASES)
    it(`are dated for an earlier release, on a database of ${release.commit}`, async () => {
      const databaseUrl = await restoreRelease(release, 1);
      await migrate({ databaseUrl, queueInPostgres: false });
      const sql = statementsOn(databaseUrl);
      const [item] = await sql<{ companyId: string; id: string; next: number; version: number }>(
        `SELECT c.id AS "companyId", i.id, c.next_invoice_number::int AS next,
           c.names_version::int AS version
         FROM items i
         JOIN companies c ON c.id = i.company_id`,
      );
      const { companyId, id, next, version } = item ?? {
        companyId: '',
        id: '',
        next: 0,
        version: 0,
      };
      const names = () =>
        sql(
          `SELECT k.name_key AS key, k.matches_from::int AS from, k.matches_until::int AS until,
             c.names_version::int - $2 AS versions
           FROM item_keys k
           JOIN companies c ON c.id = k.company_id
           WHERE k.company_id = $1
           ORDER BY 1`,
          [companyId, version],
        );
      await sql(ARCHIVE, [companyId, id]);
      const [archived] = await names();
      expect(archived).to.deep.include({ key: 'pipe', until: next, versions: 1 });
      await sql(RESTORE, [companyId, id]);
      expect(await names()).to.deep.equal([{ key: 'pipe', from: next, until: null, versions: 2 }]);
      await sql(ADD_NAME, [companyId, id]);
      const [, added] = await names();
      expect(added).to.deep.equal({ key: 'tube', from: next, until: null, versions: 3 });
    });
});
