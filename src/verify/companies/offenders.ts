// SQL whose rows violate an invariant of companies' profiles.

/** Versions run from 1 without a gap, and later ones are later. */
export const PROFILE_VERSIONS = `
  SELECT company_id AS "companyId", version, valid_from AS "validFrom"
  FROM (
    SELECT company_id, version, valid_from,
      row_number() OVER profile AS position, lag(valid_from) OVER profile AS before
    FROM company_profile_versions
    WINDOW profile AS (PARTITION BY company_id ORDER BY version)
  ) v
  WHERE version <> position
    OR valid_from < before + interval '1 millisecond'
    OR valid_from <> date_trunc('milliseconds', valid_from)`;

/** Each version has its logo, with the bytes of its hash, and each logo has a version. */
export const PROFILE_LOGOS = `
  SELECT COALESCE(v.company_id, l.company_id) AS "companyId", v.version,
    COALESCE(v.hash, encode(l.hash, 'hex')) AS hash
  FROM (
    SELECT company_id, version, body::json -> 'logo' ->> 'hash' AS hash
    FROM company_profile_versions
    WHERE json_typeof(body::json -> 'logo') = 'object'
  ) v
  FULL JOIN company_logos l
    ON l.company_id = v.company_id AND encode(l.hash, 'hex') = v.hash
  WHERE l.hash IS NULL OR v.hash IS NULL OR sha256(l.bytes) <> l.hash`;
