-- Inviting people to a company, and what operators look up.

-- An invitation that is open: a row goes when it is used or withdrawn.
CREATE TABLE invitations (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  -- SHA-256 of the link's 256 random bits. UNIQUE by itself, because it is how an invitation is found, before anything is
  -- known of its company.
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  -- What the invited person becomes.
  role text NOT NULL CHECK (role IN ('owner', 'member')),
  -- Who loses the rights of an owner takes back what was made with them.
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, created_by) REFERENCES users (company_id, id)
);

-- What stands before the running number of new invoices; issued ones keep theirs in number_prefix.
ALTER TABLE companies ADD CONSTRAINT companies_invoice_prefix CHECK (invoice_prefix ~ '^[A-Z0-9-]{0,10}$');

-- The operators' list of companies. Code points, whatever the server's locale.
CREATE INDEX companies_name ON companies ((lower(name) COLLATE "C"), id);

-- The operators' lists of failed jobs, newest first: those that failed on our side, and with the refusals all of them.
CREATE INDEX jobs_retryable ON jobs (created_at, id) WHERE status = 'failed' AND payload IS NOT NULL;
CREATE INDEX jobs_failed ON jobs (created_at, id) WHERE status = 'failed';
