// The versions of a company's profile. Each is stamped by the database's clock while the company's
// row is locked, so a version that commits after a document has a later time.
import { query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { timeJson } from '../../platform/db/sql.js';
import { type Actor, type ShownActor, shownActor } from '../actor.js';
import { EMPTY_PROFILE, type Profile, parseProfile, renderProfile } from './profile.js';

export interface CurrentProfile {
  readonly profile: Profile;
  /** Null: never changed. */
  readonly changed: { readonly at: string; readonly by: ShownActor | null } | null;
}

/** The profile now; null if there is no such company. */
export async function findProfile(
  companyId: string,
  tx?: Transaction,
): Promise<CurrentProfile | null> {
  const row = await queryOne<{
    name: string;
    body: string | null;
    at: string | null;
    by: ShownActor | null;
  }>(
    `SELECT companies.name, v.body, ${timeJson('v.valid_from')} AS at, ${shownActor('v')} AS by
     FROM companies
     LEFT JOIN LATERAL (
       SELECT company_id, valid_from, changed_by AS created_by, body
       FROM company_profile_versions
       WHERE company_id = companies.id
       ORDER BY version DESC
       LIMIT 1
     ) v ON true
     WHERE companies.id = $1`,
    [companyId],
    tx,
  );
  if (!row) return null;
  const { name, body, at, by } = row;
  return { profile: profileOf(name, body), changed: at === null ? null : { at, by } };
}

/** SQL for the body of the profile of the row `company`; null without one. */
export const LAST_PROFILE = `(
    SELECT body
    FROM company_profile_versions
    WHERE company_id = company.id
    ORDER BY version DESC
    LIMIT 1
  )`;

/** The profile of a company with this name. */
export function profileOf(name: string, body: string | null): Profile {
  return { ...(body === null ? EMPTY_PROFILE : parseProfile(body)), name };
}

/** Appends a version, in a transaction that has locked the company's row. */
export async function appendProfile(
  companyId: string,
  profile: Profile,
  changedBy: Actor | null,
  tx: Transaction,
): Promise<void> {
  await query(
    `INSERT INTO company_profile_versions (company_id, version, valid_from, changed_by, body)
     SELECT $1, COALESCE(last.version, 0) + 1,
       GREATEST(
         date_trunc('milliseconds', clock_timestamp()),
         last.valid_from + interval '1 millisecond'
       ),
       $2::json, $3
     FROM (SELECT) row
     LEFT JOIN LATERAL (
       SELECT version, valid_from
       FROM company_profile_versions
       WHERE company_id = $1
       ORDER BY version DESC
       LIMIT 1
     ) last ON true`,
    [companyId, changedBy && JSON.stringify(changedBy), renderProfile(profile)],
    tx,
  );
}

/**
 * Appends a version with the company's new name, in a transaction that has locked the company's
 * row. A company's first version has the name that it had before, from its first day on.
 */
export async function appendName(
  companyId: string,
  name: string,
  changedBy: Actor | null,
  tx: Transaction,
): Promise<void> {
  const current = await findProfile(companyId, tx);
  if (!current || current.profile.name === name) return;
  if (current.changed === null)
    await query(
      `INSERT INTO company_profile_versions (company_id, version, valid_from, body)
       SELECT id, 1, date_trunc('milliseconds', created_at), $2
       FROM companies
       WHERE id = $1`,
      [companyId, renderProfile(current.profile)],
      tx,
    );
  await appendProfile(companyId, { ...current.profile, name }, changedBy, tx);
}

/** Members that a document takes from a later version if the one in force had none. */
export const COMPLETED_MEMBERS = [
  'address',
  'taxId',
  'taxNumber',
  'registrationId',
  'electronicAddress',
] as const;

/**
 * The profile that a document of this time (RFC 3339) shows: the last version before it, with the
 * first later value of each of COMPLETED_MEMBERS that it lacks. Throws if there is no such company.
 */
export async function profileAt(companyId: string, at: string): Promise<Profile> {
  const row = await queryOne<{
    name: string;
    body: string | null;
    firstName: string | null;
    later: Partial<Profile> | null;
  }>(
    `SELECT companies.name, before.body, first.name AS "firstName", later.found AS later
     FROM companies
     LEFT JOIN LATERAL (
       SELECT body
       FROM company_profile_versions
       WHERE company_id = companies.id AND valid_from < $2::timestamptz
       ORDER BY valid_from DESC
       LIMIT 1
     ) before ON true
     LEFT JOIN LATERAL (
       SELECT body::json ->> 'name' AS name
       FROM company_profile_versions
       WHERE company_id = companies.id AND version = 1
     ) first ON true
     LEFT JOIN LATERAL (
       SELECT json_object_agg(member, value) AS found
       FROM (
         SELECT DISTINCT ON (wanted.member) wanted.member, v.body::json -> wanted.member AS value
         FROM company_profile_versions v, unnest($3::text[]) AS wanted (member)
         WHERE v.company_id = companies.id
           AND v.valid_from >= $2::timestamptz
           AND (before.body IS NULL OR before.body::json ->> wanted.member IS NULL)
           AND v.body::json ->> wanted.member IS NOT NULL
         ORDER BY wanted.member, v.valid_from
       ) each
     ) later ON true
     WHERE companies.id = $1`,
    [companyId, at, [...COMPLETED_MEMBERS]],
  );
  if (!row) throw new Error(`there is no company ${companyId}`);
  const { name, body, firstName, later } = row;
  const inForce = body === null ? EMPTY_PROFILE : parseProfile(body);
  return { name: firstName ?? name, ...inForce, ...later };
}
