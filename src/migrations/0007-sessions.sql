-- Who is signed in to the dashboard.

-- Set: the user can sign in no more and is signed out everywhere.
ALTER TABLE users ADD COLUMN disabled_at timestamptz;

CREATE TABLE sessions (
  company_id uuid NOT NULL,
  -- SHA-256 of the cookie's 256 random bits: who reads this table cannot sign in with it. UNIQUE by itself, because it is
  -- how a session is found, before anything is known of its company.
  id bytea NOT NULL UNIQUE CHECK (length(id) = 32),
  user_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Written at most once a minute; the session ends when nobody came for hours.
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  -- The end in any case.
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id)
) WITH (fillfactor = 80); -- last_seen_at changes and is in no index: room for HOT updates
-- "Sign out everywhere", and the end of a user's sessions when the password changes.
CREATE INDEX sessions_user ON sessions (company_id, user_id);
