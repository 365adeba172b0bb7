-- Webhooks: endpoints, which are positions in the feed of their company, and the log of deliveries.

CREATE TABLE webhook_endpoints (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  -- The WHATWG URL's href.
  url text NOT NULL,
  -- A JSON array of names, groups such as invoice.* and "*".
  types json NOT NULL,
  description text,
  ordered boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'disabled')),
  health text NOT NULL DEFAULT 'healthy' CHECK (health IN ('healthy', 'failing')),
  disabled_reason text CHECK (disabled_reason IN ('gone', 'no_success', 'secret_lost')),
  -- The last event that was delivered or passed over.
  position bigint NOT NULL CHECK (position >= 0),
  -- Events that left the feed before the position reached them.
  missed bigint NOT NULL DEFAULT 0 CHECK (missed >= 0),
  -- Failures since the last success, and the first events among them.
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  failed_sequences bigint[] NOT NULL DEFAULT '{}',
  -- A failing endpoint: its next probe, how many have failed, and when it will be disabled.
  probe_at timestamptz,
  probes integer NOT NULL DEFAULT 0 CHECK (probes >= 0),
  disable_at timestamptz,
  -- False if the last answer was no success or took long. Such endpoints share a part of the
  -- places.
  is_quick boolean NOT NULL DEFAULT true,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- The lease of platform/leases. due_at is NULL while there is nothing to do.
  due_at timestamptz,
  timed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lease_token uuid,
  leased_until timestamptz,
  PRIMARY KEY (company_id, id),
  CONSTRAINT webhook_endpoints_url UNIQUE (company_id, url),
  CONSTRAINT webhook_endpoints_disabled
    CHECK ((status = 'disabled') = (disabled_reason IS NOT NULL)),
  CONSTRAINT webhook_endpoints_failing
    CHECK ((health = 'failing') = (disable_at IS NOT NULL))
);
-- Those that workers have something to do for.
CREATE INDEX webhook_endpoints_due_at ON webhook_endpoints (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE webhook_secrets (
  company_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  id uuid NOT NULL,
  -- AES-256-GCM: IV, encrypted bytes, tag.
  encrypted bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- NULL for the current one.
  expires_at timestamptz,
  PRIMARY KEY (company_id, endpoint_id, id),
  FOREIGN KEY (company_id, endpoint_id) REFERENCES webhook_endpoints ON DELETE CASCADE
);

-- One row per event and endpoint, from the first attempt on. It outlives its endpoint: retention
-- deletes it.
CREATE TABLE webhook_deliveries (
  company_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  sequence bigint NOT NULL CHECK (sequence > 0),
  event_id uuid NOT NULL,
  type text NOT NULL,
  -- The event's timestamp.
  event_at timestamptz NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'skipped')),
  attempts integer NOT NULL CHECK (attempts > 0),
  -- Attempts that count towards the schedule.
  scheduled_attempts integer NOT NULL CHECK (scheduled_attempts BETWEEN 0 AND attempts),
  next_attempt_at timestamptz,
  -- A redelivery that was asked for and not made yet.
  redeliver_at timestamptz,
  -- The time of the first attempt.
  created_at timestamptz NOT NULL,
  timed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (company_id, endpoint_id, sequence),
  CONSTRAINT webhook_deliveries_pending
    CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
);
-- Retries, in the order in which they are due.
CREATE INDEX webhook_deliveries_retries
  ON webhook_deliveries (company_id, endpoint_id, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_redeliveries
  ON webhook_deliveries (company_id, endpoint_id, sequence)
  WHERE redeliver_at IS NOT NULL;
-- Those that a bulk redelivery finds by time, and retention.
CREATE INDEX webhook_deliveries_event_at
  ON webhook_deliveries (company_id, endpoint_id, event_at);
CREATE INDEX webhook_deliveries_old ON webhook_deliveries (event_at);

CREATE TABLE webhook_attempts (
  company_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  sequence bigint NOT NULL,
  -- 1, 2, …
  number integer NOT NULL CHECK (number > 0),
  at timestamptz NOT NULL,
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  trigger text NOT NULL CHECK (trigger IN ('first', 'retry', 'probe', 'manual')),
  status integer,
  error text,
  request_headers json NOT NULL,
  -- {"headers","body"}; NULL without an answer.
  response json,
  PRIMARY KEY (company_id, endpoint_id, sequence, number),
  FOREIGN KEY (company_id, endpoint_id, sequence) REFERENCES webhook_deliveries ON DELETE CASCADE
);

-- Tests of a company's endpoints in the current minute.
CREATE TABLE webhook_tests (
  company_id uuid PRIMARY KEY REFERENCES companies,
  started_at timestamptz NOT NULL,
  count integer NOT NULL CHECK (count > 0)
);
