-- Invoices. See 0003 for which checks the database makes at each insert.

CREATE TABLE invoices (
  -- Without a foreign key: the writer holds the company's lock, and companies are never deleted.
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  submission_id uuid NOT NULL,
  number bigint NOT NULL CHECK (number > 0),
  number_prefix text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status = 'open'),
  customer_name text NOT NULL,
  customer_key text COLLATE "C" NOT NULL,
  date date NOT NULL CHECK (date BETWEEN '1900-01-01' AND '2100-12-31'),
  currency char(3) NOT NULL,
  total numeric(15,4) NOT NULL CHECK (total BETWEEN 0 AND 99999999999.99),
  reference text COLLATE "C",
  -- The invoice's whole JSON, with its lines. It never changes, so reading it is a copy of one
  -- column. As text: json is converted to text at each read, which made a list of 50 take 40 %
  -- longer.
  body text NOT NULL,
  -- NULL if every line moves stock. Otherwise a list with text.matchKey(name) of each line that
  -- moves none, and null for the others.
  name_keys json,
  created_at timestamptz NOT NULL,
  -- As in adjustments.
  created_by json,
  PRIMARY KEY (company_id, id),
  CONSTRAINT invoices_number_unique UNIQUE (company_id, number),
  CONSTRAINT invoices_text_check CHECK (customer_name <> '' AND customer_key <> '')
);
-- The list's order: by date, then by creation, which is the order of numbers.
CREATE INDEX invoices_list ON invoices (company_id, date DESC, number DESC);
-- The list's filters, in its order.
CREATE INDEX invoices_customer ON invoices (company_id, customer_key, date DESC, number DESC);
CREATE INDEX invoices_reference ON invoices (company_id, reference, date DESC, number DESC)
  WHERE reference IS NOT NULL;

-- The lines in the JSON, one row per line.
CREATE VIEW invoice_lines AS
SELECT i.company_id,
  i.id AS invoice_id,
  line.position::smallint AS position,
  -- NULL: a line that moves no stock.
  line."itemId" AS item_id,
  -- The monthly figures group lines by this: the item's id, or "name:" and text.matchKey(name).
  COALESCE(
    line."itemId"::text,
    'name:' || (i.name_keys ->> (line.position - 1)::int)
  ) COLLATE "C" AS item_key,
  line.name, line.sku,
  line.qty, line.price,
  -- qty × price, rounded half up to the currency's minor unit.
  line.amount
FROM invoices i,
  ROWS FROM (
    json_to_recordset(i.body::json -> 'items') AS (
      name text, sku text, qty numeric, price numeric, amount numeric, "itemId" uuid
    )
  ) WITH ORDINALITY AS line (name, sku, qty, price, amount, "itemId", position);

-- An issued invoice never changes, except for what write_correction applies to its JSON. Triggers
-- run in the order of their names, so these compare the JSON before write_correction changes it.
CREATE TRIGGER append_only_delete BEFORE DELETE ON invoices FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_update BEFORE UPDATE ON invoices FOR EACH ROW
  WHEN (
    (
      OLD.company_id, OLD.id, OLD.submission_id, OLD.number, OLD.number_prefix,
      OLD.date, OLD.currency, OLD.total, OLD.created_at, OLD.body, OLD.name_keys::text,
      OLD.created_by::text
    ) IS DISTINCT FROM (
      NEW.company_id, NEW.id, NEW.submission_id, NEW.number, NEW.number_prefix,
      NEW.date, NEW.currency, NEW.total, NEW.created_at, NEW.body, NEW.name_keys::text,
      NEW.created_by::text
    )
  )
  EXECUTE FUNCTION refuse_change();
-- The monthly figures count an invoice's customer by the key it was issued with. The spelling may
-- be corrected.
CREATE TRIGGER append_only_customer BEFORE UPDATE OF customer_key ON invoices FOR EACH ROW
  WHEN (OLD.customer_key <> NEW.customer_key)
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON invoices EXECUTE FUNCTION refuse_change();

-- A customer's spelling and the reference may be corrected, in the JSON too. The other fields' text
-- stays the same.
CREATE FUNCTION write_correction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.body := (
    SELECT '{' || string_agg(
      to_json(field.key)::text || ':' || COALESCE(
        CASE field.key
          WHEN 'customerName' THEN to_json(NEW.customer_name)
          WHEN 'reference' THEN to_json(NEW.reference)
          ELSE field.value
        END::text,
        'null'),
      ',' ORDER BY field.place) || '}'
    FROM json_each(NEW.body::json) WITH ORDINALITY AS field (key, value, place)
  );
  RETURN NEW;
END $$;
CREATE TRIGGER write_correction BEFORE UPDATE ON invoices FOR EACH ROW
  WHEN (OLD.customer_name <> NEW.customer_name OR OLD.reference IS DISTINCT FROM NEW.reference)
  EXECUTE FUNCTION write_correction();

CREATE FUNCTION refuse_setting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN refuse(
    'a counter does not go back, and the currency is fixed once there is an invoice', NEW.id);
END $$;
CREATE TRIGGER fixed_settings BEFORE UPDATE ON companies FOR EACH ROW
  WHEN (
    NEW.next_invoice_number < OLD.next_invoice_number
    OR NEW.stock_version < OLD.stock_version
    OR NEW.currency <> OLD.currency AND OLD.next_invoice_number > 1
  )
  EXECUTE FUNCTION refuse_setting();
