-- The writes of one request are settled in the order in which it has them, also when they wait as
-- rows.
-- step: once
-- Both are null for a write of its own.
ALTER TABLE jobs
  -- The same for all writes of the request, and for a repeat with its Idempotency-Key.
  ADD COLUMN sequence_id uuid,
  -- The position in the request, from 0.
  ADD COLUMN place smallint;
-- step: concurrently
-- Which writes of a sequence wait ahead of another one. Rows of other writes are not in it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS jobs_sequence ON jobs (company_id, sequence_id, place)
  WHERE status = 'queued' AND sequence_id IS NOT NULL;
