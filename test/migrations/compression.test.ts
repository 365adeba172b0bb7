// How the server compresses long values.
import { expect } from 'chai';
import { makeStores } from '../support/suite.js';

const COLUMNS = [
  'adjustments.movements',
  'entries.body',
  'feed.stubs',
  'invoices.body',
  'jobs.payload',
];

describe('long values', () => {
  it('are compressed by LZ4 if the server has it', async () => {
    const { sql } = await makeStores('postgres');
    const [server] = await sql<{ hasLz4: boolean }>(
      `SELECT 'lz4' = ANY(enumvals) AS "hasLz4"
       FROM pg_settings
       WHERE name = 'default_toast_compression'`,
    );
    // Before PostgreSQL 14 there is neither the setting nor the column.
    const columns = await sql<{ name: string; method: string | null }>(
      `SELECT name, NULLIF(to_jsonb(a) ->> 'attcompression', '') AS method
       FROM unnest($1::text[]) AS name
       LEFT JOIN pg_attribute a
         ON a.attrelid = split_part(name, '.', 1)::regclass AND a.attname = split_part(name, '.', 2)
       ORDER BY name`,
      [COLUMNS],
    );
    const method = server?.hasLz4 ? 'l' : null;
    expect(columns).to.deep.equal(COLUMNS.map(name => ({ name, method })));
  });
});
