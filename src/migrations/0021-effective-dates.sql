-- The date from which an entry counts in balances of a past day. Entries are dated by their
-- callers, in any order, so their own dates do not say how money moved: an allocation may be dated
-- before its payment.
--
-- An entry's effective date is the latest of its own date, the dates of its payment or credit note
-- and of its invoices, and the effective dates of all earlier entries of the same payment, credit
-- note or invoice. Along each invoice, payment and credit note, effective dates never go back, so
-- the state at the end of a day is one that existed, in which nothing is below 0.

ALTER TABLE entries ADD COLUMN effective_date date;

ALTER TABLE allocations
  -- The entry's.
  ADD COLUMN effective_date date,
  -- The date of the payment or credit note.
  ADD COLUMN source_date date,
  -- Columns of the invoice, none of which changes: a balance of a past day adds up the allocations
  -- after it, maybe a million, and reads no invoice for them.
  ADD COLUMN invoice_number bigint,
  ADD COLUMN invoice_date date,
  ADD COLUMN due_date date,
  ADD COLUMN customer_key text COLLATE "C";

-- All functions here plan their statements for each call: a plan that was made while the tables
-- were empty may read a whole one.

-- The last effective date of an invoice, or its date.
CREATE FUNCTION last_date_of_invoice(company uuid, invoice uuid) RETURNS date LANGUAGE sql
  SET plan_cache_mode = force_custom_plan AS $$
  SELECT GREATEST(
    (SELECT i.date FROM invoices i WHERE i.company_id = company AND i.id = invoice),
    (
      SELECT max(a.effective_date)
      FROM allocations a
      WHERE a.company_id = company AND a.invoice_id = invoice
    ),
    (
      SELECT max(e.effective_date)
      FROM entries e
      WHERE e.company_id = company AND e.invoice_id = invoice
    ))
$$;

-- The last effective date of a payment or credit note, or its date.
CREATE FUNCTION last_date_of_source(company uuid, source uuid) RETURNS date LANGUAGE sql
  SET plan_cache_mode = force_custom_plan AS $$
  SELECT GREATEST(
    (
      SELECT GREATEST(e.date, e.effective_date)
      FROM entries e
      WHERE e.company_id = company AND e.id = source
    ),
    (
      SELECT max(a.effective_date)
      FROM allocations a
      WHERE a.company_id = company AND a.source_id = source
    ),
    (
      SELECT max(e.effective_date)
      FROM entries e
      WHERE e.company_id = company AND e.source_id = source
    ))
$$;

-- The last effective date of the invoices that have money of a payment.
CREATE FUNCTION last_date_of_paid(company uuid, source uuid) RETURNS date LANGUAGE sql
  SET plan_cache_mode = force_custom_plan AS $$
  SELECT max(last_date_of_invoice(company, paid.invoice_id))
  FROM (
    SELECT a.invoice_id
    FROM allocations a
    WHERE a.company_id = company AND a.source_id = source
    GROUP BY a.invoice_id
    HAVING sum(a.amount) <> 0
  ) paid
$$;

-- Fills existing rows in order, each from those before it.
DROP TRIGGER append_only_update ON entries;
DROP TRIGGER append_only ON allocations;
DO $$
DECLARE
  entry record;
  day date;
BEGIN
  FOR entry IN
    SELECT company_id, id, sequence, date, source_id, invoice_id
    FROM entries
    ORDER BY company_id, sequence
  LOOP
    SELECT GREATEST(
        entry.date,
        CASE WHEN entry.source_id IS NOT NULL THEN
          last_date_of_source(entry.company_id, entry.source_id)
        END,
        CASE WHEN entry.invoice_id IS NOT NULL THEN
          last_date_of_invoice(entry.company_id, entry.invoice_id)
        END,
        max(last_date_of_invoice(a.company_id, a.invoice_id)))
      INTO day
      FROM allocations a
      WHERE a.company_id = entry.company_id
        AND a.source_id = COALESCE(entry.source_id, entry.id)
        AND a.sequence = entry.sequence;
    UPDATE entries SET effective_date = day
      WHERE company_id = entry.company_id AND id = entry.id;
    UPDATE allocations a
      SET effective_date = day,
        source_date = source.date,
        invoice_number = i.number,
        invoice_date = i.date,
        due_date = i.due_date,
        customer_key = i.customer_key
      FROM entries source, invoices i
      WHERE a.company_id = entry.company_id
        AND a.source_id = COALESCE(entry.source_id, entry.id)
        AND a.sequence = entry.sequence
        AND source.company_id = a.company_id AND source.id = a.source_id
        AND i.company_id = a.company_id AND i.id = a.invoice_id;
  END LOOP;
