-- As in 0007, for databases that had applied it without these triggers.

-- A process of an earlier release writes names without the new columns: 0 stands for a new name. It
-- takes the company's lock here, so the numbers are as exact as those of this release.
ALTER TABLE item_keys ALTER COLUMN matches_from SET DEFAULT 0;
CREATE OR REPLACE FUNCTION set_name_matches() RETURNS trigger LANGUAGE plpgsql AS $$
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
DROP TRIGGER IF EXISTS set_new_name_matches ON item_keys;
CREATE TRIGGER set_new_name_matches BEFORE INSERT ON item_keys FOR EACH ROW
  WHEN (NEW.matches_from = 0)
  EXECUTE FUNCTION set_name_matches();
DROP TRIGGER IF EXISTS set_name_matches ON item_keys;
CREATE TRIGGER set_name_matches BEFORE UPDATE ON item_keys FOR EACH ROW
  WHEN (NEW.archived <> (NEW.matches_until IS NOT NULL))
  EXECUTE FUNCTION set_name_matches();
