-- The durable record of a queued write. A row is either queued, and its payload waits for a worker,
-- or settled. It is settled once, so a write that is delivered twice happens once.
CREATE TABLE jobs (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL CHECK (type IN (
    'invoice.create', 'inventory.adjust',
    'payment.record', 'payment.reverse', 'allocation.make', 'refund.record',
    'creditNote.create', 'invoice.void'
  )),
  status text NOT NULL CHECK (status IN ('queued', 'succeeded', 'failed')),
  -- SHA-256 of path and canonical body. The same Idempotency-Key with another one is refused.
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
  -- The request that the job settled. Any other one with its Idempotency-Key gets a replay.
  submission_id uuid NOT NULL,
  request_id text NOT NULL,
  -- Present as long as a worker may need it.
  payload json,
  attempts smallint NOT NULL DEFAULT 0,
  -- When the recovery poll may run a queued row.
  run_at timestamptz,
  result_id uuid,
  -- The problem document of a failed job, without its requestId.
  error json,
  -- By the clock of the web process.
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When the row was last queued: at first, or for a retry of a failed job.
  queued_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  -- The request of a write that was refused after a 202, so that the dashboard can reopen its form.
  -- Not in payload, which marks a job that can still be carried out.
  refused_payload json,
  -- The person or API key that sent the request: {"kind","id","name"}. Copied to the result.
  created_by json,
  PRIMARY KEY (company_id, id),
  CHECK ((status = 'queued') = (finished_at IS NULL)),
  CHECK ((status = 'queued') = (run_at IS NOT NULL)),
  CHECK ((status = 'succeeded') = (result_id IS NOT NULL)),
  CHECK ((status = 'failed') = (error IS NOT NULL)),
  CHECK (status <> 'queued' OR payload IS NOT NULL)
);
-- The queue of a type of job. Workers settle a queue's types in common batches.
CREATE FUNCTION job_queue(type text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE type
  WHEN 'invoice.create' THEN 'invoices'
  WHEN 'inventory.adjust' THEN 'stock'
  ELSE 'ledger'
END;
-- The recovery poll: the companies that have queued jobs, and each one's jobs that are due.
CREATE INDEX jobs_due ON jobs (job_queue(type), company_id, run_at) WHERE status = 'queued';
-- Back-pressure: each company's backlog and its age.
CREATE INDEX jobs_backlog ON jobs (company_id, queued_at) WHERE status = 'queued';
-- Retention.
CREATE INDEX jobs_finished_at ON jobs (finished_at);
-- The operators' lists of failed jobs, newest first: system failures, and all including rejected
-- requests. The first also counts and retries system failures.
CREATE INDEX jobs_retryable ON jobs (created_at, id)
  WHERE status = 'failed' AND payload IS NOT NULL;
CREATE INDEX jobs_failed ON jobs (created_at, id) WHERE status = 'failed';

-- An outcome that a client may have seen is final. A system failure has its payload and can be
-- retried.
CREATE TRIGGER final BEFORE UPDATE ON jobs FOR EACH ROW
  WHEN (
    (OLD.status = 'succeeded' OR OLD.status = 'failed' AND OLD.payload IS NULL)
    AND (
      OLD.company_id, OLD.id, OLD.type, OLD.status,
      OLD.fingerprint, OLD.submission_id, OLD.result_id, OLD.error::text
    ) IS DISTINCT FROM (
      NEW.company_id, NEW.id, NEW.type, NEW.status,
      NEW.fingerprint, NEW.submission_id, NEW.result_id, NEW.error::text
    )
  )
  EXECUTE FUNCTION refuse_change();
-- A queued job was promised with a 202.
CREATE TRIGGER promised BEFORE DELETE ON jobs FOR EACH ROW
  WHEN (OLD.status = 'queued')
  EXECUTE FUNCTION refuse_change();
-- Row triggers do not fire on TRUNCATE.
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON jobs EXECUTE FUNCTION refuse_change();

-- Ends a batch's transaction if another one settled one of its jobs first. A retry sees that row.
CREATE FUNCTION require_all_settled(settled bigint, wanted bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF settled <> wanted THEN
    RAISE EXCEPTION 'another transaction settled the same job'
      USING ERRCODE = 'serialization_failure';
  END IF;
END $$;
