-- E-mails that failed are marked in the dashboard. An e-mail enters this index when it fails, so
-- adding one costs nothing more.
-- step: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS emails_failed
  ON emails (company_id, created_at DESC, id DESC) WHERE status = 'failed';
