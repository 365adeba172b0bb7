// How the server compresses long values.
import { expect } from 'chai';
import { makeStores } from '../support/suite.js';

describe('long documents', () => {
  it('are compressed by LZ4 where the server has it', async () => {
    const { sql } = await makeStores('postgres');
    const [server] = await sql<{ hasLz4: boolean }>(
      `SELECT 'lz4' = ANY(enumvals) AS "hasLz4"
       FROM pg_settings
       WHERE name = 'default_toast_compression'`,
    );
    // Before PostgreSQL 14 there is no such column.
    const columns = await sql<{ name: string; method: string | undefined }>(
      `SELECT attrelid::regclass || '.' || attname AS name,
         NULLIF(to_jsonb(a) ->> 'attcompression', '') AS method
       FROM pg_attribute a
       WHERE (attrelid, attname) IN (
         ('invoices'::regclass, 'body'), ('entries'::regclass, 'body'),
         ('adjustments'::regclass, 'movements'), ('feed'::regclass, 'stubs'),
         ('jobs'::regclass, 'payload')
       )
       ORDER BY 1`,
    );
    const names = [
      ...['adjustments.movements', 'entries.body', 'feed.stubs', 'invoices.body'],
      'jobs.payload',
    ];
    const method = server?.hasLz4 ? 'l' : null;
    expect(columns).to.deep.equal(names.map(name => ({ name, method })));
  });
});
