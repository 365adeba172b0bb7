-- Invoices and their lines, and the checks that need them. See 0003 for how the triggers are
-- written.

CREATE TABLE invoices (
  company_id uuid NOT NULL REFERENCES companies,
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
  -- The invoice's whole JSON. It never changes, so reading it is a copy of one column. As text:
  -- json is converted to text at each read, which made a list of 50 take 40 % longer.
  body text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id),
  CONSTRAINT invoices_number_unique UNIQUE (company_id, number),
  -- One submission makes one invoice, as with adjustments.
  CONSTRAINT invoices_submission_unique UNIQUE (company_id, submission_id),
  CONSTRAINT invoices_text_check CHECK (customer_name <> '' AND customer_key <> ''),
  -- JSON, and this invoice's. That it matches the row and its lines is left to verify.
  CONSTRAINT invoices_body_check CHECK ((body::json ->> 'id') IS NOT DISTINCT FROM id::text)
);
-- The list's order: by date, then by creation, which is the order of numbers.
CREATE INDEX invoices_list ON invoices (company_id, date DESC, number DESC);
-- The list's filters, in its order.
CREATE INDEX invoices_customer ON invoices (company_id, customer_key, date DESC, number DESC);
CREATE INDEX invoices_reference ON invoices (company_id, reference, date DESC, number DESC)
  WHERE reference IS NOT NULL;

CREATE TABLE invoice_lines (
  company_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  -- 1 for the first line. The upper bound is MAX_ITEMS in platform/http/validate.ts.
  position smallint NOT NULL CHECK (position BETWEEN 1 AND 250),
  -- NULL: a line that moves no stock.
  item_id uuid,
  -- The monthly figures group lines by this: the item's id, or "name:" and text.matchKey(name).
  item_key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  sku text,
  qty numeric(15,4) NOT NULL CHECK (qty BETWEEN 0.0001 AND 1000000),
  price numeric(15,4) NOT NULL CHECK (price BETWEEN 0 AND 999999999.9999),
  -- qty × price, rounded half up to the currency's minor unit.
  amount numeric(15,4) NOT NULL CHECK (amount BETWEEN 0 AND 99999999999.99),
  PRIMARY KEY (company_id, invoice_id, position),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id),
  FOREIGN KEY (company_id, item_id) REFERENCES items (company_id, id),
  -- Accepts 0, 2 or 3 decimal places. The currency's own are left to verify.
  CONSTRAINT invoice_lines_amount_rounded CHECK (
    amount = round(qty * price, 2)
    OR amount = round(qty * price)
    OR amount = round(qty * price, 3)
  ),
  CONSTRAINT invoice_lines_item_key_check CHECK
    (CASE WHEN item_id IS NULL THEN item_key LIKE 'name:%' ELSE item_key = item_id::text END)
);

ALTER TABLE movements ADD FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id);

-- An issued invoice never changes, except for what write_correction applies to its JSON. Triggers
-- run in the order of their names, so these compare the JSON before write_correction changes it.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON invoice_lines FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_delete BEFORE DELETE ON invoices FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_update BEFORE UPDATE ON invoices FOR EACH ROW
  WHEN (
    (
      OLD.company_id, OLD.id, OLD.submission_id, OLD.number, OLD.number_prefix,
      OLD.date, OLD.currency, OLD.total, OLD.created_at, OLD.body
    ) IS DISTINCT FROM (
      NEW.company_id, NEW.id, NEW.submission_id, NEW.number, NEW.number_prefix,
      NEW.date, NEW.currency, NEW.total, NEW.created_at, NEW.body
    )
  )
  EXECUTE FUNCTION refuse_change();
-- The monthly figures count an invoice's customer by the key it was issued with. The spelling may
-- be corrected.
CREATE TRIGGER append_only_customer BEFORE UPDATE OF customer_key ON invoices FOR EACH ROW
  WHEN (OLD.customer_key <> NEW.customer_key)
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON invoices EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON invoice_lines
  EXECUTE FUNCTION refuse_change();

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

-- The numbers of inserted invoices follow the existing ones without a gap and end at the counter. A
-- counter that is ahead is found at COMMIT, because a batch takes its numbers before it writes its
-- invoices.
--
-- Invoices are inserted in the statement that takes their numbers, so only here a change of the
-- company's currency is seen after amounts were rounded for the old one. That is a serialization
-- failure: a retry succeeds.
CREATE FUNCTION check_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offender record;
BEGIN
  SELECT batch.company_id,
    batch.lowest <> company.currency OR batch.highest <> company.currency AS has_other_currency
  INTO offender
  FROM (
      SELECT company_id,
        min(number) AS first, max(number) AS last, count(*) AS count,
        min(currency) AS lowest, max(currency) AS highest
      FROM added
      GROUP BY company_id
    ) batch,
    LATERAL (
      SELECT next_invoice_number, currency
      FROM companies
      WHERE id = batch.company_id
      LIMIT 1
    ) company
  WHERE batch.last <> company.next_invoice_number - 1
    OR batch.count <> batch.last - batch.first + 1
    OR batch.lowest <> company.currency
    OR batch.highest <> company.currency
    OR batch.first > 1 AND NOT EXISTS (
      SELECT FROM invoices invoice
      WHERE invoice.company_id = batch.company_id AND invoice.number = batch.first - 1
      OFFSET 0
    )
  LIMIT 1;
  IF FOUND AND offender.has_other_currency THEN
    RAISE EXCEPTION 'invoices are not in their company''s currency: %', offender.company_id
      USING ERRCODE = 'serialization_failure';
  ELSIF FOUND THEN
    PERFORM refuse('invoices do not have their company''s next numbers', offender.company_id);
  END IF;
  SELECT invoice.id INTO offender
  FROM added invoice
  WHERE NOT EXISTS (
    SELECT FROM invoice_lines line
    WHERE line.company_id = invoice.company_id
      AND line.invoice_id = invoice.id
      AND line.position = 1
    OFFSET 0
  )
  LIMIT 1;
  IF FOUND THEN
    PERFORM refuse('an invoice comes with its lines, in one statement', offender.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_invoices AFTER INSERT ON invoices REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_invoices();

CREATE FUNCTION check_counter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The company as it is at COMMIT, not as this change left it.
  IF NOT EXISTS (
    SELECT FROM companies company,
      LATERAL (
        SELECT FROM invoices invoice
        WHERE invoice.company_id = company.id AND invoice.number = company.next_invoice_number - 1
        OFFSET 0
      ) last
    WHERE company.id = NEW.id
  ) THEN
    PERFORM refuse('an invoice number was taken and not used', NEW.id);
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER check_counter AFTER UPDATE OF next_invoice_number ON companies
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.next_invoice_number <> NEW.next_invoice_number)
  EXECUTE FUNCTION check_counter();
