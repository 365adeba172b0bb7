-- Imports of customers can be undone and have chosen columns, like those of stock. Previews of both
-- kinds know how their file was read, and the effect of its rows.

-- step: once
-- Both are null in previews of earlier releases.
ALTER TABLE imports
  -- The encoding and separator of the file, and a line that shows them.
  ADD COLUMN reading json,
  -- The effect that the rows would have, and the first of them. Only in a preview.
  ADD COLUMN judgement json;

-- step: once
ALTER TABLE customer_imports
  ADD COLUMN reading json,
  ADD COLUMN judgement json,
  -- The number of the column of each field, from 0, as the user chose them. NULL: by the headings.
  ADD COLUMN columns json,
  -- The undo, once a user asked for it, as in imports.
  ADD COLUMN undo text CHECK (undo IN ('queued', 'done', 'refused', 'failed')),
  ADD COLUMN undo_by uuid,
  ADD COLUMN undo_refusal json,
  ADD COLUMN undo_until timestamptz,
  -- How many of the applied rows have their changes in customer_import_changes. Fewer than the
  -- applied ones if an earlier release applied some of them: such an import cannot be undone.
  ADD COLUMN rows_recorded integer NOT NULL DEFAULT 0;
-- Deleting the changes of imports that can no longer be undone.
CREATE INDEX customer_imports_undo_until ON customer_imports (undo_until)
  WHERE undo_until IS NOT NULL;

-- The versions of a record before and after an import changed it.
CREATE TABLE customer_import_changes (
  company_id uuid NOT NULL,
  import_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  -- 0: the import added the record.
  version_before integer NOT NULL CHECK (version_before >= 0),
  -- The record has another one if it has changed since. NULL if it changed between two steps of the
  -- import.
  version_after integer,
  -- The order of the last changes: an undo goes back from the last one.
  position integer NOT NULL,
  PRIMARY KEY (company_id, import_id, customer_id),
  FOREIGN KEY (company_id, import_id) REFERENCES customer_imports (company_id, id)
    ON DELETE CASCADE
);
