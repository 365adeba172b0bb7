-- Texts are compared without Unicode's default-ignorable characters (values/text.ts), and codes are
-- stored without them. Recomputes the keys and codes of rows that have any.
--
-- Where two rows would then have one key, both keep theirs: kept_keys lists them, and text.ts folds
-- these texts as before. Nothing is merged. `npm run admin -- texts conflicts` prints the list.
--
-- The lines of invoices keep their keys: an old line that moved no stock must not look as if it
-- named an item. A U+FEFF inside a text was folded to a space, so such a row also keeps its key.

CREATE TABLE kept_keys (
  company_id uuid NOT NULL REFERENCES companies,
  kind text NOT NULL CHECK (kind IN (
    'itemName', 'itemSku', 'customerName', 'customerNumber', 'customerExternalId',
    'payment', 'refund', 'user'
  )),
  -- The row: an item, a customer's record, an entry or a user.
  id uuid NOT NULL,
  -- The key or code that the row keeps.
  key text COLLATE "C" NOT NULL,
  -- The one that it would have. Equal to the key: it is kept only because it had a U+FEFF.
  folded text COLLATE "C" NOT NULL,
  PRIMARY KEY (company_id, kind, id, key)
);

-- The companies whose invoices and entries are done.
CREATE TABLE refolded_companies (
  company_id uuid PRIMARY KEY
);

