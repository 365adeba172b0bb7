-- Invoices are inserted in the statement that takes their numbers, so that the schema is the first to see that a company's
-- currency changed after amounts were rounded for it. A serialization failure says that doing it again helps.
CREATE OR REPLACE FUNCTION check_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  offender record;
BEGIN
  SELECT n.company_id, n.lowest <> c.currency OR n.highest <> c.currency AS has_other_currency INTO offender
  FROM (SELECT company_id, min(number) AS first, max(number) AS last, count(*) AS count, min(currency) AS lowest, max(currency) AS highest
        FROM added GROUP BY company_id) n,
    LATERAL (SELECT next_invoice_number, currency FROM companies WHERE id = n.company_id LIMIT 1) c
  WHERE n.last <> c.next_invoice_number - 1 OR n.count <> n.last - n.first + 1 OR n.lowest <> c.currency OR n.highest <> c.currency
    OR n.first > 1 AND NOT EXISTS (SELECT FROM invoices i WHERE i.company_id = n.company_id AND i.number = n.first - 1 OFFSET 0)
  LIMIT 1;
  IF FOUND AND offender.has_other_currency THEN
    RAISE EXCEPTION 'invoices are not in their company''s currency: %', offender.company_id USING ERRCODE = 'serialization_failure';
  ELSIF FOUND THEN
    PERFORM refuse('invoices do not have their company''s next numbers', offender.company_id);
  END IF;
  SELECT a.id INTO offender FROM added a
  WHERE NOT EXISTS (SELECT FROM invoice_lines l WHERE l.company_id = a.company_id AND l.invoice_id = a.id AND l.position = 1 OFFSET 0)
  LIMIT 1;
  IF FOUND THEN PERFORM refuse('an invoice comes with its lines, in one statement', offender.id); END IF;
  RETURN NULL;
END $$;
