-- The cost of a queued write in lines, for back-pressure and for the claims of workers.

-- step: once
-- Null for a job that was settled before its row was persisted, and for one that was queued by an
-- old version.
ALTER TABLE jobs ADD COLUMN weight int;

-- step: concurrently
-- Back-pressure reads each company's backlog, its weight and its age from the index alone.
CREATE INDEX CONCURRENTLY IF NOT EXISTS jobs_backlog_weight ON jobs (company_id, queued_at)
  INCLUDE (weight)
  WHERE status = 'queued';

-- step: once
DROP INDEX jobs_backlog;
ALTER INDEX jobs_backlog_weight RENAME TO jobs_backlog;
