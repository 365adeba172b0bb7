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
-- A trigger, because processes of the release before edit items, too.
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

-- step: once
-- The text in which searches look for a record's words: as searchKey of customers/record.ts, but
-- for rare letters, which the next change of a record folds. Its first part had no phone, contact
-- and city; the second part, after an empty line, is new.
CREATE FUNCTION folded_search_text(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT replace(
    translate(
      lower(normalize(
        regexp_replace(
          normalize(regexp_replace(btrim(value), '\s+', ' ', 'g'), NFKD),
          '[\u0300-\u036f]', '', 'g'),
        NFC)),
      'łøđı', 'lodi'),
    'ß', 'ss')
$$;

-- step: repeat
UPDATE customers c
SET search_key = c.search_key || concat(
  (
    SELECT string_agg(E'\n' || text, '')
    FROM (
      VALUES (regexp_replace(COALESCE(v.body::json ->> 'phone', ''), '\D', '', 'g')),
        (folded_search_text(v.body::json ->> 'contactName')),
        (folded_search_text(v.body::json #>> '{address,city}')),
        (folded_search_text(v.body::json #>> '{deliveryAddress,city}'))
    ) first_part (text)
    WHERE text <> ''
  ),
  E'\n\n',
  (
    SELECT string_agg(folded_search_text(text), E'\n')
    FROM (
      VALUES (v.body::json ->> 'legalName'), (v.body::json ->> 'externalId'),
        (v.body::json ->> 'registrationId'), (v.body::json ->> 'buyerReference'),
        (v.body::json #>> '{address,line1}'), (v.body::json #>> '{address,line2}'),
        (v.body::json #>> '{address,line3}'), (v.body::json #>> '{address,postalCode}'),
        (v.body::json #>> '{address,region}'), (v.body::json #>> '{deliveryAddress,line1}'),
        (v.body::json #>> '{deliveryAddress,line2}'), (v.body::json #>> '{deliveryAddress,line3}'),
        (v.body::json #>> '{deliveryAddress,postalCode}'),
        (v.body::json #>> '{deliveryAddress,region}')
    ) second_part (text)
    WHERE text <> ''
  )
)
FROM customer_versions v
WHERE v.company_id = c.company_id AND v.customer_id = c.id AND v.version = c.version
  AND (c.company_id, c.id) IN (
    SELECT company_id, id FROM customers WHERE strpos(search_key, E'\n\n') = 0 LIMIT 500
  );

-- step: once
DROP FUNCTION folded_search_text(text);

-- step: concurrently
-- The items that were edited since a time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS items_edited ON items (company_id, edited_at)
  WHERE edited_at IS NOT NULL;
-- The records that were changed since a time. No invoice and no entry changes a record.
CREATE INDEX CONCURRENTLY IF NOT EXISTS customers_updated ON customers (company_id, updated_at);
