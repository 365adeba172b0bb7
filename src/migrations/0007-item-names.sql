-- The names and SKUs that lines and entries match. All of them change under the lock of the
-- company's row, so the numbers of invoices tell when an item had a name.

-- Counts the transactions that changed what a name or SKU of the company means. A batch resolves
-- names before it locks the company's row, and resolves them again if this has changed since.
ALTER TABLE companies ADD COLUMN names_version bigint NOT NULL DEFAULT 0;

-- Lines of invoices with this number and later ones match the key. Of a key that passes from one
-- item to another: since the first of them had it.
ALTER TABLE item_keys ADD COLUMN matches_from bigint NOT NULL DEFAULT 1;
-- Lines of invoices with this number and later ones no longer match the key: its item is archived.
ALTER TABLE item_keys ADD COLUMN matches_until bigint;
-- When a name was given to an existing item is unknown, so only later invoices are checked.
UPDATE item_keys k
SET matches_from = c.next_invoice_number,
  matches_until = CASE WHEN k.archived THEN c.next_invoice_number END
FROM companies c
WHERE c.id = k.company_id;
ALTER TABLE item_keys
  ADD CONSTRAINT item_keys_archived CHECK (archived = (matches_until IS NOT NULL));

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
DROP INDEX items_sku_unique;
CREATE UNIQUE INDEX items_sku_unique ON items (company_id, sku_key) WHERE NOT archived;
ALTER TABLE items
  ADD CONSTRAINT items_sku_key CHECK ((sku IS NULL) = (sku_key IS NULL) AND sku_key <> '');

-- text.matchKey of the entry's SKU. Rows of open previews have it nearly: an import reads the SKU
-- from the entry.
ALTER TABLE import_rows RENAME COLUMN sku TO sku_key;
UPDATE import_rows SET sku_key = lower(sku_key) WHERE sku_key IS NOT NULL;
