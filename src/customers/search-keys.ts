// Writes the search keys again of records that a process of an earlier release changed last. Such a
// key has one part, and no empty line. An index finds them.
import { pollForever } from '../platform/async/poll.js';
import { query } from '../platform/db/connection.js';
import { arraysOf, type Columns, unnest } from '../platform/db/rows.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';
import { parseCustomer, searchKey } from './record.js';

const POLL = { everyMs: 5_000, offsetMs: 300 };
const RECORDS_MAX = 500;

/** SQL: the search key is of an earlier release. */
export const IS_FORMER_KEY = `strpos(search_key, E'\\n\\n') = 0`;

interface FormerRecord {
  readonly companyId: string;
  readonly id: string;
  readonly version: number;
  readonly body: string;
}

const KEYS: Columns<FormerRecord> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  id: ['uuid', ({ id }) => id],
  version: ['int', ({ version }) => version],
  search_key: ['text', ({ body }) => searchKey(parseCustomer(body))],
};

/** Writes former keys again until stopped. Safe in every scheduler process. */
export function renewSearchKeysForever(log: Log, onStop: OnStop): void {
  pollForever('customer search keys', POLL, renewSearchKeys, log, onStop);
}

/** Returns true if there may be more. */
async function renewSearchKeys(): Promise<boolean> {
  const records = await query<FormerRecord>(
    `SELECT c.company_id AS "companyId", c.id, c.version, v.body
     FROM (SELECT * FROM customers WHERE ${IS_FORMER_KEY} LIMIT ${RECORDS_MAX}) c
     JOIN customer_versions v
       ON v.company_id = c.company_id AND v.customer_id = c.id AND v.version = c.version`,
    [],
  );
  if (records.length === 0) return false;
  // A record that has changed meanwhile has a new version, with a key of its own.
  await query(
    `UPDATE customers c
     SET search_key = renewed.search_key
     FROM ${unnest(KEYS, 'renewed')}
     WHERE c.company_id = renewed.company_id AND c.id = renewed.id
       AND c.version = renewed.version`,
    arraysOf(KEYS, records),
  );
  return true;
}
