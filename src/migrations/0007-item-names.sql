-- The names and SKUs that lines and entries match. All of them change under the lock of the
-- company's row, so the numbers of invoices tell when an item had a name.

-- step: once
-- Counts the transactions that changed what a name or SKU of the company means. A batch resolves
-- names before it locks the company's row, and resolves them again if this has changed since.
ALTER TABLE companies ADD COLUMN names_version bigint NOT NULL DEFAULT 0;

-- step: once
-- Lines of invoices with this number and later ones match the key. Of a key that passes from one
-- item to another: since the first of them had it.
ALTER TABLE item_keys ADD COLUMN matches_from bigint NOT NULL DEFAULT 1;
-- Lines of invoices with this number and later ones no longer match the key: its item is archived.
ALTER TABLE item_keys ADD COLUMN matches_until bigint;
-- A process of an earlier release writes names without the new columns: 0 stands for a new name. It
-- takes the company's lock here, so the numbers are as exact as those of this release.
ALTER TABLE item_keys ALTER COLUMN matches_from SET DEFAULT 0;
CREATE FUNCTION set_name_matches() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE next_number bigint;
BEGIN
  -- Once per transaction, however many names it adds.
  UPDATE companies
  SET names_version = names_version + 1
  WHERE id = NEW.company_id AND xmin <> pg_current_xact_id()::xid;
  SELECT next_invoice_number INTO next_number FROM companies WHERE id = NEW.company_id;
  IF NOT NEW.archived OR NEW.matches_from = 0 THEN
    NEW.matches_from := next_number;
  END IF;
  NEW.matches_until := CASE WHEN NEW.archived THEN next_number END;
  RETURN NEW;
END $$;
CREATE TRIGGER set_new_name_matches BEFORE INSERT ON item_keys FOR EACH ROW
  WHEN (NEW.matches_from = 0)
  EXECUTE FUNCTION set_name_matches();
CREATE TRIGGER set_name_matches BEFORE UPDATE ON item_keys FOR EACH ROW
  WHEN (NEW.archived <> (NEW.matches_until IS NOT NULL))
  EXECUTE FUNCTION set_name_matches();

-- step: repeat
-- When a name was given to an existing item is unknown, so only later invoices are checked.
UPDATE item_keys k
SET matches_from = c.next_invoice_number,
  matches_until = CASE WHEN k.archived THEN c.next_invoice_number END
FROM companies c
WHERE c.id = k.company_id
  AND (k.company_id, k.item_id, k.name_key) IN (
    SELECT t.company_id, t.item_id, t.name_key
    FROM item_keys t
    JOIN companies company ON company.id = t.company_id
    WHERE t.matches_from = 1 AND company.next_invoice_number > 1
      OR t.archived AND t.matches_until IS NULL
    LIMIT 1000
  );

-- step: once
ALTER TABLE item_keys
  ADD CONSTRAINT item_keys_archived CHECK (archived = (matches_until IS NOT NULL)) NOT VALID;

-- step: once
ALTER TABLE item_keys VALIDATE CONSTRAINT item_keys_archived;

-- step: once
-- SKUs are compared like names: "ab-1" and "AB-1" are the same one.
DO $$
DECLARE same record;
BEGIN
  SELECT company_id, string_agg(sku, ', ' ORDER BY sku) AS skus INTO same
  FROM items
  WHERE sku IS NOT NULL AND NOT archived
  GROUP BY company_id, sku_key
  HAVING count(*) > 1
  LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION
      'company % has SKUs that differ only in case or spacing: %. Change one and migrate again.',
      same.company_id, same.skus;
  END IF;
END $$;

-- step: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS items_sku_key_unique ON items (company_id, sku_key)
  WHERE NOT archived;

-- step: once
DROP INDEX items_sku_unique;
ALTER INDEX items_sku_key_unique RENAME TO items_sku_unique;
ALTER TABLE items
  ADD CONSTRAINT items_sku_key CHECK ((sku IS NULL) = (sku_key IS NULL) AND sku_key <> '')
  NOT VALID;

-- step: once
ALTER TABLE items VALIDATE CONSTRAINT items_sku_key;

-- step: once
-- text.matchKey of the entry's SKU. Rows of open previews have it nearly: an import reads the SKU
-- from the entry.
ALTER TABLE import_rows RENAME COLUMN sku TO sku_key;

-- step: repeat
UPDATE import_rows r
SET sku_key = lower(r.sku_key)
WHERE (r.company_id, r.import_id, r.position) IN (
  SELECT t.company_id, t.import_id, t.position
  FROM import_rows t
  WHERE t.sku_key <> lower(t.sku_key)
  LIMIT 1000
);