CREATE FUNCTION has_invisible(value text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT octet_length(value) > char_length(value) AND value ~
    ('[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E'
      '\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3'
      '\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]')
$$;
CREATE FUNCTION without_invisible(value text)
  RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(value,
    '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E'
      '\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3'
      '\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]+',
    '', 'g')
$$;
-- The present key of a text, from its former one.
CREATE FUNCTION refolded(key text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(normalize(without_invisible(key), NFKC), ' +', ' ', 'g'))
$$;
-- The present form of a code.
CREATE FUNCTION clean_code(code text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(normalize(without_invisible(code), NFC))
$$;
-- Whether a key or code changes. One without any visible character stays as it is.
CREATE FUNCTION is_refolded(key text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT has_invisible(key) AND refolded(key) <> ''
    AND NOT EXISTS (SELECT FROM kept_keys k WHERE k.key = $1)
$$;

-- Adds the keys that coincide with others to kept_keys.
CREATE FUNCTION keep_coinciding_keys() RETURNS void LANGUAGE sql AS $$
  WITH hidden AS MATERIALIZED (
    SELECT 'itemName' AS kind, company_id, id, name_key AS key, refolded(name_key) AS folded
    FROM items
    WHERE NOT archived AND has_invisible(name_key)
    UNION ALL
    SELECT 'itemSku', company_id, id, sku_key, refolded(sku_key)
    FROM items
    WHERE NOT archived AND has_invisible(sku_key)
    UNION ALL
    SELECT DISTINCT ON (company_id, name_key)
      'customerName', company_id, customer_id, name_key, refolded(name_key)
    FROM customer_name_versions
    WHERE has_invisible(name_key) AND customer_id IS NOT NULL
    UNION ALL
    SELECT 'customerNumber', company_id, id, number_key, refolded(number_key)
    FROM customers
    WHERE has_invisible(number_key)
    UNION ALL
    SELECT 'customerExternalId', company_id, id, external_id, clean_code(external_id)
    FROM customers
    WHERE has_invisible(external_id)
    UNION ALL
    SELECT type, company_id, id, external_id, clean_code(external_id)
    FROM entries
    WHERE external_id IS NOT NULL AND has_invisible(external_id)
    UNION ALL
    SELECT 'user', company_id, id, email, clean_code(email)
    FROM users
    WHERE has_invisible(email)
  )
  INSERT INTO kept_keys (kind, company_id, id, key, folded)
  SELECT h.kind, h.company_id, h.id, h.key, h.folded
  FROM hidden h
  WHERE h.folded <> ''
    AND (
      EXISTS (
        SELECT
        FROM hidden o
        WHERE o.kind = h.kind AND o.company_id = h.company_id AND o.folded = h.folded
          AND o.key <> h.key
      )
      OR CASE h.kind
        WHEN 'itemName' THEN EXISTS (
          SELECT
          FROM item_keys o
          WHERE o.company_id = h.company_id AND o.name_key = h.folded AND NOT o.archived
            AND o.item_id <> h.id
        )
        WHEN 'itemSku' THEN EXISTS (
          SELECT
          FROM items o
          WHERE o.company_id = h.company_id AND o.sku_key = h.folded AND NOT o.archived
            AND o.id <> h.id
        )
        WHEN 'customerName' THEN EXISTS (
          SELECT
          FROM customer_name_versions o
          WHERE o.company_id = h.company_id AND o.name_key = h.folded
        )
        WHEN 'customerNumber' THEN EXISTS (
          SELECT FROM customers o WHERE o.company_id = h.company_id AND o.number_key = h.folded
        )
        WHEN 'customerExternalId' THEN EXISTS (
          SELECT FROM customers o WHERE o.company_id = h.company_id AND o.external_id = h.folded
        )
        WHEN 'user' THEN EXISTS (SELECT FROM users o WHERE lower(o.email) = lower(h.folded))
        ELSE EXISTS (
          SELECT
          FROM entries o
          WHERE o.company_id = h.company_id AND o.type = h.kind AND o.external_id = h.folded
        )
      END
    )
  UNION ALL
  SELECT f.kind, f.company_id, f.id, f.key, f.key
  FROM (
    SELECT 'itemName' AS kind, company_id, id, name AS typed, name_key AS key FROM items
    UNION ALL
    SELECT 'itemSku', company_id, id, sku, sku_key FROM items
    UNION ALL
    SELECT 'customerName', company_id, id, name, name_key FROM customers
    UNION ALL
    SELECT 'customerNumber', company_id, id, number, number_key FROM customers
  ) f
  WHERE NOT has_invisible(f.key) AND f.typed LIKE '%' || U&'\FEFF' || '%'
    AND f.typed ~ '[^\s\uFEFF].*\uFEFF.*[^\s\uFEFF]'
  ON CONFLICT DO NOTHING
$$;

-- Changes some keys of items. Returns the items.
CREATE FUNCTION refold_items(rows_max integer) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
DECLARE
  found record;
BEGIN
  FOR found IN
    SELECT k.company_id, k.item_id, k.name_key AS key, k.archived, refolded(k.name_key) AS folded
    FROM item_keys k
    WHERE has_invisible(k.name_key) AND is_refolded(k.name_key)
    ORDER BY 1, 2
    LIMIT rows_max
  LOOP
    PERFORM FROM companies WHERE id = found.company_id FOR NO KEY UPDATE;
    DELETE FROM item_keys
    WHERE company_id = found.company_id AND item_id = found.item_id AND name_key = found.key;
    -- Lines from now on match it; 0 stands for the next invoice. A former name may be taken.
    INSERT INTO item_keys (company_id, item_id, name_key, archived, matches_from)
    VALUES (found.company_id, found.item_id, found.folded, found.archived, 0)
    ON CONFLICT DO NOTHING;
    UPDATE items
    SET name_key = found.folded
    WHERE company_id = found.company_id AND id = found.item_id AND name_key = found.key;
    RETURN NEXT found.item_id;
  END LOOP;
  FOR found IN
    SELECT i.company_id, i.id, i.sku_key AS key
    FROM items i
    WHERE has_invisible(i.sku_key) AND is_refolded(i.sku_key)
    ORDER BY 1, 2
    LIMIT rows_max
  LOOP
    PERFORM FROM companies WHERE id = found.company_id FOR NO KEY UPDATE;
    UPDATE items
    SET sku_key = refolded(found.key)
    WHERE company_id = found.company_id AND id = found.id;
    RETURN NEXT found.id;
  END LOOP;
END $$;

-- Changes some keys of customers' records. Returns the companies. A record keeps its former key as
-- well until no invoice or entry has it, so everything that has either key belongs to it.
CREATE FUNCTION refold_records(rows_max integer) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
DECLARE
  found record;
BEGIN
  PERFORM set_config('tradepost.refolds', 'on', true);
  FOR found IN
    SELECT DISTINCT v.company_id, v.name_key AS key, refolded(v.name_key) AS folded
    FROM customer_name_versions v
    WHERE has_invisible(v.name_key) AND is_refolded(v.name_key)
    ORDER BY 1
    LIMIT rows_max
  LOOP
    UPDATE companies
    SET customers_version = customers_version + 1
    WHERE id = found.company_id;
    UPDATE customer_name_versions
    SET name_key = found.folded
    WHERE company_id = found.company_id AND name_key = found.key;
    UPDATE customers
    SET name_key = found.folded
    WHERE company_id = found.company_id AND name_key = found.key;
    INSERT INTO customer_names (company_id, name_key, customer_id)
    SELECT company_id, found.folded, customer_id
    FROM customer_names
    WHERE company_id = found.company_id AND name_key = found.key
    ON CONFLICT DO NOTHING;
    RETURN NEXT found.company_id;
  END LOOP;
  FOR found IN
    SELECT c.company_id, c.id
    FROM customers c
    WHERE has_invisible(c.number_key) AND is_refolded(c.number_key)
      OR has_invisible(c.external_id) AND is_refolded(c.external_id)
      OR has_invisible(c.search_key) AND refolded(c.search_key) <> c.search_key
        AND EXISTS (
          SELECT
          FROM unnest(string_to_array(c.search_key, E'\n')) AS line
          WHERE has_invisible(line) AND refolded(line) <> ''
        )
    ORDER BY 1
    LIMIT rows_max
  LOOP
    PERFORM FROM companies WHERE id = found.company_id FOR NO KEY UPDATE;
    UPDATE customers c
    SET number_key = CASE
        WHEN is_refolded(c.number_key) THEN refolded(c.number_key) ELSE c.number_key
      END,
      external_id = CASE
        WHEN is_refolded(c.external_id) THEN clean_code(c.external_id) ELSE c.external_id
      END,
      search_key = (
        SELECT string_agg(
          COALESCE(NULLIF(btrim(regexp_replace(clean_code(line), ' +', ' ', 'g')), ''), line),
          E'\n' ORDER BY place)
        FROM unnest(string_to_array(c.search_key, E'\n')) WITH ORDINALITY AS t (line, place)
      )
    WHERE c.company_id = found.company_id AND c.id = found.id;
    RETURN NEXT found.company_id;
  END LOOP;
END $$;

-- Changes some external ids of transfers, also in their JSON. Returns the entries.
CREATE FUNCTION clean_transfers(rows_max integer) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
DECLARE
  found record;
  former text;
  present text;
BEGIN
  PERFORM set_config('tradepost.refolds', 'on', true);
  FOR found IN
    SELECT e.company_id, e.id, e.external_id AS code
    FROM entries e
    WHERE e.external_id IS NOT NULL AND has_invisible(e.external_id)
      AND is_refolded(e.external_id)
    ORDER BY 1
    LIMIT rows_max
  LOOP
    PERFORM FROM companies WHERE id = found.company_id FOR NO KEY UPDATE;
    former := '"externalId":' || to_json(found.code)::text;
    present := '"externalId":' || to_json(clean_code(found.code))::text;
    UPDATE entries
    SET external_id = CASE WHEN id = found.id THEN clean_code(external_id) ELSE external_id END,
      body = replace(body, former, present),
      first_body = replace(first_body, former, present)
    WHERE company_id = found.company_id AND (id = found.id OR source_id = found.id);
    RETURN NEXT found.id;
  END LOOP;
END $$;

-- The first customer's key of a company's invoices and entries that changes. Looks each key up.
CREATE FUNCTION first_former_customer(company uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  key text := '';
  entry_type text;
BEGIN
  LOOP
    SELECT i.customer_key INTO key
    FROM invoices i
    WHERE i.company_id = company AND i.customer_key > key
    ORDER BY i.customer_key
    LIMIT 1;
    EXIT WHEN key IS NULL;
    IF has_invisible(key) AND is_refolded(key) THEN
      RETURN key;
    END IF;
  END LOOP;
  FOREACH entry_type IN ARRAY ARRAY['payment', 'creditNote', 'refund'] LOOP
    key := '';
    LOOP
      SELECT e.customer_key INTO key
      FROM entries e
      WHERE e.company_id = company AND e.type = entry_type AND e.customer_key > key
        AND e.type IN ('payment', 'refund', 'creditNote')
      ORDER BY e.customer_key
      LIMIT 1;
      EXIT WHEN key IS NULL;
      IF has_invisible(key) AND is_refolded(key) THEN
        RETURN key;
      END IF;
    END LOOP;
  END LOOP;
  RETURN NULL;
END $$;

-- Changes the customer's key of some invoices and entries of one company.
CREATE FUNCTION refold_documents(company uuid, former text, rows_max integer)
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  present text := refolded(former);
  numbers bigint[];
  ids uuid[];
  sources uuid[];
  owed numeric;
  unallocated_money numeric;
BEGIN
  PERFORM FROM companies WHERE id = company FOR NO KEY UPDATE;
  PERFORM FROM summaries WHERE company_id = company FOR UPDATE;
  PERFORM set_config('tradepost.refolds', 'on', true);
  SELECT array_agg(i.number), array_agg(i.id),
    COALESCE(sum(i.total - i.paid - i.credited) FILTER (WHERE i.status = 'open'), 0)
  INTO numbers, ids, owed
  FROM (
    SELECT *
    FROM invoices
    WHERE company_id = company AND customer_key = former
    ORDER BY date, number
    LIMIT rows_max
  ) i;
  UPDATE invoices SET customer_key = present
  WHERE company_id = company AND number = ANY(numbers);
  UPDATE allocations SET customer_key = present
  WHERE company_id = company AND invoice_id = ANY(ids);
  UPDATE invoice_dues SET customer_key = present
  WHERE company_id = company AND customer_key = former AND number = ANY(numbers);
  SELECT array_agg(e.id), COALESCE(sum(e.unallocated), 0)
  INTO sources, unallocated_money
  FROM (
    SELECT *
    FROM entries
    WHERE company_id = company AND customer_key = former
      AND type IN ('payment', 'refund', 'creditNote')
    LIMIT rows_max
  ) e;
  UPDATE entries SET customer_key = present
  WHERE company_id = company AND customer_key = former
    AND (id = ANY(sources) OR source_id = ANY(sources));
  -- The exposures of the records that the former and the present key belong to, unless it is one.
  UPDATE customer_exposures x
  SET exposure = exposure
    + (owed - unallocated_money) * CASE n.name_key WHEN present THEN 1 ELSE -1 END
  FROM customer_names n
  WHERE n.company_id = company AND n.name_key IN (former, present)
    AND x.company_id = company AND x.customer_id = n.customer_id
    AND NOT EXISTS (
      SELECT
      FROM customer_names o
      WHERE o.company_id = company AND o.name_key IN (former, present)
        AND o.name_key <> n.name_key AND o.customer_id = n.customer_id
    );
END $$;

-- Moves the monthly figures of a customer's former key to the present one, once no document has it.
CREATE FUNCTION refold_totals(company uuid, former text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO customer_totals AS t (company_id, month, customer_key, name, count, total)
  SELECT company_id, month, refolded(former), name, count, total
  FROM customer_totals
  WHERE company_id = company AND customer_key = former
  ON CONFLICT (company_id, month, customer_key) DO UPDATE
    SET count = t.count + excluded.count,
      total = t.total + excluded.total;
  DELETE FROM customer_totals WHERE company_id = company AND customer_key = former;
  UPDATE monthly_tops t
  SET customers = ARRAY(
    SELECT r.customer_key
    FROM customer_totals r
    WHERE r.company_id = company AND r.month = t.month AND r.total > 0 AND r.count > 0
    ORDER BY r.total DESC, r.customer_key
    LIMIT 5
  )
  WHERE t.company_id = company AND t.month IN (
    SELECT month FROM customer_totals WHERE company_id = company AND customer_key = refolded(former)
  );
  UPDATE summaries
  SET day = NULL, currency = NULL, time_zone = NULL, body = NULL, computed_at = NULL
  WHERE company_id = company;
  DELETE FROM customer_names
  WHERE company_id = company AND name_key = former
    AND EXISTS (
      SELECT FROM customer_names WHERE company_id = company AND name_key = refolded(former)
    );
END $$;

-- Changes the customers' keys of about `rows_max` invoices and entries, or finishes some companies
-- without any. Returns the companies.
CREATE FUNCTION refold_companies(rows_max integer) RETURNS SETOF uuid LANGUAGE plpgsql
  SET enable_seqscan = off SET jit = off
AS $$
DECLARE
  company record;
  former text;
BEGIN
  FOR company IN
    SELECT c.id
    FROM companies c
    WHERE c.id > COALESCE(
      (SELECT company_id FROM refolded_companies ORDER BY company_id DESC LIMIT 1),
      '00000000-0000-0000-0000-000000000000')
    ORDER BY c.id
    LIMIT 200
  LOOP
    RETURN NEXT company.id;
    former := first_former_customer(company.id);
    IF former IS NOT NULL THEN
      PERFORM refold_documents(company.id, former, rows_max);
      RETURN;
    END IF;
    PERFORM refold_totals(company.id, keys.key)
    FROM (
      SELECT name_key AS key
      FROM customer_names
      WHERE company_id = company.id AND has_invisible(name_key)
      UNION
      SELECT customer_key
      FROM customer_totals
      WHERE company_id = company.id AND has_invisible(customer_key)
    ) keys
    WHERE is_refolded(keys.key);
    -- The texts of searches are stored again.
    IF EXISTS (SELECT FROM search_texts WHERE company_id = company.id AND has_invisible(lines)) THEN
      DELETE FROM search_texts WHERE company_id = company.id;
      UPDATE summaries
      SET searchable_number = 0, searchable_sequence = 0
      WHERE company_id = company.id;
    END IF;
    INSERT INTO refolded_companies VALUES (company.id);
  END LOOP;
END $$;

-- step: once
-- Keys that never change otherwise may change while a function of this file says so.
DROP TRIGGER append_only_customer ON invoices;
CREATE TRIGGER append_only_customer BEFORE UPDATE OF customer_key ON invoices FOR EACH ROW
  WHEN (
    OLD.customer_key <> NEW.customer_key
    AND current_setting('tradepost.refolds', true) IS DISTINCT FROM 'on'
  )
  EXECUTE FUNCTION refuse_change();

-- step: once
DROP TRIGGER append_only ON allocations;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON allocations FOR EACH ROW
  WHEN (current_setting('tradepost.refolds', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION refuse_change();

-- step: once
DROP TRIGGER append_only ON customer_name_versions;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON customer_name_versions FOR EACH ROW
  WHEN (current_setting('tradepost.refolds', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION refuse_change();

-- step: once
-- As in 0024, unless a function of this file says so.
DROP TRIGGER append_only_update ON entries;
CREATE TRIGGER append_only_update BEFORE UPDATE ON entries FOR EACH ROW
  WHEN (
    (
      OLD.source_id IS NOT NULL
      OR OLD.reversed
      OR OLD.first_body IS NOT NULL AND NEW.first_body IS DISTINCT FROM OLD.first_body
      OR (
        OLD.company_id, OLD.id, OLD.submission_id, OLD.sequence, OLD.type, OLD.date, OLD.currency,
        OLD.customer_name, OLD.customer_key, OLD.amount, OLD.source_id,
        OLD.invoice_id, OLD.number, OLD.number_prefix, OLD.subtotal, OLD.tax_total,
        OLD.method, OLD.reference, OLD.external_id, OLD.note, OLD.reason, OLD.explanation,
        OLD.created_at, OLD.created_by::text, OLD.credited_lines::text, OLD.effective_date
      ) IS DISTINCT FROM (
        NEW.company_id, NEW.id, NEW.submission_id, NEW.sequence, NEW.type, NEW.date, NEW.currency,
        NEW.customer_name, NEW.customer_key, NEW.amount, NEW.source_id,
        NEW.invoice_id, NEW.number, NEW.number_prefix, NEW.subtotal, NEW.tax_total,
        NEW.method, NEW.reference, NEW.external_id, NEW.note, NEW.reason, NEW.explanation,
        NEW.created_at, NEW.created_by::text, NEW.credited_lines::text, NEW.effective_date
      )
    )
    AND current_setting('tradepost.refolds', true) IS DISTINCT FROM 'on'
  )
  EXECUTE FUNCTION refuse_change();

-- step: once
SELECT keep_coinciding_keys();

-- step: repeat
SELECT refold_items(500);

-- step: repeat
SELECT refold_records(500);

-- step: repeat
SELECT clean_transfers(500);

-- step: repeat
SELECT refold_companies(1000);

-- step: repeat
UPDATE users SET email = clean_code(email)
WHERE (company_id, id) IN (
  SELECT company_id, id FROM users WHERE is_refolded(email) LIMIT 1000
);

-- step: repeat
UPDATE invitations SET email = clean_code(email)
WHERE (company_id, id) IN (
  SELECT company_id, id FROM invitations WHERE is_refolded(email) LIMIT 1000
);

-- step: once
-- The rows of imports that wait.
UPDATE import_rows
SET name_key = CASE WHEN is_refolded(name_key) THEN refolded(name_key) ELSE name_key END,
  sku_key = CASE WHEN is_refolded(sku_key) THEN refolded(sku_key) ELSE sku_key END
WHERE entry IS NOT NULL AND (is_refolded(name_key) OR is_refolded(sku_key));
UPDATE customer_import_rows
SET name_key = CASE WHEN is_refolded(name_key) THEN refolded(name_key) ELSE name_key END,
  number_key = CASE WHEN is_refolded(number_key) THEN refolded(number_key) ELSE number_key END,
  external_id = CASE WHEN is_refolded(external_id) THEN clean_code(external_id) ELSE external_id END
WHERE entry IS NOT NULL
  AND (is_refolded(name_key) OR is_refolded(number_key) OR is_refolded(external_id));

-- step: once
-- Keys that came to coincide while the steps before ran.
SELECT keep_coinciding_keys();

-- step: once
DROP FUNCTION refold_companies(integer);
DROP FUNCTION refold_totals(uuid, text);
DROP FUNCTION refold_documents(uuid, text, integer);
DROP FUNCTION first_former_customer(uuid);
DROP FUNCTION clean_transfers(integer);
DROP FUNCTION refold_records(integer);
DROP FUNCTION refold_items(integer);
DROP FUNCTION keep_coinciding_keys();
DROP FUNCTION is_refolded(text);
DROP FUNCTION clean_code(text);
DROP FUNCTION refolded(text);
DROP FUNCTION without_invisible(text);
DROP FUNCTION has_invisible(text);
DROP TABLE refolded_companies;
