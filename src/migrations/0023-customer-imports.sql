-- Imports of customers from CSV files. They have tables of their own beside those of stock, whose
-- rows are entries of adjustments and can be undone.

CREATE TABLE customer_imports (
  company_id uuid NOT NULL REFERENCES companies,
  -- UUIDv5 of the form's key and the file, so that a form sent twice is one import.
  id uuid NOT NULL,
  -- The user who uploaded it.
  user_id uuid NOT NULL,
  file_name text NOT NULL,
  -- The cells of the file's header, for the report of refused rows.
  header json NOT NULL,
  -- A number cell that means different numbers with either decimal mark. The file cannot be
  -- imported before the user uploads it with a mark.
  decimal_doubt text,
  -- failed: given up after several system failures.
  status text NOT NULL CHECK (status IN ('preview', 'queued', 'done', 'failed')),
  rows_total integer NOT NULL CHECK (rows_total > 0),
  -- Valid rows of the preview whose record did not exist when it was made.
  rows_new integer NOT NULL CHECK (rows_new >= 0),
  -- The applied rows: those that added or changed a record, and those that changed nothing.
  rows_added integer NOT NULL DEFAULT 0 CHECK (rows_added >= 0),
  rows_changed integer NOT NULL DEFAULT 0 CHECK (rows_changed >= 0),
  rows_same integer NOT NULL DEFAULT 0 CHECK (rows_same >= 0),
  rows_failed integer NOT NULL CHECK (rows_failed >= 0),
  -- The last row that was applied or refused.
  position integer NOT NULL DEFAULT 0,
  -- Failed attempts at the current chunk.
  attempts smallint NOT NULL DEFAULT 0,
  -- How often the current chunk met a lock, a conflict or an outage.
  postponed smallint NOT NULL DEFAULT 0,
  -- When a worker may apply the next chunk.
  run_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Of a preview: when it was uploaded, for retention.
  finished_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id),
  CHECK (status = 'preview' OR decimal_doubt IS NULL),
  CHECK ((status = 'queued') = (finished_at IS NULL)),
  CHECK ((status = 'queued') = (run_at IS NOT NULL))
) WITH (fillfactor = 70); -- each chunk updates its import: room for HOT updates
-- The imports that workers look for.
CREATE INDEX customer_imports_queued ON customer_imports (run_at) WHERE status = 'queued';
-- A company's newest imports.
CREATE INDEX customer_imports_list ON customer_imports (company_id, created_at DESC, id);
-- Retention.
CREATE INDEX customer_imports_finished_at ON customer_imports (finished_at);

-- The rows that wait, and the refused ones with the reason. An applied row is deleted: the version
-- of its record remains.
CREATE TABLE customer_import_rows (
  company_id uuid NOT NULL,
  import_id uuid NOT NULL,
  -- 1 for the first row below the header.
  position integer NOT NULL CHECK (position > 0),
  -- The line on which the row ends in the file.
  line integer NOT NULL,
  -- The row as in the file, for the report.
  cells json NOT NULL,
  -- The values of the row by the names of the columns; null clears a value.
  entry json,
  -- Why the row was refused: a list of sentences.
  errors json,
  -- The keys that find the row's record: its external id, and text.matchKey of its number and name.
  external_id text COLLATE "C",
  number_key text COLLATE "C",
  name_key text COLLATE "C",
  PRIMARY KEY (company_id, import_id, position),
  FOREIGN KEY (company_id, import_id) REFERENCES customer_imports (company_id, id)
    ON DELETE CASCADE,
  CHECK (num_nonnulls(entry, errors) = 1)
);
