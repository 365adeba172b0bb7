// The record that a document shows as its buyer: that of the document's customer name, as it was
// when the document was created.
import { queryOne } from '../platform/db/connection.js';
import { matchKey } from '../platform/values/text.js';
import { type CustomerRecord, parseCustomer } from './record.js';

/** Members that a document takes from a later version if the one in force had none. */
const COMPLETED = ['address', 'taxId', 'registrationId', 'electronicAddress'];

/** The versions of the records that had a name, each from the time at which it had it. */
const TIMELINE = `
  owners AS (
    SELECT customer_id, valid_from AS since,
      lead(valid_from, 1, 'infinity') OVER (ORDER BY valid_from) AS until
    FROM customer_name_versions
    WHERE company_id = $1 AND name_key = $2
  ),
  versions AS (
    SELECT v.customer_id, v.valid_from, v.body,
      lead(v.valid_from, 1, 'infinity') OVER (PARTITION BY v.customer_id ORDER BY v.valid_from)
        AS ends
    FROM customer_versions v
    WHERE v.company_id = $1 AND v.customer_id IN (SELECT customer_id FROM owners)
  ),
  timeline AS (
    SELECT greatest(o.since, v.valid_from) AS at, v.body
    FROM owners o
    LEFT JOIN versions v
      ON v.customer_id = o.customer_id AND v.valid_from < o.until AND v.ends > o.since
  )`;

/**
 * The version before `at` (RFC 3339) of the record that had the name then; without one, that of the
 * first record that had the name later, when it got it; null if none ever had. Each of COMPLETED
 * that it lacks has its first later value, of the record that had the name by then.
 */
export async function recordAt(
  companyId: string,
  name: string,
  at: string,
): Promise<CustomerRecord | null> {
  const row = await queryOne<{
    before: string | null;
    first: string | null;
    later: Partial<CustomerRecord> | null;
  }>(
    `WITH ${TIMELINE}
     SELECT before.body AS before, first.body AS first, later.found AS later
     FROM (SELECT) row
     LEFT JOIN LATERAL (
       SELECT body FROM timeline WHERE at < $3::timestamptz ORDER BY at DESC LIMIT 1
     ) before ON true
     LEFT JOIN LATERAL (
       SELECT body
       FROM timeline
       WHERE at >= $3::timestamptz AND body IS NOT NULL
       ORDER BY at
       LIMIT 1
     ) first ON true
     LEFT JOIN LATERAL (
       SELECT json_object_agg(member, value) AS found
       FROM (
         SELECT DISTINCT ON (wanted.member) wanted.member, t.body::json -> wanted.member AS value
         FROM timeline t, unnest($4::text[]) AS wanted (member)
         WHERE t.at >= $3::timestamptz AND t.body::json ->> wanted.member IS NOT NULL
         ORDER BY wanted.member, t.at
       ) each
     ) later ON true`,
    [companyId, matchKey(name), at, COMPLETED],
  );
  const body = row?.before ?? row?.first ?? null;
  if (body === null) return null;
  const record = parseCustomer(body);
  const missing = Object.entries(row?.later ?? {}).filter(
    ([member]) => record[member as keyof CustomerRecord] === null,
  );
  return { ...record, ...Object.fromEntries(missing) };
}
