-- Lists that are asked for what has changed, and searches by all words of a text.

-- step: once
-- Set by whatever changes an item but its stock, which leaves a movement. NULL: not since then. No
-- change of stock changes it, so an index of it takes no HOT update away.
ALTER TABLE items ADD COLUMN edited_at timestamptz;
ALTER TABLE items ALTER COLUMN edited_at SET DEFAULT now();

-- step: once
CREATE FUNCTION stamp_edit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.edited_at := now();
  RETURN NEW;
END $$;
-- A trigger, because processes of the release before also edit items.
CREATE TRIGGER stamp_edit
  BEFORE UPDATE OF name, sku, unit, reorder_point, unit_cost, unit_price, archived
  ON items FOR EACH ROW
  EXECUTE FUNCTION stamp_edit();

-- step: once
-- The last invoice and entry with a text of the new kinds, like searchable_number and
-- searchable_sequence of 0013. Processes of the release before go on with those and the old kinds,
-- which a later release deletes.
ALTER TABLE summaries ADD COLUMN texts_number bigint NOT NULL DEFAULT 0;
ALTER TABLE summaries ADD COLUMN texts_sequence bigint NOT NULL DEFAULT 0;
ALTER TABLE search_texts DROP CONSTRAINT search_texts_kind_check;
ALTER TABLE search_texts ADD CONSTRAINT search_texts_kind_check CHECK (
  kind IN (
    -- The texts begin with the customer's match key, and have all numbers and references.
    'invoices', 'payments', 'creditNotes', 'refunds',
    -- Those of 0013.
    'invoice', 'payment', 'creditNote'
  )
) NOT VALID;

-- step: once
ALTER TABLE search_texts VALIDATE CONSTRAINT search_texts_kind_check;

-- step: concurrently
-- The records whose search key is of an earlier release: it has no second part, which follows an
-- empty line. The scheduler writes their keys again.
CREATE INDEX CONCURRENTLY IF NOT EXISTS customers_former_search_key ON customers (company_id, id)
  WHERE strpos(search_key, E'\n\n') = 0;

-- step: concurrently
-- The items that were edited since a time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS items_edited ON items (company_id, edited_at)
  WHERE edited_at IS NOT NULL;
-- The records that were changed since a time. No invoice and no entry changes a record.
CREATE INDEX CONCURRENTLY IF NOT EXISTS customers_updated ON customers (company_id, updated_at);
