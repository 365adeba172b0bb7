-- The database refuses what `npm run verify` looks for, wherever a constraint or trigger can tell at a small part of a
-- batch's cost. Triggers run once a statement over all of its rows. In them each row looks up what it is held against by
-- an index of its own (a subquery, never a join): a connection plans them once, and a plan made for a large batch would
-- read whole tables for each small one after it.

-- Found without a look at other rows.
ALTER TABLE items ADD CONSTRAINT items_text_check CHECK (name <> '' AND name_key <> '' AND sku <> '');
ALTER TABLE invoices ADD CONSTRAINT invoices_text_check CHECK (customer_name <> '' AND customer_key <> '');
ALTER TABLE invoice_lines
  -- The currency's own decimal places are verify's to check: here 0, 2 or 3 will do.
  ADD CONSTRAINT invoice_lines_amount_rounded CHECK
    (amount = round(qty * price, 2) OR amount = round(qty * price) OR amount = round(qty * price, 3)),
  ADD CONSTRAINT invoice_lines_item_key_check CHECK
    (CASE WHEN item_id IS NULL THEN item_key LIKE 'name:%' ELSE item_key = item_id::text END);
ALTER TABLE movements ADD CONSTRAINT movements_sale_takes CHECK (kind <> 'sale' OR delta < 0);
ALTER TABLE summaries ADD CONSTRAINT summaries_body_whole CHECK
  (num_nonnulls(day, currency, time_zone, body, computed_at) IN (0, 5));
-- A rollup's row is there because of an invoice. BETWEEN keeps out NaN.
ALTER TABLE daily_totals ADD CONSTRAINT daily_totals_check CHECK (count > 0 AND total BETWEEN 0 AND 1e30);
ALTER TABLE customer_totals ADD CONSTRAINT customer_totals_check CHECK
  (count > 0 AND total BETWEEN 0 AND 1e30 AND extract(day FROM month) = 1);
ALTER TABLE item_totals ADD CONSTRAINT item_totals_check CHECK
  (qty > 0 AND qty < 1e30 AND total BETWEEN 0 AND 1e30 AND extract(day FROM month) = 1);

-- One movement an item of an invoice, however many lines it has. Also what an invoice took out of stock.
CREATE UNIQUE INDEX movements_sale_unique ON movements (company_id, invoice_id, item_id) WHERE invoice_id IS NOT NULL;
DROP INDEX movements_invoice;

CREATE FUNCTION refuse(message text, offender anyelement) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%: %', message, offender USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- Numbers: what is inserted ends at the counter, joins what is there, and leaves no gap. That the counter does not run
-- ahead is seen at COMMIT: a batch takes its numbers before it writes its invoices.
CREATE FUNCTION check_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offender uuid;
BEGIN
  SELECT n.company_id INTO offender
  FROM (SELECT company_id, min(number) AS first, max(number) AS last, count(*) AS count, min(currency) AS lowest, max(currency) AS highest
        FROM added GROUP BY company_id) n,
    LATERAL (SELECT next_invoice_number, currency FROM companies WHERE id = n.company_id LIMIT 1) c
  WHERE n.last <> c.next_invoice_number - 1 OR n.count <> n.last - n.first + 1 OR n.lowest <> c.currency OR n.highest <> c.currency
    OR n.first > 1 AND NOT EXISTS (SELECT FROM invoices i WHERE i.company_id = n.company_id AND i.number = n.first - 1 OFFSET 0)
  LIMIT 1;
  IF FOUND THEN PERFORM refuse('invoices are not in their company''s currency with its next numbers', offender); END IF;
  SELECT a.id INTO offender FROM added a
  WHERE NOT EXISTS (SELECT FROM invoice_lines l WHERE l.company_id = a.company_id AND l.invoice_id = a.id AND l.position = 1 OFFSET 0)
  LIMIT 1;
  IF FOUND THEN PERFORM refuse('an invoice comes with its lines, in one statement', offender); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_invoices AFTER INSERT ON invoices REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_invoices();

CREATE FUNCTION check_counter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The row as it is at COMMIT, and not as this change left it.
  IF NOT EXISTS (
    SELECT FROM companies c, LATERAL (SELECT FROM invoices i WHERE i.company_id = c.id AND i.number = c.next_invoice_number - 1 OFFSET 0) i
    WHERE c.id = NEW.id) THEN PERFORM refuse('an invoice number was taken and not used', NEW.id); END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER check_counter AFTER UPDATE OF next_invoice_number ON companies DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.next_invoice_number <> NEW.next_invoice_number) EXECUTE FUNCTION check_counter();
