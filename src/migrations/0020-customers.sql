-- Records of customers: data that belongs to one or more names. Invoices and entries have names,
-- not records: which record a name belongs to is read from customer_names.

ALTER TABLE companies
  -- The number of the next record without a number of its own. Numbers that are taken are skipped.
  ADD COLUMN next_customer_number bigint NOT NULL DEFAULT 1,
  -- Counts the transactions that changed records or names. A process that remembers what it read of
  -- a customer reads it again when this has changed.
  ADD COLUMN customers_version bigint NOT NULL DEFAULT 0,
  -- The latest time of a version. A later version has a later time, whatever the clock says.
  ADD COLUMN customers_changed_at timestamptz NOT NULL DEFAULT 'epoch',
  -- Figures of the records in use. A transaction that changes records adds what it changes. While
  -- they are 0, a create looks no customer up: the number of records, and of those that have terms
  -- or a tax, a hold, and a credit limit.
  ADD COLUMN customer_count integer NOT NULL DEFAULT 0,
  ADD COLUMN customers_with_terms integer NOT NULL DEFAULT 0,
  ADD COLUMN customers_on_hold integer NOT NULL DEFAULT 0,
  ADD COLUMN customers_with_limit integer NOT NULL DEFAULT 0,
  -- An invoice above a credit limit is accepted (warn) or refused.
  ADD COLUMN credit_limit_action text NOT NULL DEFAULT 'warn',
  ADD CONSTRAINT companies_credit_limit_action
    CHECK (credit_limit_action IN ('warn', 'refuse')) NOT VALID;

-- step: once
ALTER TABLE companies VALIDATE CONSTRAINT companies_credit_limit_action;

-- step: once
-- The JSON of a record is that of its last version. The columns repeat what is searched, checked or
-- counted, so that a search reads small rows.
CREATE TABLE customers (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  -- As typed, and text.matchKey of it.
  number text NOT NULL,
  number_key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  tax_id text COLLATE "C",
  terms_days smallint CHECK (terms_days BETWEEN 0 AND 365),
  -- {"rate","category"?,"reason"?} as sent.
  tax json,
  credit_limit numeric(15,4) CHECK (credit_limit BETWEEN 0 AND 99999999999.99),
  hold boolean NOT NULL DEFAULT false,
  archived boolean NOT NULL DEFAULT false,
  -- The record that this one was merged into, which may be merged itself.
  merged_into uuid,
  -- The number of the last row of customer_versions.
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  -- That version's valid_from.
  updated_at timestamptz NOT NULL,
  -- The name, aliases, number, e-mail address and tax id without case and accents, one per line.
  search_key text COLLATE "C" NOT NULL,
  PRIMARY KEY (company_id, id),
  -- Merged records keep their number and external id, which then find the remaining record.
  -- Deferred: a transaction that changes many records may pass a number from one to another.
  CONSTRAINT customers_number_unique UNIQUE (company_id, number_key) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT customers_external_unique UNIQUE (company_id, external_id)
    DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT customers_merged CHECK (merged_into IS NULL OR archived),
  FOREIGN KEY (company_id, merged_into) REFERENCES customers (company_id, id)
);
-- The list and its cursor.
CREATE INDEX customers_list ON customers (company_id, archived, name_key, id);
CREATE INDEX customers_tax_id ON customers (company_id, tax_id) WHERE tax_id IS NOT NULL;
-- The records that were merged into one.
CREATE INDEX customers_merged_into ON customers (company_id, merged_into)
  WHERE merged_into IS NOT NULL;

-- The record of each name and alias, by text.matchKey. Merged records have none.
CREATE TABLE customer_names (
  company_id uuid NOT NULL,
  name_key text COLLATE "C" NOT NULL CHECK (name_key <> ''),
  customer_id uuid NOT NULL,
  PRIMARY KEY (company_id, name_key),
  FOREIGN KEY (company_id, customer_id) REFERENCES customers (company_id, id)
);
CREATE INDEX customer_names_customer ON customer_names (company_id, customer_id);

-- A row per change of a record. The version in force at a time is the last one with valid_from up
-- to it. Append-only.
CREATE TABLE customer_versions (
  company_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  -- 1, 2, …
  version integer NOT NULL CHECK (version > 0),
  -- By the database's clock while the company's row is locked, in whole milliseconds; at least 1 ms
  -- after the versions before.
  valid_from timestamptz NOT NULL,
  -- The person or API key that made the change: {"kind","id","name"}. NULL: demo data.
  changed_by json,
  -- The record's JSON from then on. NULL: the record was deleted.
  body text,
  PRIMARY KEY (company_id, customer_id, version),
  CONSTRAINT customer_versions_time UNIQUE (company_id, customer_id, valid_from)
);
-- Which record a name belonged to at a time: that of the key's last row up to it. Append-only.
CREATE TABLE customer_name_versions (
  company_id uuid NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  valid_from timestamptz NOT NULL,
  -- NULL: no longer to any.
  customer_id uuid,
  PRIMARY KEY (company_id, name_key, valid_from)
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON customer_versions FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON customer_name_versions FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
-- Row triggers do not fire on TRUNCATE.
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON customer_versions
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON customer_name_versions
  EXECUTE FUNCTION refuse_change();

-- The outstanding less the unallocated amount of records with a credit limit, in companies that
-- refuse invoices above it. The transactions of invoices and entries change it, so under the
-- company's lock it is exact. Other records and companies have no row.
CREATE TABLE customer_exposures (
  company_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  exposure numeric NOT NULL CHECK (exposure BETWEEN -1e30 AND 1e30),
  PRIMARY KEY (company_id, customer_id),
  FOREIGN KEY (company_id, customer_id) REFERENCES customers (company_id, id) ON DELETE CASCADE
) WITH (fillfactor = 50); -- changes with each invoice: room for HOT updates

-- The responses of POST requests that are not queued and had an Idempotency-Key.
CREATE TABLE stored_responses (
  company_id uuid NOT NULL REFERENCES companies,
  -- A UUIDv5 of the company and the key, as in jobs.
  id uuid NOT NULL,
  -- SHA-256 of path and canonical body, as in jobs.
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
  status smallint NOT NULL,
  -- The Location header.
  location text,
  -- Of a problem: without its requestId.
  body text NOT NULL,
  finished_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);
-- Retention.
CREATE INDEX stored_responses_finished_at ON stored_responses (finished_at);
