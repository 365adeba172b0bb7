-- Companies, their users and their API keys. Every table of a company has company_id first in its
-- primary key and in each foreign key, so no row can point across companies and the schema can be
-- distributed by company_id.

-- Refuses a row for the reason given. Used by the trigger functions of all files.
CREATE FUNCTION refuse(message text, offender anyelement) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%: %', message, offender USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- An issued record never changes. Corrections are new records.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: it is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TABLE companies (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (name <> ''),
  -- ISO 4217. Amounts are stored in it, so it is fixed once there is an invoice.
  currency char(3) NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- IANA name. The summary's days and months are those of this zone.
  time_zone text NOT NULL,
  allow_negative_stock boolean NOT NULL DEFAULT false,
  -- NULL: the environment's RATE_LIMIT_PER_HOUR.
  rate_limit_per_hour integer CHECK (rate_limit_per_hour > 0),
  -- Precedes the number of new invoices. Issued ones have theirs in number_prefix.
  invoice_prefix text NOT NULL DEFAULT 'INV-'
    CONSTRAINT companies_invoice_prefix CHECK (invoice_prefix ~ '^[A-Z0-9-]{0,10}$'),
  -- The last lock of a posting transaction. Numbers are taken under it and committed with the
  -- invoice, so they have no gaps and become visible in order.
  next_invoice_number bigint NOT NULL DEFAULT 1 CHECK (next_invoice_number > 0),
  -- Days from an invoice's date to its due date, unless the request says another one. NULL: none.
  terms_days smallint
    CONSTRAINT companies_terms_days CHECK (terms_days BETWEEN 0 AND 365),
  -- The tax rate, in percent, of an invoice none of whose lines has one. NULL: no tax.
  default_tax_rate numeric(7,4)
    CONSTRAINT companies_default_tax_rate CHECK (default_tax_rate BETWEEN 0 AND 100),
  -- Precedes the number of new credit notes. Like invoice_prefix.
  credit_note_prefix text NOT NULL DEFAULT 'CN-'
    CONSTRAINT companies_credit_note_prefix CHECK (credit_note_prefix ~ '^[A-Z0-9-]{0,10}$'),
  -- Like next_invoice_number, for credit notes.
  next_credit_note_number bigint NOT NULL DEFAULT 1 CHECK (next_credit_note_number > 0),
  -- Like next_invoice_number, for entries: payments, credit notes, refunds and what corrects them.
  -- A reader that sees this counter also sees the invoices as its last entry left them.
  next_entry_sequence bigint NOT NULL DEFAULT 1 CHECK (next_entry_sequence > 0),
  -- Counts the transactions that adjusted stock, under the same lock. A summary made at another
  -- version is stale.
  stock_version bigint NOT NULL DEFAULT 0,
  -- Figures of the company's items, for the summary. A transaction that changes items adds what it
  -- changes, so no refresh reads them all: their number, the low ones, those with nothing on hand
  -- and the sum of on_hand × unit_cost.
  item_count bigint NOT NULL DEFAULT 0,
  low_items bigint NOT NULL DEFAULT 0,
  items_out_of_stock bigint NOT NULL DEFAULT 0,
  stock_value numeric NOT NULL DEFAULT 0,
  -- The person who last changed the settings: {"kind","id","name"}, with the name at that time.
  -- NULL with a time: an operator's command.
  settings_changed_by json,
  -- NULL: never changed.
  settings_changed_at timestamptz,
  -- An owner has hidden the dashboard's list of first steps.
  first_steps_hidden boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50); -- every batch changes the counters: room for HOT updates
-- Invoices and jobs refer to companies without a foreign key.
CREATE TRIGGER permanent BEFORE DELETE ON companies FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- The operators' list of companies, by code point whatever the server's locale.
CREATE INDEX companies_name ON companies ((lower(name) COLLATE "C"), id);