CREATE CONSTRAINT TRIGGER check_first_counter AFTER INSERT ON companies DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.next_invoice_number > 1) EXECUTE FUNCTION check_counter();

CREATE FUNCTION refuse_setting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN refuse('a counter does not go back, and the currency is fixed once there is an invoice', NEW.id);
END $$;
CREATE TRIGGER fixed_settings BEFORE UPDATE ON companies FOR EACH ROW
  WHEN (NEW.next_invoice_number < OLD.next_invoice_number OR NEW.stock_version < OLD.stock_version
    OR NEW.currency <> OLD.currency AND OLD.next_invoice_number > 1)
  EXECUTE FUNCTION refuse_setting();

-- Lines: all of an invoice's in one statement, numbered from 1, and their sum is its total.
CREATE FUNCTION check_lines() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offender uuid;
BEGIN
  SELECT l.invoice_id INTO offender
  FROM (SELECT company_id, invoice_id, sum(amount) AS total, count(*) AS count, max(position) AS last
        FROM added GROUP BY company_id, invoice_id) l
  WHERE l.count <> l.last OR l.total IS DISTINCT FROM (SELECT i.total FROM invoices i WHERE i.company_id = l.company_id AND i.id = l.invoice_id)
  LIMIT 1;
  IF FOUND THEN PERFORM refuse('an invoice''s total is the sum of its lines, which are numbered from 1', offender); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_lines AFTER INSERT ON invoice_lines REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_lines();

-- Stock: on hand changes only together with a movement, to the balance that the movement carries.
CREATE FUNCTION check_on_hand() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offender uuid;
BEGIN
  SELECT n.id INTO offender
  FROM after n JOIN before o ON o.company_id = n.company_id AND o.id = n.id
  WHERE n.on_hand <> o.on_hand AND n.on_hand IS DISTINCT FROM (
    SELECT m.on_hand_after FROM movements m WHERE m.company_id = n.company_id AND m.item_id = n.id ORDER BY m.id DESC LIMIT 1)
  LIMIT 1;
  IF FOUND THEN PERFORM refuse('on hand is the balance of the item''s last movement', offender); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_on_hand AFTER UPDATE ON items REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION check_on_hand();

CREATE FUNCTION refuse_stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN refuse('a new item has nothing on hand until a movement brings it', NEW.id);
END $$;
CREATE TRIGGER starts_empty BEFORE INSERT ON items FOR EACH ROW WHEN (NEW.on_hand <> 0) EXECUTE FUNCTION refuse_stock();

-- Movements: one statement's movements of an item follow from each other and end at what is on hand. Their link to the
-- item's movements before is left to verify: looking it up costs as much again.
CREATE FUNCTION check_balances() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offender uuid;
BEGIN
  SELECT m.item_id INTO offender
  FROM (SELECT company_id, item_id, delta, on_hand_after, lag(on_hand_after) OVER item AS before, lead(id) OVER item IS NULL AS "isLast"
        FROM added WINDOW item AS (PARTITION BY item_id, company_id ORDER BY id)) m
  WHERE m.on_hand_after <> m.before + m.delta
    OR m."isLast" AND m.on_hand_after <> (SELECT i.on_hand FROM items i WHERE i.company_id = m.company_id AND i.id = m.item_id)
  LIMIT 1;
  IF FOUND THEN PERFORM refuse('a movement''s balance does not follow, or is not on hand', offender); END IF;
  SELECT m.item_id INTO offender FROM added m
  WHERE m.on_hand_after < 0 AND m.delta < 0
    AND NOT (SELECT c.allow_negative_stock FROM companies c WHERE c.id = m.company_id)
  LIMIT 1;
  IF FOUND THEN PERFORM refuse('the company does not allow negative stock', offender); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_balances AFTER INSERT ON movements REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_balances();

