-- Profiles of companies: the data of the seller on documents. A document shows the version that was
-- in force when it was created, so versions are never changed.

-- A row per change of a profile or of the company's name. The version in force at a time is the
-- last one with valid_from before it. A company without any has a profile without data.
CREATE TABLE company_profile_versions (
  company_id uuid NOT NULL REFERENCES companies,
  -- 1, 2, …
  version integer NOT NULL CHECK (version > 0),
  -- By the database's clock while the company's row is locked, in whole milliseconds; at least 1 ms
  -- after the version before.
  valid_from timestamptz NOT NULL,
  -- The person who made the change: {"kind","id","name"}. NULL: an operator's command.
  changed_by json,
  -- The profile as JSON, with the company's name.
  body text NOT NULL,
  PRIMARY KEY (company_id, version),
  -- The version in force at a time.
  CONSTRAINT company_profile_versions_time UNIQUE (company_id, valid_from)
);

-- The logos that profiles have or had. A version names its logo by the hash.
CREATE TABLE company_logos (
  company_id uuid NOT NULL REFERENCES companies,
  -- SHA-256 of the bytes.
  hash bytea NOT NULL CHECK (length(hash) = 32),
  -- A PNG without transparency, or a JPEG.
  bytes bytea NOT NULL,
  PRIMARY KEY (company_id, hash)
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON company_profile_versions FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON company_logos FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
-- Row triggers do not fire on TRUNCATE.
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON company_profile_versions
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON company_logos
  EXECUTE FUNCTION refuse_change();
