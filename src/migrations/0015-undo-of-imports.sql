-- Undoing an import within a day, as long as none of its items has changed since; and columns that
-- a user chose.

-- The import that this adjustment applied rows of, or undid. Without a foreign key: the import is
-- deleted after its retention.
ALTER TABLE adjustments ADD COLUMN import_id uuid;

-- step: concurrently
-- The adjustments that an undo reverses, last one first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS adjustments_import
  ON adjustments (company_id, import_id, stock_version, id)
  WHERE import_id IS NOT NULL;

-- step: once
ALTER TABLE imports
  -- The number of the column of each field, from 0, as the user chose them. NULL: by the headings.
  ADD COLUMN columns json,
  -- The undo, once a user asked for it. queued: the status is queued, too, and a worker undoes the
  -- import instead of applying rows. refused: an item has changed since. failed: given up after
  -- several system failures.
  ADD COLUMN undo text CHECK (undo IN ('queued', 'done', 'refused', 'failed')),
  -- The user who asked for it.
  ADD COLUMN undo_by uuid,
  -- The first items that have changed, with the reason, and the number of all of them.
  ADD COLUMN undo_refusal json,
  -- The end of the time in which the import can be undone. NULL: it cannot be undone.
  ADD COLUMN undo_until timestamptz,
  -- How many of the applied rows have their changes in import_changes. Fewer than rows_done if an
  -- earlier release applied some of them: such an import cannot be undone.
  ADD COLUMN rows_recorded integer NOT NULL DEFAULT 0;
-- Deleting the changes of imports that can no longer be undone.
CREATE INDEX imports_undo_until ON imports (undo_until) WHERE undo_until IS NOT NULL;

-- An item as it was before an import changed it. Stock is in the import's movements.
CREATE TABLE import_changes (
  company_id uuid NOT NULL,
  import_id uuid NOT NULL,
  item_id uuid NOT NULL,
  -- The import created the item, which had no details before.
  created boolean NOT NULL,
  reorder_point numeric(15,4),
  unit_cost numeric(15,4),
  unit_price numeric(15,4),
  unit text,
  -- items.updated_at after the import. The item has another one if it has changed since. -infinity
  -- if it changed between two steps of the import.
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, import_id, item_id),
  FOREIGN KEY (company_id, import_id) REFERENCES imports (company_id, id) ON DELETE CASCADE
);
