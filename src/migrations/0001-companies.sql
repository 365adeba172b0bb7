-- Who works here: companies, their API keys, their users. Every table of a company has company_id first in its primary
-- key and in each foreign key, so no row can point across companies and the schema can be distributed by company_id.

CREATE TABLE companies (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (name <> ''),
  -- ISO 4217. Fixed once there is an invoice: amounts are stored in it.
  currency char(3) NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- IANA name; the summary's month and day are this zone's.
  time_zone text NOT NULL,
  allow_negative_stock boolean NOT NULL DEFAULT false,
  -- NULL: the RATE_LIMIT_PER_HOUR of the environment.
  rate_limit_per_hour integer CHECK (rate_limit_per_hour > 0),
  invoice_prefix text NOT NULL DEFAULT 'INV-',
  -- The last lock a posting transaction takes. Taken under it and committed with the invoice, numbers have no gap and
  -- become visible in order.
  next_invoice_number bigint NOT NULL DEFAULT 1 CHECK (next_invoice_number > 0),
  -- Counts the transactions that adjusted stock, taken like the number above: a summary made with another one is behind.
  stock_version bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50); -- the counters change with every batch: room for HOT updates

CREATE TABLE users (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  email text NOT NULL,
  -- scrypt, in the form scrypt$N$r$p$salt$hash.
  password_hash text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'member')),
  operator boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);
-- One sign-in name, one person, whatever its case.
CREATE UNIQUE INDEX users_email ON users (lower(email));

CREATE TABLE api_keys (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  -- The user who made it; NULL for an operator's command.
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, created_by) REFERENCES users (company_id, id)
);

-- The secrets of a key: one, or during a rotation's overlap several.
CREATE TABLE api_key_secrets (
  company_id uuid NOT NULL,
  -- The 12 characters after tpk_: how a presented key is found, before anything is known of its company.
  id text NOT NULL UNIQUE,
  api_key_id uuid NOT NULL,
  -- SHA-256 of the whole key. 190 random bits need no slow hash.
  hash bytea NOT NULL CHECK (length(hash) = 32),
  -- The end of a rotated secret's overlap; NULL for the current one.
  valid_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, api_key_id) REFERENCES api_keys (company_id, id)
);
CREATE INDEX api_key_secrets_key ON api_key_secrets (company_id, api_key_id);

-- Rate limits where no Redis is configured (the table rate-limiter-flexible expects). UNLOGGED: losing the counts in a
-- crash is better than a WAL record for each request.
CREATE UNLOGGED TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
) WITH (fillfactor = 50);