-- Sources: an invoice's movements are what its lines say, all in one statement. That an adjustment's are those of its
-- answer is left to verify: taking JSON apart costs more than writing it.
CREATE FUNCTION check_sources() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offender uuid;
BEGIN
  -- By one sum an invoice, in which each item's quantities count by a number of their own.
  SELECT m.invoice_id INTO offender
  FROM (SELECT company_id, invoice_id, -sum(delta * uuid_hash_extended(item_id, 0)) AS taken
        FROM added WHERE invoice_id IS NOT NULL GROUP BY company_id, invoice_id) m
  WHERE m.taken IS DISTINCT FROM (
    SELECT sum(l.qty * uuid_hash_extended(l.item_id, 0)) FROM invoice_lines l WHERE l.company_id = m.company_id AND l.invoice_id = m.invoice_id)
  LIMIT 1;
  IF FOUND THEN PERFORM refuse('an invoice takes out of stock what its lines say', offender); END IF;
  SELECT m.adjustment_id INTO offender FROM added m
  WHERE m.adjustment_id IS NOT NULL
    AND m.kind <> (SELECT a.reason FROM adjustments a WHERE a.company_id = m.company_id AND a.id = m.adjustment_id)
  LIMIT 1;
  IF FOUND THEN PERFORM refuse('a movement''s kind is its adjustment''s reason', offender); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_sources AFTER INSERT ON movements REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_sources();

-- Jobs: one that succeeded has exactly its result, which took what it sells out of stock; one that waits or failed has
-- none; and a job belongs to a company. Jobs are written last, so all of it is there to be seen.
CREATE FUNCTION check_results() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offender uuid;
BEGIN
  SELECT j.id INTO offender FROM written j
  WHERE CASE
    WHEN j.status <> 'succeeded' THEN
      EXISTS (SELECT FROM invoices i WHERE i.company_id = j.company_id AND i.submission_id = j.submission_id OFFSET 0)
      OR EXISTS (SELECT FROM adjustments a WHERE a.company_id = j.company_id AND a.submission_id = j.submission_id OFFSET 0)
      OR NOT EXISTS (SELECT FROM companies c WHERE c.id = j.company_id OFFSET 0)
    WHEN j.type = 'invoice.create' THEN
      j.submission_id IS DISTINCT FROM (SELECT i.submission_id FROM invoices i WHERE i.company_id = j.company_id AND i.id = j.result_id)
      OR NOT EXISTS (SELECT FROM movements m WHERE m.company_id = j.company_id AND m.invoice_id = j.result_id OFFSET 0)
        AND EXISTS (SELECT FROM invoice_lines l WHERE l.company_id = j.company_id AND l.invoice_id = j.result_id AND l.item_id IS NOT NULL OFFSET 0)
    ELSE j.submission_id IS DISTINCT FROM (SELECT a.submission_id FROM adjustments a WHERE a.company_id = j.company_id AND a.id = j.result_id)
  END
  LIMIT 1;
  IF FOUND THEN PERFORM refuse('a job that succeeded has exactly its result, another one has none', offender); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_results_inserted AFTER INSERT ON jobs REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION check_results();
CREATE TRIGGER check_results_updated AFTER UPDATE ON jobs REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION check_results();

-- An outcome that a client may have seen stays. What failed on our side keeps its payload and can be tried again.
CREATE TRIGGER final BEFORE UPDATE ON jobs FOR EACH ROW
  WHEN ((OLD.status = 'succeeded' OR OLD.status = 'failed' AND OLD.payload IS NULL)
    AND (OLD.company_id, OLD.id, OLD.type, OLD.status, OLD.fingerprint, OLD.submission_id, OLD.result_id, OLD.error::text)
      IS DISTINCT FROM (NEW.company_id, NEW.id, NEW.type, NEW.status, NEW.fingerprint, NEW.submission_id, NEW.result_id, NEW.error::text))
  EXECUTE FUNCTION refuse_change();
-- What waits was promised with a 202.
CREATE TRIGGER promised BEFORE DELETE ON jobs FOR EACH ROW WHEN (OLD.status = 'queued') EXECUTE FUNCTION refuse_change();

-- Rollups count an invoice's customer by the key it was issued with; its spelling may be corrected.
CREATE TRIGGER append_only_customer BEFORE UPDATE OF customer_key ON invoices FOR EACH ROW
  WHEN (OLD.customer_key <> NEW.customer_key) EXECUTE FUNCTION refuse_change();

-- A summary does not claim more than its company has.
CREATE FUNCTION check_summary() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM companies c WHERE c.id = NEW.company_id AND NEW.watermark < c.next_invoice_number AND NEW.stock_version <= c.stock_version) THEN
    PERFORM refuse('a summary is ahead of its company', NEW.company_id);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_summary BEFORE INSERT OR UPDATE ON summaries FOR EACH ROW
  WHEN (NEW.watermark > 0 OR NEW.stock_version > 0) EXECUTE FUNCTION check_summary();

-- Row triggers do not see TRUNCATE.
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON movements EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON invoice_lines EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON adjustments EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON invoices EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON jobs EXECUTE FUNCTION refuse_change();
