// Every way to the present schema ends with the same one: from nothing, and from the database of
// each earlier release.
import { expect } from 'chai';
import { migrate } from '../../src/platform/db/migrate.js';
import { runScript } from '../support/processes.js';
import { RELEASES } from './releases.js';
import { createDatabase, restoreRelease, statementsOn } from './restore.js';

/** All definitions of the schema, one per row. */
const DEFINITIONS = `
  SELECT format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable,
      column_default) AS definition
  FROM information_schema.columns
  WHERE table_schema = 'public'
  UNION ALL
  SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' '
    || pg_get_constraintdef(oid)
  FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
  UNION ALL
  SELECT 'index ' || pg_get_indexdef(indexrelid) || ' ' || indisvalid
  FROM pg_index
  JOIN pg_class ON pg_class.oid = indrelid
  WHERE relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'trigger ' || pg_get_triggerdef(oid)
  FROM pg_trigger
  WHERE NOT tgisinternal AND tgrelid::regclass::text NOT LIKE 'bullmq.%'
  UNION ALL
  SELECT 'function ' || pg_get_functiondef(oid)
  FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace
  ORDER BY 1`;

async function definitionsOf(databaseUrl: string): Promise<string[]> {
  const rows = await statementsOn(databaseUrl)<{ definition: string }>(DEFINITIONS);
  return rows.map(({ definition }) => definition);
}

describe('the schema', () => {
  let expected: string[];

  before(async () => {
    const databaseUrl = await createDatabase();
    await migrate({ databaseUrl, queueInPostgres: false });
    expected = await definitionsOf(databaseUrl);
    expect(expected).to.have.length.above(300);
  });

  for (const release of RELEASES)
    it(`is the same in a database that ${release.commit} has made`, async () => {
      const databaseUrl = await restoreRelease(release, 1);
      const early = runScript('src/commands/verify.js', [], { DATABASE_URL: databaseUrl });
      expect(early).to.deep.equal({
        code: 1,
        stdout: '',
        stderr: 'The database schema is not current. Run `npm run migrate`.\n',
      });
      const applied = await migrate({ databaseUrl, queueInPostgres: false });
      expect(Number(applied[0]?.slice(0, 4))).to.equal(Number(release.schema) + 1);
      expect(await definitionsOf(databaseUrl)).to.deep.equal(expected);
    });
});
