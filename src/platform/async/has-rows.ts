// One statement for the polls of a process that find nothing, which is most of them.

import { queryOne } from '../db/connection.js';
import { Batcher } from './batch.js';

const PER_STATEMENT = 20;

const looks = new Batcher<string, boolean>(
  async sources => {
    // Sorted, so that the same polls share one prepared statement in whatever order they ask.
    const distinct = [...new Set(sources)].sort();
    const exist = distinct.map(source => `EXISTS (SELECT FROM ${source})`);
    const row = await queryOne<{ found: boolean[] }>(`SELECT ARRAY[${exist}] AS found`, []);
    return sources.map(source => row?.found[distinct.indexOf(source)] ?? false);
  },
  { maxSize: PER_STATEMENT, maxInFlight: 1 },
);

/** True if the source, a table with its WHERE clause, has a row. Simultaneous polls share it. */
export function hasRows(source: string): Promise<boolean> {
  return looks.submit(source);
}
