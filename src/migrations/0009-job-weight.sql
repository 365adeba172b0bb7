-- The cost of a queued write in lines, for back-pressure and for the claims of workers. Null for a
-- job that was settled before its row was persisted, and for one that was queued by an old version.
ALTER TABLE jobs ADD COLUMN weight int;
-- Back-pressure reads each company's backlog, its weight and its age from the index alone.
DROP INDEX jobs_backlog;
CREATE INDEX jobs_backlog ON jobs (company_id, queued_at) INCLUDE (weight) WHERE status = 'queued';