CREATE TABLE users (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  email text NOT NULL,
  -- scrypt, in the format scrypt$N$r$p$salt$hash.
  password_hash text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'member')),
  -- Can inspect the queues and every company.
  operator boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- If set, the user can't sign in and has no session.
  disabled_at timestamptz,
  -- Updated at most once a minute, by any session. NULL: never signed in.
  last_seen_at timestamptz,
  PRIMARY KEY (company_id, id)
) WITH (fillfactor = 80); -- last_seen_at changes and is in no index: room for HOT updates
-- An e-mail address, in any case, belongs to one user.
CREATE UNIQUE INDEX users_email ON users (lower(email));

-- Signed-in users of the dashboard.
CREATE TABLE sessions (
  company_id uuid NOT NULL,
  -- SHA-256 of the cookie's 256 random bits: reading this table does not allow signing in. UNIQUE
  -- by itself, since a session is looked up before its company is known.
  id bytea NOT NULL UNIQUE CHECK (length(id) = 32),
  user_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Updated at most once a minute. A session that is idle for hours has ended.
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  -- The end of even a busy session.
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id)
) WITH (fillfactor = 80); -- last_seen_at changes and is in no index: room for HOT updates
-- Ends all sessions of a user, such as after a change of password.
CREATE INDEX sessions_user ON sessions (company_id, user_id);

-- Open invitations. A row is deleted when it is accepted or withdrawn.
CREATE TABLE invitations (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  -- The form's own id, so that a form sent twice creates one invitation.
  once uuid NOT NULL,
  -- SHA-256 of the link's 256 random bits. UNIQUE by itself, since an invitation is looked up
  -- before its company is known.
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  -- The role that the invited person gets.
  role text NOT NULL CHECK (role IN ('owner', 'member')),
  -- If this user is no longer an owner, the invitation is withdrawn.
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id),
  CONSTRAINT invitations_once UNIQUE (company_id, once),
  FOREIGN KEY (company_id, created_by) REFERENCES users (company_id, id)
);

-- Open links to choose a new password. A row is deleted when its link is used or withdrawn.
CREATE TABLE password_resets (
  company_id uuid NOT NULL,
  -- The user who gets a new password. One link per user is open: a new one replaces it.
  user_id uuid NOT NULL,
  -- SHA-256 of the link's 256 random bits. UNIQUE by itself, since a link is looked up before its
  -- company is known.
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  -- If this user is no longer an owner, the link is withdrawn. NULL: an operator's command.
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, user_id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id),
  FOREIGN KEY (company_id, created_by) REFERENCES users (company_id, id)
);

CREATE TABLE api_keys (
  company_id uuid NOT NULL REFERENCES companies,
  -- Generated by the server. UNIQUE by itself, since operators' commands name a key alone.
  id uuid NOT NULL UNIQUE,
  -- The form's own id, so that a form sent twice creates one key. NULL: created by a command.
  once uuid,
  name text NOT NULL,
  scopes text[] NOT NULL,
  -- NULL: created by an operator's command.
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- NULL: not revoked, or revoked by an operator's command.
  revoked_by uuid,
  PRIMARY KEY (company_id, id),
  CONSTRAINT api_keys_once UNIQUE (company_id, once),
  FOREIGN KEY (company_id, created_by) REFERENCES users (company_id, id),
  FOREIGN KEY (company_id, revoked_by) REFERENCES users (company_id, id)
);

-- The secrets of a key: one, or several during the overlap of a rotation.
CREATE TABLE api_key_secrets (
  company_id uuid NOT NULL,
  -- The 12 characters after tpk_, by which a key is looked up before its company is known.
  id text NOT NULL UNIQUE,
  api_key_id uuid NOT NULL,
  -- SHA-256 of the whole key. 190 random bits need no slow hash.
  hash bytea NOT NULL CHECK (length(hash) = 32),
  -- The end of a rotated secret's overlap. NULL: the current secret.
  valid_until timestamptz,
  -- The user who created or rotated the key. NULL: an operator's command.
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, api_key_id) REFERENCES api_keys (company_id, id),
  FOREIGN KEY (company_id, created_by) REFERENCES users (company_id, id)
);
CREATE INDEX api_key_secrets_key ON api_key_secrets (company_id, api_key_id);
