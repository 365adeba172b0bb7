-- An issued invoice's whole JSON is stored: it never changes, and reading it is the copy of one column. As text: with json,
-- which is made text at each read, a list of 50 took 40 % longer.

-- It names the column that goes.
DROP TRIGGER append_only_update ON invoices;

-- What is there is rendered by the definition of this release, in the one pass over the table that its change of type
-- takes: an UPDATE would leave it twice as large. A cast to a row type, as no query may stand there.
CREATE TYPE invoice_json AS (id uuid, number text, status text, "customerName" text, date date, currency text, items json,
  total numeric, reference text, "createdAt" text);
ALTER TABLE invoices ALTER COLUMN lines TYPE text USING row_to_json(ROW(
  id, number_prefix || lpad(number::text, greatest(6, length(number::text)), '0'), status, customer_name, date, trim(currency), lines,
  trim_scale(total), reference, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::invoice_json)::text;
DROP TYPE invoice_json;
ALTER TABLE invoices RENAME COLUMN lines TO body;
-- It is JSON, as the type no longer says, and this invoice's. That it says what the row and its lines say is verify's to check.
ALTER TABLE invoices ADD CONSTRAINT invoices_body_check CHECK ((body::json ->> 'id') IS NOT DISTINCT FROM id::text);

-- What an invoice's JSON says does not change, but for what the next trigger tells in it.
CREATE TRIGGER append_only_update BEFORE UPDATE ON invoices FOR EACH ROW
  WHEN ((OLD.company_id, OLD.id, OLD.submission_id, OLD.number, OLD.number_prefix, OLD.date, OLD.currency, OLD.total, OLD.created_at, OLD.body)
    IS DISTINCT FROM (NEW.company_id, NEW.id, NEW.submission_id, NEW.number, NEW.number_prefix, NEW.date, NEW.currency, NEW.total, NEW.created_at, NEW.body))
  EXECUTE FUNCTION refuse_change();

-- A customer's spelling and a reference may be corrected, and the JSON says it too. Its other fields keep their text.
-- Triggers run in the order of their names: the one above has seen that nobody else writes it.
CREATE FUNCTION tell_correction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.body := (
    SELECT '{' || string_agg(to_json(f.key)::text || ':' || COALESCE(CASE f.key WHEN 'customerName' THEN to_json(NEW.customer_name)
      WHEN 'reference' THEN to_json(NEW.reference) ELSE f.value END::text, 'null'), ',' ORDER BY f.place) || '}'
    FROM json_each(NEW.body::json) WITH ORDINALITY AS f (key, value, place));
  RETURN NEW;
END $$;
CREATE TRIGGER tell_correction BEFORE UPDATE ON invoices FOR EACH ROW
  WHEN (OLD.customer_name <> NEW.customer_name OR OLD.reference IS DISTINCT FROM NEW.reference)
  EXECUTE FUNCTION tell_correction();