CREATE CONSTRAINT TRIGGER check_first_counter AFTER INSERT ON companies
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.next_invoice_number > 1)
  EXECUTE FUNCTION check_counter();

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

-- All lines of an invoice come in one statement, numbered from 1, and their sum is its total.
CREATE FUNCTION check_lines() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offender uuid;
BEGIN
  SELECT lines.invoice_id INTO offender
  FROM (
    SELECT company_id, invoice_id, sum(amount) AS total, count(*) AS count, max(position) AS last
    FROM added
    GROUP BY company_id, invoice_id
  ) lines
  WHERE lines.count <> lines.last
    OR lines.total IS DISTINCT FROM (
      SELECT invoice.total
      FROM invoices invoice
      WHERE invoice.company_id = lines.company_id AND invoice.id = lines.invoice_id
    )
  LIMIT 1;
  IF FOUND THEN
    PERFORM refuse(
      'an invoice''s total is the sum of its lines, which are numbered from 1', offender);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_lines AFTER INSERT ON invoice_lines REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_lines();

-- An invoice's movements come in one statement and are those of its lines. That an adjustment's
-- movements are those of its JSON is left to verify: parsing JSON costs more than writing it.
CREATE FUNCTION check_sources() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offender uuid;
BEGIN
  -- One sum per invoice, in which the item's hash weights its quantities.
  SELECT sale.invoice_id INTO offender
  FROM (
    SELECT company_id, invoice_id, -sum(delta * uuid_hash_extended(item_id, 0)) AS taken
    FROM added
    WHERE invoice_id IS NOT NULL
    GROUP BY company_id, invoice_id
  ) sale
  WHERE sale.taken IS DISTINCT FROM (
    SELECT sum(line.qty * uuid_hash_extended(line.item_id, 0))
    FROM invoice_lines line
    WHERE line.company_id = sale.company_id AND line.invoice_id = sale.invoice_id
  )
  LIMIT 1;
  IF FOUND THEN
    PERFORM refuse('an invoice takes out of stock what its lines say', offender);
  END IF;
  SELECT movement.adjustment_id INTO offender
  FROM added movement
  WHERE movement.adjustment_id IS NOT NULL
    AND movement.kind <> (
      SELECT adjustment.reason
      FROM adjustments adjustment
      WHERE adjustment.company_id = movement.company_id AND adjustment.id = movement.adjustment_id
    )
  LIMIT 1;
  IF FOUND THEN
    PERFORM refuse('a movement''s kind is its adjustment''s reason', offender);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_sources AFTER INSERT ON movements REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_sources();

-- A job that succeeded has exactly its result, with the movements of its lines. A queued or failed
-- one has none. Each job belongs to a company. A batch writes its jobs last, so all of that is
-- visible here.
CREATE FUNCTION check_results() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offender uuid;
BEGIN
  SELECT job.id INTO offender
  FROM written job
  WHERE CASE
    WHEN job.status <> 'succeeded' THEN
      EXISTS (
        SELECT FROM invoices invoice
        WHERE invoice.company_id = job.company_id AND invoice.submission_id = job.submission_id
        OFFSET 0
      )
      OR EXISTS (
        SELECT FROM adjustments adjustment
        WHERE adjustment.company_id = job.company_id
          AND adjustment.submission_id = job.submission_id
        OFFSET 0
      )
      OR NOT EXISTS (SELECT FROM companies company WHERE company.id = job.company_id OFFSET 0)
    WHEN job.type = 'invoice.create' THEN
      job.submission_id IS DISTINCT FROM (
        SELECT invoice.submission_id
        FROM invoices invoice
        WHERE invoice.company_id = job.company_id AND invoice.id = job.result_id
      )
      OR NOT EXISTS (
        SELECT FROM movements movement
        WHERE movement.company_id = job.company_id AND movement.invoice_id = job.result_id
        OFFSET 0
      )
      AND EXISTS (
        SELECT FROM invoice_lines line
        WHERE line.company_id = job.company_id AND line.invoice_id = job.result_id
          AND line.item_id IS NOT NULL
        OFFSET 0
      )
    ELSE
      job.submission_id IS DISTINCT FROM (
        SELECT adjustment.submission_id
        FROM adjustments adjustment
        WHERE adjustment.company_id = job.company_id AND adjustment.id = job.result_id
      )
  END
  LIMIT 1;
  IF FOUND THEN
    PERFORM refuse('a job that succeeded has exactly its result, another one has none', offender);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_results_inserted AFTER INSERT ON jobs REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION check_results();
CREATE TRIGGER check_results_updated AFTER UPDATE ON jobs REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION check_results();