END $$;

-- While processes of an earlier release run beside this one, their rows lack the new columns, and
-- these triggers fill them. A reversal takes everything back, so its invoices are known before its
-- allocations are inserted. Other entries of such a process may get an earlier date than their
-- allocations, which is why both are compared where a last date is read.
CREATE FUNCTION set_effective_date() RETURNS trigger LANGUAGE plpgsql
  SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  NEW.effective_date := NEW.date;
  IF NEW.type = 'payment' THEN
    RETURN NEW;
  END IF;
  IF NEW.invoice_id IS NOT NULL THEN
    NEW.effective_date := GREATEST(
      NEW.date,
      last_date_of_invoice(NEW.company_id, NEW.invoice_id));
  ELSIF EXISTS (SELECT FROM entries WHERE company_id = NEW.company_id AND id = NEW.source_id) THEN
    NEW.effective_date := GREATEST(
      NEW.date,
      last_date_of_source(NEW.company_id, NEW.source_id),
      CASE WHEN NEW.type = 'reversal' THEN
        last_date_of_paid(NEW.company_id, NEW.source_id)
      END);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER set_effective_date BEFORE INSERT ON entries FOR EACH ROW
  WHEN (NEW.effective_date IS NULL)
  EXECUTE FUNCTION set_effective_date();

CREATE FUNCTION set_allocation_dates() RETURNS trigger LANGUAGE plpgsql
  SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  SELECT i.number, i.date, i.due_date, i.customer_key, source.date,
      GREATEST(e.effective_date, last_date_of_invoice(NEW.company_id, NEW.invoice_id))
    INTO NEW.invoice_number, NEW.invoice_date, NEW.due_date, NEW.customer_key, NEW.source_date,
      NEW.effective_date
    FROM invoices i, entries source, entries e
    WHERE i.company_id = NEW.company_id AND i.id = NEW.invoice_id
      AND source.company_id = NEW.company_id AND source.id = NEW.source_id
      AND e.company_id = NEW.company_id AND e.sequence = NEW.sequence;
  RETURN NEW;
END $$;
CREATE TRIGGER set_allocation_dates BEFORE INSERT ON allocations FOR EACH ROW
  WHEN (NEW.effective_date IS NULL)
  EXECUTE FUNCTION set_allocation_dates();

ALTER TABLE entries ALTER COLUMN effective_date SET NOT NULL;
ALTER TABLE allocations
  ALTER COLUMN effective_date SET NOT NULL,
  ALTER COLUMN source_date SET NOT NULL,
  ALTER COLUMN invoice_number SET NOT NULL,
  ALTER COLUMN invoice_date SET NOT NULL,
  ALTER COLUMN customer_key SET NOT NULL;

-- The allocations of a customer, or of all, after a day.
CREATE INDEX allocations_effective ON allocations (company_id, customer_key, effective_date);
-- The same of reversals and refunds, which a statement lists by these dates.
CREATE INDEX entries_effective ON entries (company_id, customer_key, effective_date, sequence)
  WHERE type IN ('reversal', 'refund');

-- As in 0006, and as in 0010 with the new column.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON allocations FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_update BEFORE UPDATE ON entries FOR EACH ROW
  WHEN (
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
  EXECUTE FUNCTION refuse_change();
