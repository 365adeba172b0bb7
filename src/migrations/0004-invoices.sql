-- Invoices. See 0003 for which checks the database makes at each insert.

CREATE TABLE invoices (
  -- Without a foreign key: the writer holds the company's lock, and companies are never deleted.
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  submission_id uuid NOT NULL,
  number bigint NOT NULL CHECK (number > 0),
  number_prefix text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'paid', 'void')),
  customer_name text NOT NULL,
  customer_key text COLLATE "C" NOT NULL,
  date date NOT NULL CHECK (date BETWEEN '1900-01-01' AND '2100-12-31'),
  currency char(3) NOT NULL,
  total numeric(15,4) NOT NULL CHECK (total BETWEEN 0 AND 99999999999.99),
  reference text COLLATE "C",
  due_date date,
  -- The settlement: status and these three. The transaction of an entry changes them, and
  -- write_settlement the JSON with them; nothing else does. What is due is total - paid - credited.
  paid numeric(15,4) NOT NULL DEFAULT 0,
  credited numeric(15,4) NOT NULL DEFAULT 0,
  -- The date of the entry that brought what is due to 0.
  settled_on date,
  -- The invoice's whole JSON, with its lines, so reading it is a copy of one column. As text: json
  -- is converted to text at each read, which made a list of 50 take 40 % longer.
  body text NOT NULL,
  -- NULL if every line moves stock. Otherwise a list with text.matchKey(name) of each line that
  -- moves none, and null for the others.
  name_keys json,
  created_at timestamptz NOT NULL,
  -- As in adjustments.
  created_by json,
  PRIMARY KEY (company_id, id),
  CONSTRAINT invoices_number_unique UNIQUE (company_id, number),
  CONSTRAINT invoices_text_check CHECK (customer_name <> '' AND customer_key <> ''),
  CONSTRAINT invoices_due_date CHECK (due_date >= date),
  CONSTRAINT invoices_settlement CHECK (
    paid BETWEEN 0 AND total
    AND credited BETWEEN 0 AND total - paid
    AND CASE status
      WHEN 'open' THEN (paid + credited < total OR total = 0) AND settled_on IS NULL
      WHEN 'paid' THEN paid + credited = total AND total > 0 AND settled_on IS NOT NULL
      ELSE paid = 0 AND credited = total
    END
  )
);
-- The list's order: by date, then by creation, which is the order of numbers.
CREATE INDEX invoices_list ON invoices (company_id, date DESC, number DESC);
-- The list's filters, in its order.
CREATE INDEX invoices_customer ON invoices (company_id, customer_key, date DESC, number DESC);
CREATE INDEX invoices_reference ON invoices (company_id, reference, date DESC, number DESC)
  WHERE reference IS NOT NULL;
-- Open invoices in the list's order, however many others there are.
CREATE INDEX invoices_open ON invoices (company_id, date DESC, number DESC)
  WHERE status = 'open';

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
  -- qty × price, rounded half up to the currency's minor unit, less the line's discount. Net.
  line.amount
FROM invoices i,
  ROWS FROM (
    json_to_recordset(i.body::json -> 'items') AS (
      name text, sku text, qty numeric, price numeric, amount numeric, "itemId" uuid
    )
  ) WITH ORDINALITY AS line (name, sku, qty, price, amount, "itemId", position);

-- An issued invoice never changes, except for its settlement, and for what write_correction and
-- write_settlement apply to its JSON. Triggers run in the order of their names, so these compare
-- the JSON before those two change it.
CREATE TRIGGER append_only_delete BEFORE DELETE ON invoices FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_update BEFORE UPDATE ON invoices FOR EACH ROW
  WHEN (
    (
      OLD.company_id, OLD.id, OLD.submission_id, OLD.number, OLD.number_prefix,
      OLD.date, OLD.currency, OLD.total, OLD.created_at, OLD.body, OLD.name_keys::text,
      OLD.created_by::text, OLD.due_date
    ) IS DISTINCT FROM (
      NEW.company_id, NEW.id, NEW.submission_id, NEW.number, NEW.number_prefix,
      NEW.date, NEW.currency, NEW.total, NEW.created_at, NEW.body, NEW.name_keys::text,
      NEW.created_by::text, NEW.due_date
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

-- A void invoice is final.
CREATE TRIGGER append_only_void BEFORE UPDATE OF status, paid, credited, settled_on ON invoices
  FOR EACH ROW
  WHEN (
    OLD.status = 'void'
    AND (NEW.status, NEW.paid, NEW.credited, NEW.settled_on)
      IS DISTINCT FROM (OLD.status, OLD.paid, OLD.credited, OLD.settled_on)
  )
  EXECUTE FUNCTION refuse_change();

-- Writes a changed settlement into the JSON, as renderInvoice does: the status near its start, and
-- its last four members. JSON text escapes the quotes of a string, so both are found by their text.
CREATE FUNCTION write_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.body := regexp_replace(
      left(NEW.body, strpos(NEW.body, '"amountPaid":') - 1),
      '"status":"[a-z]+"',
      '"status":"' || NEW.status || '"')
    || '"amountPaid":' || trim_scale(NEW.paid)
    || ',"amountCredited":' || trim_scale(NEW.credited)
    || ',"amountDue":' || trim_scale(NEW.total - NEW.paid - NEW.credited)
    || ',"settledOn":' || COALESCE('"' || NEW.settled_on || '"', 'null') || '}';
  RETURN NEW;
END $$;
CREATE TRIGGER write_settlement BEFORE UPDATE OF status, paid, credited, settled_on ON invoices
  FOR EACH ROW
  WHEN (
    (NEW.status, NEW.paid, NEW.credited, NEW.settled_on)
      IS DISTINCT FROM (OLD.status, OLD.paid, OLD.credited, OLD.settled_on)
  )
  EXECUTE FUNCTION write_settlement();

CREATE FUNCTION refuse_setting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN refuse(
    'a counter does not go back, and the currency is fixed once there is an invoice or entry',
    NEW.id);
END $$;
CREATE TRIGGER fixed_settings BEFORE UPDATE ON companies FOR EACH ROW
  WHEN (
    NEW.next_invoice_number < OLD.next_invoice_number
    OR NEW.next_credit_note_number < OLD.next_credit_note_number
    OR NEW.next_entry_sequence < OLD.next_entry_sequence
    OR NEW.stock_version < OLD.stock_version
    OR NEW.currency <> OLD.currency
      AND (OLD.next_invoice_number > 1 OR OLD.next_entry_sequence > 1)
  )
  EXECUTE FUNCTION refuse_setting();
