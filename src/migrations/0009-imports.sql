-- Stock from CSV files: thousands of rows, applied by workers chunk by chunk.

-- One uploaded file. Queued until its last row is applied or refused; the row's lock is the claim of the worker that
-- applies a chunk, so a worker that dies takes nothing with it but the chunk in hand.
CREATE TABLE imports (
  company_id uuid NOT NULL REFERENCES companies,
  -- UUIDv5 of the form's key and the file: the same form sent twice is one import.
  id uuid NOT NULL,
  -- Who sent it.
  user_id uuid NOT NULL,
  file_name text NOT NULL,
  -- The reference of the adjustments that it makes.
  reference text NOT NULL,
  -- Whether rows count stock or add to it.
  reason text NOT NULL CHECK (reason IN ('count', 'received')),
  -- All rows in one transaction or none; else good rows are applied and bad ones reported.
  all_or_nothing boolean NOT NULL,
  -- The cells of the file's header, for the report of what was refused.
  header json NOT NULL,
  -- refused: all or nothing, and there was a bad row. failed: a defect or an outage of ours, after several attempts.
  status text NOT NULL CHECK (status IN ('queued', 'done', 'refused', 'failed')),
  rows_total integer NOT NULL CHECK (rows_total > 0),
  rows_done integer NOT NULL DEFAULT 0 CHECK (rows_done >= 0),
  rows_failed integer NOT NULL CHECK (rows_failed >= 0),
  -- The last row that was applied or refused.
  position integer NOT NULL DEFAULT 0,
  -- Failed tries of the chunk in hand.
  attempts smallint NOT NULL DEFAULT 0,
  -- From when on a worker may take the next chunk.
  run_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id),
  CHECK ((status = 'queued') = (finished_at IS NULL)),
  CHECK ((status = 'queued') = (run_at IS NOT NULL)),
  CHECK (rows_done + rows_failed <= rows_total),
  CHECK (status <> 'done' OR rows_done + rows_failed = rows_total),
  CHECK (status <> 'refused' OR (all_or_nothing AND rows_done = 0 AND rows_failed > 0))
) WITH (fillfactor = 50); -- the counters change with every chunk: room for HOT updates
-- The workers' poll.
CREATE INDEX imports_queued ON imports (run_at) WHERE status = 'queued';
-- A company's newest imports.
CREATE INDEX imports_list ON imports (company_id, created_at DESC, id);
-- Retention.
CREATE INDEX imports_finished_at ON imports (finished_at);

-- The rows that wait, and those that were refused with the reason. An applied row is gone: its movement stays.
CREATE TABLE import_rows (
  company_id uuid NOT NULL,
  import_id uuid NOT NULL,
  -- 1 for the first row under the header.
  position integer NOT NULL CHECK (position > 0),
  -- Where it ends in the file.
  line integer NOT NULL,
  -- As they were in the file, for the report.
  cells json NOT NULL,
  -- What to apply: an entry of an adjustment.
  entry json,
  -- Why it was refused: a list of sentences.
  errors json,
  PRIMARY KEY (company_id, import_id, position),
  FOREIGN KEY (company_id, import_id) REFERENCES imports (company_id, id) ON DELETE CASCADE,
  CHECK (num_nonnulls(entry, errors) = 1)
);
-- What was refused, however many rows wait before it.
CREATE INDEX import_rows_refused ON import_rows (company_id, import_id, position) WHERE errors IS NOT NULL;
